import { displayText } from './cell.ts';
import { layoutOf, type Layout } from './columns.ts';
import { type OutputOptions, type Writer } from './format.ts';
import { layOutGrid } from './grid.ts';
import { valueAt } from '../../contract/paths.ts';
import { fieldsOf } from './record-fields.ts';
import { isRecord } from '../../contract/values.ts';
import { createTheme, type Theme } from './style.ts';

/** Rows that are laid out together. */
const together = 1000;

/** Tables on a terminal: a list as columns fitted to its width, one object as names and values. */
export async function screenTableWriter(options: OutputOptions): Promise<Writer> {
  const { columns: width, color } = options.terminal;
  const paint = await createTheme(color);
  let waiting: unknown[] = [];
  let layout: Layout | undefined;
  let minWidths: readonly number[] = [];
  let records = 0;

  const draw = (): string => {
    if (waiting.length === 0) return '';
    const items = waiting;
    waiting = [];
    const { columns, headers } = (layout ??= layoutOf(items, options));
    const rows = items.map((item) => columns.map(({ path }) => displayText(valueAt(item, path))));
    const titles =
      headers && minWidths.length === 0 ? columns.map(({ title }) => displayText(title)) : undefined;
    const tone = (row: number, column: number) => toneOf(columns[column]!.path, rows[row]![column]!);
    const grid = layOutGrid(rows, {
      titles,
      minWidths,
      width,
      paint,
      tone,
      shrinkOrder: columns.map(({ path }) => shrinkOrderOf(path)),
      right: columns.map(({ path }) => isNumeric(items, path)),
    });
    minWidths = grid.widths;
    return grid.text;
  };
  const add = (items: readonly unknown[]): string => {
    for (const item of items) waiting.push(item);
    return waiting.length >= together ? draw() : '';
  };
  return {
    page: (listing) => add(listing.items),
    value: async (value) => {
      if (value === undefined) return '';
      if (Array.isArray(value)) return add(value);
      if (!isRecord(value)) return `${displayText(value)}\n`;
      const { recordText } = await import('./record.ts');
      return (records++ > 0 ? '\n' : '') + recordText(fieldsOf(value, options), width, paint);
    },
    end: draw,
  };
}

/** Paths are typed after what the screen shows, and ids are copied from it: they are the last to be cut. Half a pulse, date or type says nothing. */
function shrinkOrderOf(path: string): number {
  return /(?:^|\.)path$|At$/.test(path) ? 2 : /(?:^|\.)(?:id|type)$|Id$|^pulse$/.test(path) ? 1 : 0;
}

/** What is grave stands out, and what is not steps back. */
function toneOf(path: string, text: string): keyof Theme | undefined {
  if (!/(?:^|\.)impact$/.test(path)) return undefined;
  return text === 'high' ? 'error' : text === 'medium' ? 'hint' : 'faint';
}

function isNumeric(items: readonly unknown[], path: string): boolean {
  const values = items
    .map((item) => valueAt(item, path))
    .filter((value) => value !== undefined && value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}
