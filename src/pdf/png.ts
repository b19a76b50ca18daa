import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Doc } from './engine.ts';
import type { Embedded } from './pictures.ts';
import { pixelsOf, type Header } from './png-pixels.ts';
import type { Work } from './work.ts';

const unpack = promisify(inflate);
const pack = promisify<Uint8Array, Buffer>(deflate);

/** The most pixels of an image that has to be taken apart. */
const mostPixels = 16_000_000;
/** The most bytes of pixels of an image that goes in as it is. */
const mostBytes = 256 * 1024 * 1024;

/** What is left for the images of a book, in bytes: as they are unpacked, and as they are packed anew. */
export interface Room {
  unpacked: number;
  packed: number;
}

/** Says that there is no room for an image. */
export class TooLarge extends Error {}

/** A file of more parts is no image that anybody made to be seen. */
const mostChunks = 50_000;

interface Stream {
  readonly data: Readonly<Record<string, unknown>>;
  readonly bytes: Uint8Array;
}

/** A PNG as pdfkit embeds it; undefined for one that is broken. Throws TooLarge. */
export async function readPng(
  bytes: Uint8Array,
  label: string,
  { room, work }: { readonly room: Room; readonly work: Work },
): Promise<Embedded | undefined> {
  const chunks = chunksOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const header = headerOf(chunks.header);
  const { width, height, depth, type, channels } = header;
  if (width === 0 || height === 0 || channels === 0) return undefined;
  const rowBytes = Math.ceil((width * depth * channels) / 8);
  const size = (rowBytes + 1) * height;
  const isPlain =
    !header.interlaced &&
    (type === 0 || type === 2 || type === 3) &&
    chunks.transparency === undefined &&
    depth <= 8;
  if (
    size > Math.min(mostBytes, room.unpacked) ||
    (!isPlain && (width * height > mostPixels || room.packed <= 0))
  )
    throw new TooLarge(label);
  // To be unpacked it takes room, whatever comes of it.
  room.unpacked -= size;
  await work.pace(size / 1_000_000);
  // Passes of an interlaced image may each have rows of a byte or two more.
  const raw = await unpack(chunks.data, { maxOutputLength: size + height * 8 + 64 });
  const base = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, Filter: 'FlateDecode' };
  if (isPlain) {
    if (raw.length < size) return undefined;
    const space =
      type === 3
        ? ['Indexed', 'DeviceRGB', Math.floor(chunks.palette.length / 3) - 1]
        : type === 2
          ? 'DeviceRGB'
          : 'DeviceGray';
    if (type === 3 && chunks.palette.length < 3) return undefined;
    const parameters = { Predictor: 15, Colors: channels, BitsPerComponent: depth, Columns: width };
    return embedded(
      label,
      {
        data: { ...base, BitsPerComponent: depth, ColorSpace: space, DecodeParms: parameters },
        bytes: chunks.data,
      },
      type === 3 ? chunks.palette : undefined,
    );
  }
  const { rgb, alpha } = await pixelsOf(raw, header, {
    palette: chunks.palette,
    transparency: chunks.transparency,
    work,
  });
  const picture = { data: { ...base, BitsPerComponent: 8, ColorSpace: 'DeviceRGB' }, bytes: await pack(rgb) };
  const mask =
    alpha === undefined
      ? undefined
      : { data: { ...base, BitsPerComponent: 8, ColorSpace: 'DeviceGray' }, bytes: await pack(alpha) };
  room.packed -= picture.bytes.length + (mask?.bytes.length ?? 0);
  return embedded(label, picture, undefined, mask);
}

/** What pdfkit asks of an image object; it embeds it where it is drawn first. */
function embedded(label: string, picture: Stream, palette: Uint8Array | undefined, mask?: Stream): Embedded {
  const image = {
    label,
    width: picture.data['Width'] as number,
    height: picture.data['Height'] as number,
    obj: undefined as unknown,
    embed(doc: Doc) {
      const put = ({ data, bytes }: Stream) => {
        const ref = doc.ref({ ...data });
        ref.end(bytes);
        return ref;
      };
      const more: Record<string, unknown> = {};
      if (mask !== undefined) more['SMask'] = put(mask);
      if (palette !== undefined)
        more['ColorSpace'] = [
          ...(picture.data['ColorSpace'] as unknown[]),
          put({ data: {}, bytes: palette }),
        ];
      image.obj = put({ data: { ...picture.data, ...more }, bytes: picture.bytes });
    },
  };
  return image;
}

interface Chunks {
  readonly header: Buffer;
  readonly palette: Buffer;
  readonly transparency: Buffer | undefined;
  readonly data: Buffer;
}

function chunksOf(file: Buffer): Chunks {
  const found = new Map<string, Buffer[]>();
  let count = 0;
  for (let at = 8; at + 8 <= file.length;) {
    if (++count > mostChunks) throw new TooLarge('too many chunks');
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    const kept = found.get(name) ?? found.set(name, []).get(name)!;
    kept.push(file.subarray(at + 8, at + 8 + length));
    if (name === 'IEND') break;
    at += 12 + length;
  }
  const first = (name: string) => found.get(name)?.[0];
  return {
    header: first('IHDR') ?? Buffer.alloc(0),
    palette: first('PLTE') ?? Buffer.alloc(0),
    transparency: first('tRNS'),
    data: Buffer.concat(found.get('IDAT') ?? []),
  };
}

function headerOf(header: Buffer): Header {
  if (header.length < 13) return { width: 0, height: 0, depth: 8, type: 0, channels: 0, interlaced: false };
  const [depth, type] = [header[8]!, header[9]!];
  const known = [1, 2, 4, 8, 16].includes(depth) && header[12]! <= 1;
  const channels = known ? ({ 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[type] ?? 0) : 0;
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    depth,
    type,
    channels,
    interlaced: header[12] === 1,
  };
}
