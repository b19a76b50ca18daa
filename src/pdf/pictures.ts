import { createHash } from 'node:crypto';
import type { RichNode } from '../contract/shapes.ts';
import { Problem } from '../errors/problem.ts';
import { addressOf } from '../richtext/references.ts';
import type { Book, BookPage, Undrawn } from './book.ts';
import { coversOf } from './cells.ts';
import type { Doc } from './engine.ts';
import { readPng, TooLarge, type Room } from './png.ts';
import { costs, type Work } from './work.ts';

/** An image that can be drawn, with its size in points at 96 dots an inch. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly draw: (doc: Doc, x: number, y: number, width: number, height: number) => void;
}

/** What pdfkit wants of an image: it calls `embed` when the image is first drawn. */
export interface Embedded {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}

/** The pictures of a book, page by page. */
export interface Pictures {
  /** The pictures on a page; one that is on many pages is embedded once. */
  readonly of: (nodes: readonly RichNode[], page: BookPage) => Promise<ReadonlyMap<string, Picture>>;
  /** How many are not drawn so far, by the reason. */
  readonly undrawn: Partial<Record<Undrawn, number>>;
}

/** Opens the pictures of a book. */
export function createPictures(doc: Doc, imageOf: Book['imageOf'], work: Work): Pictures {
  const known = new Map<string, Picture | Undrawn>();
  const undrawn: Partial<Record<Undrawn, number>> = {};
  const room: Room = { unpacked: work.limits.unpacked, packed: work.limits.packed };
  const load = async (bytes: Uint8Array): Promise<Picture | Undrawn> => {
    const hash = createHash('sha256').update(bytes).digest('base64');
    const found = known.get(hash);
    if (found !== undefined) return found;
    const picture = await open(doc, bytes, `P${known.size + 1}`, { room, work });
    known.set(hash, picture);
    return picture;
  };
  return {
    undrawn,
    of: async (nodes, page) => {
      const found = new Map<string, Picture>();
      for (const address of await addressesIn(nodes, work)) {
        const bytes = await imageOf(address, page);
        const picture = typeof bytes === 'string' ? bytes : await load(bytes);
        if (typeof picture === 'string') undrawn[picture] = (undrawn[picture] ?? 0) + 1;
        else found.set(address, picture);
        await work.pace(costs.image);
      }
      return found;
    },
  };
}

async function open(
  doc: Doc,
  bytes: Uint8Array,
  label: string,
  { room, work }: { room: Room; work: Work },
): Promise<Picture | Undrawn> {
  let image: Embedded | undefined;
  try {
    // pdfkit reads JPEG well; its PNG decoder ends the process on a broken file, and at no certain time on a good one.
    image = isPng(bytes)
      ? await readPng(bytes, label, { room, work })
      : isJpeg(bytes)
        ? openJpeg(doc, bytes)
        : undefined;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return error instanceof TooLarge ? 'large' : 'broken';
  }
  if (image === undefined) return formatOf(bytes);
  const turned = (image.orientation ?? 1) > 4;
  const [width, height] = turned ? [image.height, image.width] : [image.width, image.height];
  return {
    width: width * 0.75,
    height: height * 0.75,
    draw: (on, x, y, w, h) => void on.image(image as unknown as string, x, y, { width: w, height: h }),
  };
}

/** Formats that are not drawn, by how their files begin. */
const beginnings: readonly (readonly [RegExp, Undrawn])[] = [
  [/^GIF8/, 'GIF'],
  [/^RIFF[^]{4}WEBP/, 'WebP'],
  [/^BM/, 'BMP'],
  [/^[^]{4}ftyp(avif|avis|heic|mif1)/, 'AVIF'],
  [/^(II\*\0|MM\0\*)/, 'TIFF'],
  [/^(\xef\xbb\xbf)?\s*<(svg[\s>]|[?!][^]*<svg[\s>]|\?xml)/i, 'SVG'],
];

function formatOf(bytes: Uint8Array): Undrawn {
  if (isPng(bytes) || isJpeg(bytes)) return 'broken';
  const start = Buffer.from(bytes.subarray(0, 400)).toString('latin1');
  return beginnings.find(([pattern]) => pattern.test(start))?.[1] ?? 'other';
}

function openJpeg(doc: Doc, bytes: Uint8Array): Embedded | undefined {
  const image = (
    doc as unknown as {
      openImage(bytes: Uint8Array): Embedded & { readonly colorSpace?: string; readonly bits: number };
    }
  ).openImage(bytes);
  return image.width > 0 && image.height > 0 && image.colorSpace !== undefined && image.bits === 8
    ? image
    : undefined;
}

function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}

/** The addresses of all images in nodes, each once. */
async function addressesIn(nodes: readonly RichNode[], work: Work): Promise<Set<string>> {
  const found = new Set<string>();
  const left = [...nodes].reverse();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === 'image' || node.type === 'inline-image') found.add(addressOf(node.data?.['ref']));
    if (node.type === 'table')
      for (const cover of coversOf(node)) if (cover !== undefined) found.add(addressOf(cover));
    for (const child of node.nodes ?? []) left.push(child);
    for (const child of (node['fragments'] as readonly RichNode[] | undefined) ?? []) left.push(child);
    await work.pace(0.5);
  }
  return found;
}
