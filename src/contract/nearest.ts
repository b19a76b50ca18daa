/** Maximum number of candidates in a hint. */
export const maxNearest = 3;
/** The share for words that are often similar by chance, such as commands and anchors: one of 3 letters may differ. */
export const strictShare = 3;

/**
 * Returns up to three candidates that are most similar to a word, the most similar first. One of `share` letters may differ
 * (default: every second letter), and at least one letter.
 */
export function nearest(word: string, candidates: readonly string[], share = 2): string[] {
  const wanted = word.toLowerCase().slice(0, 100);
  const close = (candidate: string) =>
    candidate.toLowerCase().split('.').includes(wanted)
      ? 0
      : editDistance(wanted, candidate.toLowerCase().slice(0, 100));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, far: close(candidate) }))
    .filter(({ candidate, far }) => far <= maxEdits(wanted, candidate.toLowerCase(), share))
    .sort((a, b) => a.far - b.far)
    .slice(0, maxNearest)
    .map(({ candidate }) => candidate);
}

/**
 * Returns the maximum number of edits. In short words it is one, unless one word starts with the other: "nope" is not similar to
 * "home". Single letters are similar to no other.
 */
function maxEdits(one: string, other: string, share: number): number {
  const length = Math.min(one.length, other.length);
  if (length < 5 && !one.startsWith(other) && !other.startsWith(one)) return length < 2 ? 0 : 1;
  return Math.max(1, Math.floor(length / share));
}

/** Returns the Levenshtein distance. Swapping two neighboring letters counts as one edit. */
export function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let at = 1; at <= a.length; at++) {
    const next = [at];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[at - 1] === b[column - 1];
      const isSwapped = a[at - 1] === b[column - 2] && a[at - 2] === b[column - 1];
      next[column] = Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns a hint for an invalid value: a similar choice, if any, and all choices. */
export function choiceHint(value: string, choices: readonly string[]): string {
  const [close] = nearest(value, choices);
  const all = `Choose one of: ${choices.join(', ')}.`;
  return close === undefined ? all : `Did you mean ${close}? ${all}`;
}

/** Returns `; did you mean "title"?`, or an empty text if no candidate is similar. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const [close] = nearest(word, candidates);
  return close === undefined ? '' : `; did you mean "${close}"?`;
}
