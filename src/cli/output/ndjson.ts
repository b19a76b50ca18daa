import type { Writer } from './format.ts';

/** One item a line, as compact JSON. */
export function ndjsonWriter(): Writer {
  const lines = (items: readonly unknown[]) =>
    items.map((item) => `${JSON.stringify(item) ?? 'null'}\n`).join('');
  return {
    value: (value) => (value === undefined ? '' : lines(Array.isArray(value) ? value : [value])),
    page: (listing) => lines(listing.items),
    end: () => '',
  };
}
