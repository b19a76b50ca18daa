import { isRecord } from '../../contract/values.ts';
import type { Terminal } from '../runtime.ts';

export const formats = ['table', 'json', 'yaml', 'ndjson', 'csv', 'tsv', 'id', 'none'] as const;
export type Format = (typeof formats)[number];

/** One page of a list as the API answers it; fields beside these are kept. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly count?: number;
  readonly next?: { readonly page: string };
}

export interface OutputOptions {
  readonly terminal: Terminal;
  /** From --columns: dotted paths, `path=Title` renames; undefined means the default ones. */
  readonly columns?: readonly string[] | undefined;
  readonly defaultColumns: readonly string[];
  /** Every path the contract knows of an item (see fieldPaths): such a column may be empty throughout. */
  readonly fields?: readonly string[] | undefined;
  /** False with --no-headers. */
  readonly headers: boolean;
  readonly sortBy?: string | undefined;
  /** JMESPath over the whole result. */
  readonly query?: string | undefined;
  /** The path that `-o id` prints, where it is not the usual one. */
  readonly idField?: string | undefined;
  /** How many items of a sorted list are printed; undefined for all. */
  readonly top?: number;
  /** With --all: pages are merged into one document. */
  readonly all?: boolean;
  /** What the items are called when there are none: `spaces`. */
  readonly noun?: string;
  /** A sentence for a list without items, where "No spaces." would not say what was looked for. */
  readonly emptyNote?: () => Promise<string>;
  /** With --wide: tables on a terminal show every column, and IDs and times whole. */
  readonly isWide?: boolean | undefined;
  /** Milliseconds since 1970: times of this year may be shown without it. */
  readonly now?: number;
  /** Whether tables in a pipe are colored; on a terminal, the terminal says so. */
  readonly isColored?: boolean;
}

/** One output format: turns results into text, and never writes. */
export interface Writer {
  /** A whole result: an object, an array of rows, a scalar. */
  value(value: unknown): string | Promise<string>;
  page(listing: Listing): string | Promise<string>;
  /** Returns the text after the last page. */
  end(): string | Promise<string>;
  /** What the output leaves out, to be said on stderr. */
  footnote?(): string | undefined;
}

/** Whether an answer is a page of a list. */
export function isListing(value: unknown): value is Listing {
  return isRecord(value) && Array.isArray(value['items']);
}
