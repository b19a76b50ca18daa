/** The direction of a piece of text; undefined if it takes the direction of its neighbors. */
export type Direction = 'rtl' | 'ltr' | undefined;

const rtlScripts = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const rightToLeft = new RegExp(`[${rtlScripts}]`, 'u');
const leftToRight = new RegExp(`(?=\\p{L})[^${rtlScripts}]`, 'u');
const numbersAndLatin =
  /[\p{N}\p{Script=Latin}]+(?:[.,:/_-][\p{N}\p{Script=Latin}]+)*|[^\p{N}\p{Script=Latin}]+/gu;
/** Each opening bracket, followed by its closing bracket. */
const brackets = '()[]{}<>«»';

/** Returns the direction of a word; undefined for a word without letters, such as a number. */
export function directionOf(word: string): Direction {
  // No script below U+0590 is right-to-left, and nearly all text is below it.
  if (/^[\0-\u058F]*$/.test(word)) return /\p{L}/u.test(word) ? 'ltr' : undefined;
  if (rightToLeft.test(word)) return 'rtl';
  return leftToRight.test(word) ? 'ltr' : undefined;
}

/** Splits a word into parts of one direction, because numbers and Latin in a Hebrew word are left-to-right. */
export function splitByDirection(word: string): readonly string[] {
  return directionOf(word) === 'rtl' ? (word.match(numbersAndLatin) ?? [word]) : [word];
}

/** Mirrors the brackets of right-to-left text. */
export function mirrorBrackets(text: string): string {
  return text.replace(/[()[\]{}<>«»]/g, (bracket) => brackets.charAt(brackets.indexOf(bracket) ^ 1));
}

/** Returns the words of a line in visual order from left to right (UAX #9 in its simplest form). */
export function orderVisually<T extends { direction: Direction }>(words: readonly T[], base: Direction): T[] {
  if (base !== 'rtl' && words.every(({ direction }) => direction !== 'rtl')) return [...words];
  const opposite = base === 'rtl' ? 'ltr' : 'rtl';
  const ordered = base === 'rtl' ? words.toReversed() : [...words];
  const isOpposite = (word: T | undefined) => word?.direction === opposite;
  for (let start = 0; start < ordered.length; start++) {
    if (!isOpposite(ordered[start])) continue;
    // A run ends with its last word of the opposite direction; spaces and numbers in between belong to it.
    let length = 1;
    for (const [index, word] of ordered.slice(start).entries()) {
      if (isOpposite(word)) length = index + 1;
      else if (word.direction !== undefined) break;
    }
    ordered.splice(start, length, ...ordered.slice(start, start + length).toReversed());
    start += length - 1;
  }
  return ordered;
}
