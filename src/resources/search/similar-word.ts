import { editDistance } from '../../contract/nearest.ts';

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
    const distance = editDistance(word, other);
    if (distance > left) continue;
    [best, left] = [other, distance - 1];
    if (left < 0) break;
  }
  return best;
}
