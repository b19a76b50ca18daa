import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  faceFile,
  faces,
  optionalFont,
  orderOptional,
  packageFor,
  unpackWoff,
  type Face,
} from '../../src/pdf/font-files.ts';

/** A WOFF file with two tables: a compressed and an uncompressed one. */
function woffOf(tables: Readonly<Record<string, Buffer>>): Buffer {
  const names = Object.keys(tables);
  const header = Buffer.alloc(44);
  header.write('wOFF', 0, 'latin1');
  header.writeUInt32BE(0x0001_0000, 4);
  header.writeUInt16BE(names.length, 12);
  const directory = Buffer.alloc(20 * names.length);
  const bodies: Buffer[] = [];
  let offset = header.length + directory.length;
  let size = 12 + 16 * names.length;
  for (const [index, name] of names.entries()) {
    const table = tables[name] ?? Buffer.alloc(0);
    const deflated = deflateSync(table);
    const body = deflated.length < table.length ? deflated : table;
    directory.write(name, 20 * index, 'latin1');
    directory.writeUInt32BE(offset, 20 * index + 4);
    directory.writeUInt32BE(body.length, 20 * index + 8);
    directory.writeUInt32BE(table.length, 20 * index + 12);
    directory.writeUInt32BE(0xcafe_0000 + index, 20 * index + 16);
    const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
    bodies.push(padded);
    offset += padded.length;
    size += (table.length + 3) & ~3;
  }
  header.writeUInt32BE(size, 16);
  return Buffer.concat([header, directory, ...bodies]);
}

/** The tables of a TrueType file, with the checksums in its directory. */
function tablesOf(file: Buffer): Record<string, { readonly checksum: number; readonly body: Buffer }> {
  return Object.fromEntries(
    Array.from({ length: file.readUInt16BE(4) }, (_, index) => {
      const at = 12 + 16 * index;
      const start = file.readUInt32BE(at + 8);
      return [
        file.toString('latin1', at, at + 4),
        {
          checksum: file.readUInt32BE(at + 4),
          body: file.subarray(start, start + file.readUInt32BE(at + 12)),
        },
      ];
    }),
  );
}

describe('a WOFF file', () => {
  const glyphs = Buffer.alloc(1001, 'glyph');
  const tiny = Buffer.from([1, 2, 3]);

  it('is unpacked to the original font file', () => {
    const file = unpackWoff(woffOf({ glyf: glyphs, loca: tiny }));
    expect(tablesOf(file)).toEqual({
      glyf: { checksum: 0xcafe_0000, body: glyphs },
      loca: { checksum: 0xcafe_0001, body: tiny },
    });
    expect([file.readUInt32BE(0), file.readUInt16BE(6), file.readUInt16BE(8), file.readUInt16BE(10)]).toEqual(
      [0x0001_0000, 32, 1, 0],
    );
    expect(file.length).toBe(12 + 32 + 1004 + 4);
  });

  it.each(Object.keys(faces) as Face[])('of the face %s has the checksums that its tables have', (face) => {
    const tables = tablesOf(unpackWoff(readFileSync(faceFile(face))));
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hmtx', 'loca']));
    for (const [name, { checksum, body }] of Object.entries(tables)) {
      if (name === 'head') continue;
      const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
      let sum = 0;
      for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
      expect([name, sum]).toEqual([name, checksum]);
    }
  });

  it('is refused if it is damaged or not a WOFF file', () => {
    expect(() => unpackWoff(Buffer.from('OTTO and more'))).toThrow('not a WOFF file');
    const broken = woffOf({ glyf: glyphs, loca: tiny });
    broken.writeUInt32BE(2000, 44 + 12);
    expect(() => unpackWoff(broken)).toThrow('damaged');
  });
});

describe('an optional font', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docsctl-fonts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read from its package, with its bold face', () => {
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files', 'noto-emoji-7-400-normal.woff'), 'a part');
    cpSync(faceFile('regular'), join(folder, 'files', 'noto-emoji-emoji-400-normal.woff'));
    cpSync(faceFile('bold'), join(folder, 'files', 'noto-emoji-emoji-700-normal.woff'));
    const font = optionalFont('emoji', (name) => (name === '@fontsource/noto-emoji' ? folder : undefined));
    expect(font?.regular()).toEqual(unpackWoff(readFileSync(faceFile('regular'))));
    expect(font?.bold()).toEqual(unpackWoff(readFileSync(faceFile('bold'))));
  });

  it('uses the regular face if there is no bold one', () => {
    mkdirSync(join(folder, 'fonts'));
    writeFileSync(join(folder, 'fonts', 'NotoSansKR-Regular.otf'), 'OTTO');
    expect(
      optionalFont('kr', () => folder)
        ?.bold()
        .toString(),
    ).toBe('OTTO');
  });

  it('is undefined if its package is not installed or has no such file', () => {
    expect(optionalFont('tc', () => undefined)).toBeUndefined();
    expect(optionalFont('tc', () => '/absent')).toBeUndefined();
    mkdirSync(join(folder, 'fonts'));
    expect(optionalFont('tc', () => folder)).toBeUndefined();
  });

  it('has a package for each script that it serves', () => {
    expect(['Han', 'Emoji', 'Thai'].map(packageFor)).toEqual([
      '@embedpdf/fonts-tc',
      '@fontsource/noto-emoji',
      undefined,
    ]);
    expect(orderOptional('ひらがな')[0]).toBe('jp');
    expect(orderOptional('plain').at(-1)).toBe('emoji');
  });
});
