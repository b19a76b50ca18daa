import { jobs, type JobRow } from '../../core/rows/jobs.ts';
import { scanTable, type ReadTransaction, type Row, type Table } from '../../core/store.ts';
import { damagedStore } from '../../core/damage.ts';

/** Maximum number of rows, and maximum bytes, of a batch, unless one row is larger. */
const maxBatchRows = 500;
const maxBatchBytes = 1 << 20;

/** Some rows of one table, in the order of their IDs. */
export interface RowBatch {
  readonly table: Table;
  readonly rows: readonly Row[];
}

/**
 * Yields all rows of a table after an ID, in the order of their IDs and in batches of about 1 MB.
 *
 * @throws Problem(store-failed) for a row that cannot be read
 */
export async function* storedRows(
  view: ReadTransaction,
  table: Table,
  after = '',
): AsyncGenerator<readonly Row[]> {
  for await (const found of scanTable((work) => work(view), table, maxBatchRows, after))
    for (let from = 0; from < found.length;) {
      let [to, bytes] = [from, 0];
      while (to < found.length && (to === from || bytes + (found[to]?.size ?? 0) <= maxBatchBytes))
        bytes += found[to++]?.size ?? 0;
      yield await Promise.all(found.slice(from, to).map(({ id }) => readRow(view, table, id)));
      from = to;
    }
}

/** Returns the number of rows of a table. */
export async function countRows(view: ReadTransaction, table: Table): Promise<number> {
  let rows = 0;
  for (let last = ''; ;) {
    const found = await view.scan(table, last, maxBatchRows);
    rows += found.length;
    if (found.length < maxBatchRows) return rows;
    last = found.at(-1)?.id ?? '';
  }
}

/** Returns the number of rows of several tables. */
export async function countAllRows(view: ReadTransaction, tables: readonly Table[]): Promise<number> {
  let rows = 0;
  for (const table of tables) rows += await countRows(view, table);
  return rows;
}

async function readRow(view: ReadTransaction, table: Table, id: string): Promise<Row> {
  const row = await view.get(table, id);
  if (row?.id === id) return row;
  throw damagedStore(`the row ${id} of ${table.name} cannot be read`);
}

/** Returns tables in the order of backups. */
export function inBackupOrder(tables: readonly Table[]): readonly Table[] {
  return tables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a row in the form of backups: without the claims of jobs, because a restored store has other processes. */
export function toPortable(table: Table, row: Row): Row {
  if (table.name !== jobs.name) return row;
  const job = row as JobRow;
  const unclaimed: JobRow = { ...job, owner: null, dueAt: job.createdAt };
  return job.owner === null ? job : unclaimed;
}
