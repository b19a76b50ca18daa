/** How a piece of text runs; undefined for what takes the direction of its neighbours. */
export type Direction = 'rtl' | 'ltr' | undefined;

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight =
  /(?=\p{L})[^\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const numbersAndLatin =
  /[\p{N}\p{Script=Latin}]+(?:[.,:/_-][\p{N}\p{Script=Latin}]+)*|[^\p{N}\p{Script=Latin}]+/gu;
const mirrors: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

/** The direction of a word. */
export function directionOf(word: string): Direction {
  // Nearly all text is of one direction; what is below U+0590 runs from left to right.
  if (/^[\0-\u058F]*$/.test(word)) return /\p{L}/u.test(word) ? 'ltr' : undefined;
  return rightToLeft.test(word) ? 'rtl' : leftToRight.test(word) ? 'ltr' : undefined;
}

/** A word in parts of one direction: numbers in a Hebrew word run from left to right. */
export function oneWay(word: string): readonly string[] {
  return directionOf(word) === 'rtl' ? (word.match(numbersAndLatin) ?? [word]) : [word];
}

/** Text as it stands when its characters are drawn from right to left: brackets face the other way. */
export function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»]/g, (bracket) => mirrors[bracket]!);
}

/** The pieces of a line from left to right as they are seen, by whole words (the Unicode rules in their simplest form). */
export function inSight<T extends { readonly direction: Direction }>(
  pieces: readonly T[],
  base: Direction,
): T[] {
  if (base !== 'rtl' && pieces.every(({ direction }) => direction !== 'rtl')) return [...pieces];
  const other = base === 'rtl' ? 'ltr' : 'rtl';
  const turned = base === 'rtl' ? pieces.toReversed() : [...pieces];
  for (let start = 0; start < turned.length; start++) {
    if (turned[start]!.direction !== other) continue;
    // A run against the direction of the line: from the first such word to the last with nothing but blanks and numbers between.
    let last = start;
    for (let next = start + 1; next < turned.length && (turned[next]!.direction ?? other) === other; next++)
      if (turned[next]!.direction === other) last = next;
    turned.splice(start, last - start + 1, ...turned.slice(start, last + 1).toReversed());
    start = last;
  }
  return turned;
}
