import type { RichDocumentValue } from '../contract/shapes.ts';
import type { PdfDocument } from './engine.ts';

export interface Book {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** ISO time; also the creation date in the file, so that equal books give equal bytes. */
  readonly createdAt: string;
  readonly words: BookWords;
  /** The tags that have another label than their slug, by their slugs. */
  readonly tags?: ReadonlyMap<string, { readonly label: string }>;
  /** In reading order. */
  readonly pages: readonly BookPage[];
  /** Returns the bytes of an image by its address on a page, or why it is not drawn. */
  readonly imageOf: (address: string, page: BookPage) => Promise<Uint8Array | UndrawnReason>;
  /** Resolves a content reference of a page (default: only addresses on the web). */
  readonly linkTo?: (ref: unknown, page: BookPage) => LinkTarget | undefined;
}

export interface BookWords {
  readonly contents: string;
  /** Writes a day such as 2026-02-28. */
  readonly date: (day: string) => string;
  readonly image: string;
  readonly file: string;
  readonly drawing: string;
  readonly embedded: string;
  /** The title of a tab without one. */
  readonly tab: string;
  /** {count} stands for the number of columns, {names} for their titles. */
  readonly columnsLeftOut: string;
  readonly textCut: string;
  readonly textHidden: string;
}

export interface BookPage {
  readonly id: string;
  readonly title: string;
  /** The title in the table of contents, if it is another. */
  readonly linkTitle?: string | undefined;
  /** 0 for a page at the top level. */
  readonly depth: number;
  readonly path: string;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  /**
   * Makes the document when it is drawn, so that memory holds one at a time; null if the text cannot be read. A page
   * without this is a heading over the pages below it.
   */
  readonly document?: (() => RichDocumentValue | null | Promise<RichDocumentValue | null>) | undefined;
}

/** Where a link leads, with the label of a link that has no text of its own. */
export type LinkTarget = { readonly label?: string | undefined } & (
  | { readonly url: string }
  | {
      readonly page: string;
      readonly anchor?: string | undefined;
      /** The address of the page if it is not in the book. */
      readonly elsewhere?: string;
    }
);

/** Why an image is not drawn: its format, or `absent` if there is no such file, or `web` if it is not stored here. */
export type UndrawnReason =
  | 'GIF'
  | 'WebP'
  | 'SVG'
  | 'BMP'
  | 'AVIF'
  | 'TIFF'
  | 'other'
  | 'broken'
  | 'large'
  | 'absent'
  | 'web';

export interface Pdf extends PdfFacts {
  readonly bytes: Uint8Array;
}

export interface PdfFacts {
  readonly pages: number;
  /** Unicode names of scripts that no available font has; their characters are shown as □. */
  readonly missing: readonly string[];
  /** How many images are not drawn, by the reason. */
  readonly undrawn: Partial<Readonly<Record<UndrawnReason, number>>>;
  /** The number of pages whose text is cut because it is too long. */
  readonly cut: number;
}

/** Writes the facts into the document, so that they can be read from the bytes alone. */
export function writeFacts(doc: PdfDocument, { pages, missing, undrawn, cut }: PdfFacts): void {
  const images = Object.entries(undrawn).map(([reason, count]) => `${count} ${reason}`);
  const parts = [`${pages} pages`];
  if (missing.length > 0) parts.push(`without ${missing.join(' ')}`);
  if (images.length > 0) parts.push(`undrawn ${images.join(' ')}`);
  if (cut > 0) parts.push(`cut ${cut}`);
  doc.info['Docsctl' as 'Keywords'] = `docsctl: ${parts.join(', ')}`;
}

/** Reads the facts of a PDF that docsctl made; undefined for any other file. */
export function readFacts(bytes: Uint8Array): PdfFacts | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = file.lastIndexOf('(docsctl: ');
  const written = start === -1 ? '' : file.toString('latin1', start, start + 800);
  const found =
    /^\(docsctl: (\d{1,7}) pages(?:, without ([A-Za-z ]{1,300}))?(?:, undrawn ([A-Za-z0-9 ]{1,300}))?(?:, cut (\d{1,7}))?\)/.exec(
      written,
    );
  if (found === null) return undefined;
  const [, pages, missing, undrawn = '', cut = '0'] = found;
  const images = [...undrawn.matchAll(/(\d+) (\w+)/g)].map(([, count, reason]) => [reason, Number(count)]);
  return {
    pages: Number(pages),
    missing: missing?.split(' ') ?? [],
    undrawn: Object.fromEntries(images),
    cut: Number(cut),
  };
}
