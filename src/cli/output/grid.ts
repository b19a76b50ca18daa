import { displayWidth, pad, truncate } from './width.ts';
import type { Theme } from './style.ts';

/** Rows that are laid out, and the widths they took. */
export interface Grid {
  readonly text: string;
  readonly widths: readonly number[];
}

interface GridOptions {
  /** Drawn above the rows. */
  readonly titles: readonly string[] | undefined;
  /** Widths of the rows above these: columns do not get narrower on the way. */
  readonly minWidths: readonly number[];
  readonly width: number;
  readonly paint: Theme;
  /** Per column: those with more are cut only when cutting those with less does not help. */
  readonly shrinkOrder: readonly number[];
  /** Per column: aligned to the right. */
  readonly right: readonly boolean[];
  /** How a cell of a row is painted, where it is not as the others. */
  readonly tone?: (row: number, column: number) => keyof Theme | undefined;
}

const gap = '  ';
const narrowest = 6;

/** Lays out rows in padded columns that fit the width. Linear in rows, where cli-table3 is quadratic. */
export function layOutGrid(
  rows: readonly (readonly string[])[],
  { titles, minWidths, width, paint, shrinkOrder, right, tone = () => undefined }: GridOptions,
): Grid {
  const widths = shrinkOrder.map((_, index) =>
    rows.reduce(
      (most, row) => Math.max(most, displayWidth(row[index]!)),
      Math.max(minWidths[index] ?? 0, displayWidth(titles?.[index] ?? '')),
    ),
  );
  const room = Math.max(0, width - gap.length * (widths.length - 1));
  for (const most of [0, 1, 2]) shrink(widths, room, (index) => shrinkOrder[index]! <= most);
  const painted = (text: string, name: keyof Theme | undefined): string =>
    name === undefined ? text : paint[name](text);
  const line = (cells: readonly string[], row?: number) =>
    cells
      .map((cell, index) =>
        painted(
          pad(truncate(cell, widths[index]!), widths[index]!, right[index]),
          row === undefined ? undefined : tone(row, index),
        ),
      )
      .join(gap)
      .trimEnd();
  const header = titles
    ? `${paint.title(line(titles))}\n${paint.faint(widths.map((cells) => '─'.repeat(cells)).join(gap))}\n`
    : '';
  return { text: header + rows.map((row, at) => `${line(row, at)}\n`).join(''), widths };
}

/** Takes from the widest of the chosen columns first, until all fit or none has more to give. */
export function shrink(widths: number[], room: number, may: (index: number) => boolean): void {
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  const chosen = widths.map((_, index) => index).filter(may);
  while (over > 0) {
    const widest = chosen.reduce(
      (best, index) => (best < 0 || widths[index]! > widths[best]! ? index : best),
      -1,
    );
    if (widest < 0 || widths[widest]! <= narrowest) return;
    const second = Math.max(
      narrowest,
      ...chosen.filter((index) => index !== widest).map((index) => widths[index]!),
    );
    const give = Math.min(over, Math.max(1, widths[widest]! - second));
    widths[widest]! -= give;
    over -= give;
  }
}
