import { valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';
import { displayText } from './cell.ts';
import { layoutOf, type Layout } from './columns.ts';
import type { OutputOptions, Writer } from './format.ts';
import { layOutGrid } from './grid.ts';
import { fieldsOf } from './record-fields.ts';
import { createTheme, type Theme } from './style.ts';

/** Rows that are laid out together. */
const batchSize = 1000;

/** Tables on a terminal: a list as columns fitted to its width, one object as names and values. */
export async function screenTableWriter(options: OutputOptions): Promise<Writer> {
  const { columns: width, color } = options.terminal;
  const theme = await createTheme(color);
  let waiting: unknown[] = [];
  let layout: Layout | undefined;
  let minWidths: readonly number[] = [];
  let records = 0;

  const draw = (): string => {
    if (waiting.length === 0) return '';
    const items = waiting;
    waiting = [];
    const { columns, headers } = (layout ??= layoutOf(items, options));
    const { text, widths } = layOutGrid(
      items.map((item) => columns.map(({ path }) => displayText(valueAt(item, path)))),
      columns.map(({ path, title }) => ({
        title: displayText(title),
        isNumeric: isNumeric(items, path),
        shrinkOrder: shrinkOrderOf(path),
        toneOf: /(?:^|\.)impact$/.test(path) ? impactTone : undefined,
      })),
      { hasTitles: headers && minWidths.length === 0, minWidths, width, theme },
    );
    minWidths = widths;
    return text;
  };
  const add = (items: readonly unknown[]): string => {
    for (const item of items) waiting.push(item);
    return waiting.length >= batchSize ? draw() : '';
  };
  return {
    page: ({ items }) => add(items),
    value: async (value) => {
      if (value === undefined) return '';
      if (Array.isArray(value)) return add(value);
      if (!isRecord(value)) return `${displayText(value)}\n`;
      const { recordText } = await import('./record.ts');
      return (records++ > 0 ? '\n' : '') + recordText(fieldsOf(value, options), width, theme);
    },
    end: draw,
  };
}

/** Paths are typed and ids are copied from the screen, so they are cut last; half a date or type says nothing. */
function shrinkOrderOf(path: string): 0 | 1 | 2 {
  if (/(?:^|\.)path$|At$/.test(path)) return 2;
  return /(?:^|\.)(?:id|type)$|Id$|^pulse$/.test(path) ? 1 : 0;
}

function impactTone(text: string): keyof Theme {
  return text === 'high' ? 'error' : text === 'medium' ? 'hint' : 'faint';
}

function isNumeric(items: readonly unknown[], path: string): boolean {
  const values = items
    .map((item) => valueAt(item, path))
    .filter((value) => value !== undefined && value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}
