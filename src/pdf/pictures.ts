import { createHash } from 'node:crypto';
import type { RichNode } from '../contract/shapes.ts';
import { addressOf } from '../richtext/references.ts';
import type { Book, BookPage } from './book.ts';
import { gridOf } from './cells.ts';
import type { Doc } from './engine.ts';
import { readPng } from './png.ts';

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

/** Gives the pictures of a page; a picture on many pages is embedded once. */
export function createPictures(doc: Doc, imageOf: Book['imageOf']): (nodes: readonly RichNode[], page: BookPage) => Promise<ReadonlyMap<string, Picture>> {
  const known = new Map<string, Picture | undefined>();
  const load = async (bytes: Uint8Array): Promise<Picture | undefined> => {
    const hash = createHash('sha256').update(bytes).digest('base64');
    if (known.has(hash)) return known.get(hash);
    const picture = await open(doc, bytes, `P${known.size + 1}`);
    known.set(hash, picture);
    return picture;
  };
  return async (nodes, page) => {
    const found = new Map<string, Picture>();
    for (const address of addressesIn(nodes)) {
      const bytes = await imageOf(address, page);
      const picture = bytes === undefined ? undefined : await load(bytes);
      if (picture !== undefined) found.set(address, picture);
    }
    return found;
  };
}

async function open(doc: Doc, bytes: Uint8Array, label: string): Promise<Picture | undefined> {
  try {
    // pdfkit reads JPEG well; its PNG decoder ends the process on a broken file, and at no certain time on a good one.
    const image = isPng(bytes) ? await readPng(bytes, label) : isJpeg(bytes) ? openJpeg(doc, bytes) : undefined;
    if (image === undefined) return undefined;
    const turned = (image.orientation ?? 1) > 4;
    const [width, height] = turned ? [image.height, image.width] : [image.width, image.height];
    return {
      width: width * 0.75,
      height: height * 0.75,
      draw: (on, x, y, w, h) => void on.image(image as unknown as string, x, y, { width: w, height: h }),
    };
  } catch {
    return undefined;
  }
}

function openJpeg(doc: Doc, bytes: Uint8Array): Embedded | undefined {
  const image = (doc as unknown as { openImage(bytes: Uint8Array): Embedded & { readonly colorSpace?: string; readonly bits: number } }).openImage(bytes);
  return image.width > 0 && image.height > 0 && image.colorSpace !== undefined && image.bits === 8 ? image : undefined;
}

function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}

/** The addresses of all images in nodes, each once. */
function addressesIn(nodes: readonly RichNode[]): Set<string> {
  const found = new Set<string>();
  const open = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'image' || node.type === 'inline-image') found.add(addressOf(node.data?.['ref']));
    if (node.type === 'table') for (const cover of gridOf(node).covers) if (cover !== undefined) found.add(addressOf(cover));
    for (const child of node.nodes ?? []) open.push(child);
    for (const child of (node['fragments'] as readonly RichNode[] | undefined) ?? []) open.push(child);
  }
  return found;
}
