import { type RichDocumentValue } from '../contract/shapes.ts';
import { commonPhrases } from './common-phrases.ts';
import { pickIcon } from './icons.ts';
import { clusterImpact, type Impact } from './impact.ts';
import { findNearest } from './neighbors.ts';
import { plainTextDocument } from './plain-text-document.ts';
import { type AnalysisState, StateDraft } from './state.ts';
import { readVocabulary } from './stored-meanings.ts';
import { suggestLabels } from './suggest-labels.ts';
import { truncate } from './title.ts';
import { stemsOf } from './words.ts';

/** Issues that a description is made from; more would not change it. */
const sampleSize = 20;
const maxQuotes = 3;
/** Titles that quotes are picked from. */
const maxCandidates = 6;
/** Issues of the sample that stay distinct, whatever the share of the largest. */
const minDistinct = 5;
const maxPhrases = 3;
const maxLabel = 60;
/** The rarity of words that were not learned. */
const unknownRarity = 1;

export interface ClusterCounts {
  readonly conversations: number;
  /** Issues of each impact. */
  readonly impacts: Readonly<Record<Impact, number>>;
}

export interface ClusterDescription {
  /** A few words. */
  readonly label: string;
  /** One of `icons`. */
  readonly icon: string;
  /** Counts, the most frequent phrases and some quotes. */
  readonly summary: RichDocumentValue;
  readonly impact: Impact;
}

/**
 * Returns the IDs of the points that represent a cluster best, best first: one issue of each gives a sample of the
 * cluster. A point with many of the issues is repeated at the end in proportion to its share.
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
    // More issues give a point more weight, but not in proportion.
    .map(({ item, similarity }) => ({ ...item, weight: similarity * (1 + Math.log(item.size) / 4) }))
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ id, size }) => {
      const times = Math.max(1, Math.round((size / issues) * (wanted - minDistinct)));
      return Array.from({ length: times }, () => id);
    })
    .slice(0, wanted);
  return [...new Set(drawn), ...drawn.filter((id, at) => drawn.indexOf(id) !== at)];
}

/**
 * Describes a cluster from its counts and the titles of a sample of its issues, best first. The label is none of the
 * `taken` ones (in lower case) if there are other words.
 */
export async function describeCluster(
  state: AnalysisState,
  sample: readonly { readonly title: string }[],
  { conversations, impacts }: ClusterCounts,
  taken: ReadonlySet<string> = new Set(),
): Promise<ClusterDescription> {
  const draft = new StateDraft(state);
  const texts = sample.map(({ title }) => title);
  const { meaning } = await readVocabulary(draft, await draft.model(), texts.flatMap(stemsOf));
  const rarity = (stem: string): number => meaning(stem)?.rarity ?? unknownRarity;
  const titles = [...new Set(texts)];
  const labels = [...suggestLabels(texts, rarity), ...titles.map((title) => truncate(title, maxLabel))];
  const [first = 'Conversations'] = labels;
  const label = [...labels, 'Conversations'].find((each) => !taken.has(each.toLowerCase())) ?? first;
  const quotes = pickQuotes(titles).map((title) => `“${title}”`);
  const phrases = frequentPhrases(texts, rarity);
  const about = `${countsText(impacts, conversations)}${phrases.length > 1 ? ` People often mention ${joinWithAnd(phrases)}.` : ''}`;
  const labelVotes = Array.from({ length: Math.ceil(texts.length / 4) }, () => label);
  return {
    label,
    icon: pickIcon([...labelVotes, ...texts], rarity),
    summary: plainTextDocument([about, ...(quotes.length === 0 ? [] : ['In their words:', quotes])]),
    impact: clusterImpact(impacts),
  };
}

function countsText({ low, medium, high }: ClusterCounts['impacts'], conversations: number): string {
  const count = (number: number, noun: string): string =>
    `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(low + medium + high, 'issue')} in ${count(conversations, 'conversation')}${high > 0 ? `, ${high.toLocaleString('en')} of high impact` : ''}.`;
}

/** Picks titles that say different things: the best one, then those that share the fewest words with the picked ones. */
function pickQuotes(titles: readonly string[]): string[] {
  const left = titles.slice(0, maxCandidates).map((title) => ({ title, stems: new Set(stemsOf(title)) }));
  const picked = left.splice(0, 1);
  while (picked.length < maxQuotes && left.length > 0) {
    const overlaps = left.map(({ stems }) => Math.max(...picked.map((one) => overlapOf(one.stems, stems))));
    const least = Math.min(...overlaps);
    if (least === 1) break;
    picked.push(...left.splice(overlaps.indexOf(least), 1));
  }
  return picked.map(({ title }) => title);
}

/** The share of the stems of the shorter text that the longer one has, too. */
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}

/** The most common phrases, in quotes; no two share a word. */
function frequentPhrases(texts: readonly string[], rarity: (stem: string) => number): string[] {
  const used = new Set<string>();
  const chosen: string[] = [];
  for (const { words, stems, share } of commonPhrases(texts, rarity)) {
    if (chosen.length === maxPhrases) break;
    if (share < 0.2 || stems.some((stem) => used.has(stem))) continue;
    for (const stem of stems) used.add(stem);
    chosen.push(`“${words}”`);
  }
  return chosen;
}

function joinWithAnd(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}
