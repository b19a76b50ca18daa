import type { Table } from '../../core/store.ts';
import { layoutsOf } from '../layout.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import { SqliteFile } from './file.ts';
import { upgradeTable } from './upgrade.ts';

/** Milliseconds to wait for another process that is writing. */
const timeout = 15_000;

/**
 * Rebuilds the key columns, indexes, counts and searched words of a SQLite file from the JSON of its rows, in one transaction.
 * The rows are not changed.
 *
 * @throws Problem(store-failed) if the rows cannot be read; Problem(store-busy)
 */
export async function repairSqliteFile(path: string, tables: readonly Table[]): Promise<void> {
  const file = new SqliteFile(path, layoutsOf(tables), timeout);
  const database = await file.connect();
  try {
    await retryWhileBusy(path, timeout, () => database.exec('BEGIN IMMEDIATE'));
    // Rows are read by their numbers, so a damaged index is not used before it is rebuilt.
    for (const table of file.layouts.values()) upgradeTable(database, path, table);
    file.saveLayout(database, {});
    database.exec('REINDEX; DELETE FROM docsctl_counts WHERE number = 0; COMMIT');
    database.checkpoint();
  } finally {
    database.close();
  }
}
