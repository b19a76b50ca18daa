import type { RichNode } from '../contract/shapes.ts';
import { defined } from '../contract/values.ts';
import type { HtmlToken } from './html.ts';
import { readHtmlContent } from './read-html-content.ts';
import { readHtmlInlines } from './read-inlines.ts';
import { refOf } from './references.ts';
import { MergedCells, spanOf, type CellMerge } from './cell-merges.ts';
import { recordName, tableOf, type Cell, type Column, type View } from './table-data.ts';
import type { Attributes } from './tags.ts';

/** A token of HTML, or blocks of Markdown between two lines of HTML. */
export type TablePiece = HtmlToken | { readonly kind: 'blocks'; readonly nodes: readonly RichNode[] };

interface HtmlCell {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: TablePiece[];
}

/** Reads HTML that is one table of plain rows; undefined where a table block cannot express it. */
export function readHtmlTable(tokens: readonly TablePiece[]): RichNode | undefined {
  const [table] = tokens;
  const rows = rowsOf(tokens);
  if (table?.kind !== 'open' || rows === undefined) return undefined;
  const header = rows[0]?.every((cell) => cell.name === 'th') === true ? rows[0] : undefined;
  const body = header === undefined ? rows : rows.slice(1);
  const grid = placeCells(body);
  const width = header?.length ?? grid?.width ?? 0;
  if (grid === undefined || width === 0 || grid.width > width) return undefined;
  const heads =
    header ?? Array.from({ length: width }, (): HtmlCell => ({ name: 'th', attributes: {}, content: [] }));
  const columns = heads.map((head, index) => columnOf(head, `column-${index + 1}`));
  const titles = heads.map(({ content }) => onlyTokens(withoutSelect(content)));
  if (titles.some((title) => title === undefined)) return undefined;
  const records: Map<string, Cell>[] = [];
  for (const row of grid.rows) {
    const record = new Map<string, Cell>();
    for (const [index, given] of row) {
      const column = columns[index];
      if (column === undefined || (isMerged(given) && column.type !== 'text' && column.type !== 'number'))
        return undefined;
      const attributes = attributesOf(given, column);
      const cell = attributes && cellOf(given, column.type);
      if (cell === undefined) return undefined;
      if (!('value' in cell) || cell.value !== undefined)
        record.set(column.id, { ...cell, ...defined({ attributes: orUndefined(attributes ?? {}) }) });
    }
    records.push(record);
  }
  const {
    'data-view': kind,
    'data-header-hidden': noHeader,
    'data-full-width': fullWidth,
    'data-card-size': cardSize = 'medium',
    'data-column-title-hidden': noTitles,
    ...attributes
  } = table.attributes;
  if (kind !== undefined && kind !== 'cards') return undefined;
  const idWith = (name: string) => columns[heads.findIndex((head) => name in head.attributes)]?.id;
  const shown: string[] = [];
  const widths: Record<string, number> = {};
  for (const [index, { id }] of columns.entries()) {
    const { width: given, 'data-hidden': hidden } = heads[index]?.attributes ?? {};
    if (hidden === undefined) shown.push(id);
    if (isNumber(given)) widths[id] = Number(given);
  }
  // Cells are merged in the order in which they are shown.
  if (grid.merges.length > 0 && shown.length < columns.length) return undefined;
  const cellMerges = grid.merges.map(({ row, column, rowSpan, colSpan }) => ({
    anchor: { record: recordName(row), column: columns[column]?.id ?? '' },
    rowSpan,
    colSpan,
  }));
  const view: View =
    kind === 'cards'
      ? {
          type: 'cards',
          cardSize,
          columns: shown,
          ...defined({
            targetDefinition: idWith('data-card-target'),
            coverDefinition: idWith('data-card-cover'),
            coverDefinitionDark: idWith('data-card-cover-dark'),
            hideColumnTitle: noTitles === undefined ? undefined : true,
          }),
        }
      : {
          type: 'grid',
          columns: shown,
          ...defined({ columnWidths: orUndefined(widths) }),
          hideHeader: header === undefined || noHeader !== undefined,
        };
  return tableOf(
    view,
    columns.map((column, index) => ({ column, nodes: readHtmlInlines(titles[index] ?? []) })),
    records,
    defined({
      cellMerges: cellMerges.length === 0 ? undefined : cellMerges,
      fullWidth: fullWidth === 'true' ? true : undefined,
      attributes: orUndefined(attributes),
    }),
  );
}

