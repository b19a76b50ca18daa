import type { Theme } from './style.ts';
import { displayWidth, pad, truncate } from './width.ts';

export interface GridColumn {
  readonly title: string;
  /** Numbers are aligned to the right. */
  readonly isNumeric: boolean;
  /** Columns of a higher order are cut only when cutting those of a lower one does not help. */
  readonly shrinkOrder: 0 | 1 | 2;
  readonly toneOf?: ((text: string) => keyof Theme) | undefined;
}

interface GridOptions {
  readonly hasTitles: boolean;
  /** Widths of the rows above these: columns do not get narrower on the way. */
  readonly minWidths: readonly number[];
  readonly width: number;
  readonly theme: Theme;
}

const gap = '  ';
const minWidth = 6;

/** Lays out rows in padded columns that fit the width. Linear in rows, where cli-table3 is quadratic. */
export function layOutGrid(
  rows: readonly (readonly string[])[],
  columns: readonly GridColumn[],
  { hasTitles, minWidths, width, theme }: GridOptions,
): { readonly text: string; readonly widths: readonly number[] } {
  const widths = columns.map(({ title }, index) =>
    rows.reduce(
      (max, row) => Math.max(max, displayWidth(row[index] ?? '')),
      Math.max(minWidths[index] ?? 0, hasTitles ? displayWidth(title) : 0),
    ),
  );
  const room = Math.max(0, width - gap.length * (widths.length - 1));
  for (const order of [0, 1, 2]) shrink(widths, room, (index) => (columns[index]?.shrinkOrder ?? 0) <= order);
  const fitted = columns.map((column, index) => ({ ...column, width: widths[index] ?? 0 }));
  const fit = (text: string, column: { readonly width: number; readonly isNumeric: boolean }) =>
    pad(truncate(text, column.width), column.width, column.isNumeric);
  const titles = fitted.map((column) => fit(column.title, column));
  const rule = widths.map((cells) => '─'.repeat(cells)).join(gap);
  const header = hasTitles ? `${theme.title(titles.join(gap).trimEnd())}\n${theme.faint(rule)}\n` : '';
  const body = rows.map((row) => {
    const cells = fitted.map((column, index) => {
      const text = row[index] ?? '';
      const cell = fit(text, column);
      return column.toneOf === undefined ? cell : theme[column.toneOf(text)](cell);
    });
    return `${cells.join(gap).trimEnd()}\n`;
  });
  return { text: header + body.join(''), widths };
}

/** Takes from the widest of the chosen columns first, until all fit or none has more to give. */
export function shrink(widths: number[], room: number, may: (index: number) => boolean): void {
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    let widest = -1;
    let max = 0;
    let second = minWidth;
    for (const [index, width] of widths.entries()) {
      if (!may(index)) continue;
      if (widest >= 0 && width <= max) second = Math.max(second, width);
      else {
        if (widest >= 0) second = Math.max(second, max);
        [widest, max] = [index, width];
      }
    }
    if (widest < 0 || max <= minWidth) return;
    const taken = Math.min(over, Math.max(1, max - second));
    widths[widest] = max - taken;
    over -= taken;
  }
}
