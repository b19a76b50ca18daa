import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import type { UndrawnReason } from '../../src/pdf/book.ts';
import { readFacts } from '../../src/pdf/book.ts';
import { createDocument } from '../../src/pdf/engine.ts';
import { PictureLoader } from '../../src/pdf/load-pictures.ts';
import { decodePixels } from '../../src/pdf/png-pixels.ts';
import { readPng, PictureTooLargeError } from '../../src/pdf/png.ts';
import { Budget, defaultLimits } from '../../src/pdf/budget.ts';
import { block, book, fragment, page, paragraph, rendered } from './support.ts';

interface Image {
  readonly width: number;
  readonly height: number;
  /** Samples of all pixels, 8 bits each. */
  readonly samples: readonly number[];
  readonly type: 0 | 2 | 4 | 6;
  readonly filter: number;
  readonly interlaced: boolean;
}
const channelsOf = { 0: 1, 2: 3, 4: 2, 6: 4 } as const;
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The rows of a PNG image: filtered, and in passes if it is interlaced. */
function rowsOf({ width, height, samples, type, filter, interlaced }: Image): number[] {
  const channels = channelsOf[type];
  const out: number[] = [];
  for (const [left, top, across, down] of interlaced ? passes : [[0, 0, 1, 1] as const]) {
    const columns = Array.from({ length: width }, (_, x) => x).filter(
      (x) => x >= left && (x - left) % across === 0,
    );
    let above = columns.flatMap(() => Array.from({ length: channels }, () => 0));
    if (columns.length === 0) continue;
    for (let y = top; y < height; y += down) {
      const line = columns.flatMap((x) =>
        samples.slice((y * width + x) * channels, (y * width + x + 1) * channels),
      );
      const at = (row: readonly number[], index: number) => (index < 0 ? 0 : row[index]!);
      out.push(
        filter,
        ...line.map(
          (value, index) =>
            (value -
              guess(filter, at(line, index - channels), above[index]!, at(above, index - channels)) +
              256) %
            256,
        ),
      );
      above = line;
    }
  }
  return out;
}

function guess(filter: number, left: number, up: number, corner: number): number {
  if (filter < 4) return [0, left, up, (left + up) >> 1][filter]!;
  const nearest = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  return [left, up, corner][nearest.indexOf(Math.min(...nearest))]!;
}

