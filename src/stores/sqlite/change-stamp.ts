import type { Database } from './connection.ts';
import type { SqliteFile } from './file.ts';

/** Maximum number of consecutive failures. A folder that cannot be written, for example, prevents further connections. */
const maxFailures = 3;
/** Milliseconds between two checks whether the file was replaced. */
const timeBetweenLooks = 100;

/**
 * Detects changes in a file. It has a separate connection, on which SQLite counts the commits of all other connections, including
 * those of this process. Only writes that keep the stamp use this connection.
 */
export class ChangeStamp {
  readonly #file: SqliteFile;
  #database: Database | undefined;
  #connections = 0;
  #failures = 0;
  #nextLook = 0;
  #isWritable = false;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Returns a text that differs after every change; undefined if it is not known. */
  read(): string | undefined {
    if (this.#failures >= maxFailures) return undefined;
    try {
      this.#look();
      this.#database ??= this.#open();
      const [version] = this.#database.get<[number]>('PRAGMA data_version') ?? [];
      this.#failures = 0;
      return version === undefined ? undefined : `${this.#connections} ${version}`;
    } catch {
      if (this.#database?.hasFailed !== false) {
        this.#failures++;
        this.close();
      }
      return undefined;
    }
  }

  /** Starts a write that keeps the stamp, and returns its connection. @throws Problem(store-busy), Problem(store-failed) */
  async begin(): Promise<Database> {
    try {
      const database = (this.#database ??= this.#open());
      if (!this.#isWritable) await this.#file.configure(database);
      this.#isWritable = true;
      await this.#file.begin(database, 'IMMEDIATE');
      return database;
    } catch (error) {
      if (!this.#isWritable) this.close();
      this.#closeFailed();
      throw error;
    }
  }

  /** Rolls back a write that keeps the stamp. Never throws. */
  rollback(): void {
    try {
      if (this.#database?.hasFailed === false) this.#database.exec('ROLLBACK');
    } catch {
      // The connection has failed. Closing it ends the transaction.
    }
    this.#closeFailed();
  }

  #closeFailed(): void {
    if (this.#database?.hasFailed === true) this.close();
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#isWritable = false;
  }

  #open(): Database {
    this.#connections++;
    return this.#file.open();
  }

  #look(): void {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#file.checkPlace();
    this.#nextLook = now + timeBetweenLooks;
  }
}
