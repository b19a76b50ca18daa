import type { RichNode } from '../contract/shapes.ts';
import { isRecord, recordOf, shorten } from '../contract/values.ts';
import { fragmentsOf, plainTextOf, textOfValue } from './nodes.ts';

/** The target of a comment in the document of a page: a block (by its key), or a cell of a table. */
export interface BlockTarget {
  readonly node?: string | undefined;
  readonly tableCell?: { readonly record: string; readonly definition: string } | undefined;
}

/** The part of a document that a target identifies. */
export interface FoundTarget {
  /** The top-level block of the document that contains the target, or is the target. */
  readonly block: RichNode;
  /** The index of that block in the document. */
  readonly index: number;
  /** The text of the block or cell, without marks. */
  readonly text: string;
}

/**
 * Finds the part that a target identifies; undefined if there is none. If a cell has no node, it is in the first table that has
 * the cell.
 */
export function findTarget(
  nodes: readonly RichNode[],
  { node, tableCell }: BlockTarget,
): FoundTarget | undefined {
  for (const [index, block] of nodes.entries()) {
    const named = node === undefined ? block : findNode(block, (each) => each.key === node);
    if (named === undefined) continue;
    if (tableCell === undefined) return { block, index, text: plainTextOf(named) };
    const table = findNode(named, (each) => hasCell(each, tableCell));
    if (table !== undefined) return { block, index, text: textOfCell(table, tableCell) };
  }
  return undefined;
}

function findNode(root: RichNode, is: (node: RichNode) => boolean): RichNode | undefined {
  const open: RichNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (is(node)) return node;
    open.push(...[...fragmentsOf(node), ...(node.nodes ?? [])].toReversed());
  }
  return undefined;
}

type Cell = NonNullable<BlockTarget['tableCell']>;

function hasCell({ type, data = {} }: RichNode, { record, definition }: Cell): boolean {
  if (type !== 'table') return false;
  const has = (value: unknown, name: string): boolean => isRecord(value) && Object.hasOwn(value, name);
  return has(data['records'], record) && has(data['definition'], definition);
}

function textOfCell(table: RichNode, { record, definition }: Cell): string {
  const { values } = recordOf(recordOf(table.data?.['records'])[record]);
  const value = recordOf(values)[definition];
  const content = fragmentsOf(table).find((each) => each['fragment'] === value);
  return content === undefined ? textOfValue(value) : plainTextOf(content);
}

/** Returns the start of a text on one line, at most 80 characters, to identify a part of a page. */
export function quoteOf(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim(), 80);
}
