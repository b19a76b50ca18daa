import type { RichNode } from '../contract/shapes.ts';
import { MergedCells } from './cell-merges.ts';
import { openTag, trimHtml, type HtmlToken } from './html.ts';
import { nameOf, type TablePiece } from './html-table-grid.ts';
import { maxNesting, readHtmlTable, readTexts } from './read-html-tables.ts';
import type { Attributes } from './tags.ts';

/** A cell in the interpretation of browsers. */
interface LooseCell {
  readonly isHead: boolean;
  readonly attributes: Attributes;
  content: TablePiece[];
}

interface LooseTable {
  readonly rows: readonly LooseCell[][];
  /** Pieces that are not in a cell, such as a caption. */
  readonly others: readonly TablePiece[];
}

/**
 * Reads HTML tables and the content around them in the way that browsers show them: headers over several columns become a row of
 * bold cells, row headers become bold cells, and a caption becomes a paragraph above. Styles are left out. Undefined if a table
 * has no end.
 */
export function readAnyTables(pieces: readonly TablePiece[]): RichNode[] | undefined {
  const blocks: RichNode[] = [];
  for (let at = 0; at < pieces.length;) {
    const isTable = isStart(pieces[at]);
    let end = at + 1;
    if (isTable) end = (endOf(pieces, at) ?? 0) + 1;
    else while (end < pieces.length && !isStart(pieces[end])) end++;
    const own = pieces.slice(at, end);
    const table = isTable ? readAnyTable(own) : readTexts(own);
    if (table === undefined) return undefined;
    blocks.push(...table);
    at = end;
  }
  return blocks;
}

function isStart(piece: TablePiece | undefined): boolean {
  return piece?.kind === 'open' && piece.name === 'table';
}

function readAnyTable(pieces: readonly TablePiece[]): RichNode[] | undefined {
  const loose = looseTable(pieces, 1);
  const table = loose && readHtmlTable(strictTokens(loose));
  return table && [...readTexts(loose.others), table];
}

/** Splits a table into rows and cells; end tags of rows and cells may be missing. */
function looseTable(pieces: readonly TablePiece[], nesting: number): LooseTable | undefined {
  const [first] = pieces;
  if (first?.kind !== 'open' || first.name !== 'table') return undefined;
  const rows: LooseCell[][] = [];
  const others: TablePiece[] = [];
  let cell: LooseCell | undefined;
  for (let at = 1; at < pieces.length; at++) {
    const piece = pieces[at] as TablePiece;
    const name = nameOf(piece);
    if (name === 'table') {
      if (piece.kind === 'close') return { rows: rows.map((row) => row.map(withoutWrappers)), others };
      const end = endOf(pieces, at);
      if (end === undefined) return undefined;
      (cell?.content ?? others).push(...innerTable(pieces.slice(at, end + 1), nesting + 1));
      at = end;
    } else if (name === 'tr' || /^(?:thead|tbody|tfoot|colgroup|col)$/.test(name)) {
      cell = undefined;
      if (name === 'tr' && piece.kind === 'open') rows.push([]);
    } else if (name === 'td' || name === 'th') {
      cell = undefined;
      if (piece.kind !== 'open') continue;
      cell = { isHead: name === 'th', attributes: piece.attributes, content: [] };
      if (rows.length === 0) rows.push([]);
      rows.at(-1)?.push(cell);
    } else if (name !== 'caption') (cell?.content ?? others).push(piece);
  }
  return undefined;
}

/** Returns the index of the end of a table that starts at `start`. */
function endOf(pieces: readonly TablePiece[], start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece === undefined || nameOf(piece) !== 'table') continue;
    depth += piece.kind === 'close' ? -1 : 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Returns a table in a cell; only its text if tables are nested too deeply. */
function innerTable(pieces: readonly TablePiece[], nesting: number): TablePiece[] {
  if (nesting > maxNesting)
    return pieces.flatMap((piece): TablePiece[] => {
      if (!/^(?:table|thead|tbody|tfoot|tr|t[dh])$/.test(nameOf(piece))) return [piece];
      return /^t[dh]$/.test(nameOf(piece)) ? [{ kind: 'text', raw: ' ' }] : [];
    });
  const table = looseTable(pieces, nesting);
  return table === undefined ? [] : [...table.others, ...strictTokens(table)];
}

