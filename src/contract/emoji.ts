import { once } from './once.ts';

/** One emoji as defined in UTS #51, including those of later Unicode versions: a flag, or a sequence of joined characters. */
const base =
  '(?:\\p{Regional_Indicator}{2}|\\p{Emoji}(?:\\p{Emoji_Modifier}|\\uFE0F\\u20E3?|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?)';
const emoji = once(() => new RegExp(`^${base}(?:\\u200D${base})*$`, 'u'));
/** Characters that Unicode shows as text unless a selector follows: digits, # and *. */
const plain = /^[\d#*]$/;

/**
 * Returns the characters for hexadecimal code points such as `1f1eb-1f1f7`. Returns '' if they are not valid characters, and
 * undefined if the text is not in this form.
 */
function decodeEmoji(code: string): string | undefined {
  if (!/^[\da-f]{2,6}(?:[-_ ][\da-f]{2,6}){0,9}$/i.test(code)) return undefined;
  const points = code.split(/[-_ ]/).map((digits) => parseInt(digits, 16));
  return points.every(
    (point) => point > 0x1f && point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff),
  )
    ? String.fromCodePoint(...points)
    : '';
}

/** Returns the characters of an emoji given by its code points. Returns other texts unchanged. */
export function emojiOf(code: string): string {
  return decodeEmoji(code) ?? code;
}

/** Returns the characters of an emoji in a document, which may be a code. Other texts are returned between colons. */
export function emojiText(code: unknown): string {
  const text = typeof code === 'string' ? code : '';
  return decodeEmoji(text) || (isEmoji(text) ? text : `:${text}:`);
}

/** Whether a text is one emoji: its characters, or their code points in hexadecimal. */
export function isEmoji(text: string): boolean {
  const characters = emojiOf(text);
  return emoji().test(characters) && !plain.test(characters);
}
