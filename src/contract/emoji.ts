import { once } from './once.ts';

/** One emoji as UTS #51 writes them, with those that later versions of Unicode define: a flag, or characters that are joined. */
const base =
  '(?:\\p{Regional_Indicator}{2}|\\p{Emoji}(?:\\p{Emoji_Modifier}|\\uFE0F\\u20E3?|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?)';
const emoji = once(() => new RegExp(`^${base}(?:\\u200D${base})*$`, 'u'));
/** Those of Unicode that are text unless something follows: digits, # and *. */
const plain = /^[\d#*]$/;

/**
 * Returns the characters of code points in hexadecimal, such as `1f1eb-1f1f7`: '' if they are no text, and undefined for a text
 * that is no such code.
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

/** The characters of an emoji that is given by its code points; a text that is no such code is the emoji itself. */
export function emojiOf(code: string): string {
  return decodeEmoji(code) ?? code;
}

/** The characters of an emoji of a document, which may be its code; any other text is written between colons. */
export function emojiText(code: unknown): string {
  const text = typeof code === 'string' ? code : '';
  return decodeEmoji(text) || (isEmoji(text) ? text : `:${text}:`);
}

/** Whether a text is one emoji: its characters, or their code points in hexadecimal. */
export function isEmoji(text: string): boolean {
  const characters = emojiOf(text);
  return emoji().test(characters) && !plain.test(characters);
}
