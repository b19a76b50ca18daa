import { retryWhileBusy } from '../retry-while-busy.ts';
import type { Database } from './connection.ts';
import { CountChanges } from './counts.ts';
import type { SqliteFile } from './file.ts';
import { SqliteWriter } from './rows.ts';
import type { Session } from './session.ts';
import { WriteView } from '../view.ts';
import type { Journal } from '../group-commit.ts';

/** A group of writes as one transaction of SQLite, with a savepoint for each write. */
export class SqliteJournal implements Journal {
  readonly #file: SqliteFile;
  readonly #session: Session;
  readonly #counts = new CountChanges();
  #hasSavepoint = false;
  #open: { readonly database: Database; readonly rows: SqliteWriter } | undefined;

  constructor(file: SqliteFile, session: Session) {
    this.#file = file;
    this.#session = session;
  }

  async begin(): Promise<void> {
    const database = await this.#session.begin('IMMEDIATE');
    this.#hasSavepoint = false;
    if (this.#open?.database !== database)
      this.#open = { database, rows: new SqliteWriter(database, this.#counts) };
  }

  view(): WriteView {
    return new WriteView(this.#file.layouts, this.#current.rows);
  }

  mark(): void {
    this.#counts.keep();
    this.#current.database.exec(this.#hasSavepoint ? 'RELEASE one; SAVEPOINT one' : 'SAVEPOINT one');
    this.#hasSavepoint = true;
  }

  undo(): void {
    this.#counts.discard();
    this.#current.database.exec('ROLLBACK TO one');
  }

  async commit(): Promise<void> {
    const { database } = this.#current;
    this.#counts.save(database);
    // With WAL a commit never waits. Without it, the commit waits for readers.
    await retryWhileBusy(this.#file.path, this.#file.busyTimeout, () => database.exec('COMMIT'));
  }

  rollback(): void {
    this.#counts.clear();
    this.#session.rollback();
  }

  get #current(): { readonly database: Database; readonly rows: SqliteWriter } {
    if (this.#open === undefined) throw new Error('No transaction has begun.');
    return this.#open;
  }
}
