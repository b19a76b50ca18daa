import type { RichNode } from '../../../contract/shapes.ts';
import { shrink } from '../grid.ts';
import { inlineSpans, safe } from './inlines.ts';
import { fragmentsOf, textOfValue } from '../../../richtext/nodes.ts';
import { addressOf } from '../../../richtext/references.ts';
import { partsOfTable, type Column } from '../../../richtext/table-data.ts';
import { lineWidth, span, wrapSpans, type Line, type Span } from './lines.ts';

const gap = 2;
/** The fewest cells a column is worth drawing with. */
const narrowest = 8;

/** A table as columns whose cells are wrapped; as names and values row by row where there are too many columns for that. */
export function drawTable(node: RichNode, width: number): Line[] {
  const { view, columns: all, rows: records } = partsOfTable(node);
  const columns = view.columns.map((id) => all.find((column) => column.id === id)!);
  const fragments = new Map(
    fragmentsOf(node).map((fragment) => [fragment['fragment'], fragment.nodes ?? []]),
  );
  const rows = records.map((values) =>
    columns.map((column) => cellSpans(values[column.id], column, fragments)),
  );
  const titles = columns.map(({ title }) => [span(safe(title), 'bold')]);
  const header =
    view.hideHeader === true || view.hideColumnTitle === true || titles.every(([title]) => title!.text === '')
      ? undefined
      : titles;
  const room = width - gap * (columns.length - 1);
  const widest = (index: number) => (most: number, row: readonly Span[][]) =>
    wrapSpans(row[index]!, Infinity).reduce((cells, line) => Math.max(cells, lineWidth(line)), most);
  const widths = columns.map((_, index) =>
    [...(header === undefined ? [] : [header]), ...rows].reduce(widest(index), 1),
  );
  const natural = widths.reduce((sum, cells) => sum + cells, 0);
  if (natural > room && room < columns.length * narrowest) return drawRecords(rows, titles, width);
  shrink(widths, room, () => true);
  const sides = columns.map(({ textAlignment }) => textAlignment);
  const rule = widths.map((cells) => '─'.repeat(cells)).join(' '.repeat(gap));
  return [
    ...(header === undefined ? [] : [...drawRow(header, widths, sides), [span(rule, 'dim')]]),
    ...rows.flatMap((row) => drawRow(row, widths, sides)),
  ];
}

function drawRow(
  cells: readonly Span[][],
  widths: readonly number[],
  sides: readonly (string | undefined)[],
): Line[] {
  const wrapped = cells.map((cell, index) => wrapSpans(cell, widths[index]!));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => {
    const line: Span[] = [];
    wrapped.forEach((lines, index) => {
      const cell = lines[at] ?? [];
      const left = widths[index]! - lineWidth(cell);
      const before = sides[index] === 'right' ? left : sides[index] === 'center' ? left >> 1 : 0;
      const isLast = index === wrapped.length - 1;
      line.push(
        span(' '.repeat(Math.max(0, before))),
        ...cell,
        span(isLast ? '' : ' '.repeat(Math.max(0, left - before) + gap)),
      );
    });
    return line;
  });
}

function drawRecords(rows: readonly Span[][][], titles: readonly Span[][], width: number): Line[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, at) =>
      cell.every(({ text }) => text === '')
        ? []
        : wrapSpans([...titles[at]!, span(titles[at]![0]!.text === '' ? '' : ': '), ...cell], width),
    ),
  ]);
}

/** What a cell shows: the text of its fragment, else its value by the type of the column. */
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
    if (typeof one !== 'object' || one === null)
      return textOfValue(options?.find((option) => option.value === one)?.label ?? one);
    return addressOf((one as { ref?: unknown }).ref ?? one);
  };
  return [span(safe(Array.isArray(value) ? value.map(shown).join(', ') : shown(value)))];
}

/** The text of blocks, each on a line of its own. */
function blockSpans(blocks: readonly RichNode[]): Span[] {
  return blocks.flatMap((block, index) => {
    const nodes = block.nodes ?? [];
    const inner = nodes.some((child) => child.object !== 'block')
      ? inlineSpans(nodes)
      : nodes.length > 0
        ? blockSpans(nodes)
        : inlineSpans([block]);
    return index === 0 ? inner : [span('\n'), ...inner];
  });
}
