import { gap as gapWidth, type FittedColumn } from './fit-columns.ts';
import type { Theme } from './style.ts';
import { pad, truncate, truncateFront } from './width.ts';

interface GridColumn extends Pick<FittedColumn, 'width'> {
  readonly title: string;
  readonly texts: readonly string[];
  /** Numbers are aligned to the right. */
  readonly isNumeric: boolean;
  /** Whether texts are cut at the start if they do not fit. */
  readonly cutsFront?: boolean;
  readonly toneOf?: ((text: string) => keyof Theme) | undefined;
}

const gap = ' '.repeat(gapWidth);

/** Draws rows in padded columns. It takes linear time. */
export function drawGrid(columns: readonly GridColumn[], hasTitles: boolean, theme: Theme): string {
  const fit = (text: string, { width, isNumeric, cutsFront = false }: GridColumn) =>
    pad((cutsFront ? truncateFront : truncate)(text, width), width, isNumeric);
  const titles = columns.map((column) => fit(column.title, { ...column, cutsFront: false }));
  const rule = columns.map(({ width }) => '─'.repeat(width)).join(gap);
  const header = hasTitles ? `${theme.title(titles.join(gap).trimEnd())}\n${theme.faint(rule)}\n` : '';
  const count = columns[0]?.texts.length ?? 0;
  let body = '';
  for (let row = 0; row < count; row++) {
    const cells = columns.map((column) => {
      const text = column.texts[row] ?? '';
      const cell = fit(text, column);
      return column.toneOf === undefined ? cell : theme[column.toneOf(text)](cell);
    });
    body += `${cells.join(gap).trimEnd()}\n`;
  }
  return header + body;
}
