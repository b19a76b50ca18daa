import type { Work } from './work.ts';

/** What a PNG says of itself. */
export interface Header {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  readonly type: number;
  /** Samples of a pixel; 0 for a type that there is not. */
  readonly channels: number;
  readonly interlaced: boolean;
}

/** The seven passes of an interlaced image: first column and row, and the steps from there. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The pixels of an image as 8-bit colour, and how opaque each is; alpha is undefined where all are. */
export async function pixelsOf(
  raw: Uint8Array,
  header: Header,
  {
    palette,
    transparency,
    work,
  }: {
    readonly palette: Uint8Array;
    readonly transparency: Uint8Array | undefined;
    readonly work: Pick<Work, 'pace'>;
  },
): Promise<{ rgb: Uint8Array; alpha: Uint8Array | undefined }> {
  const { width, height, depth, channels, interlaced } = header;
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  const put = pixelWriter(header, palette, transparency, rgb, alpha);
  let at = 0;
  let isOpaque = true;
  for (const [left, top, across, down] of interlaced ? adam7 : [[0, 0, 1, 1] as const]) {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    if (columns <= 0 || rows <= 0) continue;
    const rowBytes = Math.ceil((columns * depth * channels) / 8);
    let above = new Uint8Array(rowBytes);
    for (let row = 0; row < rows; row++) {
      if (at + 1 + rowBytes > raw.length) throw new Error('the image ends early');
      const line = raw.slice(at + 1, at + 1 + rowBytes);
      unfilter(raw[at]!, line, above, Math.max(1, (depth * channels) >> 3));
      for (let column = 0; column < columns; column++)
        isOpaque = put(line, column, (top + row * down) * width + left + column * across) && isOpaque;
      above = line;
      at += 1 + rowBytes;
      // A row of an image on the screen takes as long as a few words.
      await work.pace(columns / 50 + 0.1);
    }
  }
  return { rgb, alpha: isOpaque ? undefined : alpha };
}

/** Undoes the filter of one row in place. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  for (let index = 0; index < line.length; index++) {
    const left = index < step ? 0 : line[index - step]!;
    const up = above[index]!;
    const corner = index < step ? 0 : above[index - step]!;
    const guess =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : filter === 4
              ? paeth(left, up, corner)
              : 0;
    line[index] = line[index]! + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Writes a pixel, and tells whether nothing shines through it. */
type Put = (line: Uint8Array, column: number, pixel: number) => boolean;

function pixelWriter(
  { depth, type, channels }: Header,
  palette: Uint8Array,
  transparency: Uint8Array | undefined,
  rgb: Uint8Array,
  alpha: Uint8Array,
): Put {
  const bytes = depth === 16 ? 2 : 1;
  const most = (1 << Math.min(depth, 8)) - 1;
  const sample = (line: Uint8Array, index: number): number =>
    depth >= 8
      ? line[index * bytes]!
      : (line[(index * depth) >> 3]! >> (8 - depth - ((index * depth) & 7))) & most;
  const exact = (line: Uint8Array, index: number): number =>
    depth === 16 ? (line[index * 2]! << 8) | line[index * 2 + 1]! : sample(line, index);
  const clear =
    transparency === undefined || type === 3
      ? undefined
      : Array.from(
          { length: channels },
          (_, index) => (transparency[index * 2]! << 8) | transparency[index * 2 + 1]!,
        );
  return (line, column, pixel) => {
    const first = column * channels;
    const isColour = type === 2 || type === 6;
    for (let channel = 0; channel < 3; channel++) {
      const value = sample(line, first + (isColour ? channel : 0));
      rgb[pixel * 3 + channel] =
        type === 3
          ? (palette[value * 3 + channel] ?? 0)
          : depth < 8
            ? Math.round((value * 255) / most)
            : value;
    }
    if (type === 3) alpha[pixel] = transparency?.[sample(line, first)] ?? 255;
    else if (type === 4 || type === 6) alpha[pixel] = sample(line, first + channels - 1);
    else
      alpha[pixel] = clear?.every((value, index) => exact(line, first + index) === value) === true ? 0 : 255;
    return alpha[pixel] === 255;
  };
}
