import { cellText } from './cell.ts';
import type { OutputOptions, Writer } from './format.ts';
import { rowWriter } from './rows.ts';

/** What makes a spreadsheet run a cell as a formula, in its full-width forms too. */
const formula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** One cell of RFC 4180; a string that a spreadsheet would run gets a leading apostrophe, numbers stay. */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  const safe = typeof value !== 'number' && formula.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** CSV as RFC 4180 has it: a header, lines that end in CR LF (in LF on a terminal). */
export function csvWriter(options: OutputOptions): Writer {
  const end = options.terminal.stdoutIsTTY ? '\n' : '\r\n';
  return rowWriter(options, {
    row: (cells) => cells.map(csvCell).join(',') + end,
    scalar: (value) => csvCell(value) + end,
  });
}
