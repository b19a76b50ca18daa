import { getOrInsert } from '../contract/values.ts';
import { findInstalled, type FindPackage } from '../files/find-package.ts';
import { clearShapingCache, glyphTest, type PdfDocument } from './engine.ts';
import { faceFile, faces, optionalFont, orderOptional, readFont, type Face } from './font-files.ts';

/** A run of text in one font, with its width at 1 point. */
export interface Run {
  readonly text: string;
  readonly font: string;
  readonly width: number;
}

/** Maximum number of texts whose runs are cached. Documentation repeats its words. */
const maxKnownTexts = 20_000;
/** Selectors, joiners and direction marks, which are in no font, and the frame of keycaps, which fonts draw beside the digit. */
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|\u20E3|\p{Emoji_Modifier}/gu;
/** Characters that replace emojis with the same meaning. */
const replacements: Readonly<Record<string, string>> = {
  '✅': '✔',
  '❌': '✘',
  '❎': '✘',
  '🗙': '✕',
  '⭐': '★',
  '🌟': '★',
  '❗': '!',
  '❓': '?',
  '➕': '+',
  '➖': '−',
  '🔴': '●',
  '🟠': '●',
  '🟡': '●',
  '🟢': '●',
  '🔵': '●',
  '⏸': '‖',
};
/** Returns the letters for a styled form of them, such as U for 𝐔, or the replacement of an emoji. */
function replacementOf(character: string): string | undefined {
  const plain = character.normalize('NFKC');
  return replacements[character] ?? (/^[!-~]+$/.test(plain) ? plain : undefined);
}

const scripts = (
  'Han Hiragana Katakana Hangul Bopomofo Thai Devanagari Bengali Tamil Telugu Khmer Myanmar Sinhala Tibetan ' +
  'Ethiopic'
)
  .split(' ')
  .map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** The fonts of a document. A file is read when a character first needs it. */
export class Fonts {
  /** Scripts of characters that are in no font. */
  readonly missing = new Set<string>();
  readonly #doc: PdfDocument;
  /** Functions that read the fonts that pdfkit has not loaded yet. */
  readonly #unread = new Map<string, () => Buffer>();
  readonly #fallbacks: { readonly regular: string; readonly bold: string }[] = [];
  readonly #glyphTests = new Map<string, (code: number) => boolean>();
  readonly #spaceWidths = new Map<string, number>();
  readonly #known = new Map<string, readonly Run[]>();

  /** `sample` is text in the language of the document. */
  constructor(doc: PdfDocument, sample: string, find: FindPackage = findInstalled) {
    this.#doc = doc;
    for (const face of Object.keys(faces) as Face[]) this.#unread.set(face, () => readFont(faceFile(face)));
    for (const name of orderOptional(sample)) {
      const font = optionalFont(name, find);
      if (font === undefined) continue;
      const bold = `${name}-bold`;
      this.#unread.set(name, font.regular);
      this.#unread.set(bold, font.bold);
      this.#fallbacks.push({ regular: name, bold });
    }
  }

  /** Splits a text into runs of fonts that contain its characters. A character that is in no font becomes □. */
  runs(text: string, face: Face): readonly Run[] {
    const key = `${face} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const visible = text.replaceAll('\t', '    ').replace(invisible, '');
    const isAscii = /^[ -~]*$/.test(visible) && this.#hasGlyph(face, 32);
    const runs = isAscii ? [this.#measure(visible, face)] : this.#split(visible, face);
    if (this.#known.size >= maxKnownTexts) this.clearCache();
    this.#known.set(key, runs);
    return runs;
  }

  width(text: string, face: Face, size: number): number {
    return this.runs(text, face).reduce((sum, run) => sum + run.width, 0) * size;
  }

  /** Clears the caches, so that memory does not grow with the book. */
  clearCache(): void {
    this.#known.clear();
    for (const font of this.#glyphTests.keys()) clearShapingCache(this.#doc.font(font));
  }

  #split(text: string, face: Face): Run[] {
    const parts: { text: string; font: string }[] = [];
    for (const character of text) {
      const last = parts.at(-1);
      const found =
        (/\p{M}/u.test(character) ? last?.font : undefined) ??
        this.#fontFor(character.codePointAt(0) ?? 0, face);
      const replacement = found === undefined ? replacementOf(character) : character;
      if (replacement === undefined) this.missing.add(scriptOf(character));
      const font = found ?? 'regular';
      const shown = replacement ?? '□';
      if (last?.font === font) last.text += shown;
      else parts.push({ text: shown, font });
    }
    return parts.map((part) => this.#measure(part.text, part.font));
  }

  #fontFor(code: number, face: Face): string | undefined {
    if (this.#hasGlyph(face, code)) return face;
    const isBold = face.toLowerCase().includes('bold');
    const others = isBold ? ['bold', 'regular', 'mono'] : ['regular', 'mono'];
    const found = others.find((font) => this.#hasGlyph(font, code));
    if (found !== undefined) return found;
    const fallback = this.#fallbacks.find(({ regular }) => this.#hasGlyph(regular, code));
    return isBold ? fallback?.bold : fallback?.regular;
  }

  #hasGlyph(font: string, code: number): boolean {
    return getOrInsert(this.#glyphTests, font, () => glyphTest(this.#select(font)))(code);
  }

  /** Shaping words takes most of the time of a page, so text in a monospaced font is not shaped. */
  #measure(text: string, font: string): Run {
    if (font.startsWith('mono') && /^[ -~]*$/.test(text))
      return { text, font, width: text.length * this.#spaceWidth(font) };
    if (text.includes(' ')) return { text, font, width: this.#shapedWidth(text, font) };
    // Words are drawn with the space after them, so this is the text that pdfkit should cache.
    return { text, font, width: this.#shapedWidth(`${text} `, font) - this.#spaceWidth(font) };
  }

  #spaceWidth(font: string): number {
    return getOrInsert(this.#spaceWidths, font, () => this.#shapedWidth(' ', font));
  }

  #shapedWidth(text: string, font: string): number {
    return this.#select(font).fontSize(100).widthOfString(text) / 100;
  }

  #select(font: string): PdfDocument {
    const read = this.#unread.get(font);
    if (read !== undefined) this.#doc.registerFont(font, read());
    this.#unread.delete(font);
    return this.#doc.font(font);
  }
}

function scriptOf(character: string): string {
  if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(character)) return 'Emoji';
  return scripts.find(({ pattern }) => pattern.test(character))?.name ?? 'other';
}
