import type { RichNode } from '../contract/shapes.ts';
import { costs } from './budget.ts';
import type { Slot } from '../richtext/cell-merges.ts';
import { alignments } from './canvas.ts';
import { wrapSpans, wrapText, type BlockStyle, type DrawContext } from './draw-context.ts';
import { plainSpan, type Span } from './spans.ts';
import { cellSpans, readTableData, type Column, type TableData, type TableRow } from './table-data.ts';
import { body, colors, gaps, small } from './theme.ts';
import { measureText, wrapLines, type Line } from './wrap-lines.ts';

/** Padding above and below the text of a cell. */
const paddingY = 4.5;
/** Minimum width of a column: one or two characters, and the line next to it. */
const minColumnWidth = 20.5;
/** Maximum number of rows that are measured to size columns, because measuring a long table takes as long as drawing it. */
const maxMeasuredRows = 200;

interface SizedColumn {
  readonly column: Column;
  readonly width: number;
  /** Padding left and right of the text. */
  readonly padding: number;
}

/** A cell of a row. `column` is its first column. */
interface SizedCell extends SizedColumn, Omit<Slot, 'column' | 'count'> {}

type Cell = readonly Line[];

/** The text of the cell in a column, and the number of columns that it spans. */
type MeasuredRow = (
  column: Column,
  place: number,
) => { readonly spans: Iterable<Span>; readonly count: number };

/** Draws a table. Its header is repeated on each further sheet. */
export async function drawTable(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const { canvas, references } = context;
  const { budget, fonts } = canvas;
  const table = readTableData(node);
  if (table.columns.length === 0) return;
  if (table.isCards) return drawCards(table, style, context);
  const count = Math.max(1, Math.floor(canvas.width / minColumnWidth));
  const shown = table.columns.slice(0, count);
  const size = shown.length > 8 ? 6.4 : shown.length > 5 ? 7.4 : 8.4;
  const titleSpans = ({ title }: Column): Span[] => [
    plainSpan(title, { size, bold: true, color: colors.strong }),
  ];
  const spansOf = (row: TableRow, column: Column): Iterable<Span> =>
    cellSpans(row.values[column.id], column, table, { size }, references);
  const measured = table.rows.slice(0, maxMeasuredRows).map((row, index): MeasuredRow => {
    const slots = table.merges.slotsOf(index, shown.length);
    // Cells across several columns are measured in each of them.
    const places = slots.flatMap((slot) => Array.from({ length: slot.count }, () => slot));
    return (column, place) => {
      const slot = places[place]!;
      return { spans: slot.isBelow ? [] : spansOf(row, shown[slot.column] ?? column), count: slot.count };
    };
  });
  if (table.hasHeader) measured.unshift((column) => ({ spans: titleSpans(column), count: 1 }));
  const columns = await sizeColumns(shown, measured, context);
  const wrapRow = async (
    spans: (column: Column) => Iterable<Span>,
    layout: readonly SizedColumn[] = columns,
  ): Promise<Cell[]> => {
    const cells: Cell[] = [];
    for (const { column, width, padding } of layout) {
      budget.spend(costs.cell);
      const options = { width: width - 2 * padding, leading: 1.42, size, spend: budget.spend };
      cells.push(await budget.collect(wrapLines(spans(column), fonts, options)));
    }
    return cells;
  };
  const hasTitles = table.hasHeader && shown.some(({ title }) => title.trim() !== '');
  const header = hasTitles ? await wrapRow(titleSpans) : undefined;
  const total = sum(columns.map(({ width }) => width));
  canvas.addGap(gaps.block);
  if (header !== undefined) {
    canvas.ensureHeight(heightOf(header) + 2 * body.size * body.leading + 2 * paddingY);
    drawRow(header, columns, context, true);
  } else canvas.drawRule(canvas.left, canvas.reserve(0), total);
  const continueOnSheet = (): void => {
    canvas.addSheet();
    if (header !== undefined && heightOf(header) < canvas.sheetHeight / 3)
      drawRow(header, columns, context, true);
  };
  for (const [index, row] of table.rows.entries()) {
    budget.spend(costs.block);
    await budget.pause();
    const slots = slotsOf(columns, table.merges.slotsOf(index, columns.length));
    const below = new Set(slots.filter(({ isBelow }) => isBelow).map(({ column }) => column.id));
    let cells = await wrapRow((column) => (below.has(column.id) ? [] : spansOf(row, column)), slots);
    const height = heightOf(cells);
    if (height > canvas.heightLeft && height < canvas.sheetHeight * 0.6) continueOnSheet();
    while (cells.some((lines) => lines.length > 0)) {
      let heightLeft = canvas.heightLeft - 2 * paddingY;
      if (cells.every((lines) => fittingLines(lines, heightLeft) === 0)) {
        continueOnSheet();
        heightLeft = canvas.heightLeft - 2 * paddingY;
        if (heightLeft < Math.max(...cells.map(([line]) => line?.height ?? 0))) return;
        continue;
      }
      const split = cells.map((lines) => ({ lines, end: fittingLines(lines, heightLeft) }));
      drawRow(
        split.map(({ lines, end }) => lines.slice(0, end)),
        slots,
        context,
      );
      cells = split.map(({ lines, end }) => lines.slice(end));
      await budget.pause();
    }
  }
  canvas.addGap(gaps.block + 4);
  await drawLeftOut(table.columns.slice(count), context);
}

