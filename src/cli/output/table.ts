import { isRecord } from '../../contract/values.ts';
import { lineText } from './cell.ts';
import type { OutputOptions, Writer } from './format.ts';
import { fieldsOf } from './record-fields.ts';
import { rowWriter } from './rows.ts';
import { createTheme } from './style.ts';

/** Creates a writer of tables: drawn for a person on a terminal, otherwise the same columns separated by tabs. */
export async function tableWriter(options: OutputOptions): Promise<Writer> {
  if (options.terminal.stdoutIsTTY) return (await import('./screen.ts')).screenTableWriter(options);
  const { title } = await createTheme(options.isColored === true);
  const line = (texts: readonly string[]) => `${texts.join('\t')}\n`;
  const row = (cells: readonly unknown[]) => line(cells.map(lineText));
  const header = (cells: readonly unknown[]) => line(cells.map((cell) => title(lineText(cell))));
  const rows = rowWriter(options, { row, header, scalar: (value) => row([value]) });
  const value: Writer['value'] = (result) =>
    isRecord(result)
      ? fieldsOf(result, options)
          .map(([name, field]) => line([title(lineText(name)), lineText(field)]))
          .join('')
      : rows.value(result);
  return { ...rows, value };
}
