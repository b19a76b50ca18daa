import type { RichNode } from '../contract/shapes.ts';
import { MergedCells, spanOf, type CellMerge } from './cell-merges.ts';
import type { HtmlToken } from './html.ts';
import type { Attributes } from './tags.ts';

/** A token of HTML, or Markdown blocks between two lines of HTML. */
export type TablePiece = HtmlToken | { readonly kind: 'blocks'; readonly nodes: readonly RichNode[] };

/** A cell of an HTML table. Its content includes nested tables. */
export interface HtmlCell {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: TablePiece[];
}

/** The cells of each row by column index, and the cells that cover others. */
interface Grid {
  readonly rows: readonly ReadonlyMap<number, HtmlCell>[];
  readonly merges: readonly CellMerge[];
  readonly width: number;
}

/** Returns the rows with their cells; undefined if the table contains anything else. */
export function rowsOf(tokens: readonly TablePiece[]): HtmlCell[][] | undefined {
  const rows: HtmlCell[][] = [];
  let cell: HtmlCell | undefined;
  /** The number of open nested tables in the cell. */
  let depth = 0;
  const last = tokens.length - 1;
  for (const [index, token] of tokens.entries()) {
    const name = nameOf(token);
    const isClosing = token.kind === 'close';
    if (index === 0 || index === last) {
      if (name !== 'table' || isClosing !== (index === last)) return undefined;
      continue;
    }
    if (cell !== undefined && name === 'table') depth += isClosing ? -1 : 1;
    if (depth > 0 || (cell !== undefined && name === 'table')) {
      if (depth < 0) return undefined;
      cell?.content.push(token);
      continue;
    }
    const isPart = /^(?:table|thead|tbody|tr)$/.test(name);
    const isPlain = token.kind !== 'open' || Object.keys(token.attributes).length === 0;
    if (name === 'td' || name === 'th') {
      const row = rows.at(-1);
      if ((cell !== undefined) !== isClosing || (isClosing && cell?.name !== name) || row === undefined)
        return undefined;
      cell = token.kind === 'open' ? { name, attributes: token.attributes, content: [] } : undefined;
      if (cell !== undefined) row.push(cell);
    } else if (cell !== undefined && !isPart) cell.content.push(token);
    else if (name === 'tr' && !isClosing && isPlain) rows.push([]);
    else if (cell !== undefined || !isPart || name === 'table' || !isPlain) return undefined;
  }
  return cell === undefined ? rows : undefined;
}

/**
 * Finds the column of each cell; undefined if cells are covered in a way that a table block does not support. Rows without cells
 * are kept only if all their cells are covered.
 */
export function placeCells(body: readonly (readonly HtmlCell[])[]): Grid | undefined {
  const cells = new MergedCells();
  const rows: Map<number, HtmlCell>[] = [];
  let width = 0;
  let end = 0;
  for (const given of body) {
    const row = rows.length;
    if (given.length === 0 && end <= row) continue;
    const placed = new Map<number, HtmlCell>();
    let column = 0;
    for (const cell of given) {
      while (cells.isCovered(row, column)) column++;
      const [rowSpan, colSpan] = [spanOf(cell.attributes['rowspan']), spanOf(cell.attributes['colspan'])];
      if (cell.name !== 'td' || rowSpan === undefined || colSpan === undefined) return undefined;
      if (rowSpan * colSpan > 1 && !cells.add({ row, column, rowSpan, colSpan })) return undefined;
      placed.set(column, cell);
      column += colSpan;
      width = Math.max(width, column);
      end = Math.max(end, row + rowSpan);
    }
    rows.push(placed);
  }
  return end > rows.length ? undefined : { rows, merges: cells.merges, width };
}

/** Returns the name of a tag; '' for any other piece. */
export function nameOf(piece: TablePiece): string {
  return 'name' in piece ? piece.name : '';
}

/** Splits the content of a cell into nested tables and the pieces between them; undefined if a table is inside another tag. */
export function splitTables(
  content: readonly TablePiece[],
): readonly { readonly isTable: boolean; readonly pieces: readonly TablePiece[] }[] | undefined {
  const parts: { isTable: boolean; pieces: TablePiece[] }[] = [];
  let [tables, others] = [0, 0];
  for (const piece of content) {
    const isTag = nameOf(piece) === 'table';
    if (isTag && tables === 0 && others !== 0) return undefined;
    const starts = isTag && tables === 0;
    if (starts || parts.length === 0 || parts.at(-1)?.isTable !== tables > 0)
      parts.push({ isTable: isTag, pieces: [] });
    parts.at(-1)?.pieces.push(piece);
    const change = piece.kind === 'close' ? -1 : piece.kind === 'open' && !piece.isVoid ? 1 : 0;
    if (isTag) tables += change;
    else if (tables === 0) others += change;
  }
  return parts;
}
