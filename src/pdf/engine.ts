import { once } from 'node:events';
import type PDFDocument from 'pdfkit';
import { sheet } from './theme.ts';

export type Doc = InstanceType<typeof PDFDocument>;

export interface EngineOptions {
  readonly title: string;
  readonly createdAt: string;
  /** Whether streams are compressed; tests read them as they are. */
  readonly compress: boolean;
}

/** Parts of pdfkit that it has no public name for; all that is used of them is here. */
interface Inside {
  readonly _root: { readonly data: { readonly Pages: { readonly data: { Kids: unknown[] } } } };
  readonly page: { readonly content: { readonly buffer: Uint8Array[] } };
  readonly _fragment: (text: string, x: number, y: number, options: object) => void;
}

/** A document of pdfkit that has no page yet; the library is loaded when the first one is made. */
export async function openDocument({ title, createdAt, compress }: EngineOptions): Promise<Doc> {
  const { default: PdfDocument } = await import('pdfkit');
  return new PdfDocument({
    size: [sheet.width, sheet.height],
    margin: 0,
    autoFirstPage: false,
    compress,
    pdfVersion: '1.7',
    displayTitle: true,
    // No default font: the ones that come with every viewer cannot write most scripts.
    font: null as unknown as string,
    info: { Title: title, Creator: 'docsctl', Producer: 'docsctl', CreationDate: new Date(createdAt) },
  });
}

/** Writes a text in the font and colour that are set, its baseline at y; `text()` would measure it twice more. */
export function writeText(doc: Doc, text: string, x: number, y: number): void {
  (doc as unknown as Inside)._fragment(text, x, y, { baseline: 'alphabetic', textWidth: 0, wordCount: 0 });
}

/** Where the drawing of the page stands, for `paintBehind`. */
export function markOf(doc: Doc): number {
  return (doc as unknown as Inside).page.content.buffer.length;
}

/** Puts what `paint` draws behind everything drawn on this page since the mark. */
export function paintBehind(doc: Doc, mark: number, paint: () => void): void {
  const { buffer } = (doc as unknown as Inside).page.content;
  const start = buffer.length;
  paint();
  buffer.splice(mark, 0, ...buffer.splice(start));
}

/** Makes the last pages the first ones: what a table of contents says is known only when all else is drawn. */
export function moveToFront(doc: Doc, count: number): void {
  const pages = (doc as unknown as Inside)._root.data.Pages.data;
  pages.Kids = [...pages.Kids.slice(-count), ...pages.Kids.slice(0, -count)];
}

/** Collects the bytes as they are written. */
export function collect(doc: Doc): () => Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(doc, 'end');
  return async () => {
    doc.end();
    await ended;
    return Buffer.concat(chunks);
  };
}
