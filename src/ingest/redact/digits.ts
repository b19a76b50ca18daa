import { isWord } from './span.ts';

/** Digits that stand together; `value` has them as 0 to 9, whatever script they are written in. */
export interface Group {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  /** What stands between it and the group before, where the two may be one number; undefined where they are not. */
  readonly link: string | undefined;
}

/** Groups that one number has at most: 4111 1111 1111 1111, +33 1 23 45 67 89. */
export const mostGroups = 8;

/** What may stand between the groups of one number: a space, a hyphen, a dot, a slash, a bracket, or two of these. */
const short = ' \u00a0\u2007\u202f.-/\u2010\u2011\u2012\u2013)(';
const long = /^(?:\)[ \u00a0./-]| \(| [-/\u2010-\u2013] )$/;

/** All groups of digits of a text. */
export function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let before = -1;
  for (const { 0: digits, index: from } of text.matchAll(/[0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]+/g)) {
    const link = before >= 0 && from - before <= 3 ? text.slice(before, from) : undefined;
    before = from + digits.length;
    const isLink = link !== undefined && (link.length === 1 ? short.includes(link) : long.test(link));
    groups.push({ from, to: before, value: plain(digits), link: isLink ? link : undefined });
  }
  return groups;
}

/** Whether a number from one group to another stands on its own, as no part of a word or of an identifier. */
export function standsAlone(text: string, first: Group, last: Group): boolean {
  const before = text[first.from - 1] ?? ' ';
  if (before === '#' || isWord(text, first.from - 1) || isWord(text, last.to)) return false;
  return !('./\\-'.includes(before) && isWord(text, first.from - 2) && !/\d/.test(text[first.from - 2]!));
}

function plain(digits: string): string {
  let value = '';
  for (let at = 0; at < digits.length; at++) {
    const code = digits.charCodeAt(at);
    if (code > 0x7f) value += String((code - (code >= 0xff10 ? 0xff10 : code >= 0x6f0 ? 0x6f0 : 0x660)) % 10);
    else value += digits[at]!;
  }
  return value;
}
