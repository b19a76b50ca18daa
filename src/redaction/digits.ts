import { isWord, type Span } from './span.ts';

/** A sequence of digits. `value` contains them as ASCII digits, whatever their script. */
export interface DigitGroup extends Span {
  readonly value: string;
  /** The text between the previous group and this one; undefined if the two cannot belong to one number. */
  readonly separator: string | undefined;
}

export interface NumberMatch extends Span {
  /** Its number of digit groups. */
  readonly size: number;
}

/** Maximum number of groups in a number. */
export const maxGroups = 8;

const shortSeparators = ' \u00a0\u2007\u202f.-/\u2010\u2011\u2012\u2013)(';
const longSeparator = /^(?:\)[ \u00a0./-]| \(| [-/\u2010-\u2013] )$/;

/** Returns all groups of ASCII, full-width, Arabic-Indic and extended Arabic-Indic digits in a text. */
export function findDigitGroups(text: string): DigitGroup[] {
  const groups: DigitGroup[] = [];
  let previousEnd = -1;
  for (const { 0: digits, index: from } of text.matchAll(/[0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]+/g)) {
    const between = previousEnd >= 0 && from - previousEnd <= 3 ? text.slice(previousEnd, from) : undefined;
    const to = from + digits.length;
    groups.push({
      from,
      to,
      value: toAsciiDigits(digits),
      separator: between !== undefined && isSeparator(between) ? between : undefined,
    });
    previousEnd = to;
  }
  return groups;
}

function isSeparator(text: string): boolean {
  return text.length === 1 ? shortSeparators.includes(text) : longSeparator.test(text);
}

/** Whether a number is not part of a word or an identifier such as `#123`, `x/123` or `v-123`. */
export function standsAlone(text: string, { from, to }: Span): boolean {
  const before = text[from - 1] ?? ' ';
  if (before === '#' || isWord(text, from - 1) || isWord(text, to)) return false;
  return !('./\\-'.includes(before) && isWord(text, from - 2) && !/\d/.test(text.charAt(from - 2)));
}

function toAsciiDigits(digits: string): string {
  return digits.replaceAll(/[^0-9]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (code >= 0xff10 ? 0xff10 : code >= 0x6f0 ? 0x6f0 : 0x660));
  });
}
