import { isRecord } from '../contract/values.ts';
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

/** Returns the name of the first list of objects in a record, which may be a list of conversations. */
export function listFieldOf(record: unknown): string | undefined {
  return Object.entries(Object(record) as object).find(
    ([, field]) => Array.isArray(field) && field.some(isRecord),
  )?.[0];
}

/** Returns a hint for a file that was read as one conversation and has a list. */
export function hintAtList(field: string): string {
  return `The file was read as one conversation. If "${field}" is a list of conversations, name it "conversations".`;
}
