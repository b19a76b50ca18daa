import type { RichDocumentValue } from '../contract/shapes.ts';

/** One page of a book. One without a document is a heading over the pages below it. */
export interface BookPage {
  readonly id: string;
  readonly title: string;
  /** 0 for a page at the top of the book. */
  readonly depth: number;
  readonly path: string;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  /** Made when it is drawn, so that one page at a time is held; null where the text cannot be read. */
  readonly document?: (() => RichDocumentValue | null) | undefined;
}

/** Where a link of a page leads: to a page of the book, out of it, or nowhere. */
export type Target = Labelled &
  (
    | {
        readonly page: string;
        readonly anchor?: string | undefined;
        /** The address of a page that is not in the book. */ readonly elsewhere?: string;
      }
    | { readonly url: string }
  );
interface Labelled {
  /** What to show where the link has no words of its own. */
  readonly label?: string | undefined;
}

/** What is printed, and how to find what its pages point to. */
export interface Book {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** ISO time; also the creation date in the file, so that equal books give equal bytes. */
  readonly createdAt: string;
  /** In reading order. */
  readonly pages: readonly BookPage[];
  /** The bytes of an image by its address on a page, or why it is not drawn. */
  readonly imageOf: (address: string, page: BookPage) => Promise<Uint8Array | Undrawn>;
  /** Where a content reference of a page leads; without it, only addresses of the web do. */
  readonly linkTo?: ((ref: unknown, page: BookPage) => Target | undefined) | undefined;
}

/** Why an image is not drawn: its format, or what else is the matter; `absent` where there is no such file, `web` where it lies elsewhere. */
export type Undrawn =
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

/** A file and what is to be known of it. */
export interface Pdf {
  readonly bytes: Uint8Array;
  readonly pages: number;
  /** Scripts that no font at hand can write, by their Unicode names; their characters are shown as □. */
  readonly missing: readonly string[];
  /** How many images are not drawn, by the reason. */
  readonly undrawn: Partial<Readonly<Record<Undrawn, number>>>;
  /** Pages whose text is cut, since it is too long. */
  readonly cut: number;
}
