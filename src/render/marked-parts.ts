/**
 * Splits a text into matches and the text between them. `marks` contains the start and the end of each match, for example `[0, 7,
 * 12, 17]`.
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