/** Sizes the cells of a row, some of which span several columns. */
function slotsOf(columns: readonly SizedColumn[], slots: readonly Slot[]): SizedCell[] {
  return slots.flatMap(({ column: place, count, ...rest }) => {
    const first = columns[place];
    if (first === undefined) return [];
    return [
      {
        ...rest,
        column: first.column,
        padding: first.padding,
        width: sum(columns.slice(place, place + count).map(({ width }) => width)),
      },
    ];
  });
}

/** Draws the names of the columns that do not fit on the sheet. */
async function drawLeftOut(columns: readonly Column[], { canvas, words }: DrawContext): Promise<void> {
  if (columns.length === 0) return;
  const titles = columns.slice(0, 40).map(({ title }) => title.trim().slice(0, 60));
  const names = titles.filter((title) => title !== '').join(', ');
  const text = words.columnsLeftOut
    .replace('{count}', String(columns.length))
    .replace('{names}', () => names)
    .replace(/\s*[:：]\s*$/, '')
    .slice(0, 300);
  const style = { size: small.size, italic: true, color: colors.muted };
  await canvas.flowLines(wrapText(`${text}.`, style, canvas));
  canvas.addGap(gaps.block + 4);
}

function drawRow(
  cells: readonly Cell[],
  columns: readonly (SizedColumn & Partial<SizedCell>)[],
  { canvas }: DrawContext,
  isHeader = false,
): void {
  const total = sum(columns.map(({ width }) => width));
  const height = heightOf(cells);
  const top = canvas.reserve(height);
  if (isHeader) canvas.doc.rect(canvas.left, top, total, height).fill(colors.tint);
  // Cells that continue in the next row have no rule below them.
  const isOpen = columns.some(({ continues }) => continues === true);
  let x = canvas.left;
  for (const [index, { column, width, padding, continues = false }] of columns.entries()) {
    let y = top + paddingY;
    for (const line of cells[index] ?? []) {
      const shift = alignments[column.align] * Math.max(0, width - 2 * padding - line.width);
      canvas.drawLine(line, x + padding + shift, y);
      y += line.height;
    }
    if (isOpen && !continues) canvas.drawRule(x, top + height, width);
    x += width;
  }
  const rule = isHeader ? { color: colors.faint, weight: 0.8 } : {};
  if (!isOpen) canvas.drawRule(canvas.left, top + height, total, rule);
}

