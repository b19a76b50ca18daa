import { nearest } from '../contract/nearest.ts';

/** The most that are named. */
const most = 3;

/** Names like one that is not there: written nearly so, or else with most of its words; labels of clusters change with what is in them. */
export function similarNames(wanted: string, names: readonly string[]): string[] {
  const close = nearest(wanted, names);
  if (close.length > 0) return close;
  const words = wordsOf(wanted);
  const shared = (name: string): number => [...wordsOf(name)].filter((word) => words.has(word)).length;
  return [...new Set(names)]
    .map((name) => ({ name, score: shared(name) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Its words by their beginnings: "declined" is like "declining". Short ones say nothing. */
function wordsOf(text: string): Set<string> {
  return new Set([...text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)].map(([word]) => word.slice(0, 5)));
}
