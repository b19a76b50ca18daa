const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}' +
  '\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}';

/** Controls, bidi overrides, invisible characters, lone surrogates; the blank Braille cell looks like a space but is none. */
const suspicious =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/u;

/** The invisible characters that ordinary writing needs, where it needs them; group 1 is kept. */
const ordinary = [
  '\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{2}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,3}\\u{E007F}', // flags of regions
  '(?<=(?!\\p{DI})[\\p{L}\\p{M}\\p{N}\\p{S}\\p{P}])[\\uFE00-\\uFE0F]', // one variation selector
  '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
  '(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})', // joined emoji
  `(?<=(?!\\p{DI})[${joining}])[\\u200C\\u200D](?=(?!\\p{DI})[${joining}])`, // Persian, Hindi …
].join('|');
// Compiling this takes longer than starting some commands, and few ever meet such text.
let compiled: RegExp | undefined;
const judged = (): RegExp => (compiled ??= new RegExp(`(${ordinary})|${suspicious.source}`, 'gu'));

/** Makes text that somebody else wrote safe to show: one line, nothing a terminal obeys, nothing invisible or reordering. */
export function escapeControls(text: string): string {
  return needsJudging(text)
    ? text.replace(judged(), (found: string, kept: string | undefined) => kept ?? escaped(found))
    : text;
}

/** The same for text of several lines, whose line breaks stay. */
export function escapeControlsByLine(text: string): string {
  return needsJudging(text) ? text.split('\n').map(escapeControls).join('\n') : text;
}

/** Plain ASCII, which most text is, needs no look at the tables of Unicode. */
function needsJudging(text: string): boolean {
  return !/^[ -~]*$/.test(text) && suspicious.test(text);
}

const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  return (
    named[character] ??
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  );
}
