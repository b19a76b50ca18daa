import type { RichDocumentValue } from '../contract/shapes.ts';
import { documentOf } from './document.ts';
import { iconOf } from './icons.ts';
import { type Impact, impactOf } from './impact.ts';
import { knowledgeOf } from './known-words.ts';
import { phrasesOf } from './common-phrases.ts';
import { labelsOf } from './label.ts';
import { nearest } from './neighbours.ts';
import { type AnalysisState, Draft } from './state.ts';
import { cut } from './title.ts';
import { stemsOf } from './words.ts';

/** Issues that a description is made from: more would not change what it says. */
export const sampleSize = 20;
const quoted = 5;
const named = 3;

/** What is counted of a cluster. */
export interface Counted {
  readonly conversations: number;
  readonly impacts: Readonly<Record<Impact, number>>;
}

export interface Description {
  /** A few words. */
  readonly label: string;
  /** One of `icons`. */
  readonly icon: string;
  /** How much there is of it, what is said most, and how people say it. */
  readonly summary: RichDocumentValue;
  readonly impact: Impact;
}

/**
 * The points of a cluster that stand for it best, best first: one issue of each is a sample of the cluster. One that many
 * of its issues say comes again for its share of them, after all others.
 */
export async function representatives(
  state: AnalysisState,
  cluster: string,
  wanted = sampleSize,
): Promise<string[]> {
  const draft = new Draft(state);
  const centre = (await draft.centres()).find((one) => one.cluster === cluster);
  if (centre === undefined) return [];
  const points = await draft.points(cluster);
  const issues = points.reduce((sum, { size }) => sum + size, 0);
  const near = nearest(draft.unpacked.of(centre), points, (point) => draft.unpacked.of(point), wanted * 2);
  // Many issues speak for a point, though not in proportion.
  const drawn = near
    .map(({ one, likeness }) => ({ one, weight: likeness * (1 + Math.log(one.size) / 4) }))
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ one: { id, size } }) =>
      Array.from({ length: Math.max(1, Math.round((size / issues) * (wanted - quoted))) }, () => id),
    )
    .slice(0, wanted);
  return [...new Set(drawn), ...drawn.filter((id, at) => drawn.indexOf(id) !== at)];
}

/** What to call a cluster and how to show it, from issues of its representatives (best first) and what is counted of it; no label that is `taken`, as long as there are other words. */
export async function describe(
  state: AnalysisState,
  sample: readonly { readonly title: string }[],
  { conversations, impacts }: Counted,
  taken: ReadonlySet<string> = new Set(),
): Promise<Description> {
  const draft = new Draft(state);
  const texts = sample.map(({ title }) => title);
  const { meaning } = await knowledgeOf(draft, await draft.model(), texts.flatMap(stemsOf));
  const unheard = 1;
  const rarity = (stem: string): number => meaning(stem)?.rarity ?? unheard;
  const titles = [...new Set(texts)];
  const labels = [...labelsOf(texts, rarity), ...titles.map((title) => cut(title, 60)), 'Conversations'];
  const label = labels.find((one) => !taken.has(one.toLowerCase())) ?? labels[0]!;
  const quotes = titles.slice(0, quoted).map((title) => `“${title}”`);
  const said = saidMost(texts, rarity);
  const about = `${countsOf(impacts, conversations)}${said.length > 1 ? ` People mostly speak of ${listed(said)}.` : ''}`;
  const summary = documentOf([about, ...(quotes.length === 0 ? [] : ['In their words:', quotes])]);
  return {
    label,
    icon: iconOf([...Array.from({ length: Math.ceil(texts.length / 4) }, () => label), ...texts], rarity),
    summary,
    impact: impactOf(impacts),
  };
}

function countsOf({ low, medium, high }: Readonly<Record<Impact, number>>, conversations: number): string {
  const count = (number: number, what: string): string =>
    `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
  return `${count(low + medium + high, 'issue')} in ${count(conversations, 'conversation')}${high > 0 ? `, ${high.toLocaleString('en')} of high impact` : ''}.`;
}

/** Phrases that many have, none with a word of another. */
function saidMost(texts: readonly string[], rarity: (stem: string) => number): string[] {
  const heard = new Set<string>();
  const said: string[] = [];
  for (const { words, stems, share } of phrasesOf(texts, rarity)) {
    if (said.length === named) break;
    if (share < 0.2 || stems.some((stem) => heard.has(stem))) continue;
    for (const stem of stems) heard.add(stem);
    said.push(`“${words}”`);
  }
  return said;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}