function chunk(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

function png(
  width: number,
  height: number,
  type: number,
  interlaced: boolean,
  data: Uint8Array,
  more: readonly Buffer[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, type, 0, 0, Number(interlaced)], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const images: fc.Arbitrary<Image> = fc
  .record({
    width: fc.integer({ min: 1, max: 9 }),
    height: fc.integer({ min: 1, max: 9 }),
    type: fc.constantFrom(0, 2, 4, 6),
    filter: fc.integer({ min: 0, max: 4 }),
    interlaced: fc.boolean(),
  } as const)
  .chain((given) => {
    const count = given.width * given.height * channelsOf[given.type];
    return fc
      .array(fc.integer({ min: 0, max: 255 }), { minLength: count, maxLength: count })
      .map((samples) => ({ ...given, samples }));
  });

const means = (
  unpacked: number = defaultLimits.maxUnpackedBytes,
  packed: number = defaultLimits.maxPackedBytes,
) => ({
  memory: { unpacked, packed },
  budget: new Budget(),
});

describe('reading a PNG', () => {
  it('separates color and opacity for any color type, filter and interlacing', async () => {
    await fc.assert(
      fc.asyncProperty(images, async (image) => {
        const { width, height, samples, type, interlaced } = image;
        const channels = channelsOf[type];
        const header = { width, height, depth: 8, type, channels, isInterlaced: interlaced };
        const { rgb, alpha } = await decodePixels(Uint8Array.from(rowsOf(image)), header, {
          palette: new Uint8Array(),
          transparency: undefined,
          budget: new Budget(),
        });
        for (let pixel = 0; pixel < width * height; pixel++) {
          const given = samples.slice(pixel * channels, (pixel + 1) * channels);
          const color = channels < 3 ? [given[0], given[0], given[0]] : given.slice(0, 3);
          expect([...rgb.subarray(pixel * 3, pixel * 3 + 3)]).toEqual(color);
          expect(alpha?.[pixel] ?? 255).toBe(type === 4 || type === 6 ? given.at(-1) : 255);
        }
      }),
    );
  });

  it.each([
    ['gray', 0, 8, [5, 0, 6], [0, 5], [0, 255, 255]],
    ['gray of 4 bits', 0, 4, [0x50, 0x60], [0, 5], [0, 255, 255]],
    ['gray of 16 bits', 0, 16, [1, 5, 1, 6, 5, 1], [1, 5], [0, 255, 255]],
    ['colors', 2, 8, [1, 2, 3, 1, 2, 4, 9, 2, 3], [0, 1, 0, 2, 0, 3], [0, 255, 255]],
  ])(
    'makes the transparent color of an image with %s transparent',
    async (_name, type, depth, line, color, expected) => {
      const header = { width: 3, height: 1, depth, type, channels: type === 2 ? 3 : 1, isInterlaced: false };
      const { alpha } = await decodePixels(Uint8Array.from([0, ...line]), header, {
        palette: new Uint8Array(),
        transparency: Uint8Array.from(color),
        budget: new Budget(),
      });
      expect([...(alpha ?? [])]).toEqual(expected);
    },
  );

  it('reads the colors and opacities of a palette', async () => {
    const header = { width: 3, height: 1, depth: 2, type: 3, channels: 1, isInterlaced: false };
    const given = {
      palette: Uint8Array.from([1, 2, 3, 4, 5, 6]),
      transparency: Uint8Array.from([9]),
      budget: new Budget(),
    };
    const { rgb, alpha } = await decodePixels(Uint8Array.from([0, 0b00_01_10_00]), header, given);
    expect([...rgb]).toEqual([1, 2, 3, 4, 5, 6, 0, 0, 0]);
    expect([...alpha!]).toEqual([9, 255, 255]);
  });

  it('embeds the compressed data unchanged if possible', async () => {
    const data = deflateSync(Uint8Array.from([0, 1, 2, 3]));
    expect(await readPng(png(1, 1, 2, false, data), 'P1', means())).toMatchObject({
      width: 1,
      height: 1,
      label: 'P1',
    });
  });

  it.each([
    [0, [7], false],
    [2, [1, 2, 3], false],
    [4, [7, 128], true],
    [6, [1, 2, 3, 128], true],
  ])('gives an image of type %i a mask only if its pixels have an opacity', async (type, pixel, hasMask) => {
    const image = await readPng(
      png(1, 1, type, false, deflateSync(Uint8Array.from([0, ...pixel]))),
      'P1',
      means(),
    );
    const added: Record<string, unknown>[] = [];
    const ref = (data: Record<string, unknown>) => {
      added.push(data);
      return { end() {} };
    };
    (image as unknown as { embed(doc: object): void }).embed({ ref });
    expect(added.map((data) => data['SMask'] !== undefined)).toEqual(hasMask ? [false, true] : [false]);
  });

  it.each([
    [1, 9, 0, 1],
    [9, 1, 0, 1],
    [2, 3, 2, 3],
    [2, 3, 4, 2],
    [2, 3, 6, 4],
  ])(
    'counts the bytes of all rows against the limit: %i × %i samples of type %i',
    async (width, height, type, channels) => {
      const size = (width * channels + 1) * height;
      const bytes = png(width, height, type, false, deflateSync(Buffer.alloc(size)));
      const given = means(size);
      expect(await readPng(bytes, 'P1', given)).toMatchObject({ width, height });
      expect(given.memory.unpacked).toBe(0);
      await expect(readPng(bytes, 'P1', means(size - 1))).rejects.toBeInstanceOf(PictureTooLargeError);
    },
  );

  it('ignores an image that is broken, empty, too large or a decompression bomb', async () => {
    const bomb = deflateSync(Buffer.alloc(20_000_000));
    const broken = {
      'not packed': png(1, 1, 2, false, Buffer.from('nonsense')),
      'too short': png(9, 9, 2, false, deflateSync(Buffer.alloc(3))),
      'too short, with alpha': png(9, 9, 6, false, deflateSync(Buffer.alloc(3))),
      bomb: png(1, 1, 6, false, bomb),
      huge: png(60_000, 60_000, 6, false, bomb),
      empty: png(0, 1, 2, false, bomb),
      'of no kind': png(1, 1, 5, false, bomb),
      'no palette': png(1, 1, 3, false, deflateSync(Buffer.alloc(2))),
      'cut off': png(1, 1, 2, false, bomb).subarray(0, 20),
    };
    for (const bytes of Object.values(broken))
      expect(await readPng(bytes, 'P1', means()).catch(() => undefined)).toBeUndefined();
  });
});

describe('the images of a PDF', () => {
  const large = png(1000, 1000, 6, false, deflateSync(Buffer.alloc(4_001_000)));

  it('share a limit for their decompressed size', async () => {
    const given = means(9_000_000);
    for (const label of ['P1', 'P2']) expect(await readPng(large, label, given)).toBeDefined();
    await expect(readPng(large, 'P3', given)).rejects.toBeInstanceOf(PictureTooLargeError);
    // A broken image counts as well, because it takes as long to read.
    const broken = means(9_000_000);
    for (let count = 0; count < 2; count++)
      await readPng(png(1000, 1000, 2, false, deflateSync(Buffer.alloc(9))), 'P1', broken);
    expect(broken.memory.unpacked).toBe(9_000_000 - 2 * 3_001_000);
  });

  it('share a limit for their recompressed size', async () => {
    await expect(readPng(large, 'P1', means(9_000_000, 0))).rejects.toBeInstanceOf(PictureTooLargeError);
    const given = means();
    await readPng(large, 'P1', given);
    expect(given.memory.packed).toBeLessThan(defaultLimits.maxPackedBytes);
  });

  it('let other work run while they are decoded', async () => {
    let turns = 0;
    let done = false;
    const spin = (): void => void setImmediate(() => (turns++, done || spin()));
    spin();
    await decodePixels(
      Buffer.alloc(4_001_000),
      { width: 1000, height: 1000, depth: 8, type: 6, channels: 4, isInterlaced: false },
      { palette: Buffer.alloc(0), transparency: undefined, budget: new Budget() },
    );
    done = true;
    expect(turns).toBeGreaterThan(15);
  });

  it.each([
    ['wide', 2_000_000, 1],
    ['high', 1, 2_000_000],
  ])('let other work run if they are %s', async (_, width, height) => {
    let turns = 0;
    let done = false;
    const spin = (): void => void setImmediate(() => (turns++, done || spin()));
    const raw = Buffer.alloc((width * 8 + 1) * height, 4);
    spin();
    await decodePixels(
      raw,
      { width, height, depth: 16, type: 6, channels: 4, isInterlaced: false },
      { palette: Buffer.alloc(0), transparency: undefined, budget: new Budget() },
    );
    done = true;
    expect(turns).toBeGreaterThan(30);
  });

  it.each([1, 2, 4, 8, 16])(
    'with %i bits per sample have the same pixels in a wide row as in short rows',
    async (depth) => {
      const width = 20_000;
      const line = Uint8Array.from({ length: (width * depth) / 8 }, (_, index) => (index * 37) % 251);
      const decode = (lines: readonly Uint8Array[], columns: number) =>
        decodePixels(
          Buffer.concat(lines.flatMap((each) => [Uint8Array.of(0), each])),
          { width: columns, height: lines.length, depth, type: 0, channels: 1, isInterlaced: false },
          { palette: Buffer.alloc(0), transparency: undefined, budget: new Budget() },
        );
      const wide = await decode([line], width);
      const pieces = Array.from({ length: 100 }, (_, row) =>
        line.subarray((row * line.length) / 100, ((row + 1) * line.length) / 100),
      );
      const narrow = await decode(pieces, width / 100);
      expect(Buffer.compare(wide.rgb, narrow.rgb)).toBe(0);
    },
  );

  it('that are broken let other work run while they are scanned', async () => {
    const doc = await createDocument({ title: 'A', createdAt: '2026-01-01T00:00:00Z' }, false);
    const imageOf = async (address: string) => {
      const bytes = Buffer.alloc(1_000_000);
      bytes.set([0xff, 0xd8, ...Buffer.from(address)]);
      return bytes;
    };
    const loader = new PictureLoader(doc, imageOf, new Budget());
    const nodes = Array.from({ length: 12 }, (_, index) => ({
      object: 'block' as const,
      type: 'image',
      data: { ref: { kind: 'url', url: `https://a.example/${index}` } },
    }));
    let turns = 0;
    let done = false;
    const spin = (): void => void setImmediate(() => (turns++, done || spin()));
    spin();
    const pictures = await loader.load(nodes, { id: 'pag_1' } as never);
    done = true;
    expect([pictures.size, loader.undrawn]).toEqual([0, { broken: 12 }]);
    expect(turns).toBeGreaterThanOrEqual(12);
  });

  it('are refused if they have too many chunks', async () => {
    const parts = Array.from({ length: 60_000 }, () => chunk('tEXt', Buffer.alloc(0)));
    await expect(
      readPng(png(1, 1, 2, false, deflateSync(Buffer.alloc(4)), parts), 'P1', means()),
    ).rejects.toBeInstanceOf(PictureTooLargeError);
  });
});

describe('images of a page', () => {
  const image = (url: string, more: object = {}) =>
    block('images', [
      block('image', [], { ref: { kind: 'url', url }, ...more }, [
        fragment('caption', [paragraph(`caption of ${url}`)]),
      ]),
    ]);
  const clear = png(
    2,
    2,
    6,
    false,
    deflateSync(Uint8Array.from([0, 9, 9, 9, 100, 9, 9, 9, 255, 0, 9, 9, 9, 0, 9, 9, 9, 1])),
  );

  it('are embedded once, with captions, and unreadable ones are named', async () => {
    const files: Record<string, Uint8Array> = {
      'a.png': clear,
      'b.png': Buffer.from(clear),
      'c.png': Buffer.from('GIF89a'),
      'd.jpg': Buffer.from([0xff, 0xd8, 0xff]),
    };
    const nodes = [
      image('a.png'),
      image('b.png'),
      image('c.png', { alt: 'A chart' }),
      image('d.jpg'),
      image('none.png'),
    ];
    const pdf = await rendered(
      book([page('a', nodes)], { imageOf: async (address) => files[address] ?? 'absent' }),
    );
    // One picture and its opacity.
    expect(pdf.raw.match(/\/Subtype \/Image/g)).toHaveLength(2);
    expect(pdf.raw.match(/\/SMask \d+ 0 R/g)).toHaveLength(1);
    const content = pdf.pages.join('\n');
    for (const part of ['caption of a.png', 'A chart', 'Image \nd.jpg', 'Image \nnone.png'])
      expect(content).toContain(part);
    expect(content).not.toContain('Image \na.png');
  });

  it('that are not drawn are counted by reason', async () => {
    const files: Record<string, Uint8Array | UndrawnReason> = {
      gif: Buffer.from('GIF89a'),
      webp: Buffer.from('RIFF1234WEBPVP8 '),
      svg: Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x"/>'),
      bmp: Buffer.from('BM12'),
      cut: clear.subarray(0, 40),
      text: Buffer.from('hello'),
      known: 'SVG',
      far: 'web',
    };
    const nodes = [
      ...Object.keys(files).map((name) => image(name)),
      image('a.png'),
      block('paragraph', [
        { object: 'inline', type: 'inline-image', data: { ref: { kind: 'url', url: 'none' } } },
      ]),
    ];
    const { undrawn, raw } = await rendered(
      book([page('a', nodes)], {
        imageOf: async (address) => (address === 'a.png' ? clear : (files[address] ?? 'absent')),
      }),
    );
    expect(undrawn).toEqual({ GIF: 1, WebP: 1, SVG: 2, BMP: 1, broken: 1, other: 1, web: 1, absent: 1 });
    expect(readFacts(Buffer.from(raw, 'latin1'))?.undrawn).toEqual(undrawn);
  });

  it('show their alternative text or file name in a line of text', async () => {
    const inline = (url: string, alt?: string): RichNode => ({
      object: 'inline',
      type: 'inline-image',
      data: { ref: { kind: 'url', url }, alt },
    });
    const pdf = await rendered(
      book([
        page('a', [
          block('paragraph', [inline('.gitbook/assets/my%20logo.svg'), inline('b.svg', 'A bee'), inline('')]),
        ]),
      ]),
    );
    expect(pdf.pages[0]).toContain('[my logo.svg]\n[A bee]');
    expect(pdf.pages[0]).not.toContain('[]');
  });

  it('are requested by the page that contains them', async () => {
    const asked: string[] = [];
    const imageOf = async (address: string, from: { readonly id: string }) => (
      asked.push(`${from.id} ${address}`),
      'absent' as const
    );
    await rendered(
      book([page('a', [image('x.png'), block('hint', [image('y.png')])]), page('b', [image('x.png')])], {
        imageOf,
      }),
    );
    expect(asked.sort()).toEqual(['a x.png', 'a y.png', 'b x.png']);
  });
});