/** The cells of each row by the places of their columns, and those that cover others. */
interface Grid {
  readonly rows: readonly ReadonlyMap<number, HtmlCell>[];
  readonly merges: readonly CellMerge[];
  readonly width: number;
}

/** Finds the column of each cell; undefined where cells are covered in a way that a table block does not know. */
function placeCells(body: readonly (readonly HtmlCell[])[]): Grid | undefined {
  const cells = new MergedCells();
  const rows: Map<number, HtmlCell>[] = [];
  let width = 0;
  for (const [row, given] of body.entries()) {
    const placed = new Map<number, HtmlCell>();
    let column = 0;
    for (const cell of given) {
      while (cells.isCovered(row, column)) column++;
      const [rowSpan, colSpan] = [spanOf(cell.attributes['rowspan']), spanOf(cell.attributes['colspan'])];
      if (cell.name !== 'td' || rowSpan === undefined || colSpan === undefined) return undefined;
      if (rowSpan * colSpan > 1 && !cells.add({ row, column, rowSpan, colSpan })) return undefined;
      if (row + rowSpan > body.length) return undefined;
      placed.set(column, cell);
      column += colSpan;
      width = Math.max(width, column);
    }
    rows.push(placed);
  }
  return { rows, merges: cells.merges, width };
}

function isMerged({ attributes }: HtmlCell): boolean {
  return 'rowspan' in attributes || 'colspan' in attributes;
}

function orUndefined<T extends object>(values: T): T | undefined {
  return Object.keys(values).length === 0 ? undefined : values;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^-?\d{1,9}(?:\.\d{1,6})?$/.test(text) && String(Number(text)) === text;
}

/** Reads the rows with their cells; undefined where the table contains anything else. */
function rowsOf(tokens: readonly TablePiece[]): HtmlCell[][] | undefined {
  const rows: HtmlCell[][] = [];
  let cell: HtmlCell | undefined;
  const last = tokens.length - 1;
  for (const [index, token] of tokens.entries()) {
    const name = 'name' in token ? token.name : '';
    const isClosing = token.kind === 'close';
    if (name === 'table' ? index !== (isClosing ? last : 0) : index === 0 || index === last) return undefined;
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
    else if (cell !== undefined || !isPart || (name !== 'table' && !isPlain)) return undefined;
  }
  return rows.filter((row) => row.length > 0);
}

function columnOf({ attributes, content }: HtmlCell, id: string): Omit<Column, 'title'> {
  const options = optionsOf(content);
  const {
    width,
    valign,
    'data-type': type = options === undefined ? 'text' : 'select',
    'data-max': max,
    align = 'left',
    'data-hidden': _hidden,
    'data-card-target': _target,
    'data-card-cover': _cover,
    'data-card-cover-dark': _dark,
    ...more
  } = attributes;
  const isKnown =
    ['number', 'checkbox', 'content-ref', 'files', 'image'].includes(type) ||
    (type === 'rating' && isNumber(max)) ||
    (type === 'select' && options !== undefined);
  const isSide = ['left', 'center', 'right'].includes(align);
  const kept = {
    ...more,
    ...(isKnown || type === 'text' ? {} : { 'data-type': type }),
    ...(max === undefined || type === 'rating' ? {} : { 'data-max': max }),
    ...(width === undefined || isNumber(width) ? {} : { width }),
    ...(isSide ? {} : { align }),
    ...(valign === undefined || (!isKnown && sides.includes(valign)) ? {} : { valign }),
  };
  return {
    id,
    type: isKnown ? type : 'text',
    ...defined({
      textAlignment: isKnown ? undefined : isSide ? align : 'left',
      verticalAlignment: !isKnown && valign !== undefined && sides.includes(valign) ? valign : undefined,
      ...(isKnown && type === 'select' ? options : {}),
      max: isKnown && type === 'rating' ? Number(max) : undefined,
      attributes: orUndefined(kept),
    }),
  };
}

const sides = ['top', 'middle', 'bottom'];
/** The attributes of cells that a table block keeps. */
const plainAttributes = /^(?:align|valign|style|class|id|width|height|nowrap|bgcolor|scope)$/;

