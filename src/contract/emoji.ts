import { once } from './once.ts';

/** One emoji as UTS #51 writes them, with those that later versions of Unicode define: a flag, or characters that are joined. */
const base =
  '(?:\\p{Regional_Indicator}{2}|\\p{Emoji}(?:\\p{Emoji_Modifier}|\\uFE0F\\u20E3?|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?)';
const emoji = once(() => new RegExp(`^${base}(?:\\u200D${base})*$`, 'u'));
/** Those of Unicode that are text unless something follows: digits, # and *. */
const plain = /^[\d#*]$/;

/** Whether a text is one emoji: its characters, or their code points in hexadecimal, such as `1f1eb-1f1f7`. */
export function isEmoji(text: string): boolean {
  const points = /^[\da-f]{2,6}(?:[-_ ][\da-f]{2,6}){0,9}$/i.test(text)
    ? text.split(/[-_ ]/).map((digits) => parseInt(digits, 16))
    : undefined;
  if (points?.some((point) => point > 0x10_ff_ff) === true) return false;
  const characters = points === undefined ? text : String.fromCodePoint(...points);
  return emoji().test(characters) && !plain.test(characters);
}
