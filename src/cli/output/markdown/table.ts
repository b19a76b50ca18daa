import { isObject } from '../../../contract/values.ts';
import type { RichNode } from '../../../contract/shapes.ts';
import { fragmentsOf, textOfValue } from '../../../richtext/nodes.ts';
import { addressOf } from '../../../richtext/references.ts';
import { partsOfTable, type Column } from '../../../richtext/table-data.ts';
import { textRows } from '../../../richtext/table-rows.ts';
import { shrink } from '../fit-columns.ts';
import { inlineSpans, safe } from './inlines.ts';
import { lineWidth, span, wrapSpans, type Line, type Span } from './lines.ts';

const gap = 2;
const minColumnWidth = 8;

interface DrawnColumn {
  readonly title: string;
  readonly alignment: string | undefined;
  readonly cells: readonly (readonly Span[])[];
}

/** Draws a table as columns with wrapped cells, or as names and values row by row if there are too many columns. */
export function drawTable(node: RichNode, width: number): Line[] {
  const { view, columns, rows, merges } = partsOfTable(node);
  const fragments = new Map(
    fragmentsOf(node).map((fragment) => [fragment['fragment'], fragment.nodes ?? []]),
  );
  const drawn = view.columns.flatMap((id): DrawnColumn[] => {
    const column = columns.find((one) => one.id === id);
    if (column === undefined) return [];
    const cells = rows.map((values) => cellSpans(values[id], column, fragments));
    return [{ title: safe(column.title), alignment: column.textAlignment, cells }];
  });
  const hasHeader =
    view.hideHeader !== true && view.hideColumnTitle !== true && drawn.some(({ title }) => title !== '');
  const room = width - gap * (drawn.length - 1);
  const widths = drawn.map(({ title, cells }, place) => {
    const lines = [...(hasHeader ? [[span(title)]] : []), ...cells].flatMap((cell, row) =>
      merges.at(hasHeader ? row - 1 : row, place)?.colSpan === undefined ? wrapSpans(cell, Infinity) : [],
    );
    return lines.reduce((max, line) => Math.max(max, lineWidth(line)), 1);
  });
  // Columns share the width of a cell that spans them.
  for (const { row, column, colSpan } of merges.merges) {
    const lines = wrapSpans(drawn[column]?.cells[row] ?? [], Infinity);
    const wide = lines.reduce((max, line) => Math.max(max, lineWidth(line)), 1) - gap * (colSpan - 1);
    for (let place = column; place < column + colSpan; place++)
      widths[place] = Math.max(widths[place] ?? 1, Math.ceil(wide / colSpan));
  }
  const total = widths.reduce((sum, cells) => sum + cells, 0);
  const indexes = rows.map((_, row) => row);
  if (total > room && room < drawn.length * minColumnWidth)
    return indexes.flatMap((row) => [...(row === 0 ? [] : [[]]), ...drawRecord(drawn, row, width)]);
  const fitted = drawn.map((column, index) => ({ ...column, width: widths[index] ?? 1 }));
  shrink(fitted, room);
  const header = fitted.map((column) => ({ ...column, cell: [span(column.title, 'bold')] }));
  const rule = fitted.map(({ width: cells }) => '─'.repeat(cells)).join(' '.repeat(gap));
  return [
    ...(hasHeader ? [...drawRow(header), [span(rule, 'dim')]] : []),
    ...indexes.flatMap((row) =>
      drawRow(
        merges.slotsOf(row, fitted.length).flatMap(({ column: place, count, isBelow }): FittedCell[] => {
          const column = fitted[place];
          if (column === undefined) return [];
          const sum = fitted.slice(place, place + count).reduce((wide, { width: cells }) => wide + cells, 0);
          const cell = isBelow ? [] : (column.cells[row] ?? []);
          return [{ ...column, cell, width: sum + gap * (count - 1) }];
        }),
      ),
    ),
  ];
}

interface FittedCell extends Pick<DrawnColumn, 'alignment'> {
  readonly cell: readonly Span[];
  readonly width: number;
}

function drawRow(cells: readonly FittedCell[]): Line[] {
  const wrapped = cells.map((cell) => ({ ...cell, lines: wrapSpans(cell.cell, cell.width) }));
  const height = Math.max(1, ...wrapped.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, nth) =>
    wrapped.flatMap(({ lines, width, alignment }, index) => {
      const line = lines[nth] ?? [];
      const left = width - lineWidth(line);
      const before = alignment === 'right' ? left : alignment === 'center' ? left >> 1 : 0;
      const isLast = index === wrapped.length - 1;
      const after = isLast ? 0 : Math.max(0, left - before) + gap;
      return [span(' '.repeat(Math.max(0, before))), ...line, span(' '.repeat(after))];
    }),
  );
}

function drawRecord(columns: readonly DrawnColumn[], row: number, width: number): Line[] {
  return columns.flatMap(({ title, cells }) => {
    const cell = cells[row] ?? [];
    if (cell.every(({ text }) => text === '')) return [];
    return wrapSpans([span(title, 'bold'), span(title === '' ? '' : ': '), ...cell], width);
  });
}

/** Returns the fragment of a cell as text, or else its value formatted by the type of the column. */
function cellSpans(
  value: unknown,
  { type, options }: Column,
  fragments: ReadonlyMap<unknown, readonly RichNode[]>,
): Span[] {
  const fragment = fragments.get(value);
  if (fragment !== undefined) return blockSpans(fragment);
  if (value === undefined || value === null) return [];
  if (typeof value === 'boolean') return [span(value ? '☑' : '☐')];
  if (type === 'rating' && typeof value === 'number')
    return [span('★'.repeat(Math.max(0, Math.min(10, value))))];
  const shown = (one: unknown): string => {
    if (!isObject(one)) return textOfValue(options?.find((option) => option.value === one)?.label ?? one);
    return addressOf((one as { ref?: unknown }).ref ?? one);
  };
  return [span(safe(Array.isArray(value) ? value.map(shown).join(', ') : shown(value)))];
}

/** Returns the text of blocks, each on its own line. The rows of a nested table become lines. */
function blockSpans(blocks: readonly RichNode[]): Span[] {
  return blocks.flatMap((block, index) => {
    const nodes = block.nodes ?? [];
    if (block.type === 'table') return [...(index === 0 ? [] : [span('\n')]), ...rowSpans(block)];
    const inner = nodes.some((child) => child.object !== 'block')
      ? inlineSpans(nodes)
      : nodes.length > 0
        ? blockSpans(nodes)
        : inlineSpans([block]);
    return index === 0 ? inner : [span('\n'), ...inner];
  });
}

function rowSpans(table: RichNode): Span[] {
  return textRows(table).flatMap(({ cells, isHeader }, index) => [
    ...(index === 0 ? [] : [span('\n')]),
    ...cells.flatMap((cell, place) => [
      ...(place === 0 ? [] : [span(' | ', 'dim')]),
      ...blockSpans(cell).map((each) => (isHeader ? span(each.text, 'bold') : each)),
    ]),
  ]);
}
