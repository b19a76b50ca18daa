import type { Database } from './connection.ts';
import type { SqliteFile } from './file.ts';

/** The one who reads or the one who writes: has a connection from its first use on, and a new one after a failure. */
export class Session {
  readonly #file: SqliteFile;
  readonly #spare: () => Database | undefined;
  #database: Database | undefined;
  #hasWritten = false;

  /** `spare` gives a connection that is open already, to whoever comes first. */
  constructor(file: SqliteFile, spare: () => Database | undefined) {
    this.#file = file;
    this.#spare = spare;
  }

  async begin(kind: 'DEFERRED' | 'IMMEDIATE'): Promise<Database> {
    this.#database ??= this.#spare() ?? (await this.#file.connect());
    try {
      await this.#file.begin(this.#database, kind);
    } catch (error) {
      this.#dropFailed();
      throw error;
    }
    this.#hasWritten ||= kind === 'IMMEDIATE';
    return this.#database;
  }

  /** Ends the transaction without a change; never throws. */
  rollback(): void {
    try {
      if (this.#database?.hasFailed === false) this.#database.exec('ROLLBACK');
    } catch {
      // The connection has failed, and closing it ends the transaction too.
    }
    this.#dropFailed();
  }

  close(): void {
    if (this.#hasWritten) this.#database?.checkpoint();
    this.#database?.close();
    this.#database = undefined;
  }

  #dropFailed(): void {
    if (this.#database?.hasFailed === true) this.close();
  }
}
