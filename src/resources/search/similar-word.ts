/** Words that can be compared: letters of alphabets, in which one letter is a small part of a word. */
const comparable = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{4,40}$/u;

/**
 * Returns the word that was probably meant by a mistyped one: the most similar of the given words in lower case that starts with
 * the same letter. It may differ in one letter, or in two if the word has at least 8. Two swapped letters count as one.
 */
export function similarWord(typed: string, words: Iterable<string>): string | undefined {
  const word = typed.toLowerCase();
  if (!comparable.test(word)) return undefined;
  let left = word.length < 8 ? 1 : 2;
  let best: string | undefined;
  for (const other of words) {
    if (other[0] !== word[0] || Math.abs(other.length - word.length) > left) continue;
    const distance = distanceOf(word, other);
    if (distance > left) continue;
    [best, left] = [other, distance - 1];
    if (left < 0) break;
  }
  return best;
}

/** Returns the number of letters to insert, remove, replace or swap with the next one to turn one word into the other. */
function distanceOf(one: string, other: string): number {
  let [older, old] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row[to] = Math.min(
        (old[to] ?? 0) + 1,
        (row[to - 1] ?? 0) + 1,
        (old[to - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (older[to - 2] ?? 0) + 1 : Infinity,
      );
    }
    [older, old] = [old, row];
  }
  return old[other.length] ?? 0;
}