/** Draws cards as boxes. The first column is the title and links to the target of the card. */
async function drawCards(table: TableData, style: BlockStyle, context: DrawContext): Promise<void> {
  const { canvas, references } = context;
  const columns = table.columns.filter(({ type }) => type !== 'image' && type !== 'files');
  for (const [index, row] of table.rows.entries()) {
    canvas.budget.spend(costs.block);
    await canvas.budget.pause();
    const target = row.target === undefined ? undefined : references.targetOf(row.target);
    const cover = row.cover === undefined ? undefined : references.pictureOf(row.cover);
    const cells = columns
      .map((column) => [...cellSpans(row.values[column.id], column, table, style, references)])
      .filter((spans) => spans.some(({ text, picture }) => text.trim() !== '' || picture !== undefined));
    if (cells.length === 0 && cover === undefined) continue;
    canvas.addGap(index === 0 ? gaps.block : 6);
    canvas.openFrame({ border: colors.line, left: 12, right: 12, vertical: 7 });
    if (cover !== undefined) {
      const scale = Math.min(1, canvas.width / cover.width, 110 / cover.height);
      const [width, height] = [cover.width * scale, cover.height * scale];
      cover.draw(canvas.doc, canvas.left, canvas.reserve(height), width, height);
      canvas.addGap(6);
    }
    for (const [place, spans] of cells.entries()) {
      const isLink = place === 0 && target !== undefined;
      const linked = isLink ? spans.map((span) => ({ ...span, target, color: colors.accent })) : spans;
      await canvas.flowLines(wrapSpans(linked, style.size, canvas));
    }
    canvas.closeFrame();
  }
  canvas.addGap(gaps.frame);
}

/** Sizes columns by their content. If it does not fit, the width beyond the longest words is distributed by need. */
async function sizeColumns(
  columns: readonly Column[],
  rows: readonly MeasuredRow[],
  { canvas }: DrawContext,
): Promise<SizedColumn[]> {
  const { budget, fonts, width: sheetWidth } = canvas;
  const needs = columns.map((column) => ({ column, min: 12, max: 12 }));
  for (const cellOf of rows)
    for (const [place, need] of needs.entries()) {
      const { spans, count } = cellOf(need.column, place);
      const { word, line } = measureText(spans, fonts, budget.spend);
      need.min = Math.max(need.min, word / count);
      need.max = Math.max(need.max, line / count);
      await budget.pause();
    }
  const count = needs.length;
  const padding = count > 8 ? 3 : 6;
  const available = Math.max(sheetWidth - (2 * padding + 0.5) * count, count * 8);
  const grow = (widthOf: (need: (typeof needs)[number]) => number): SizedColumn[] =>
    needs.map((need) => ({ column: need.column, width: widthOf(need) + 2 * padding + 0.5, padding }));
  const totalWidth = sum(needs.map(({ max }) => max));
  if (totalWidth < available * 0.55) return grow(({ max }) => max);
  if (totalWidth <= available) return grow(({ max }) => max * (available / totalWidth));
  // A very long word is broken, so that other columns get enough space.
  const maxFloor = Math.max(available / count, available * 0.28);
  const floorOf = ({ min }: { min: number }) => Math.min(min, maxFloor);
  const floors = sum(needs.map(floorOf));
  if (floors >= available) {
    const widest = widestOf(needs.map(floorOf), available);
    return grow((need) => Math.min(floorOf(need), widest));
  }
  const shareOf = (need: (typeof needs)[number]) => Math.sqrt(Math.max(0, need.max - floorOf(need)));
  const shares = sum(needs.map(shareOf));
  return grow((need) => floorOf(need) + ((available - floors) * shareOf(need)) / shares);
}

/**
 * Returns the width to which the widest columns are narrowed, so that all columns fit. Words in the other columns are not broken.
 */
function widestOf(widths: readonly number[], available: number): number {
  let left = available;
  for (const [index, width] of [...widths].sort((one, other) => one - other).entries()) {
    const share = left / (widths.length - index);
    if (width > share) return share;
    left -= width;
  }
  return available;
}

function fittingLines(lines: Cell, maxHeight: number): number {
  let height = 0;
  const end = lines.findIndex((line) => (height += line.height) > maxHeight);
  return end === -1 ? lines.length : end;
}

function heightOf(cells: readonly Cell[]): number {
  return 2 * paddingY + Math.max(0, ...cells.map((lines) => sum(lines.map(({ height }) => height))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
