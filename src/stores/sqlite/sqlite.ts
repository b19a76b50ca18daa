import type { Store, Table } from '../../core/store.ts';
import { storeFailure } from '../failures.ts';
import { isFile, createFile, createParentFolder } from '../files.ts';
import { layoutsOf } from '../layout.ts';
import { ChangeStamp } from './change-stamp.ts';
import type { Database } from './connection.ts';
import { SqliteFile } from './file.ts';
import { SqliteJournal } from './journal.ts';
import { SqliteReads } from './reads.ts';
import { Session } from './session.ts';
import { GroupCommit } from '../group-commit.ts';

/** Opens a store that is one SQLite file. Any number of processes may use it at once. */
export async function openSqlite(
  url: string,
  path: string,
  tables: readonly Table[],
  busyTimeout: number,
): Promise<Store> {
  createDatabaseFile(path);
  const file = new SqliteFile(path, layoutsOf(tables), busyTimeout);
  let first: Database | undefined = await openFirst(file);
  const takeFirst = (): Database | undefined => {
    const taken = first;
    first = undefined;
    return taken;
  };
  const reads = new SqliteReads(file, takeFirst);
  const writer = new Session(file, takeFirst);
  const changes = new ChangeStamp(file);
  const groups = new GroupCommit(new SqliteJournal(file, writer, changes), (work) => work());
  /** Aborts a rewriting of the file that is not committed yet, so that a write need not wait for it. */
  let giveWay = (): void => {};
  /** The rewriting that writes have to wait for. */
  let hold: Promise<unknown> | undefined;
  return {
    url,
    stamp: () => changes.read(),
    read: (work) => reads.read(work),
    write: (work, options) => {
      giveWay();
      return hold === undefined ? groups.write(work, options) : hold.then(() => groups.write(work, options));
    },
    scrub: async (maxSize, signal, serving) => {
      const { scrubFile } = await import('./scrub.ts');
      return scrubFile(file, {
        maxSize,
        signal,
        ...(serving === 'give-way' ? { onRewrite: (end) => void (giveWay = end) } : {}),
        ...(serving === 'go-ahead' ? { onHold: (held) => void (hold = held) } : {}),
      });
    },
    close: async () => {
      await groups.close();
      await reads.close();
      for (const connection of [changes, takeFirst(), writer]) connection?.close();
    },
  };
}

function createDatabaseFile(path: string): void {
  try {
    if (isFile(path)) return;
    createParentFolder(path);
    // SQLite gives its other files, such as the WAL, the same permissions.
    createFile(path);
  } catch (error) {
    throw storeFailure(path, error);
  }
}

async function openFirst(file: SqliteFile): Promise<Database> {
  const database = await file.connect();
  try {
    await file.layOut(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
