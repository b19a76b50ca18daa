import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { FindPackage } from '../files/find-package.ts';

const sans = '@fontsource/dejavu-sans/files/dejavu-sans-latin';
const mono = '@fontsource/dejavu-mono/files/dejavu-mono-latin';

/** The fonts of every document. The files contain all scripts of DejaVu, whatever their names suggest. */
export const faces = {
  regular: `${sans}-400-normal.woff`,
  bold: `${sans}-700-normal.woff`,
  italic: `${sans}-400-italic.woff`,
  boldItalic: `${sans}-700-italic.woff`,
  mono: `${mono}-400-normal.woff`,
  monoBold: `${mono}-700-normal.woff`,
} as const;
export type Face = keyof typeof faces;

/** Returns the WOFF file of a font. It is in a dependency, so it always exists. */
export function faceFile(face: Face): string {
  return createRequire(import.meta.url).resolve(faces[face]);
}

/** The optional packages with fonts that are too large to be installed with docsctl. */
const optional = {
  tc: '@embedpdf/fonts-tc',
  sc: '@embedpdf/fonts-sc',
  jp: '@embedpdf/fonts-jp',
  kr: '@embedpdf/fonts-kr',
  emoji: '@fontsource/noto-emoji',
} as const;
type OptionalFont = keyof typeof optional;

const fontForScript: Readonly<Record<string, OptionalFont>> = {
  Han: 'tc',
  Bopomofo: 'tc',
  Hiragana: 'jp',
  Katakana: 'jp',
  Hangul: 'kr',
  Emoji: 'emoji',
};

/** Returns the npm package with a font for a script; undefined if there is none. */
export function packageFor(script: string): string | undefined {
  const font = fontForScript[script];
  return font && optional[font];
}

/** Returns functions that read an optional font; undefined if its package is not installed. */
export function optionalFont(
  font: OptionalFont,
  find: FindPackage,
): { regular: () => Buffer; bold: () => Buffer } | undefined {
  const folder = find(optional[font]);
  if (folder === undefined) return undefined;
  const [below, pattern] =
    font === 'emoji'
      ? ['files', /-emoji-[47]00-normal\.woff$/]
      : ['fonts', /-(?:Regular|Bold)\.(?:otf|ttf)$/];
  try {
    const files = readdirSync(join(folder, below))
      .filter((file) => pattern.test(file))
      .map((file) => join(folder, below, file));
    const isBold = (file: string) => /-(?:Bold|700)/.test(file);
    const regular = files.find((file) => !isBold(file));
    if (regular === undefined) return undefined;
    const bold = files.find(isBold) ?? regular;
    return { regular: () => readFont(regular), bold: () => readFont(bold) };
  } catch {
    return undefined;
  }
}

/** Reads a font file as pdfkit takes it. */
export function readFont(path: string): Buffer {
  const file = readFileSync(path);
  return path.endsWith('.woff') ? unpackWoff(file) : file;
}

/**
 * Returns the optional fonts in the order in which they are tried. Those of East Asia are ordered by how well their glyphs suit a
 * text: kana is Japanese, and common characters distinguish the two kinds of Chinese.
 */
export function orderOptional(text: string): readonly OptionalFont[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return ['jp', 'tc', 'sc', 'kr', 'emoji'];
  const simplified = text.match(/[这们个来时说为会国发学对过经开关设数据资讯务动应务]/gu)?.length ?? 0;
  const traditional = text.match(/[這們個來時說為會國發學對過經開關設數據資訊務動應]/gu)?.length ?? 0;
  return simplified > traditional ? ['sc', 'tc', 'jp', 'kr', 'emoji'] : ['tc', 'sc', 'jp', 'kr', 'emoji'];
}

/** Sizes in bytes: https://www.w3.org/TR/WOFF/ and the OpenType specification. */
const woff = { header: 44, entry: 20 };
const sfnt = { header: 12, entry: 16 };

/**
 * Unpacks a WOFF 1.0 file to its TrueType or OpenType file. pdfkit opens WOFF files too, but it decompresses a whole table for
 * each glyph that it reads.
 *
 * @throws Error if the file is not a WOFF file or is damaged
 */
export function unpackWoff(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file');
  const tables = file.readUInt16BE(12);
  const unpacked = Buffer.alloc(file.readUInt32BE(16));
  file.copy(unpacked, 0, 4, 8);
  unpacked.writeUInt16BE(tables, 4);
  // Older readers use these numbers to search the table directory.
  const power = Math.floor(Math.log2(tables));
  const searched = sfnt.entry * 2 ** power;
  unpacked.writeUInt16BE(searched, 6);
  unpacked.writeUInt16BE(power, 8);
  unpacked.writeUInt16BE(sfnt.entry * tables - searched, 10);
  let offset = sfnt.header + sfnt.entry * tables;
  for (let index = 0; index < tables; index++) {
    const from = woff.header + woff.entry * index;
    const to = sfnt.header + sfnt.entry * index;
    const start = file.readUInt32BE(from + 4);
    const packedLength = file.readUInt32BE(from + 8);
    const length = file.readUInt32BE(from + 12);
    const packed = file.subarray(start, start + packedLength);
    const table = packedLength < length ? inflateSync(packed) : packed;
    if (table.length !== length) throw new Error('a table of the WOFF file is damaged');
    table.copy(unpacked, offset);
    file.copy(unpacked, to, from, from + 4);
    file.copy(unpacked, to + 4, from + 16, from + 20);
    unpacked.writeUInt32BE(offset, to + 8);
    unpacked.writeUInt32BE(length, to + 12);
    offset += (length + 3) & ~3;
  }
  return unpacked;
}
