import { once } from 'node:events';
import type PdfKit from 'pdfkit';
import { sheet } from './theme.ts';

export type PdfDocument = InstanceType<typeof PdfKit>;

/** An image as pdfkit embeds it when it is first drawn. */
export interface EmbeddedImage {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}

/** An image that can be drawn, with its size in points at 96 dots per inch. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly draw: (doc: PdfDocument, x: number, y: number, width: number, height: number) => void;
}

// oxlint-disable no-underscore-dangle -- pdfkit names these parts so
/** The internal parts of pdfkit. */
interface Internals {
  readonly _root: {
    readonly data: {
      readonly Pages: { readonly data: { Kids: unknown[] } };
      readonly Names: { readonly data: { readonly Dests: Destinations } };
    };
  };
  readonly page: { readonly content: { readonly buffer: Uint8Array[] } };
  readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean }; layoutCache: object };
  _fragment(text: string, x: number, y: number, options: object): void;
  openImage(bytes: Uint8Array): EmbeddedImage & { colorSpace?: string; bits: number };
}

interface Destinations {
  readonly _items: Record<string, unknown>;
  add(name: string, destination: unknown): void;
}

function internalsOf(doc: PdfDocument): Internals {
  return doc as unknown as Internals;
}

/** Creates a document without pages. Streams are compressed unless a test wants to read them. */
export async function createDocument(
  { title, createdAt }: { title: string; createdAt: string },
  compress: boolean,
): Promise<PdfDocument> {
  const { default: Document } = await import('pdfkit');
  return new Document({
    size: [sheet.width, sheet.height],
    margin: 0,
    autoFirstPage: false,
    compress,
    pdfVersion: '1.7',
    displayTitle: true,
    // No default font, because the built-in ones lack most scripts.
    font: null as unknown as string,
    info: { Title: title, Creator: 'docsctl', Producer: 'docsctl', CreationDate: new Date(createdAt) },
  });
}

/** Draws text in the current font and color, with its baseline at y. pdfkit's `text()` would measure it two more times. */
export function drawText(doc: PdfDocument, text: string, x: number, y: number): void {
  internalsOf(doc)._fragment(text, x, y, { baseline: 'alphabetic', textWidth: 0, wordCount: 0 });
}

/** Returns the current end of the page's content, for `paintBehind`. */
export function contentLength(doc: PdfDocument): number {
  return internalsOf(doc).page.content.buffer.length;
}

/** Moves the drawing of `paint` behind everything that was drawn on the page since its content had the given length. */
export function paintBehind(doc: PdfDocument, length: number, paint: () => void): void {
  const { buffer } = internalsOf(doc).page.content;
  const end = buffer.length;
  paint();
  buffer.splice(length, 0, ...buffer.splice(end));
}

/** Moves the last `count` pages of a document to its front. */
export function movePagesToFront(doc: PdfDocument, count: number): void {
  const pages = internalsOf(doc)._root.data.Pages.data;
  pages.Kids = [...pages.Kids.slice(-count), ...pages.Kids.slice(0, -count)];
}

/** Gives a destination a second name; does nothing if there is no such destination. */
export function addDestinationAlias(doc: PdfDocument, alias: string, name: string): void {
  const { Dests } = internalsOf(doc)._root.data.Names.data;
  const destination = Dests._items[name];
  if (destination !== undefined) Dests.add(alias, destination);
}

/** Returns a function that checks whether the current font has a glyph for a code point. */
export function glyphTest(doc: PdfDocument): (code: number) => boolean {
  const { font } = internalsOf(doc)._font;
  return (code) => font.hasGlyphForCodePoint(code);
}

/** Clears the cache of words that pdfkit has shaped in the current font, which otherwise grows without limit. */
export function clearShapingCache(doc: PdfDocument): void {
  internalsOf(doc)._font.layoutCache = Object.create(null) as object;
}

/** Opens a JPEG; undefined if it is broken or does not have 8 bits per sample. */
export function openJpeg(doc: PdfDocument, bytes: Uint8Array): EmbeddedImage | undefined {
  const image = internalsOf(doc).openImage(bytes);
  const isUsable = image.width > 0 && image.height > 0 && image.colorSpace !== undefined && image.bits === 8;
  return isUsable ? image : undefined;
}

/** Collects the bytes of a document. The returned function ends the document. */
export function collectBytes(doc: PdfDocument): () => Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(doc, 'end');
  return async () => {
    doc.end();
    await ended;
    return Buffer.concat(chunks);
  };
}
