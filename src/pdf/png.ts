import { promisify } from 'node:util';
import { createInflate, deflate } from 'node:zlib';
import type { Budget } from './budget.ts';
import type { EmbeddedImage, PdfDocument } from './engine.ts';
import { decodePixels, type PngHeader } from './png-pixels.ts';

const pack = promisify<Uint8Array, Buffer>(deflate);

/** Maximum number of pixels of an image that has to be decoded. */
const maxPixels = 16_000_000;
/** Maximum size of the pixels of an image that is embedded unchanged, in bytes. */
const maxBytes = 256 * 1024 * 1024;
/** Number of bytes that are decompressed at once. */
const pieceSize = 256 * 1024;
/** Maximum number of chunks. No image program writes more. */
const maxChunks = 50_000;

/** The remaining bytes for decompressed images of a book, and for images that are compressed again. */
export interface MemoryBudget {
  unpacked: number;
  packed: number;
}

/** Thrown for a picture that needs more memory than the budget allows. */
export class PictureTooLargeError extends Error {}

interface Stream {
  readonly data: Readonly<Record<string, unknown>>;
  readonly bytes: Uint8Array;
}

/**
 * Reads a PNG (https://www.w3.org/TR/png/) for pdfkit to embed; undefined if it is broken.
 *
 * @throws PictureTooLargeError if the memory budget is exceeded
 */
export async function readPng(
  bytes: Uint8Array,
  label: string,
  { memory, budget }: { memory: MemoryBudget; budget: Budget },
): Promise<EmbeddedImage | undefined> {
  const { header, palette, transparency, data } = readChunks(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  );
  if (header === undefined) return undefined;
  const { width, height, depth, type, channels } = header;
  if (width === 0 || height === 0 || channels === 0) return undefined;
  const size = (Math.ceil((width * depth * channels) / 8) + 1) * height;
  const isPlain = !header.isInterlaced && type < 4 && transparency === undefined && depth <= 8;
  const isTooLarge = size > Math.min(maxBytes, memory.unpacked);
  if (isTooLarge || (!isPlain && (width * height > maxPixels || memory.packed <= 0)))
    throw new PictureTooLargeError(label);
  // Subtracted in any case, because decompressing it needs this memory.
  memory.unpacked -= size;
  await budget.pause(size / 1_000_000);
  // Each row of an interlaced image may have one or two more bytes.
  const maxSize = size + height * 8 + 64;
  const image = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, Filter: 'FlateDecode' };
  if (isPlain) {
    const isIndexed = type === 3;
    // The bytes are only counted.
    if ((await unpack(data, maxSize)) < size || (isIndexed && palette.length < 3)) return undefined;
    const space = isIndexed
      ? ['Indexed', 'DeviceRGB', Math.floor(palette.length / 3) - 1]
      : type === 2
        ? 'DeviceRGB'
        : 'DeviceGray';
    const parameters = { Predictor: 15, Colors: channels, BitsPerComponent: depth, Columns: width };
    const plain = { ...image, BitsPerComponent: depth, ColorSpace: space, DecodeParms: parameters };
    return embed(label, header, { data: plain, bytes: data }, { palette: isIndexed ? palette : undefined });
  }
  const raw = new Uint8Array(maxSize);
  const length = await unpack(data, maxSize, raw);
  const { rgb, alpha } = await decodePixels(raw.subarray(0, length), header, {
    palette,
    transparency,
    budget,
  });
  const encode = async (samples: Uint8Array, space: string): Promise<Stream> => {
    const packed = await pack(samples);
    memory.packed -= packed.length;
    return { data: { ...image, BitsPerComponent: 8, ColorSpace: space }, bytes: packed };
  };
  const picture = await encode(rgb, 'DeviceRGB');
  return embed(label, header, picture, { mask: alpha && (await encode(alpha, 'DeviceGray')) });
}

/**
 * Decompresses data in pieces, so that other work can run, and returns the number of bytes. Writes them to `output` if given.
 *
 * @throws Error if the data is broken or there are more than `maxSize` bytes
 */
async function unpack(data: Uint8Array, maxSize: number, output?: Uint8Array): Promise<number> {
  const inflate = createInflate({ chunkSize: pieceSize });
  inflate.end(data);
  let size = 0;
  for await (const piece of inflate as AsyncIterable<Buffer>) {
    if (size + piece.length > maxSize) throw new Error('the image is too long');
    output?.set(piece, size);
    size += piece.length;
  }
  return size;
}

/** Creates an image object for pdfkit, which embeds it when it is first drawn. */
function embed(
  label: string,
  { width, height }: PngHeader,
  picture: Stream,
  { palette, mask }: { palette?: Uint8Array | undefined; mask?: Stream | undefined },
): EmbeddedImage {
  const image = {
    label,
    width,
    height,
    obj: undefined as unknown,
    embed(doc: PdfDocument) {
      const add = ({ data, bytes }: Stream) => {
        const ref = doc.ref({ ...data });
        ref.end(bytes);
        return ref;
      };
      const data: Record<string, unknown> = { ...picture.data };
      if (mask !== undefined) data['SMask'] = add(mask);
      if (palette !== undefined)
        data['ColorSpace'] = [...(data['ColorSpace'] as unknown[]), add({ data: {}, bytes: palette })];
      image.obj = add({ data, bytes: picture.bytes });
    },
  };
  return image;
}

interface Chunks {
  readonly header: PngHeader | undefined;
  readonly palette: Buffer;
  readonly transparency: Buffer | undefined;
  readonly data: Buffer;
}

function readChunks(file: Buffer): Chunks {
  const first = new Map<string, Buffer>();
  const data: Buffer[] = [];
  let count = 0;
  for (let at = 8; at + 8 <= file.length;) {
    if (++count > maxChunks) throw new PictureTooLargeError('too many chunks');
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (name === 'IDAT') data.push(content);
    else if (!first.has(name)) first.set(name, content);
    if (name === 'IEND') break;
    at += 12 + length;
  }
  return {
    header: readHeader(first.get('IHDR')),
    palette: first.get('PLTE') ?? Buffer.alloc(0),
    transparency: first.get('tRNS'),
    data: Buffer.concat(data),
  };
}

function readHeader(header: Buffer | undefined): PngHeader | undefined {
  if (header === undefined || header.length < 13) return undefined;
  const [depth, type, interlace] = [header.readUInt8(8), header.readUInt8(9), header.readUInt8(12)];
  const isKnown = [1, 2, 4, 8, 16].includes(depth) && interlace <= 1;
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    depth,
    type,
    channels: isKnown ? ({ 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[type] ?? 0) : 0,
    isInterlaced: interlace === 1,
  };
}
