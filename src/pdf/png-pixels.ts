import type { Budget } from './budget.ts';

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits per sample. */
  readonly depth: number;
  /** 0 grayscale, 2 color, 3 palette, 4 grayscale with alpha, 6 color with alpha. */
  readonly type: number;
  /** Samples per pixel; 0 if the type does not exist. */
  readonly channels: number;
  readonly isInterlaced: boolean;
}

interface PixelOptions {
  readonly palette: Uint8Array;
  readonly transparency: Uint8Array | undefined;
  readonly budget: Pick<Budget, 'pause'>;
}

/**
 * Maximum number of pixels of a row that are decoded without a pause: a multiple of 8, so that parts of a row start with a whole
 * byte.
 */
const maxColumns = 8192;

type Pass = readonly [left: number, top: number, across: number, down: number];

const wholeImage: Pass = [0, 0, 1, 1];
/** The first column and row of each pass of an interlaced image, and its steps. */
const adam7: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/** Decodes the pixels of an image to 8-bit color and alpha; alpha is undefined if all pixels are opaque. Writes to `raw`. */
export async function decodePixels(
  raw: Uint8Array,
  header: PngHeader,
  { palette, transparency, budget }: PixelOptions,
): Promise<{ rgb: Uint8Array; alpha: Uint8Array | undefined }> {
  const { width, height, depth, channels, isInterlaced } = header;
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  const write = pixelWriter(header, { palette, transparency, rgb, alpha });
  let at = 0;
  let isOpaque = true;
  for (const [left, top, across, down] of isInterlaced ? adam7 : [wholeImage]) {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    if (columns <= 0 || rows <= 0) continue;
    const rowBytes = Math.ceil((columns * depth * channels) / 8);
    let above: Uint8Array = new Uint8Array(rowBytes);
    for (let row = 0; row < rows; row++) {
      if (at + 1 + rowBytes > raw.length) throw new Error('the image ends early');
      const line = raw.subarray(at + 1, at + 1 + rowBytes);
      const step = Math.max(1, (depth * channels) >> 3);
      const first = (top + row * down) * width + left;
      // A row can have as many pixels as a whole image.
      for (let from = 0; from < columns; from += maxColumns) {
        const to = Math.min(columns, from + maxColumns);
        const end = to === columns ? rowBytes : (to * depth * channels) >> 3;
        unfilter(raw[at] ?? 0, line, above, { step, from: (from * depth * channels) >> 3, end });
        for (let column = from; column < to; column++)
          isOpaque = write(line, column, first + column * across) && isOpaque;
        // A row of an image with the width of a screen takes as long as a few words.
        await budget.pause((to - from) / 50 + 0.1);
      }
      above = line;
      at += 1 + rowBytes;
    }
  }
  return { rgb, alpha: isOpaque ? undefined : alpha };
}

/** Reverses the filter of the bytes of one row from `from` to `end` in place. Earlier bytes must be done. */
function unfilter(
  filter: number,
  line: Uint8Array,
  above: Uint8Array,
  { step, from, end }: { step: number; from: number; end: number },
): void {
  for (let index = from; index < end; index++) {
    const left = index < step ? 0 : line[index - step]!;
    const up = above[index]!;
    const corner = index < step ? 0 : above[index - step]!;
    line[index]! += predict(filter, left, up, corner);
  }
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Returns a function that writes a pixel and returns whether it is opaque. */
function pixelWriter(
  { depth, type, channels }: PngHeader,
  {
    palette,
    transparency,
    rgb,
    alpha,
  }: Omit<PixelOptions, 'budget'> & { rgb: Uint8Array; alpha: Uint8Array },
): (line: Uint8Array, column: number, pixel: number) => boolean {
  const bytes = depth === 16 ? 2 : 1;
  const max = (1 << Math.min(depth, 8)) - 1;
  const isColor = type === 2 || type === 6;
  const sample = (line: Uint8Array, index: number): number => {
    if (depth >= 8) return line[index * bytes]!;
    const bit = index * depth;
    return (line[bit >> 3]! >> (8 - depth - (bit & 7))) & max;
  };
  const exact = depth === 16 ? uint16 : sample;
  const clear =
    transparency === undefined || type === 3
      ? undefined
      : Array.from({ length: channels }, (_, index) => uint16(transparency, index));
  return (line, column, pixel) => {
    const first = column * channels;
    for (let channel = 0; channel < 3; channel++) {
      const value = sample(line, first + (isColor ? channel : 0));
      rgb[pixel * 3 + channel] =
        type === 3
          ? (palette[value * 3 + channel] ?? 0)
          : depth < 8
            ? Math.round((value * 255) / max)
            : value;
    }
    if (type === 3) alpha[pixel] = transparency?.[sample(line, first)] ?? 255;
    else if (type >= 4) alpha[pixel] = sample(line, first + channels - 1);
    else
      alpha[pixel] = clear?.every((value, index) => exact(line, first + index) === value) === true ? 0 : 255;
    return alpha[pixel] === 255;
  };
}

function uint16(bytes: Uint8Array, index: number): number {
  return ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0);
}