/** Returns a cell with a nested table without elements that only group its content. */
function withoutWrappers(cell: LooseCell): LooseCell {
  if (!cell.content.some((piece) => nameOf(piece) === 'table')) return cell;
  const isWrapper = (piece: TablePiece) => /^(?:div|center|section|p|span|font)$/.test(nameOf(piece));
  return { ...cell, content: cell.content.filter((piece) => !isWrapper(piece)) };
}

/** Converts a table to tokens that fit a table block. */
function strictTokens({ rows }: LooseTable): TablePiece[] {
  const filled = rows.filter((row, index) => row.length > 0 || index > 0);
  const [first = []] = filled;
  const isHeader =
    filled.length > 1 && first.every((cell) => cell.isHead && spanOf(cell, 'colspan', 50) === 1);
  const hasHeader = isHeader && first.every((cell) => spanOf(cell, 'rowspan', filled.length) === 1);
  const body = hasHeader ? filled.slice(1) : filled;
  const { tokens, width } = bodyTokens(body);
  const heads = Array.from({ length: Math.max(width, first.length) }, (_, place) => [
    open('th'),
    ...(first[place]?.content ?? []).filter((piece) => nameOf(piece) !== 'table'),
    close('th'),
  ]);
  const header = hasHeader ? [open('thead'), open('tr'), ...heads.flat(), close('tr'), close('thead')] : [];
  return [open('table'), ...header, open('tbody'), ...tokens, close('tbody'), close('table')];
}

function bodyTokens(body: readonly (readonly LooseCell[])[]): { tokens: TablePiece[]; width: number } {
  const merges = new MergedCells();
  const tokens: TablePiece[] = [];
  let [row, width, end] = [0, 0, 0];
  for (const [index, cells] of body.entries()) {
    if (cells.length === 0 && end <= row) continue;
    tokens.push(open('tr'));
    let column = 0;
    for (const cell of cells) {
      while (merges.isCovered(row, column)) column++;
      let rowSpan = spanOf(cell, 'rowspan', body.length - index);
      let colSpan = spanOf(cell, 'colspan', 50);
      if (rowSpan * colSpan > 1 && !merges.add({ row, column, rowSpan, colSpan }))
        [rowSpan, colSpan] = [1, 1];
      const spans = { rowspan: String(rowSpan), colspan: String(colSpan) };
      tokens.push(open('td', rowSpan * colSpan > 1 ? spans : {}), ...textOf(cell), close('td'));
      column += colSpan;
      width = Math.max(width, column);
      end = Math.max(end, row + rowSpan);
    }
    tokens.push(close('tr'));
    row++;
  }
  return { tokens, width };
}

/** Returns the content of a cell. The content of a header cell is bold. */
function textOf({ isHead, content }: LooseCell): TablePiece[] {
  const isBlock = (piece: TablePiece) =>
    piece.kind === 'blocks' || /^(?:p|ul|ol|li|pre|table|div)$/.test(nameOf(piece));
  if (!isHead || content.some(isBlock)) return content;
  return [open('strong'), ...trimHtml(content as HtmlToken[]), close('strong')];
}

/** Returns the number of rows or columns that a cell states, at most `max`. */
function spanOf({ attributes }: LooseCell, name: 'rowspan' | 'colspan', max: number): number {
  const text = (attributes[name] ?? '1').trim();
  if (!/^\d{1,5}$/.test(text)) return 1;
  // 0 means all rows below.
  const count = name === 'rowspan' && Number(text) === 0 ? max : Number(text);
  return Math.min(Math.max(count, 1), max, 50);
}

function open(name: string, attributes: Attributes = {}): TablePiece {
  return { kind: 'open', raw: openTag(name, attributes), name, attributes, isVoid: false };
}

function close(name: string): TablePiece {
  return { kind: 'close', raw: `</${name}>`, name };
}
