import type { BlockContent, PhrasingContent, TableRow } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { leavesOf } from './nodes.ts';
import { partsOfTable, type TableParts } from './table-data.ts';
import { piecesOfTable } from './write-html-content.ts';
import { oneLine, writeInlines } from './write-inlines.ts';

/** Writes a table as Markdown, or as HTML if Markdown cannot express it. Cells that HTML cannot express stay Markdown. */
export function writeTable(
  node: RichNode,
  writeBlocks: (nodes: readonly RichNode[]) => BlockContent[],
): BlockContent[] {
  const table = partsOfTable(node);
  if (table.columns.length === 0) return [];
  if (isPlain(table)) return [markdownTable(table)];
  return piecesOfTable(table).flatMap((piece): BlockContent[] =>
    typeof piece === 'string' ? [{ type: 'html', value: piece }] : writeBlocks(piece),
  );
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

/** Whether an inline node can be in a cell: HTML and formulas must not contain `|`, and code must not contain `\|`. */
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
