/** Returns up to three candidates that are most similar to a word, the most similar first. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const wanted = word.toLowerCase().slice(0, 100);
  const close = (candidate: string) =>
    candidate.toLowerCase().split('.').includes(wanted)
      ? 0
      : editDistance(wanted, candidate.toLowerCase().slice(0, 100));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, far: close(candidate) }))
    .filter(
      ({ candidate, far }) => far <= Math.max(1, Math.floor(Math.min(wanted.length, candidate.length) / 2)),
    )
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length }, (_, index) => index + 1);
  let distance = b.length;
  for (let at = 0; at < a.length; at++) {
    let diagonal = at;
    distance = at + 1;
    row = row.map((above, column) => {
      distance = Math.min(above + 1, distance + 1, diagonal + (a[at] === b[column] ? 0 : 1));
      diagonal = above;
      return distance;
    });
  }
  return distance;
}

/** Returns `; did you mean "title"?`, or an empty text when no candidate is similar. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const [close] = nearest(word, candidates);
  return close === undefined ? '' : `; did you mean "${close}"?`;
}
