import { lineText } from './cell.ts';
import type { OutputOptions, Writer } from './format.ts';
import { fieldsOf } from './record-fields.ts';
import { rowWriter } from './rows.ts';

/** A table: drawn for a person on a terminal; elsewhere the same columns as plain rows between tabs. */
export async function tableWriter(options: OutputOptions): Promise<Writer> {
  if (options.terminal.stdoutIsTTY) {
    const { screenTableWriter } = await import('./screen.ts');
    return screenTableWriter(options);
  }
  const row = (cells: readonly unknown[]) => `${cells.map(lineText).join('\t')}\n`;
  const rows = rowWriter(options, { row, scalar: (value) => row([value]) });
  return {
    ...rows,
    value: (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return rows.value(value);
      return fieldsOf(value, options)
        .map(([key, field]) => row([key, field]))
        .join('');
    },
  };
}
