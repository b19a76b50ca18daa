import type { Table } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { joinParagraphs } from './join-paragraphs.ts';
import { readCell } from './read-html-content.ts';
import { readInlines, type Definitions } from './read-inlines.ts';
import { tableOf, type Head } from './table-data.ts';

/** Converts a table: the header gives text columns, each row a record, and each cell a fragment. */
export function readTable({ children: [header, ...rows], align }: Table, definitions: Definitions): RichNode {
  const heads = (header?.children ?? []).map((cell, index): Head => {
    return {
      column: { id: `column-${index + 1}`, type: 'text', textAlignment: align?.[index] ?? 'left' },
      nodes: readInlines(joinParagraphs(cell.children), definitions),
    };
  });
  const columns = heads.map(({ column }) => column);
  const records = rows.map(
    (row) =>
      new Map(
        columns.map(
          ({ id }, index) =>
            [id, { nodes: readCell(row.children[index]?.children ?? [], definitions) }] as const,
        ),
      ),
  );
  return tableOf({ type: 'grid', columns: columns.map(({ id }) => id), hideHeader: false }, heads, records);
}
