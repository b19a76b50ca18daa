import type { RichNode } from '../contract/shapes.ts';
import { recordOf } from '../contract/values.ts';
import { block, leavesOf, textNode, textOfValue } from './nodes.ts';
import { addressOf } from './references.ts';
import { partsOfTable, type Column } from './table-data.ts';

/** A row of a table, for output as lines of text: the blocks of each shown cell. */
interface TextRow {
  readonly isHeader: boolean;
  readonly cells: readonly (readonly RichNode[])[];
}

/** Returns the rows of a table in a cell of another table, the header first. Covered cells are left out. */
export function textRows(node: RichNode): TextRow[] {
  const { view, columns, rows, merges, cell, head } = partsOfTable(node);
  const shown = columns.filter(({ id }) => view.columns.includes(id));
  const header =
    view.hideHeader === true || shown.every(({ title }) => title === '')
      ? []
      : [
          {
            isHeader: true,
            cells: shown.map((column) => [block('paragraph', head(column).map(withLeaves))]),
          },
        ];
  const body = rows.map((row, index) => ({
    isHeader: false,
    cells: shown.flatMap((column, place) => {
      if (merges.isCovered(index, place)) return [];
      const value = row[column.id];
      if (value === undefined) return [[]];
      const blocks = () =>
        cell(value).map((each) => ({ ...each, nodes: (each.nodes ?? []).map(withLeaves) }));
      return [column.type === 'text' ? blocks() : [block('paragraph', [textOf(value, column)])]];
    }),
  }));
  return [...header, ...body];
}

function withLeaves(node: RichNode): RichNode {
  return node.object === 'text' ? textNode(leavesOf(node)) : node;
}

function textOf(value: unknown, { options }: Column): RichNode {
  const shown = (one: unknown): string => {
    if (typeof one === 'boolean') return one ? '☑' : '☐';
    if (typeof one === 'object') return addressOf(recordOf(one)['ref'] ?? one);
    return textOfValue(options?.find((option) => option.value === one)?.label ?? one);
  };
  const text = Array.isArray(value) ? value.map(shown).join(', ') : shown(value);
  return textNode([{ text, marks: [] }]);
}
