import type { RichNode } from '../contract/shapes.ts';
import { addressOf } from '../richtext/references.ts';
import { cellSpans, gridOf, type Column, type Grid } from './cells.ts';
import { eachLine, widthsOf, type Line } from './lines.ts';
import { linesIn, type BlockStyle, type Scene } from './scene.ts';
import { plainSpan, type Span } from './spans.ts';
import { body, colours, gaps, small } from './theme.ts';
import { costs } from './work.ts';

const pad = { x: 6, y: 4.5 };
/** Room for a character or two, and the line beside it. */
const narrowest = 8 + 2 * pad.x + 0.5;
/** Columns are sized by the rows at the top; to measure all of a long table would take as long as drawing it. */
const measuredRows = 200;

/** Draws a table; rows go on over the end of a sheet, below their header again. */
export async function drawTable(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  const { canvas, source } = scene;
  const whole = gridOf(node);
  if (whole.columns.length === 0) return;
  if (whole.cards) return drawCards(whole, style, scene);
  const count = Math.max(1, Math.floor(canvas.width / narrowest));
  const grid = { ...whole, columns: whole.columns.slice(0, count) };
  const size = grid.columns.length > 8 ? 6.4 : grid.columns.length > 5 ? 7.4 : 8.4;
  const header = grid.columns.map(({ title }) => [
    plainSpan(title, { size, bold: true, colour: colours.strong }),
  ]);
  const rowOf = (row: readonly unknown[]) =>
    grid.columns.map((column, index) => cellSpans(row[index], column, grid, { size }, source));
  const measured = await measureColumns(
    [...(grid.header ? [header] : []), ...grid.rows.slice(0, measuredRows).map(rowOf)],
    grid.columns.length,
    scene,
  );
  const widths = columnWidths(measured, canvas.width);
  const hasHeader = grid.header && grid.columns.some(({ title }) => title.trim() !== '');
  const broken = async (row: readonly Iterable<Span>[]): Promise<Line[][]> => {
    const cells: Line[][] = [];
    for (const [index, spans] of row.entries()) {
      canvas.work.spend(costs.cell);
      const wrapping = {
        width: widths[index]! - 2 * pad.x,
        leading: 1.42,
        size,
        spend: (effort: number) => canvas.work.spend(effort),
      };
      cells.push(await canvas.work.all(eachLine(spans, canvas.fonts, wrapping)));
    }
    return cells;
  };
  const head = hasHeader ? await broken(header) : undefined;
  const total = widths.reduce((sum, width) => sum + width, 0);
  const paint = (cells: readonly (readonly Line[])[], isHead: boolean) =>
    drawSlice(cells, widths, grid, scene, { total, isHead });
  canvas.space(gaps.block);
  if (head !== undefined) {
    canvas.need(heightOf(head) + 2 * body.size * body.leading + 2 * pad.y);
    paint(head, true);
  } else canvas.rule(canvas.left, canvas.take(0), total, colours.line);
  for (const row of grid.rows) {
    canvas.work.spend(costs.block);
    await canvas.work.pace();
    let cells = await broken(rowOf(row));
    const again = () => {
      canvas.turn();
      if (head !== undefined && heightOf(head) < canvas.tallest / 3) paint(head, true);
    };
    if (heightOf(cells) > canvas.room && heightOf(cells) < canvas.tallest * 0.6) again();
    while (cells.some((lines) => lines.length > 0)) {
      const room = canvas.room - 2 * pad.y;
      const fitting = cells.map((lines) => linesWithin(lines, room));
      if (fitting.every((count) => count === 0)) {
        again();
        if (canvas.room - 2 * pad.y < Math.max(...cells.map((lines) => lines[0]?.height ?? 0))) return;
        continue;
      }
      paint(
        cells.map((lines, index) => lines.slice(0, fitting[index])),
        false,
      );
      cells = cells.map((lines, index) => lines.slice(fitting[index]));
      await canvas.work.pace();
    }
  }
  canvas.space(gaps.block + 4);
  await drawLeftOut(whole.columns.slice(count), scene);
}

/** Says which columns have no room on the sheet. */
async function drawLeftOut(columns: readonly Column[], { canvas }: Scene): Promise<void> {
  if (columns.length === 0) return;
  const names = columns.slice(0, 40).map(({ title }) => title.trim().slice(0, 60));
  const text = `${columns.length} more ${columns.length === 1 ? 'column does' : 'columns do'} not fit on the sheet: ${names.filter((name) => name !== '').join(', ')}`;
  const look = { size: small.size, italic: true, colour: colours.muted };
  await canvas.flow(
    linesIn([plainSpan(`${text.replace(/[: ]+$/, '').slice(0, 300)}.`, look)], small.size, canvas),
  );
  canvas.space(gaps.block + 4);
}

