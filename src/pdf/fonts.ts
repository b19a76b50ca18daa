import { readFileSync } from 'node:fs';
import type { Doc } from './engine.ts';
import {
  asianFiles,
  faces,
  fileOf,
  findInstalled,
  regionsFor,
  type Face,
  type FindPackage,
} from './font-files.ts';
import { unpackWoff } from './woff.ts';

/** A run of text that one font can write, and its width at 1 point. */
export interface Run {
  readonly text: string;
  readonly font: string;
  readonly width: number;
}

export interface Fonts {
  /** A text in runs of fonts that have its characters; what no font has becomes □. */
  readonly runs: (text: string, face: Face) => readonly Run[];
  readonly width: (text: string, face: Face, size: number) => number;
  /** Lets go of what was measured, now and then, so that memory does not grow with the book. */
  readonly forget: () => void;
  /** Scripts of the characters that no font had. */
  readonly missing: ReadonlySet<string>;
}

/** What is asked of a font that pdfkit has opened. */
interface Opened {
  readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean }; layoutCache: object };
}

/** So many texts are remembered; documentation repeats its words. */
const remembered = 20_000;
/** Selectors, joiners and marks of direction: seen by no reader, known to no font. */
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|\p{Emoji_Modifier}/gu;
/** What says the same where there is no emoji. */
const standIns: Readonly<Record<string, string>> = {
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
const scripts = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Thai',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Khmer',
  'Myanmar',
  'Sinhala',
  'Tibetan',
  'Ethiopic',
];
const tests = new Map(scripts.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')]));

/** The fonts of a document; files are opened when a character first needs them. `sample` tells which language it is in. */
export function openFonts(doc: Doc, sample: string, find: FindPackage = findInstalled): Fonts {
  const missing = new Set<string>();
  const known = new Map<string, readonly Run[]>();
  const has = new Map<string, (code: number) => boolean>();
  const fallbacks: { readonly regular: string; readonly bold: string }[] = [];
  const sources = new Map<string, () => Buffer>();
  const register = (name: string, file: string) => sources.set(name, () => readFileSync(file));
  for (const face of Object.keys(faces) as Face[])
    sources.set(face, () => unpackWoff(readFileSync(fileOf(face))));
  /** Sets a font, which is read when it is first used. */
  const use = (name: string): Doc => {
    const source = sources.get(name);
    if (source !== undefined) doc.registerFont(name, source());
    sources.delete(name);
    return doc.font(name);
  };
  for (const region of regionsFor(sample)) {
    const files = asianFiles(region, find);
    if (files === undefined) continue;
    register(region, files.regular);
    register(`${region}-bold`, files.bold);
    fallbacks.push({ regular: region, bold: `${region}-bold` });
  }
  const writes = (font: string, code: number): boolean => {
    let test = has.get(font);
    if (test === undefined) {
      const { font: opened } = (use(font) as unknown as Opened)._font;
      has.set(font, (test = (one) => opened.hasGlyphForCodePoint(one)));
    }
    return test(code);
  };
  const fontFor = (code: number, face: Face): string | undefined => {
    if (writes(face, code)) return face;
    const isBold = face.toLowerCase().includes('bold');
    for (const font of isBold ? ['bold', 'regular', 'mono'] : ['regular', 'mono'])
      if (writes(font, code)) return font;
    for (const { regular, bold } of fallbacks) if (writes(regular, code)) return isBold ? bold : regular;
    return undefined;
  };
  const spaces = new Map<string, number>();
  const widthOf = (text: string, font: string): number => use(font).fontSize(100).widthOfString(text) / 100;
  const spaceOf = (font: string): number => {
    const width = spaces.get(font) ?? widthOf(' ', font);
    spaces.set(font, width);
    return width;
  };
  const measured = (text: string, font: string): Run => {
    // To shape a word costs most of a page. Those of one width need no shaping, and pdfkit remembers a word with the
    // blank behind it, as it will be drawn.
    if (font.startsWith('mono') && /^[ -~]*$/.test(text))
      return { text, font, width: text.length * spaceOf(font) };
    return {
      text,
      font,
      width: text.includes(' ') ? widthOf(text, font) : widthOf(`${text} `, font) - spaceOf(font),
    };
  };
  const split = (text: string, face: Face): Run[] => {
    const runs: { text: string; font: string }[] = [];
    for (const character of text) {
      const code = character.codePointAt(0)!;
      let font = /\p{M}/u.test(character) ? runs.at(-1)?.font : undefined;
      font ??= fontFor(code, face);
      const standIn = font === undefined ? standIns[character] : undefined;
      if (font === undefined && standIn === undefined) missing.add(scriptOf(character));
      const shown = font === undefined ? (standIn ?? '□') : character;
      const last = runs.at(-1);
      if (last?.font === (font ?? 'regular')) last.text += shown;
      else runs.push({ text: shown, font: font ?? 'regular' });
    }
    return runs.map((run) => measured(run.text, run.font));
  };
  const forget = () => {
    known.clear();
    // pdfkit remembers every word it has shaped, for ever.
    for (const font of has.keys())
      (doc.font(font) as unknown as Opened)._font.layoutCache = Object.create(null) as object;
  };
  const runs: Fonts['runs'] = (text, face) => {
    const key = `${face} ${text}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const visible = text.replaceAll('\t', '    ').replace(invisible, '');
    const made =
      /^[ -~]*$/.test(visible) && writes(face, 32) ? [measured(visible, face)] : split(visible, face);
    if (known.size >= remembered) forget();
    known.set(key, made);
    return made;
  };
  return {
    runs,
    missing,
    forget,
    width: (text, face, size) => runs(text, face).reduce((sum, run) => sum + run.width, 0) * size,
  };
}

function scriptOf(character: string): string {
  if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(character)) return 'Emoji';
  return scripts.find((script) => tests.get(script)!.test(character)) ?? 'other';
}
