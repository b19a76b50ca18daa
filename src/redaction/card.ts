import { findDigitGroups, maxGroups, type DigitGroup, type NumberMatch } from './digits.ts';
import { isWord, type Span } from './span.ts';

/** Finds payment card numbers: 13 to 19 digits with a known first digit and a valid checksum (ISO/IEC 7812-1, Luhn). */
export function findCards(text: string): Span[] {
  const spans: Span[] = [];
  const groups = findDigitGroups(text);
  for (let at = 0; at < groups.length;) {
    const card = cardAt(text, groups, at);
    if (card !== undefined) spans.push(card);
    at += card?.size ?? 1;
  }
  return spans;
}

/** Returns the longest card number that begins with the group at an index. */
export function cardAt(text: string, groups: readonly DigitGroup[], at: number): NumberMatch | undefined {
  const first = groups[at];
  if (first === undefined || isWord(text, first.from - 1) || !/^(?:[3-6]|2[2-7])/.test(first.value))
    return undefined;
  let digits = '';
  let card: NumberMatch | undefined;
  for (let size = 1; size <= maxGroups; size++) {
    const group = groups[at + size - 1];
    if (group === undefined || (size > 1 && group.separator?.length !== 1)) break;
    if (digits.length + group.value.length > 19) break;
    digits += group.value;
    if (digits.length >= 13 && !isWord(text, group.to) && isLuhn(digits))
      card = { from: first.from, to: group.to, size };
  }
  return card;
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 0x30;
    const weighted = at % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}
