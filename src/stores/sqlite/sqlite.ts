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

/** Runs work while no other thread of this process uses the store. */
export type WhileAlone = (work: () => Promise<void>) => Promise<void>;

/** Milliseconds that open reads have to end before the connections are opened again. New reads wait. */
const maxPause = 1000;

/** Opens a store that is one SQLite file. Any number of processes may use it at once. */
export async function openSqlite(
  url: string,
  path: string,
  tables: readonly Table[],
  busyTimeout: number,
  whileAlone: WhileAlone = (work) => work(),
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
  const open = (): Connections => openConnections(url, file, changes, takeFirst);
  let store = open();
  let reopening: Promise<boolean> | undefined;
  let nextReopening = 0;
  const openAgain = async (): Promise<boolean> => {
    // A backup may take minutes. Until it ends, writes continue to fail.
    if (!(await store.endReads(maxPause))) return false;
    await store.close().then(closeFiles, closeFiles);
    store = open();
    return true;
  };
  /** Opens the connections again, at most once a second. Reads and writes wait for it. */
  const reopen = async (): Promise<void> => {
    if (performance.now() < nextReopening) return;
    nextReopening = Number.POSITIVE_INFINITY;
    let rest = 1000;
    await whileAlone(async () => {
      reopening = openAgain();
      // Reads wait for at most a tenth of the time.
      if (!(await reopening)) rest = 10 * maxPause;
      reopening = undefined;
    });
    nextReopening = performance.now() + rest;
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
        if (wasOpenedReadOnly(path, error)) void reopen();
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

interface Connections extends Store {
  /** Waits until no read is open. Returns false, and accepts reads again, if some are still open after `timeout` milliseconds. */
  readonly endReads: (timeout: number) => Promise<boolean>;
}

/** Opens a file with connections that are made when they are needed. */
function openConnections(
  url: string,
  file: SqliteFile,
  changes: ChangeStamp,
  takeFirst: () => Database | undefined,
): Connections {
  const reads = new SqliteReads(file, takeFirst);
  const writer = new Session(file, takeFirst);
  const groups = new GroupCommit(new SqliteJournal(file, writer, changes), (work) => work());
  /** Aborts a rewriting of the file that is not committed yet, so that a write need not wait for it. */
  let giveWay = (): void => {};
  /** The rewriting that writes have to wait for. */
  let hold: Promise<unknown> | undefined;
  return {
    url,
    endReads: (timeout) => reads.close(timeout),
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
