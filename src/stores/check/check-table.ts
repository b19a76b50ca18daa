import { createHash } from 'node:crypto';
import { isWholeBlob, isWholeNode } from '../../content/verify-content.ts';
import { blobs, nodes, type BlobRow } from '../../content/rows.ts';
import { compareKeys, comparePositions } from '../../core/keys.ts';
import {
  positionOf,
  scanTable,
  type Key,
  type ReadTransaction,
  type Row,
  type Table,
} from '../../core/store.ts';
import { isProblem, type Problem } from '../../errors/problem.ts';
import { keysOf, layoutOf, groupOf, positionIn, type IndexLayout, type TableLayout } from '../layout.ts';
import { RowDamage } from '../checksum.ts';
import type { ReportDamage } from './damage.ts';

/** How many rows are read at once. */
const rowsPerRead = 500;

/**
 * The rows that an index must list for some values of `on`: their number, and a sum of hashes that does not depend on the order.
 */
interface Group {
  readonly equals: readonly Key[];
  rows: number;
  sum: number;
}

/**
 * Checks the rows of a table, and that each of its indexes lists and counts exactly these rows in order. Returns their number.
 * `onRead` receives the numbers of rows that were read, from the table and from its indexes.
 */
export async function checkTable(
  view: ReadTransaction,
  table: Table,
  report: ReportDamage,
  onRead: (count: number) => void,
): Promise<number> {
  const layout = layoutOf(table);
  const groups = new Map([...layout.indexes.keys()].map((name) => [name, new Map<string, Group>()]));
  let rows = 0;
  let isDamaged = false;
  let last = '';
  for await (const found of scanTable((work) => work(view), table, rowsPerRead)) {
    for (const { id } of found) {
      if (id <= last && last !== '' && compareKeys(id, last) <= 0)
        report({ table: table.name, id, what: 'is not in the order of the IDs' });
      const row = await readRow(view, table, id, report);
      if (row === undefined) isDamaged = true;
      else noteKeys(layout, row, groups, report);
      rows++;
      last = id;
    }
    onRead(found.length);
  }
  // Without all rows, it is not known what an index must list and count.
  if (isDamaged) return rows;
  for (const index of layout.indexes.values())
    for (const group of groups.get(index.name)?.values() ?? [])
      await checkGroup(view, table, { layout, index, group }, report, onRead);
  return rows;
}

function isRowDamage(error: unknown): error is Problem & { readonly cause: RowDamage } {
  return isProblem(error, 'store-failed') && error.cause instanceof RowDamage;
}

/** Reads a row, and reports it if its JSON or content is damaged. @throws Problem(store-failed) if the store is unreadable */
async function readRow(
  view: ReadTransaction,
  table: Table,
  id: string,
  report: ReportDamage,
): Promise<Row | undefined> {
  let row: Row | undefined;
  try {
    row = await view.get(table, id);
  } catch (error) {
    if (!isRowDamage(error)) throw error;
    report({ table: table.name, id, what: error.cause.message });
    return undefined;
  }
  if (row === undefined || row.id !== id) {
    report({
      table: table.name,
      id,
      what: row === undefined ? 'cannot be read' : `holds the row "${row.id}"`,
    });
    return undefined;
  }
  const blob = row as BlobRow;
  if (table.name === blobs.name && typeof blob.data === 'string' && !isWholeBlob(blob))
    report({ table: table.name, id, what: 'does not have its hash' });
  if (table.name === nodes.name && !isWholeNode(row))
    report({ table: table.name, id, what: 'does not have its hash' });
  return row;
}

/** Adds a row to the groups of the indexes that must list it. */
function noteKeys(
  layout: TableLayout,
  row: Row,
  groups: ReadonlyMap<string, Map<string, Group>>,
  report: ReportDamage,
): void {
  try {
    const keys = keysOf(layout, row);
    for (const index of layout.indexes.values()) {
      const equals = groupOf(index, keys);
      const name = JSON.stringify(equals);
      const ofIndex = groups.get(index.name);
      const group: Group = ofIndex?.get(name) ?? { equals, rows: 0, sum: 0 };
      ofIndex?.set(name, group);
      group.rows++;
      group.sum = (group.sum + hashOf(positionIn(index, keys))) % 2 ** 48;
      if (index.unique && group.rows === 2 && !equals.includes(null))
        report({ table: layout.name, id: row.id, what: `shares the unique key ${name} of ${index.name}` });
    }
  } catch (error) {
    report({ table: layout.name, id: row.id, what: (error as Error).message });
  }
}

/** Checks that an index lists and counts the rows of a group. */
async function checkGroup(
  view: ReadTransaction,
  table: Table,
  { layout, index, group }: { layout: TableLayout; index: IndexLayout; group: Group },
  report: ReportDamage,
  onRead: (count: number) => void,
): Promise<void> {
  const name = `${index.name} ${JSON.stringify(group.equals)}`;
  const counted = await view.count(table, index.name, group.equals);
  if (counted !== group.rows)
    report({ table: table.name, id: '-', what: `the count of ${name} is ${counted}, not ${group.rows}` });
  let [rows, sum] = [0, 0];
  let after: readonly Key[] | undefined;
  for (;;) {
    const found: readonly Row[] = await view.find(table, {
      index: index.name,
      equals: group.equals,
      limit: rowsPerRead,
      ...(after === undefined ? {} : { after }),
    });
    for (const row of found) {
      const position = positionIn(index, keysOf(layout, row));
      if (after !== undefined && comparePositions(position, after) <= 0) {
        report({ table: table.name, id: row.id, what: `is in the wrong place of ${name}` });
        return;
      }
      after = position;
      rows++;
      sum = (sum + hashOf(position)) % 2 ** 48;
    }
    onRead(found.length);
    if (found.length < rowsPerRead) break;
    after = positionOf(table, index.name, found.at(-1) as Row);
  }
  if (rows !== group.rows || sum !== group.sum)
    report({
      table: table.name,
      id: '-',
      what: `${name} lists ${rows} rows and not exactly the ${group.rows} that belong to it`,
    });
}

function hashOf(position: readonly Key[]): number {
  return createHash('md5').update(JSON.stringify(position)).digest().readUIntBE(0, 6);
}
