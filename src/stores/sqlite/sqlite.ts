import type { ReadTransaction, Store, Table } from '../../core/store.ts';
import { storeFailure } from '../failures.ts';
import { isFile, createFile, createParentFolder } from '../files.ts';
import { layoutsOf } from '../layout.ts';
import { withView } from '../memory.ts';
import { ChangeStamp } from './change-stamp.ts';
import type { Database } from './connection.ts';
import { SqliteFile } from './file.ts';
import { SqliteJournal } from './journal.ts';
import { SqliteRows } from './rows.ts';
import { Session } from './session.ts';
import { RwLock } from '../rw-lock.ts';
import { ReadView } from '../view.ts';
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
  const reader = new Session(file, takeFirst);
  const writer = new Session(file, takeFirst);
  const readLock = new RwLock();
  const changes = new ChangeStamp(file);
  const groups = new GroupCommit(new SqliteJournal(file, writer, changes), (work) => work());
  /** Ends a rewriting of the file that is not committed yet, because it would make writes wait. */
  let giveWay = (): void => {};
  /** A rewriting that writes wait for. */
  let hold: Promise<unknown> | undefined;
  return {
    url,
    stamp: () => changes.read(),
    // Reads share one connection, so they run one at a time. Each has its own snapshot of what is committed.
    read: <T>(work: (view: ReadTransaction) => Promise<T>) =>
      readLock.exclusive(async () => {
        const database = await reader.begin('DEFERRED');
        try {
          return await withView(new ReadView(file.layouts, new SqliteRows(database)), work);
        } finally {
          reader.rollback();
        }
      }),
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
      await readLock.close();
      for (const connection of [changes, takeFirst(), writer, reader]) connection?.close();
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
