import type { RichDocumentValue } from '../contract/shapes.ts';
import { documentOf } from './document.ts';
import { iconOf } from './icons.ts';
import { type Impact, impactOf } from './impact.ts';
import { knowledgeOf } from './known-words.ts';
import { labelOf } from './label.ts';
import { nearest } from './neighbours.ts';
import { unpack } from './pack.ts';
import { type AnalysisState, Draft } from './state.ts';
import { cut } from './title.ts';
import { stemsOf } from './words.ts';

/** Issues that a description is made from: more would not change what it says. */
export const sampleSize = 20;
const quoted = 5;

export interface Description {
  /** A few words. */
  readonly label: string;
  /** One of `icons`. */
  readonly icon: string;
  /** The title that says it best, and titles of others. */
  readonly summary: RichDocumentValue;
  readonly impact: Impact;
}

/** The points of a cluster that stand for it best, best first: one issue of each is a sample of the cluster. */
export async function representatives(state: AnalysisState, cluster: string, wanted = sampleSize): Promise<string[]> {
  const draft = new Draft(state);
  const centre = (await draft.centres()).find((one) => one.cluster === cluster);
  if (centre === undefined) return [];
  const near = nearest(unpack(centre.vector), await draft.points(cluster), ({ vector }) => unpack(vector), wanted * 2);
  // Many issues speak for a point, though not in proportion.
  return near
    .map(({ one, likeness }) => ({ id: one.id, weight: likeness * (1 + Math.log(one.size) / 4) }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, wanted)
    .map(({ id }) => id);
}

/** What to call a cluster and how to show it, from issues of its representatives (best first) and the number of its issues of each impact. */
export async function describe(state: AnalysisState, sample: readonly { readonly title: string }[], impacts: Readonly<Record<Impact, number>>): Promise<Description> {
  const draft = new Draft(state);
  const texts = sample.map(({ title }) => title);
  const { meaning } = await knowledgeOf(draft, await draft.model(), texts.flatMap(stemsOf));
  const unheard = 1;
  const rarity = (stem: string): number => meaning(stem)?.rarity ?? unheard;
  const label = labelOf(texts, rarity) ?? cut(texts[0] ?? 'Conversations', 60);
  const titles = [...new Set(texts)].slice(0, quoted + 1);
  const { low, medium, high } = impacts;
  const total = low + medium + high;
  const counted = `${total.toLocaleString('en')} ${total === 1 ? 'issue' : 'issues'}${high > 0 ? `, ${high.toLocaleString('en')} of high impact` : ''}.`;
  const [first, ...others] = titles;
  const summary = documentOf([...(first === undefined ? [] : [first]), counted, ...(others.length === 0 ? [] : [others])]);
  return { label, icon: iconOf([...Array.from({ length: Math.ceil(texts.length / 4) }, () => label), ...texts], rarity), summary, impact: impactOf(impacts) };
}
