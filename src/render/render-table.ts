import type { RichNode } from '../contract/shapes.ts';
import { partsOfTable, type Column, type TableParts } from '../richtext/table-data.ts';
import { plainText } from '../richtext/nodes.ts';
import { renderCards } from './render-cards.ts';
import { renderCell } from './render-cell.ts';
import { attributes, classes, empty, markup, type Markup } from './markup.ts';
import type { Renderer } from './render-context.ts';
import { widthClass } from './widths.ts';

/** Renders a table as rows or as cards. */
export function renderTable(node: RichNode, renderer: Renderer): Markup {
  const table = partsOfTable(node);
  return table.view.type === 'cards' ? renderCards(table, renderer) : renderGrid(table, renderer);
}

/** Renders rows. A table that is wider than the page can be scrolled, also with the keyboard. */
function renderGrid(table: TableParts, renderer: Renderer): Markup {
  const { view, rows, merges, fullWidth } = table;
  const shown = table.columns.filter(({ id }) => view.columns.includes(id));
  const heads = shown.map((column) => plainText(table.head(column)).trim());
  const hasHead = view.hideHeader !== true && heads.some((text) => text !== '');
  // An empty header must not be a header cell, because screen readers would read it without a name.
  const headOf = (column: Column, at: number): Markup =>
    heads[at] === ''
      ? markup`<td>${renderer.inlines(table.head(column))}</td>`
      : markup`<th scope="col"${alignment(column)}>${renderer.inlines(table.head(column))}</th>`;
  const head = markup`<thead><tr>${shown.map(headOf)}</tr></thead>`;
  const cellOf = (row: number, place: number, column: Column): Markup => {
    if (merges.isCovered(row, place)) return empty;
    const { rowSpan = 1, colSpan = 1 } = merges.at(row, place) ?? {};
    const spans = {
      rowspan: rowSpan > 1 ? String(rowSpan) : undefined,
      colspan: colSpan > 1 ? String(colSpan) : undefined,
    };
    return markup`<td${alignment(column)}${attributes(spans)}>${renderCell(table, column, rows[row]?.[column.id], renderer)}</td>`;
  };
  const body = rows.map(
    (_, row) => markup`<tr>${shown.map((column, place) => cellOf(row, place, column))}</tr>`,
  );
  // Regions need unique names.
  const number = renderer.uniqueId('table').replace('table-', '');
  const label = [`${renderer.words.table} ${number}`, ...heads.filter((text) => text !== '')];
  return markup`<div${classes('table', fullWidth && 'full-width')} tabindex="0" role="region"${attributes({ 'aria-label': label.join(', ') })}><table>${columnsOf(shown, view.columnWidths)}${hasHead ? head : empty}<tbody>${body}</tbody></table></div>`;
}

/** Renders the relative widths of the columns, if all widths are given. */
function columnsOf(shown: readonly Column[], widths: Readonly<Record<string, number>> = {}): Markup {
  const given = shown.map(({ id }) => widths[id] ?? 0);
  const sum = given.reduce((total, width) => total + width, 0);
  if (sum <= 0 || given.some((width) => width <= 0)) return empty;
  return markup`<colgroup>${given.map((width) => markup`<col${classes(widthClass({ value: (100 * width) / sum, unit: '%' }))}>`)}</colgroup>`;
}

function alignment({ textAlignment, type }: Column): Markup {
  const align = textAlignment ?? (type === 'number' ? 'right' : 'left');
  if (align === 'center') return classes('align-center');
  return align === 'right' ? classes('align-end') : empty;
}
