import { valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';
import { cellText } from './cell.ts';
import { layoutOf, type Layout } from './columns.ts';
import type { OutputOptions, Writer } from './format.ts';

/** How a format writes a row, and a single scalar. */
interface RowStyle {
  readonly row: (cells: readonly unknown[]) => string;
  /** How it writes the row of headings, if it is different. */
  readonly header?: (cells: readonly unknown[]) => string;
  readonly scalar: (value: unknown) => string;
}

/** Creates a writer with one header and one line per item: for CSV, TSV, and tables in a pipe. */
export function rowWriter(options: OutputOptions, { row, header = row, scalar }: RowStyle): Writer {
  let layout: Layout | undefined;
  let isList = false;
  const lines = (items: readonly unknown[], isEnd: boolean): string => {
    let text = '';
    if (!layout && (items.length > 0 || isEnd)) {
      layout = layoutOf(items, options);
      if (layout.headers && layout.columns.length > 0)
        text += header(layout.columns.map(({ title }) => title));
    }
    const columns = layout?.columns ?? [];
    for (const item of items) text += row(columns.map(({ path }) => valueAt(item, path)));
    return text;
  };
  return {
    page: ({ items }) => {
      isList = true;
      return lines(items, false);
    },
    value: (value) => {
      if (value === undefined) return '';
      if (Array.isArray(value)) return lines(value, false);
      return isRecord(value) ? lines([value], false) : scalar(value);
    },
    end: () => (isList ? lines([], true) : ''),
  };
}

/** Characters that make a spreadsheet evaluate a cell as a formula, including full-width forms. */
const formula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Formats a cell of RFC 4180. A string that a spreadsheet would evaluate gets a leading apostrophe; numbers are not changed. */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  const safe = typeof value !== 'number' && formula.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Creates a writer of CSV (RFC 4180): a header, and lines that end in CR LF (in LF on a terminal). */
export function csvWriter(options: OutputOptions): Writer {
  const end = options.terminal.stdoutIsTTY ? '\n' : '\r\n';
  return rowWriter(options, {
    row: (cells) => cells.map(csvCell).join(',') + end,
    scalar: (value) => csvCell(value) + end,
  });
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Formats a cell for TSV. Tabs, line breaks and backslashes are escaped, so that it can be parsed exactly. */
export function tsvCell(value: unknown): string {
  return cellText(value).replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

/** Creates a writer of tab-separated rows. */
export function tsvWriter(options: OutputOptions): Writer {
  return rowWriter(options, {
    row: (cells) => `${cells.map(tsvCell).join('\t')}\n`,
    scalar: (value) => `${cellText(value)}\n`,
  });
}
