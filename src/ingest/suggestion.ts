import { nearest } from '../contract/nearest.ts';

/**
 * Returns the name closest to a word that shares more than half of its letters; `nearest` alone is too generous for
 * short words.
 */
export function closestName(word: string, candidates: readonly string[]): string | undefined {
  const letters = [...word.toLowerCase()];
  return nearest(word, candidates).find(
    (candidate) =>
      letters.filter((letter) => candidate.toLowerCase().includes(letter)).length * 2 > letters.length,
  );
}

/** Ends a sentence with the name closest to a word, if there is one: `…; did you mean "id"?`. */
export function withSuggestion(
  sentence: string,
  word: string,
  candidates: readonly string[],
  prefix = '',
): string {
  const close = closestName(word, candidates);
  return close === undefined ? `${sentence}.` : `${sentence}; did you mean "${prefix}${close}"?`;
}
