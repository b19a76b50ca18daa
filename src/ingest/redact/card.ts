import { groupsOf, mostGroups, type Group } from './digits.ts';
import { isWord, type Span } from './span.ts';

/** Numbers of payment cards: 13 to 19 digits that begin as cards do and pass the check of Luhn. */
export function findCards(text: string): Span[] {
  const spans: Span[] = [];
  const groups = groupsOf(text);
  for (let at = 0; at < groups.length; at++) {
    const last = cardAt(text, groups, at);
    if (last === undefined) continue;
    spans.push({ from: groups[at]!.from, to: groups[last]!.to });
    at = last;
  }
  return spans;
}

/** The last group of the longest card that begins with a group. */
export function cardAt(text: string, groups: readonly Group[], at: number): number | undefined {
  const first = groups[at]!;
  if (isWord(text, first.from - 1) || !/^(?:[3-6]|2[2-7])/.test(first.value)) return undefined;
  let digits = '';
  let found: number | undefined;
  for (let last = at; last < groups.length && last < at + mostGroups; last++) {
    const group = groups[last]!;
    if (last > at && (group.link === undefined || group.link.length > 1)) break;
    if (digits.length + group.value.length > 19) break;
    digits += group.value;
    if (digits.length >= 13 && !isWord(text, group.to) && isLuhn(digits)) found = last;
  }
  return found;
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 0x30;
    const weighed = at % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}
