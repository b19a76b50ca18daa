import { cardAt } from './card.ts';
import { findDigitGroups, maxGroups, standsAlone, type DigitGroup, type NumberMatch } from './digits.ts';
import type { Span } from './span.ts';

const minDigits = 7;
const maxDigits = 17;

/**
 * Finds phone numbers as people write them: +49 30 123456, (555) 123-4567, 0171/1234567, 555.123.4567, 612 345 678.
 * Skips dates, IP addresses, cards, plain numbers and numbers of orders. A doubtful number counts as a phone number.
 */
export function findPhones(text: string): Span[] {
  const spans: Span[] = [];
  const groups = findDigitGroups(text);
  for (let at = 0; at < groups.length;) {
    const other = cardAt(text, groups, at) ?? dateAt(groups, at) ?? orderAt(text, groups, at);
    const phone = other === undefined ? phoneAt(text, groups, at) : undefined;
    if (phone !== undefined) spans.push(phone);
    at += (other ?? phone)?.size ?? 1;
  }
  return spans;
}

/** Returns the longest phone number that starts with the group at an index. */
function phoneAt(text: string, groups: readonly DigitGroup[], at: number): NumberMatch | undefined {
  const found = linkedGroups(groups, at);
  const first = found[0]?.from ?? 0;
  for (; ; found.pop()) {
    const last = found.at(-1);
    const digits = found.map(({ value }) => value).join('');
    if (last === undefined || digits.length < minDigits) return undefined;
    if (digits.length > maxDigits || !standsAlone(text, { from: first, to: last.to })) continue;
    const from = withPrefix(text, first);
    // The end of a version such as 10.0.19045.3803.
    if (found.every(({ separator }) => separator === '.')) continue;
    if (isPhone(found, digits, text.slice(from, first))) return { from, to: last.to, size: found.length };
  }
}

/** Returns the groups from an index on that can belong to one number. A date ends them. */
function linkedGroups(groups: readonly DigitGroup[], at: number): DigitGroup[] {
  const linked: DigitGroup[] = [];
  for (let index = at; index < at + maxGroups; index++) {
    const group = groups[index];
    if (group === undefined) break;
    if (index > at && (group.separator === undefined || dateAt(groups, index) !== undefined)) break;
    linked.push(group);
  }
  return linked;
}

/** Whether groups of digits are a phone number. `prefix` is the "+" or "(" before them. */
function isPhone(groups: readonly DigitGroup[], digits: string, prefix: string): boolean {
  const sizes = groups.map(({ value }) => value.length);
  const separators = groups.slice(1).map(({ separator }) => separator ?? '');
  const [firstSize = 0, secondSize] = sizes;
  const [firstSeparator = ''] = separators;
  const count = digits.length;
  if (/[+\uff0b]/.test(prefix)) return count >= 7 && count <= 15;
  if (digits.startsWith('00') && count >= 10 && count <= 17 && firstSize <= 5) return true;
  if (isIpAddress(groups, separators)) return false;
  if (prefix.includes('(') && firstSeparator.includes(')')) return count >= 7 && count <= 12;
  if (digits.startsWith('0'))
    return count >= 9 && count <= 12 && sizes.every((size) => size > 1 || groups.length < 4);
  if (groups.length === 1) return /^1?[2-9]\d{9}$/.test(digits);
  if (groups.length === 2)
    return firstSize === 3 && ((secondSize === 4 && firstSeparator === '-') || secondSize === 7);
  const isGroupedNumber =
    separators.every((separator) => separator === '.') &&
    sizes.every((size, index) => size === 3 || (index === 0 && size < 3));
  if (isGroupedNumber) return false;
  // Three groups of four start a card number or a reference.
  if (sizes.every((size) => size === 4)) return false;
  return (
    count >= 9 &&
    count <= 12 &&
    sizes.every((size, index) => (size >= 2 && size <= 4) || (index === 0 && size === 1))
  );
}

function isIpAddress(groups: readonly DigitGroup[], separators: readonly string[]): boolean {
  return (
    groups.length === 4 &&
    separators.every((separator) => separator === '.') &&
    groups.every(({ value }) => value.length <= 3 && Number(value) <= 255)
  );
}

/** Returns the date that begins with the group at an index: 2026-02-24, 24.02.2026, 2/24/2026. */
function dateAt(groups: readonly DigitGroup[], at: number): NumberMatch | undefined {
  const [a, b, c] = [groups[at], groups[at + 1], groups[at + 2]];
  if (a === undefined || b === undefined || c === undefined) return undefined;
  if (b.separator !== c.separator || !['-', '.', '/'].includes(b.separator ?? '')) return undefined;
  const isYear = ({ value }: DigitGroup) => /^(?:19|20)\d\d$/.test(value);
  const isDay = ({ value }: DigitGroup) => value.length <= 2 && Number(value) >= 1 && Number(value) <= 31;
  return isDay(b) && ((isYear(a) && isDay(c)) || (isDay(a) && isYear(c)))
    ? { from: a.from, to: c.to, size: 3 }
    : undefined;
}

/** The end of a text that announces the number of an order, a ticket or an invoice. */
const orderCue =
  /(?<!\p{L})(?:order|ticket|invoice|tracking|reference|booking|case(?= ?(?:number|id|no))|bestell(?:ung|nummer)|auftrag(?:snummer)?|rechnung(?:snummer)?|commande|facture|pedido|factura|ordine|fattura)(?: ?(?:number|id|no\.?|nr\.?|n\.?[º°]?|n[uú]m[eé]ro))?(?: (?:is|ist|est|es|è))?[:=]? ?$/iu;

/** Returns the number of an order that begins with the group at an index: 302-1234567-1234567, "order 4500123456". */
function orderAt(text: string, groups: readonly DigitGroup[], at: number): NumberMatch | undefined {
  const [a, b, c] = [groups[at], groups[at + 1], groups[at + 2]];
  if (a === undefined) return undefined;
  const isSplit = b?.separator === '-' && c?.separator === '-';
  if (isSplit && a.value.length === 3 && b.value.length === 7 && c.value.length === 7)
    return { from: a.from, to: c.to, size: 3 };
  const isAnnounced =
    a.value.length >= minDigits && orderCue.test(text.slice(Math.max(0, a.from - 40), a.from));
  return isAnnounced ? { from: a.from, to: a.to, size: 1 } : undefined;
}

/** Returns the start of a number, including a "+" and a bracket before its first digit. */
function withPrefix(text: string, from: number): number {
  const start = Math.max(0, from - 3);
  return start + text.slice(start, from).search(/(?:[+\uff0b] ?\(?|\(?[+\uff0b]?)$/);
}
