import type { RichDocumentValue } from '../contract/shapes.ts';
import { createRedactor } from '../redaction/create-redactor.ts';
import { privateKinds } from '../redaction/kinds.ts';
import { pickIcon } from './icons.ts';
import { clusterImpact, type Impact } from './impact.ts';
import { findNearest } from './neighbors.ts';
import { type AnalysisState, StateDraft } from './state.ts';
import { readVocabulary } from './stored-meanings.ts';
import { labelKey, suggestLabels } from './suggest-labels.ts';
import { type ClusterCounts, summarizeCluster } from './summarize-cluster.ts';
import { shorten } from './title.ts';
import { withoutPlaceholders } from './without-placeholders.ts';
import { stemsOf } from './words.ts';

/** Number of issues in the sample for a description. More would not change it. */
const sampleSize = 20;
/** Minimum number of different issues in the sample, even if one has the largest share. */
const minDistinct = 5;
const maxLabel = 60;
/** The label of a cluster whose issues have no meaningful text. */
export const noLabel = 'Conversations';
/** The rarity of words that were not learned: for icons, whose words are common, and for labels. */
const unknownRarity = 1;
const singleRarity = 5;

interface ClusterDescription {
  readonly label: string;
  /** One of `icons`. */
  readonly icon: string;
  /** What people want and what goes wrong, with counts and some quotes. */
  readonly summary: RichDocumentValue;
  readonly impact: Impact;
}

/**
 * Returns the IDs of the points that represent a cluster best, best first: one issue of each gives a sample of the
 * cluster. A point with many of the issues is repeated at the end in proportion to its share, up to its number of issues.
 */
export async function representativePoints(
  state: AnalysisState,
  cluster: string,
  wanted = sampleSize,
): Promise<string[]> {
  const draft = new StateDraft(state);
  const center = (await draft.centers()).find((each) => each.cluster === cluster);
  if (center === undefined) return [];
  const points = await draft.points(cluster);
  const issues = points.reduce((sum, { size }) => sum + size, 0);
  const near = findNearest(draft.vectors.of(center), points, (point) => draft.vectors.of(point), wanted * 2);
  const drawn = near
    // More issues give a point a higher weight, but less than proportionally.
    .map(({ item, similarity }) => ({ ...item, weight: similarity * (1 + Math.log(item.size) / 4) }))
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ id, size }) => {
      const share = Math.round((size / issues) * (wanted - minDistinct));
      const times = Math.max(1, Math.min(size, share));
      return Array.from({ length: times }, () => id);
    })
    .slice(0, wanted);
  return [...new Set(drawn), ...drawn.filter((id, at) => drawn.indexOf(id) !== at)];
}

/**
 * Describes a cluster from its counts and the titles of a sample of its issues, best first. Private data in titles is replaced
 * first, and the label contains no placeholders. If possible, the label differs in meaning from the `taken` ones.
 */
export async function describeCluster(
  state: AnalysisState,
  sample: readonly { title: string }[],
  counts: ClusterCounts,
  taken: ReadonlySet<string> = new Set(),
): Promise<ClusterDescription> {
  const draft = new StateDraft(state);
  const { redactText } = createRedactor(privateKinds);
  const redacted = new Map(
    Array.from(new Set(sample.map(({ title }) => title)), (title) => [title, redactText(title)]),
  );
  const texts = sample.map(({ title }) => redacted.get(title) ?? '');
  const { meaning } = await readVocabulary(draft, await draft.model(), texts.flatMap(stemsOf));
  const rarity = (stem: string) => meaning(stem)?.rarity ?? unknownRarity;
  const bare = texts.map(withoutPlaceholders);
  const labels = suggestLabels(bare, (stem) => meaning(stem)?.rarity ?? singleRarity);
  const titles = [...new Set(texts)];
  const label = redactLabel(
    chooseLabel([...labels.map(({ text }) => text), ...new Set(bare)], taken),
    redactText,
  );
  const labelVotes = Array.from({ length: Math.ceil(texts.length / 4) }, () => label);
  return {
    label,
    icon: pickIcon([...labelVotes, ...bare], rarity),
    summary: summarizeCluster(labels, titles, counts),
    impact: clusterImpact(counts.impacts),
  };
}

/** Removes private data from a label; "Conversations" if nothing else is left. */
export function redactLabel(label: string, redactText: (text: string) => string): string {
  const redacted = redactText(label);
  if (redacted === label) return label;
  const bare = withoutPlaceholders(redacted);
  return labelKey(bare) === '' ? noLabel : bare;
}

/** Returns the first label that differs in meaning from the taken ones, otherwise one with a different spelling. */
function chooseLabel(suggested: readonly string[], taken: ReadonlySet<string>): string {
  const labels = [...suggested.map((text) => shorten(text, maxLabel)), noLabel];
  const keys = new Set(Array.from(taken, labelKey));
  const lower = new Set(Array.from(taken, (label) => label.toLowerCase()));
  const isNew = (label: string) => labelKey(label) !== '' && !keys.has(labelKey(label));
  return (
    // If the best label is a phrase, a single word would say too little.
    labels.find((label) => isNew(label) && (label === labels[0] || label.includes(' '))) ??
    labels.find(isNew) ??
    labels.find((label) => !lower.has(label.toLowerCase())) ??
    labels[0] ??
    noLabel
  );
}