/** The attributes that a cell has besides those of its column; undefined where one is unknown. */
function attributesOf({ attributes }: HtmlCell, column: Omit<Column, 'title'>): Attributes | undefined {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'rowspan' || name === 'colspan') continue;
    if (name === 'data-object-fit' && column.type === 'image') continue;
    if (!plainAttributes.test(name)) return undefined;
    const isOfColumn =
      (name === 'align' && value === column.textAlignment) ||
      (name === 'valign' && value === (column.verticalAlignment ?? column.attributes?.['valign']));
    if (!isOfColumn) own[name] = value;
  }
  return own;
}

/** The tokens of a cell; undefined where it has blocks of Markdown. */
function onlyTokens(content: readonly TablePiece[]): HtmlToken[] | undefined {
  return content.every((piece) => piece.kind !== 'blocks') ? (content as HtmlToken[]) : undefined;
}

/** Reads the content of a cell: HTML, and the blocks of Markdown in it. */
function blocksOf(content: readonly TablePiece[]): RichNode[] {
  const blocks: RichNode[] = [];
  let tokens: HtmlToken[] = [];
  const flush = () => {
    if (tokens.some(({ raw }) => raw.trim() !== '')) blocks.push(...readHtmlContent(tokens));
    tokens = [];
  };
  for (const piece of content) {
    if (piece.kind !== 'blocks') tokens.push(piece);
    else {
      flush();
      blocks.push(...piece.nodes);
    }
  }
  flush();
  return blocks.length === 0 ? readHtmlContent([]) : blocks;
}

function isOpening(piece: TablePiece, name: string): boolean {
  return piece.kind === 'open' && piece.name === name;
}

/** The content of a header without the `<select>` that lists the options of its column. */
function withoutSelect(content: readonly TablePiece[]): readonly TablePiece[] {
  const start = content.findIndex((piece) => isOpening(piece, 'select'));
  return start === -1 ? content : content.slice(0, start);
}

/** Reads the options in the header of a column: `<select><option value="…" label="…" color="…">`. */
function optionsOf(content: readonly TablePiece[]): Pick<Column, 'multiple' | 'options'> | undefined {
  const start = content.findIndex((piece) => isOpening(piece, 'select'));
  const last = content.at(-1);
  if (start === -1 || last?.kind !== 'close' || last.name !== 'select') return undefined;
  const select = content[start];
  const options = content.slice(start).flatMap((piece) => {
    if (piece.kind !== 'open' || piece.name !== 'option') return [];
    const { value, label, color } = piece.attributes;
    return value === undefined ? [] : [defined({ value, label, color })];
  });
  return { multiple: select?.kind === 'open' && 'multiple' in select.attributes, options };
}

/** Reads a cell by the type of its column; undefined where its content does not fit the type. */
function cellOf({ attributes, content: pieces }: HtmlCell, type: string): Cell | undefined {
  const { 'data-object-fit': objectFit } = attributes;
  if (type === 'text') return { nodes: blocksOf(pieces) };
  const content = onlyTokens(pieces);
  if (content === undefined) return undefined;
  if (content.length === 0) return { value: undefined };
  if (type === 'select') {
    const chosen = content.flatMap((token) =>
      token.kind === 'open' ? [token.attributes['data-option']] : [],
    );
    const isPlain = chosen.every((value): value is string => value !== undefined);
    return isPlain ? { value: chosen.length === 0 ? undefined : chosen } : undefined;
  }
  const [only] = content;
  let text = '';
  const targets: string[] = [];
  for (const token of content) {
    if (token.kind === 'text') text += token.raw;
    const { href } = token.kind === 'open' && token.name === 'a' ? token.attributes : {};
    if (href !== undefined) targets.push(href);
  }
  text = text.trim();
  const target = targets.length === 1 ? targets[0] : undefined;
  switch (type) {
    case 'checkbox':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : undefined;
    case 'number':
    case 'rating':
      return isNumber(text) ? { value: Number(text) } : undefined;
    case 'files':
      return targets.length === 0 ? undefined : { value: targets };
    case 'content-ref':
      return target === undefined ? undefined : { value: refOf(target) };
    default: {
      const isImage = only?.kind === 'open' && only.name === 'img' && content.length === 1;
      const { src, alt } = isImage ? only.attributes : {};
      const address = target ?? src;
      if (address === undefined) return undefined;
      const details = defined({ objectFit, alt: alt || undefined });
      const ref = refOf(address);
      return { value: Object.keys(details).length === 0 ? ref : { ref, ...details } };
    }
  }
}
