import { once } from '../../contract/once.ts';

/** Scripts in which an invisible character controls whether letters are joined. */
const joining = (
  'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu ' +
  'Kannada Malayalam Sinhala Khmer Myanmar'
)
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/**
 * Matches controls, bidi overrides, invisible characters, lone surrogates, and the blank Braille cell, which looks like a space.
 */
const suspicious = once(
  () => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/u,
);

/** Patterns of invisible characters where ordinary text needs them. */
const ordinary = [
  '\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{2}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,3}\\u{E007F}', // flags of regions
  '(?<=(?!\\p{DI})[\\p{L}\\p{M}\\p{N}\\p{S}\\p{P}])[\\uFE00-\\uFE0F]', // one variation selector
  '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
  '(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})', // joined emoji
  `(?<=(?!\\p{DI})[${joining}])[\\u200C\\u200D](?=(?!\\p{DI})[${joining}])`, // Persian, Hindi …
].join('|');
// Compiled at the first use, because compiling takes longer than some commands and is rarely needed.
const suspiciousOrOrdinary = once(() => new RegExp(`(${ordinary})|${suspicious().source}`, 'gu'));

/** Escapes control, invisible and reordering characters, so that foreign text is safe to show, on one line. */
export function escapeControls(text: string): string {
  if (!isSuspicious(text)) return text;
  return text.replace(
    suspiciousOrOrdinary(),
    (found: string, kept?: string) => kept ?? escapeCharacter(found),
  );
}

/** Escapes the same characters, except line breaks. */
export function escapeControlsByLine(text: string): string {
  return text.includes('\n') ? text.split('\n').map(escapeControls).join('\n') : escapeControls(text);
}

function isSuspicious(text: string): boolean {
  // Most text is plain ASCII, which needs no Unicode tables.
  return !/^[ -~]*$/.test(text) && suspicious().test(text);
}

const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeCharacter(character: string): string {
  return (
    named[character] ??
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  );
}
