import type { BlockContent, PhrasingContent, TableRow } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { encodeText, openTag } from './html.ts';
import { leavesOf, recordOf, textOfValue } from './nodes.ts';
import { addressOf } from './references.ts';
import type { CellMerge } from './cell-merges.ts';
import { partsOfTable, type Column, type TableParts } from './table-data.ts';
import { htmlOfBlocks, htmlOfInlines } from './write-html.ts';
import { oneLine, writeInlines } from './write-inlines.ts';

/** Writes a table as Markdown, or as HTML where Markdown cannot express it. */
export function writeTable(node: RichNode): BlockContent[] {
  const table = partsOfTable(node);
  if (table.columns.length === 0) return [];
  return isPlain(table) ? [markdownTable(table)] : [{ type: 'html', value: htmlTable(table) }];
}

function isPlain({
  view,
  columns,
  rows,
  merges,
  cellAttributes,
  fullWidth,
  attributes,
  cell,
  head,
}: TableParts): boolean {
  if (merges.size > 0) return false;
  if (cellAttributes.some((own) => Object.keys(own).length > 0)) return false;
  if (columns.some(({ verticalAlignment }) => verticalAlignment !== undefined)) return false;
  if (
    view.type !== 'grid' ||
    view.hideHeader === true ||
    view.columnWidths !== undefined ||
    fullWidth ||
    Object.keys(attributes).length > 0
  )
    return false;
  if (
    columns.some(
      ({ id, type, attributes: more }) => type !== 'text' || more !== undefined || !view.columns.includes(id),
    )
  )
    return false;
  if (!columns.every((column) => head(column).every(isOnlyLine))) return false;
  return rows.every((row) =>
    columns.every(({ id }) => {
      const [only, ...more] = cell(row[id]);
      return only?.type === 'paragraph' && more.length === 0 && (only.nodes ?? []).every(isOnlyLine);
    }),
  );
}

/** Whether an inline node can be in a cell: HTML and formulas must have no `|`, code no `\|`. */
function isOnlyLine(node: RichNode): boolean {
  if (node.object === 'text')
    return leavesOf(node).every(({ html, text, marks }) =>
      html === true ? !/[|\n]/.test(text) : !marks.includes('code') || !text.includes('\\|'),
    );
  return node.type === 'link' || node.type === 'mention'
    ? (node.nodes ?? []).every(isOnlyLine)
    : !JSON.stringify(node.data ?? {}).includes('|');
}

function markdownTable({ columns, rows, cell, head }: TableParts): BlockContent {
  const rowOf = (cells: PhrasingContent[][]): TableRow => ({
    type: 'tableRow',
    children: cells.map((children) => ({ type: 'tableCell', children })),
  });
  const header = columns.map((column) => writeInlines(head(column)).map(oneLine));
  const body = rows.map((row) =>
    columns.map(({ id }) => cell(row[id]).flatMap((each) => writeInlines(each.nodes ?? []).map(oneLine))),
  );
  const align = columns.map(({ textAlignment: side }) =>
    side === 'center' || side === 'right' ? side : null,
  );
  return { type: 'table', align, children: [header, ...body].map(rowOf) };
}

function htmlTable(table: TableParts): string {
  const { view, columns, rows, merges, cellAttributes, fullWidth, attributes } = table;
  const isCards = view.type === 'cards';
  const open = openTag('table', {
    'data-view': isCards ? 'cards' : undefined,
    'data-card-size':
      isCards && view.cardSize !== undefined && view.cardSize !== 'medium' ? view.cardSize : undefined,
    'data-column-title-hidden': isCards && view.hideColumnTitle === true ? '' : undefined,
    'data-header-hidden': !isCards && view.hideHeader === true ? '' : undefined,
    'data-full-width': fullWidth ? 'true' : undefined,
    ...attributes,
  });
  const head = columns
    .map((column) => `${headOf(column, table)}${htmlOfInlines(table.head(column))}${selectOf(column)}</th>`)
    .join('');
  const body = rows
    .map((row, index) => {
      const cells = columns.map((column, place) => {
        if (merges.isCovered(index, place)) return '';
        const own = {
          ...spansOf(merges.at(index, place)),
          ...(recordOf(cellAttributes[index]?.[column.id]) as Record<string, string>),
        };
        const cell = cellOf(row[column.id], column, table);
        return Object.keys(own).length === 0
          ? cell
          : openTag('td', own).slice(0, -1) + cell.slice('<td'.length);
      });
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('');
  return `${open}<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

function spansOf(merge: CellMerge | undefined): Record<string, string> {
  if (merge === undefined) return {};
  const { rowSpan, colSpan } = merge;
  return rowSpan > 1 ? { rowspan: String(rowSpan) } : { colspan: String(colSpan) };
}

/** Writes the options of a column. */
function selectOf({ type, multiple, options = [] }: Column): string {
  if (type !== 'select') return '';
  const written = options.map(({ value, label, color }) => {
    const text = (given: unknown) => (typeof given === 'string' ? given : undefined);
    return `${openTag('option', { value: text(value), label: text(label), color: text(color) }, ['value', 'label'])}</option>`;
  });
  return `${openTag('select', { multiple: multiple === true ? '' : undefined })}${written.join('')}</select>`;
}

function headOf(
  { id, type, textAlignment, verticalAlignment, max, attributes }: Column,
  { view }: TableParts,
): string {
  return openTag('th', {
    width: view.columnWidths?.[id],
    'data-hidden': view.columns.includes(id) ? undefined : '',
    'data-card-target': view.targetDefinition === id ? '' : undefined,
    'data-card-cover': view.coverDefinition === id ? '' : undefined,
    'data-card-cover-dark': view.coverDefinitionDark === id ? '' : undefined,
    'data-type': type === 'text' || type === 'select' ? undefined : type,
    'data-max': typeof max === 'number' ? max : undefined,
    align: textAlignment === 'center' || textAlignment === 'right' ? textAlignment : undefined,
    valign: verticalAlignment,
    ...attributes,
  });
}

function cellOf(value: unknown, { type, options = [] }: Column, { cell }: TableParts): string {
  if (type === 'text') return `<td>${value === undefined ? '' : htmlOfBlocks(cell(value))}</td>`;
  const link = (address: string) => `${openTag('a', { href: address }, ['href'])}${encodeText(address)}</a>`;
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (type === 'select' && Array.isArray(value))
    return `<td>${value.map((each) => `${openTag('span', { 'data-option': textOfValue(each) })}${encodeText(textOfValue(options.find((option) => option.value === each)?.label))}</span>`).join('')}</td>`;
  if (Array.isArray(value))
    return `<td>${value.map((each) => (typeof each === 'string' ? link(/^fil_\w+$/.test(each) ? `/files/${each}` : each) : encodeText(textOfValue(each)))).join('')}</td>`;
  if ('ref' in given) {
    const { ref, alt, objectFit } = given;
    const content =
      typeof alt === 'string'
        ? openTag('img', { src: addressOf(ref), alt }, ['src', 'alt'])
        : link(addressOf(ref));
    return `${openTag('td', { 'data-object-fit': typeof objectFit === 'string' ? objectFit : undefined })}${content}</td>`;
  }
  if ('kind' in given) return `<td>${link(addressOf(given))}</td>`;
  return `<td>${encodeText(textOfValue(value))}</td>`;
}
