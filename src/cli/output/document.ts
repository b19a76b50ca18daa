import type { Listing, OutputOptions, Writer } from './format.ts';

interface DocumentStyle {
  /** Written between two documents. */
  readonly separator: string;
  readonly write: (value: unknown) => string;
  /** Begins the one document of --all: the fields beside the items. */
  readonly open: (fields: object) => string;
  /** Writes items behind `count` others. */
  readonly items: (items: readonly unknown[], count: number) => string;
  /** Ends the document. The count comes last: only then is it known. */
  readonly close: (count: number) => string;
}

/** A format of documents: one for each value or page; with --all one whose items are written as the pages come. */
export function documentWriter({ all }: OutputOptions, style: DocumentStyle): Writer {
  let documents = 0;
  const document = (value: unknown): string =>
    value === undefined ? '' : (documents++ > 0 ? style.separator : '') + style.write(value);
  if (!all) return { value: document, page: document, end: () => '' };
  let isOpen = false;
  let written = 0;
  return {
    value: document,
    page: ({ next: _next, count: _count, items, ...fields }: Listing) => {
      const text = (isOpen ? '' : style.open(fields)) + style.items(items, written);
      isOpen = true;
      written += items.length;
      return text;
    },
    end: () => (isOpen ? style.close(written) : ''),
  };
}

/** A format of one line for each item. */
export function lineWriter(line: (item: unknown) => string): Writer {
  const lines = (items: readonly unknown[]) => items.map((item) => `${line(item)}\n`).join('');
  return {
    value: (value) => (value === undefined ? '' : lines(Array.isArray(value) ? value : [value])),
    page: ({ items }) => lines(items),
    end: () => '',
  };
}
