import { findDigitGroups, maxGroups, type DigitGroup, type NumberMatch } from './digits.ts';
import { isWord, mergeSpans, type Span } from './span.ts';

/** Words that announce a card number. */
const cue =
  /(?<![\p{L}\p{N}])(?:card (?:number|num|no\.?|nr\.?)|(?:kredit|debit|bank|ec-?)?kartennummer|n[úu]mero d[eo] (?:(?:mi|la|o|meu) )?(?:tarjeta|cart[ãa]o)|num[ée]ro de (?:(?:ma|la) )?carte|numero (?:della? )?(?:mia )?carta|kaartnummer)(?: (?:is|was|ist|lautet|es|est|é|è))?\s?[:=#]?\s{0,2}/giu;

/**
 * Finds payment card numbers: 13 to 19 digits with a known first digit and a valid checksum (ISO/IEC 7812-1, Luhn), and 12 to 19
 * digits after words such as "card number", because people mistype them.
 */
export function findCards(text: string): Span[] {
  const spans: Span[] = [];
  const groups = findDigitGroups(text);
  for (let at = 0; at < groups.length;) {
    const card = cardAt(text, groups, at);
    if (card !== undefined) spans.push(card);
    at += card?.size ?? 1;
  }
  const byStart = new Map(groups.map(({ from }, at) => [from, at]));
  for (const { 0: words, index } of text.matchAll(cue)) {
    const announced = announcedAt(text, groups, byStart.get(index + words.length));
    if (announced !== undefined) spans.push(announced);
  }
  return mergeSpans(spans);
}

/** Returns the longest number of 12 to 19 digits that begins with the group at an index. */
function announcedAt(text: string, groups: readonly DigitGroup[], at = groups.length): Span | undefined {
  const [first, ...others] = groups.slice(at, at + maxGroups);
  if (first === undefined) return undefined;
  let [length, to] = [first.value.length, first.to];
  for (const group of others) {
    if (group.separator?.length !== 1 || length + group.value.length > 19) break;
    length += group.value.length;
    to = group.to;
  }
  return length >= 12 && length <= 19 && !isWord(text, to) ? { from: first.from, to } : undefined;
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
