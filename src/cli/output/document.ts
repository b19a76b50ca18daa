import type { Listing, OutputOptions, Writer } from './format.ts';

interface DocumentStyle {
  /** Written between two documents. */
  readonly separator: string;
  readonly write: (value: unknown) => string;
  /** Writes the start of the single document of --all: the fields besides the items. */
  readonly open: (fields: object) => string;
  /** Writes items after `count` previous ones. */
  readonly items: (items: readonly unknown[], count: number) => string;
  /** Writes the end of the document. The count comes last, because only then is it known. */
  readonly close: (count: number) => string;
}

/**
 * Creates a writer of documents: one for each value or page. With --all, it writes one document, with the items of each page as
 * they arrive.
 */
export function documentWriter({ all }: OutputOptions, style: DocumentStyle): Writer {
  let documents = 0;
  const document = (value: unknown) =>
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

/** Creates a writer with one line per item. */
export function lineWriter(line: (item: unknown) => string): Writer {
  const lines = (items: readonly unknown[]) => items.map((item) => `${line(item)}\n`).join('');
  return {
    value: (value) => (value === undefined ? '' : lines(Array.isArray(value) ? value : [value])),
    page: ({ items }) => lines(items),
    end: () => '',
  };
}
