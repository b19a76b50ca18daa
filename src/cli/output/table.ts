import { isRecord } from '../../contract/values.ts';
import { lineText } from './cell.ts';
import type { OutputOptions, Writer } from './format.ts';
import { fieldsOf } from './record-fields.ts';
import { rowWriter } from './rows.ts';

/** A table: drawn for a person on a terminal; elsewhere the same columns as plain rows between tabs. */
export async function tableWriter(options: OutputOptions): Promise<Writer> {
  if (options.terminal.stdoutIsTTY) return (await import('./screen.ts')).screenTableWriter(options);
  const row = (cells: readonly unknown[]) => `${cells.map(lineText).join('\t')}\n`;
  const rows = rowWriter(options, { row, scalar: (value) => row([value]) });
  const value: Writer['value'] = (result) =>
    isRecord(result) ? fieldsOf(result, options).map(row).join('') : rows.value(result);
  return { ...rows, value };
}
