/**
 * The character of an emoji that is given by its code points in hexadecimal, such as `1f1eb-1f1f7`; a text that is no such
 * code is the emoji itself.
 */
export function emojiOf(code: string): string {
  if (!/^[\da-f]{2,6}(?:[-_ ][\da-f]{2,6}){0,9}$/i.test(code)) return code;
  const points = code.split(/[-_ ]/).map((digits) => parseInt(digits, 16));
  return points.every(
    (point) => point > 0x1f && point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff),
  )
    ? String.fromCodePoint(...points)
    : '';
}
