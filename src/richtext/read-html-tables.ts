import type { RichNode } from '../contract/shapes.ts';
import { defined, unlessEmpty } from '../contract/values.ts';
import { trimHtml, type HtmlToken } from './html.ts';
import {
  nameOf,
  placeCells,
  rowsOf,
  splitTables,
  type HtmlCell,
  type TablePiece,
} from './html-table-grid.ts';
import { readHtmlContent } from './read-html-content.ts';
import { readHtmlHeader } from './read-inlines.ts';
import { refOf } from './references.ts';
import { recordName, tableOf, type Cell, type Column, type View } from './table-data.ts';
import type { Attributes } from './tags.ts';

/** Maximum levels of nested tables. */
export const maxNesting = 4;

/**
 * Reads HTML that is one table; undefined if a table block cannot express it. A table in a cell becomes a table block in the
 * cell, up to 4 levels deep.
 */
export function readHtmlTable(tokens: readonly TablePiece[], nesting = 1): RichNode | undefined {
  const [table] = tokens;
  const rows = nesting > maxNesting ? undefined : rowsOf(tokens);
  if (table?.kind !== 'open' || rows === undefined) return undefined;
  const first = rows.findIndex((row) => row.length > 0);
  const header = rows[first]?.every((cell) => cell.name === 'th') === true ? rows[first] : undefined;
  const body = rows.slice(header === undefined ? first : first + 1);
  const grid = placeCells(body);
  const width = header?.length ?? grid?.width ?? 0;
  if (grid === undefined || width === 0 || grid.width > width) return undefined;
  const heads =
    header ?? Array.from({ length: width }, (): HtmlCell => ({ name: 'th', attributes: {}, content: [] }));
  const columns = heads.map((head, index) => columnOf(head, `column-${index + 1}`));
  const titles = heads.map(({ content }) => onlyTokens(withoutSelect(content)));
  if (titles.some((title) => title === undefined || hasTable(title))) return undefined;
  const records: Map<string, Cell>[] = [];
  for (const row of grid.rows) {
    const record = new Map<string, Cell>();
    for (const [index, given] of row) {
      const column = columns[index];
      if (column === undefined || (isMerged(given) && column.type !== 'text' && column.type !== 'number'))
        return undefined;
      const attributes = attributesOf(given, column);
      const cell = attributes && cellOf(given, column.type, nesting);
      if (cell === undefined) return undefined;
      if (!('value' in cell) || cell.value !== undefined)
        record.set(column.id, { ...cell, ...defined({ attributes: unlessEmpty(attributes ?? {}) }) });
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
  // Merges refer to shown columns, so all columns must be shown.
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
          ...defined({ columnWidths: unlessEmpty(widths) }),
          hideHeader: header === undefined || noHeader !== undefined,
        };
  return tableOf(
    view,
    columns.map((column, index) => ({ column, nodes: readHtmlHeader(titles[index] ?? []) })),
    records,
    defined({
      cellMerges: cellMerges.length === 0 ? undefined : cellMerges,
      fullWidth: fullWidth === 'true' ? true : undefined,
      attributes: unlessEmpty(attributes),
    }),
  );
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^-?\d{1,9}(?:\.\d{1,6})?$/.test(text) && String(Number(text)) === text;
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
      attributes: unlessEmpty(kept),
    }),
  };
}

const sides = ['top', 'middle', 'bottom'];
/** The attributes of cells that a table block keeps. */
const plainAttributes = /^(?:align|valign|style|class|id|width|height|nowrap|bgcolor|scope)$/;

/** Returns the attributes of a cell that its column does not have; undefined if one is unknown. */
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

/** Returns the tokens of a cell; undefined if it contains Markdown blocks. */
function onlyTokens(content: readonly TablePiece[]): HtmlToken[] | undefined {
  return content.every((piece) => piece.kind !== 'blocks') ? (content as HtmlToken[]) : undefined;
}

/** Reads the content of a cell: HTML, tables, and Markdown blocks; undefined if a table cannot be expressed. */
function blocksOf(content: readonly TablePiece[], nesting: number): RichNode[] | undefined {
  const blocks: RichNode[] = [];
  for (const { isTable, pieces } of splitTables(content) ?? [{ isTable: true, pieces: [] }]) {
    const table = isTable ? readHtmlTable(pieces, nesting + 1) : undefined;
    if (isTable && table === undefined) return undefined;
    blocks.push(...(table === undefined ? readTexts(pieces) : [table]));
  }
  return blocks.length === 0 ? readHtmlContent([]) : blocks;
}

/** Reads HTML without tables, and Markdown blocks. Whitespace gives no blocks. */
export function readTexts(content: readonly TablePiece[]): RichNode[] {
  const blocks: RichNode[] = [];
  let tokens: HtmlToken[] = [];
  const flush = () => {
    if (tokens.some(({ raw }) => raw.trim() !== '')) blocks.push(...readHtmlContent(trimHtml(tokens)));
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
  return blocks;
}

function hasTable(content: readonly TablePiece[]): boolean {
  return content.some((piece) => nameOf(piece) === 'table');
}

function isMerged({ attributes }: HtmlCell): boolean {
  return 'rowspan' in attributes || 'colspan' in attributes;
}

function isSelect(piece: TablePiece): boolean {
  return piece.kind === 'open' && piece.name === 'select';
}

/** Returns the content of a header without the `<select>` that lists the options of its column. */
function withoutSelect(content: readonly TablePiece[]): readonly TablePiece[] {
  const start = content.findIndex((piece) => isSelect(piece));
  return start === -1 ? content : content.slice(0, start);
}

/** Reads the options in the header of a column: `<select><option value="…" label="…" color="…">`. */
function optionsOf(content: readonly TablePiece[]): Pick<Column, 'multiple' | 'options'> | undefined {
  const start = content.findIndex((piece) => isSelect(piece));
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

/** Reads a cell according to the type of its column; undefined if its content does not fit the type. */
function cellOf({ attributes, content: pieces }: HtmlCell, type: string, nesting: number): Cell | undefined {
  const { 'data-object-fit': objectFit } = attributes;
  if (type === 'text') {
    const nodes = blocksOf(pieces, nesting);
    return nodes && { nodes };
  }
  const content = onlyTokens(pieces);
  if (content === undefined || hasTable(content)) return undefined;
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
