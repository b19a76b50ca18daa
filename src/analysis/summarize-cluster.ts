import type { RichDocumentValue } from '../contract/shapes.ts';
import { plural } from '../contract/values.ts';
import type { Impact } from './impact.ts';
import { plainTextDocument } from './plain-text-document.ts';
import { type Label, labelKey } from './suggest-labels.ts';
import { isRequestStem, stemsOf } from './words.ts';

const maxQuotes = 3;
/** Maximum number of titles from which quotes are selected. */
const maxCandidates = 8;
const minQuotes = 2;
/** Minimum number of words of a quote. */
const minQuoteWords = 3;
/** Minimum score of a second phrase in the summary, as a share of the best score. */
const minRelativeScore = { problem: 0.6, other: 0.75 };
const maxPhrases = 2;
/** Maximum share of common words of two phrases. Phrases with more are almost the same. */
const maxOverlap = 0.5;

export interface ClusterCounts {
  readonly conversations: number;
  /** Number of issues of each impact. */
  readonly impacts: Readonly<Record<Impact, number>>;
}

/** Summarizes a cluster: what people want and what goes wrong, how many of them, and some quotes. */
export function summarizeCluster(
  labels: readonly Label[],
  titles: readonly string[],
  counts: ClusterCounts,
): RichDocumentValue {
  const quotes = pickQuotes(titles, labels).map((title) => `“${title}”`);
  const about = [...describeNeeds(labels), describeCounts(counts)].join(' ');
  return plainTextDocument([about, ...(quotes.length === 0 ? [] : ['In their words:', quotes])]);
}

/** Returns sentences about what people want, ask and complain about. The need of the best phrase comes first. */
function describeNeeds(labels: readonly Label[]): string[] {
  const told = pickPhrases(labels);
  const isWithTopic = told.some((label) => kindOf(label) === 'topic');
  const sentences: Readonly<Record<string, (phrases: readonly string[]) => string>> = {
    topic: (phrases) => `People write about ${quoteAll(phrases)}.`,
    wish: (phrases) =>
      `${isWithTopic ? 'They' : 'People'} want to ${phrases.map(asOthersWish).join(' or ')}.`,
    foreign: (phrases) => `What people want: ${quoteAll(phrases)}.`,
    question: (phrases) => `People ask: ${quoteAll(phrases)}`,
    problem: (phrases) => `What goes wrong: ${quoteAll(phrases)}.`,
  };
  return Object.entries(sentences).flatMap(([kind, write]) => {
    const phrases = told.filter((label) => kindOf(label) === kind).map(({ text }) => text);
    return phrases.length === 0 ? [] : [write(phrases)];
  });
}

function kindOf({ kind, isEnglish }: Label): string {
  if (kind === 'wish' && !isEnglish) return 'foreign';
  return kind === 'other' || kind === 'common' ? 'topic' : kind;
}

/** Returns the best phrases with different meanings, at most two of a kind. A problem may share words with a wish. */
function pickPhrases(labels: readonly Label[]): Label[] {
  const picked: Label[] = [];
  for (const label of labels) {
    const kind = kindOf(label);
    const minScore = kind === 'problem' ? minRelativeScore.problem : minRelativeScore.other;
    if (label.score < (labels[0]?.score ?? 0) * minScore) continue;
    if (kind === 'topic' && picked.length > 0) continue;
    const isProblem = kind === 'problem';
    const isNew = picked.every(
      (other) =>
        (kindOf(other) === 'problem') !== isProblem || overlapOf(keyOf(label), keyOf(other)) <= maxOverlap,
    );
    if (isNew && picked.filter((other) => kindOf(other) === kind).length < maxPhrases) picked.push(label);
  }
  return picked;
}

function quoteAll(phrases: readonly string[]): string {
  return phrases.map((phrase) => `“${phrase}”`).join(' and ');
}

const othersWords: Readonly<Record<string, string>> = {
  i: 'they',
  "i'm": 'they are',
  me: 'them',
  my: 'their',
  mine: 'theirs',
  myself: 'themselves',
  our: 'their',
  us: 'them',
  we: 'they',
};

/** Converts "Verify my identity" to "verify their identity". */
function asOthersWish(wish: string): string {
  const [first = ''] = wish;
  const isAcronym = /^\p{Lu}{2}/u.test(wish);
  const lower = isAcronym ? wish : first.toLowerCase() + wish.slice(first.length);
  return lower.replace(/(?<![\p{L}'’])(?:i'm|i|me|mine|my|myself|our|us|we)(?![\p{L}'’])/giu, (word) =>
    word === 'US' ? word : (othersWords[word.toLowerCase()] ?? word),
  );
}

function describeCounts({ impacts: { low, medium, high }, conversations }: ClusterCounts): string {
  const severe = high > 0 ? `, ${high.toLocaleString('en')} of high impact` : '';
  return `${plural(low + medium + high, 'issue')} in ${plural(conversations, 'conversation')}${severe}.`;
}

/**
 * Returns titles with different meanings: the best one, then those that share the fewest words with the selected ones. Titles of
 * at least three words that contain a word of the summary have priority.
 */
function pickQuotes(titles: readonly string[], labels: readonly Label[]): string[] {
  const told = new Set(pickPhrases(labels).flatMap((label) => [...keyOf(label)]));
  const left = [...new Map(titles.toReversed().map((title) => [labelKey(title), title])).values()]
    .toReversed()
    .map((title) => {
      const stems = new Set(stemsOf(title));
      const isTold = [...stems].some((stem) => told.has(stem) && stem !== 'not' && !isRequestStem(stem));
      return { title, stems, rank: Number(isTold) + Number(title.split(' ').length >= minQuoteWords) };
    })
    .sort((one, other) => other.rank - one.rank)
    .slice(0, maxCandidates);
  const best = left[0]?.rank;
  const same = left.filter(({ rank }) => rank === best);
  if (same.length >= minQuotes) left.splice(0, left.length, ...same);
  const picked = left.splice(0, 1);
  while (picked.length < maxQuotes && left.length > 0) {
    const overlaps = left.map(({ stems }) => Math.max(...picked.map((one) => overlapOf(one.stems, stems))));
    const least = Math.min(...overlaps);
    if (least === 1 && picked.length >= minQuotes) break;
    picked.push(...left.splice(overlaps.indexOf(least), 1));
  }
  return picked.map(({ title }) => title);
}

function keyOf({ key }: Label): ReadonlySet<string> {
  return new Set(key.split(' '));
}

/** Returns the share of the stems of the shorter text that the longer one also contains. */
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}
