import { isRecord } from '../../contract/values.ts';
import type { Terminal } from '../runtime.ts';

export const formats = ['table', 'json', 'yaml', 'ndjson', 'csv', 'tsv', 'id', 'none'] as const;
export type Format = (typeof formats)[number];

/** One page of a list in the form of the API. Other fields are kept. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly count?: number;
  readonly next?: { readonly page: string };
}

export interface OutputOptions {
  readonly terminal: Terminal;
  /** The columns in --columns: dotted paths; `path=Title` sets a title. Undefined: the default columns. */
  readonly columns?: readonly string[] | undefined;
  readonly defaultColumns: readonly string[];
  /** All paths of an item in the contract (see fieldPaths). Such a column may be empty in all rows. */
  readonly fields?: readonly string[] | undefined;
  /** False with --no-headers. */
  readonly headers: boolean;
  readonly sortBy?: string | undefined;
  /** A JMESPath expression for the whole result. */
  readonly query?: string | undefined;
  /** The path for `-o id`, if it is not the usual one. */
  readonly idField?: string | undefined;
  /** The number of items of a sorted list to print; undefined for all. */
  readonly top?: number;
  /** With --all: pages are merged into one document. */
  readonly all?: boolean;
  /** The plural for the items if there are none: `spaces`. */
  readonly noun?: string;
  /** A sentence for an empty list, if "No spaces." would be unclear. */
  readonly emptyNote?: () => Promise<string>;
  /** With --wide: tables on a terminal show every column, with whole IDs and times. */
  readonly isWide?: boolean | undefined;
  /** Milliseconds since 1970. Times in the current year are shown without the year. */
  readonly now?: number;
  /** Whether tables in a pipe are colored. On a terminal, the terminal decides. */
  readonly isColored?: boolean;
}

/** An output format. It converts results to text, and does not write. */
export interface Writer {
  /** Formats a whole result: an object, an array of rows, a scalar. */
  value(value: unknown): string | Promise<string>;
  page(listing: Listing): string | Promise<string>;
  /** Returns the text after the last page. */
  end(): string | Promise<string>;
  /** Returns what the output leaves out, for a note on stderr. */
  footnote?(): string | undefined;
}

/** Whether an answer is a page of a list. */
export function isListing(value: unknown): value is Listing {
  return isRecord(value) && Array.isArray(value['items']);
}
