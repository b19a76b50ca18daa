import { cardAt } from './card.ts';
import { groupsOf, mostGroups, standsAlone, type Group } from './digits.ts';
import type { Span } from './span.ts';

const fewestDigits = 7;
const mostDigits = 17;

/**
 * Numbers of telephones, as people write them: +49 30 123456, (555) 123-4567, 0171/1234567, 555.123.4567, 612 345 678.
 * Dates, addresses of the net, cards and bare numbers are none. Where it is in doubt it takes rather too much.
 */
export function findPhones(text: string): Span[] {
  const spans: Span[] = [];
  const groups = groupsOf(text);
  for (let at = 0; at < groups.length; at++) {
    const other = cardAt(text, groups, at) ?? dateAt(groups, at);
    if (other !== undefined) {
      at = other;
      continue;
    }
    const last = phoneAt(text, groups, at);
    if (last === undefined) continue;
    spans.push({ from: startOf(text, groups[at]!.from), to: groups[last]!.to });
    at = last;
  }
  return spans;
}

function phoneAt(text: string, groups: readonly Group[], at: number): number | undefined {
  let end = at;
  let count = groups[at]!.value.length;
  while (
    end + 1 < groups.length &&
    end + 1 - at < mostGroups &&
    groups[end + 1]!.link !== undefined &&
    dateAt(groups, end + 1) === undefined
  )
    count += groups[++end]!.value.length;
  for (let last = end; last >= at && count >= fewestDigits; count -= groups[last--]!.value.length) {
    if (count > mostDigits) continue;
    const found = groups.slice(at, last + 1);
    if (
      standsAlone(text, found[0]!, found.at(-1)!) &&
      isPhone(found, text.slice(startOf(text, groups[at]!.from), groups[at]!.from))
    )
      return last;
  }
  return undefined;
}

/** Whether groups are the number of a telephone; `before` is the "+" or "(" in front of them. */
function isPhone(groups: readonly Group[], before: string): boolean {
  const digits = groups.map(({ value }) => value).join('');
  const sizes = groups.map(({ value }) => value.length);
  const links = groups.slice(1).map((group) => group.link ?? '');
  const count = digits.length;
  if (/[+\uff0b]/.test(before)) return count >= 7 && count <= 15;
  if (digits.startsWith('00') && count >= 10 && count <= 17 && sizes[0]! <= 5) return true;
  if (isAddress(groups, links)) return false;
  if (before.includes('(') && links[0]?.includes(')') === true) return count >= 7 && count <= 12;
  if (digits.startsWith('0'))
    return count >= 9 && count <= 12 && sizes.every((size) => size > 1 || groups.length < 4);
  if (groups.length === 1) return /^1?[2-9]\d{9}$/.test(digits);
  if (groups.length === 2)
    return /^\d{3}$/.test(groups[0]!.value) && ((sizes[1] === 4 && links[0] === '-') || sizes[1] === 7);
  if (
    links.every((link) => link === '.') &&
    sizes.every((size, index) => size === 3 || (index === 0 && size < 3))
  )
    return false;
  // Three fours are the begin of a card or a reference.
  if (sizes.every((size) => size === 4)) return false;
  return (
    count >= 9 &&
    count <= 12 &&
    sizes.every((size, index) => (size >= 2 && size <= 4) || (index === 0 && size === 1))
  );
}

function isAddress(groups: readonly Group[], links: readonly string[]): boolean {
  return (
    groups.length === 4 &&
    links.every((link) => link === '.') &&
    groups.every(({ value }) => value.length <= 3 && Number(value) <= 255)
  );
}

/** The last group of a date that begins with a group: 2026-02-24, 24.02.2026, 2/24/26. */
function dateAt(groups: readonly Group[], at: number): number | undefined {
  const [a, b, c] = [groups[at], groups[at + 1], groups[at + 2]];
  if (
    a === undefined ||
    b === undefined ||
    c === undefined ||
    b.link !== c.link ||
    !['-', '.', '/'].includes(b.link ?? '')
  )
    return undefined;
  const isYear = ({ value }: Group) => /^(?:19|20)\d\d$/.test(value);
  const isDay = ({ value }: Group) => value.length <= 2 && Number(value) >= 1 && Number(value) <= 31;
  return isDay(b) && ((isYear(a) && isDay(c)) || (isDay(a) && isYear(c))) ? at + 2 : undefined;
}

/** Where a number begins, with the "+" and the bracket in front of its first digit. */
function startOf(text: string, from: number): number {
  const before = /(?:[+\uff0b] ?\(?|\(?[+\uff0b]?)$/.exec(text.slice(Math.max(0, from - 3), from))![0];
  return from - before.length;
}
