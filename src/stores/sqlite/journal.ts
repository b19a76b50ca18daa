import { retryWhileBusy } from '../retry-while-busy.ts';
import type { ChangeStamp } from './change-stamp.ts';
import type { Database } from './connection.ts';
import { CountChanges } from '../counts.ts';
import { RowCache } from '../row-cache.ts';
import { saveCounts } from './save-counts.ts';
import type { SqliteFile } from './file.ts';
import { SqliteWriter } from './rows.ts';
import type { Session } from './session.ts';
import { WriteView } from '../view.ts';
import type { Journal } from '../group-commit.ts';

/** Maximum number of rows and lists that one write adds to the cache. Most writes read fewer. */
const maxKept = 50;

interface OpenWriter {
  readonly database: Database;
  readonly rows: SqliteWriter;
  readonly cache: RowCache;
}

/** A group of writes as one transaction of SQLite. A mark is a savepoint. */
export class SqliteJournal implements Journal {
  readonly #file: SqliteFile;
  readonly #session: Session;
  readonly #changes: ChangeStamp;
  readonly #counts = new CountChanges();
  #hasSavepoint = false;
  /** The last two connections for writes: at index 0 for normal writes, at index 1 for writes that keep the stamp. */
  readonly #writers: (OpenWriter | undefined)[] = [];
  #open: OpenWriter | undefined;
  #keepsStamp = false;

  /** Writes that keep the stamp use the connection of `changes`, which does not count its own commits. */
  constructor(file: SqliteFile, session: Session, changes: ChangeStamp) {
    this.#file = file;
    this.#session = session;
    this.#changes = changes;
  }

  async begin(keepsStamp: boolean): Promise<void> {
    this.#keepsStamp = keepsStamp;
    const database = await (keepsStamp ? this.#changes.begin() : this.#session.begin('IMMEDIATE'));
    this.#hasSavepoint = false;
    const kind = Number(keepsStamp);
    let open = this.#writers[kind];
    if (open?.database !== database) {
      open = { database, rows: new SqliteWriter(database, this.#counts), cache: new RowCache() };
      this.#writers[kind] = open;
    }
    // SQLite counts in data_version the commits of all other connections, including those of this process.
    open.cache.keepFor(String(database.get<[number]>('PRAGMA data_version')?.[0]));
    this.#open = open;
  }

  view(): WriteView {
    const { rows, cache } = this.#current;
    cache.limit(maxKept);
    return new WriteView(this.#file.layouts, rows, this.#keepsStamp, cache);
  }

  mark(): void {
    this.#counts.keep();
    this.#current.database.exec(this.#hasSavepoint ? 'RELEASE one; SAVEPOINT one' : 'SAVEPOINT one');
    this.#hasSavepoint = true;
  }

  undo(): void {
    this.#counts.discard();
    this.#current.cache.undo();
    this.#current.database.exec('ROLLBACK TO one');
  }

  async commit(): Promise<void> {
    const { database } = this.#current;
    saveCounts(database, this.#counts);
    // With WAL, a commit never waits. Otherwise it waits for readers.
    await retryWhileBusy(this.#file.path, this.#file.busyTimeout, () => database.exec('COMMIT'));
    // If the file was replaced in the meantime, the writes are lost, so they must not be acknowledged.
    this.#file.checkPlace();
  }

  rollback(): void {
    this.#counts.clear();
    this.#open?.cache.undo();
    if (this.#keepsStamp) this.#changes.rollback();
    else this.#session.rollback();
  }

  get #current(): OpenWriter {
    if (this.#open === undefined) throw new Error('No transaction has begun.');
    return this.#open;
  }
}
