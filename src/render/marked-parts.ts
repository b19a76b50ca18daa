/**
 * Divides a text into the words that were found and what is between them. `marks` has the start and the end of each word, as in
 * `[0, 7, 12, 17]`.
 */
export function markedParts(
  text: string,
  marks: readonly number[],
): { readonly text: string; readonly isMarked: boolean }[] {
  const ends = [0, ...marks, text.length];
  return ends
    .slice(1)
    .map((end, index) => ({ text: text.slice(ends[index], end), isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
