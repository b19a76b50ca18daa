import { cellText } from './cell.ts';
import type { OutputOptions, Writer } from './format.ts';
import { rowWriter } from './rows.ts';

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One cell between tabs; tab, line breaks and backslash are escaped, so that it can be read back exactly. */
export function tsvCell(value: unknown): string {
  return cellText(value).replace(/[\\\t\n\r]/g, (character) => escapes[character]!);
}

export function tsvWriter(options: OutputOptions): Writer {
  return rowWriter(options, {
    row: (cells) => `${cells.map(tsvCell).join('\t')}\n`,
    scalar: (value) => `${cellText(value)}\n`,
  });
}
