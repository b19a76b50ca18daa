import type { RichDocumentValue } from '../contract/shapes.ts';
import type { PdfDocument } from './engine.ts';

export interface Book {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** ISO time. Also the creation date of the file, so that equal books result in equal bytes. */
  readonly createdAt: string;
  readonly words: BookWords;
  /** The tags whose label differs from their slug, by slug. */
  readonly tags?: ReadonlyMap<string, { readonly label: string }>;
  /** In reading order. */
  readonly pages: readonly BookPage[];
  /** Returns the bytes of an image by its address on a page, or the reason why it is not drawn. */
  readonly imageOf: (address: string, page: BookPage) => Promise<Uint8Array | UndrawnReason>;
  /** Resolves a content reference of a page (default: only addresses on the web). */
  readonly linkTo?: (ref: unknown, page: BookPage) => LinkTarget | undefined;
}

export interface BookWords {
  readonly contents: string;
  /** Formats a day such as 2026-02-28. */
  readonly date: (day: string) => string;
  readonly image: string;
  readonly file: string;
  readonly drawing: string;
  readonly embedded: string;
  /** The title of a tab that has none. */
  readonly tab: string;
  /** {count} is replaced by the number of columns, {names} by their titles. */
  readonly columnsLeftOut: string;
  readonly textCut: string;
  readonly textHidden: string;
}

export interface BookPage {
  readonly id: string;
  readonly title: string;
  /** The title in the table of contents, if it differs from the title. */
  readonly linkTitle?: string | undefined;
  /** The depth of the page, 0 for the top level. */
  readonly depth: number;
  readonly path: string;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  /**
   * Returns the document when it is drawn, so that only one is in memory; null if the text cannot be parsed. A page without this
   * is a heading for the pages below it.
   */
  readonly document?: (() => RichDocumentValue | null | Promise<RichDocumentValue | null>) | undefined;
}

/** The target of a link, with a label for links without text. */
export type LinkTarget = { readonly label?: string | undefined } & (
  | { readonly url: string }
  | {
      readonly page: string;
      readonly anchor?: string | undefined;
      /** The address of the page, if it is not in the book. */
      readonly elsewhere?: string;
    }
);

/** The reason why an image is not drawn: its format, `absent` if the file does not exist, or `web` if it is not stored here. */
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
  /** The Unicode names of scripts without an available font. Their characters are shown as □. */
  readonly missing: readonly string[];
  /** The number of images that are not drawn, by reason. */
  readonly undrawn: Partial<Readonly<Record<UndrawnReason, number>>>;
  /** The number of pages whose text is cut because it is too long. */
  readonly cut: number;
}

/** Stores the facts in the document, so that they can be read from the bytes alone. */
export function writeFacts(doc: PdfDocument, { pages, missing, undrawn, cut }: PdfFacts): void {
  const images = Object.entries(undrawn).map(([reason, count]) => `${count} ${reason}`);
  const parts = [`${pages} pages`];
  if (missing.length > 0) parts.push(`without ${missing.join(' ')}`);
  if (images.length > 0) parts.push(`undrawn ${images.join(' ')}`);
  if (cut > 0) parts.push(`cut ${cut}`);
  doc.info['Docsctl' as 'Keywords'] = `docsctl: ${parts.join(', ')}`;
}

/** Returns the facts in a PDF from docsctl; undefined for any other file. */
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
