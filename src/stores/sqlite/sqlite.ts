import type { Store, Table } from '../../core/store.ts';
import { storeFailure, wasOpenedReadOnly } from '../failures.ts';
import { isFile, createFile, createParentFolder } from '../files.ts';
import { layoutsOf } from '../layout.ts';
import { ChangeStamp } from './change-stamp.ts';
import { closeFiles } from './close-files.ts';
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
  // Its stamps continue when the connections are opened again.
  const changes = new ChangeStamp(file);
  const open = (): Store => openConnections(url, file, changes, takeFirst);
  let store = open();
  let reopening: Promise<void> | undefined;
  let nextReopening = 0;
  /** Opens the connections again, at most once a second. Reads and writes wait for it. */
  const reopen = (): void => {
    if (reopening !== undefined || performance.now() < nextReopening) return;
    reopening = store
      .close()
      .then(closeFiles, closeFiles)
      .finally(() => {
        [store, reopening, nextReopening] = [open(), undefined, performance.now() + 1000];
      });
  };
  return {
    url,
    stamp: () => (reopening === undefined ? store.stamp?.() : undefined),
    read: (work) => (reopening === undefined ? store.read(work) : reopening.then(() => store.read(work))),
    write: async (work, options) => {
      await reopening;
      try {
        return await store.write(work, options);
      } catch (error) {
        if (wasOpenedReadOnly(path, error)) reopen();
        throw error;
      }
    },
    scrub: async (...options) => {
      await reopening;
      return (await store.scrub?.(...options)) ?? 'done';
    },
    close: async () => {
      await reopening;
      await store.close();
    },
  };
}

/** Opens a file with connections that are made when they are needed. */
function openConnections(
  url: string,
  file: SqliteFile,
  changes: ChangeStamp,
  takeFirst: () => Database | undefined,
): Store {
  const reads = new SqliteReads(file, takeFirst);
  const writer = new Session(file, takeFirst);
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