/** Draws what of a row is on this sheet. */
function drawSlice(
  cells: readonly (readonly Line[])[],
  widths: readonly number[],
  { columns }: Grid,
  { canvas }: Scene,
  { total, isHead }: { total: number; isHead: boolean },
): void {
  const height = heightOf(cells);
  const top = canvas.take(height);
  if (isHead) canvas.doc.rect(canvas.left, top, total, height).fill(colours.tint);
  let x = canvas.left;
  cells.forEach((lines, index) => {
    const room = widths[index]! - 2 * pad.x;
    let y = top + pad.y;
    for (const line of lines) {
      const shift =
        { left: 0, center: 0.5, right: 1 }[columns[index]!.align] * Math.max(0, room - line.width);
      canvas.line(line, x + pad.x + shift, y);
      y += line.height;
    }
    x += widths[index]!;
  });
  canvas.rule(canvas.left, top + height, total, isHead ? colours.faint : colours.line, isHead ? 0.8 : 0.6);
}

/** Cards as a list of boxes: the first column is the title, and leads where the card leads. */
async function drawCards(grid: Grid, style: BlockStyle, scene: Scene): Promise<void> {
  const { canvas, source } = scene;
  for (const [index, row] of grid.rows.entries()) {
    canvas.work.spend(costs.block);
    await canvas.work.pace();
    const target = grid.targets[index] === undefined ? undefined : source.targetOf(grid.targets[index]);
    const cover =
      grid.covers[index] === undefined ? undefined : source.pictureOf(addressOf(grid.covers[index]));
    const cells = row.map((value, column) =>
      grid.columns[column]!.type === 'image' || grid.columns[column]!.type === 'files'
        ? []
        : [...cellSpans(value, grid.columns[column]!, grid, style, source)],
    );
    const filled = cells.filter((spans) =>
      spans.some(({ text, picture }) => text.trim() !== '' || picture !== undefined),
    );
    if (filled.length === 0 && cover === undefined) continue;
    canvas.space(index === 0 ? gaps.block : 6);
    canvas.open({ border: colours.line, pad: { left: 12, right: 12, top: 7, bottom: 7 } });
    if (cover !== undefined) {
      const scale = Math.min(1, canvas.width / cover.width, 110 / cover.height);
      cover.draw(
        canvas.doc,
        canvas.left,
        canvas.take(cover.height * scale),
        cover.width * scale,
        cover.height * scale,
      );
      canvas.space(6);
    }
    for (const [place, spans] of filled.entries()) {
      const linked =
        place === 0 && target !== undefined
          ? spans.map((span) => ({ ...span, target, colour: colours.accent }))
          : spans;
      await canvas.flow(linesIn(linked, style.size, canvas));
    }
    canvas.close();
  }
  canvas.space(gaps.frame);
}

/** What each column needs at least, and where nothing in it is broken. */
interface Needs {
  readonly least: number[];
  readonly most: number[];
}

async function measureColumns(
  rows: readonly (readonly Iterable<Span>[])[],
  count: number,
  { canvas }: Scene,
): Promise<Needs> {
  const least: number[] = Array.from({ length: count }, () => 12);
  const most: number[] = Array.from({ length: count }, () => 12);
  for (const row of rows) {
    for (const [index, spans] of row.entries()) {
      const widths = widthsOf(spans, canvas.fonts, (effort) => canvas.work.spend(effort));
      least[index] = Math.max(least[index]!, widths.least);
      most[index] = Math.max(most[index]!, widths.most);
      await canvas.work.pace();
    }
  }
  return { least, most };
}

/** As wide as the content needs; where that is too wide, what is left beside the longest words is shared by need. */
function columnWidths({ least, most }: Needs, width: number): number[] {
  const count = least.length;
  const room = Math.max(width - (2 * pad.x + 0.5) * count, count * 8);
  const wanted = sum(most);
  const grow = (widths: readonly number[]) => widths.map((width) => width + 2 * pad.x + 0.5);
  if (wanted <= room) return grow(wanted < room * 0.55 ? most : most.map((width) => width * (room / wanted)));
  // A very long word is broken rather than starve the other columns.
  const floor = least.map((width) => Math.min(width, Math.max(room / count, room * 0.28)));
  if (sum(floor) >= room) return grow(floor.map((width) => (width * room) / sum(floor)));
  const more = most.map((width, index) => Math.sqrt(Math.max(0, width - floor[index]!)));
  const spare = room - sum(floor);
  return grow(floor.map((width, index) => width + (spare * more[index]!) / Math.max(sum(more), 1)));
}

function linesWithin(lines: readonly Line[], room: number): number {
  let height = 0;
  const over = lines.findIndex((line) => (height += line.height) > room);
  return over === -1 ? lines.length : over;
}

function heightOf(cells: readonly (readonly Line[])[]): number {
  return 2 * pad.y + Math.max(0, ...cells.map((lines) => sum(lines.map(({ height }) => height))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
