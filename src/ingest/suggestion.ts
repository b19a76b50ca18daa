import { nearest } from '../contract/nearest.ts';

/** What somebody may have meant by a word: of short words `nearest` takes what has hardly a letter in common. */
export function closestName(word: string, candidates: readonly string[]): string | undefined {
  const letters = [...word.toLowerCase()];
  return nearest(word, candidates).find(
    (candidate) =>
      letters.filter((letter) => candidate.toLowerCase().includes(letter)).length * 2 > letters.length,
  );
}

/** A sentence that ends with what somebody may have meant, where something is called nearly so. */
export function withSuggestion(sentence: string, word: string, candidates: readonly string[], before = ''): string {
  const close = closestName(word, candidates);
  return close === undefined ? `${sentence}.` : `${sentence}; did you mean "${before}${close}"?`;
}
