import { Problem } from '../../errors/problem.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import { Database } from './connection.ts';
import { refuseForeign } from './file.ts';

/**
 * Moves the WAL of a SQLite file into it and locks it, so that it can be replaced. Returns the function that unlocks it.
 *
 * @param timeout milliseconds to wait for other processes
 * @throws Problem(store-busy) if another process has the file open; Problem(store-failed) if it is damaged
 */
export async function holdSqliteFile(path: string, timeout: number): Promise<() => void> {
  const database = new Database(path);
  try {
    await retryWhileBusy(path, timeout, () => {
      // Only the last connection to a file can leave the WAL mode, which removes the WAL.
      if (database.get('PRAGMA journal_mode = DELETE')?.[0] !== 'delete') throw busy(path);
      database.exec('BEGIN EXCLUSIVE');
    });
  } catch (error) {
    database.close();
    throw error instanceof Problem && error.reason === 'store-busy' ? busy(path) : error;
  }
  return () => database.close();
}

function busy(path: string): Problem {
  return new Problem('store-busy', `Another process uses the store ${path}. Nothing was changed.`, {
    hint: 'Stop `docsctl serve` and other commands on this store, then try again.',
  });
}

/**
 * Whether no table of a SQLite file has a row. The file is opened so that the process holds no lock on it afterwards: on a file
 * in WAL mode, a closed connection keeps its lock until the garbage collection.
 *
 * @throws Problem(store-failed) if it is damaged or of another program
 */
export async function isSqliteFileEmpty(path: string, timeout: number): Promise<boolean> {
  const database = new Database(path);
  try {
    return await retryWhileBusy(path, timeout, () => {
      refuseForeign(path, database);
      const tables = database.all<[string]>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'docsctl\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      );
      return tables.every(([name]) => database.get(`SELECT 1 FROM "${name}" LIMIT 1`) === undefined);
    });
  } finally {
    try {
      database.exec('PRAGMA journal_mode = DELETE');
    } catch {
      // Another process uses the file, or it is damaged.
    }
    database.close();
  }
}
