import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from './connection.ts';
import type { SqliteFile } from './file.ts';

/** A connection of this process for reads or for writes. It is opened on first use, and again after a failure. */
export class Session {
  readonly #file: SqliteFile;
  readonly #spare: () => Database | undefined;
  #database: Database | undefined;
  #hasWritten = false;
  #connections = 0;

  /** `spare` returns an open connection that can be used, if there is one. */
  constructor(file: SqliteFile, spare: () => Database | undefined) {
    this.#file = file;
    this.#spare = spare;
  }

  /** The number of connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Starts a transaction and returns its connection. @throws Problem(store-busy), Problem(store-failed) */
  async begin(kind: 'DEFERRED' | 'IMMEDIATE'): Promise<Database> {
    // As soon as the folder can be written, others may change the file.
    if (this.#database?.isImmutable === true && isWritable(dirname(this.#file.path))) this.close();
    if (this.#database === undefined) {
      this.#connections++;
      this.#database = this.#spare() ?? (await this.#file.connect());
    }
    try {
      await this.#file.begin(this.#database, kind);
    } catch (error) {
      this.#dropFailed();
      throw error;
    }
    this.#hasWritten ||= kind === 'IMMEDIATE';
    return this.#database;
  }

  /** Rolls back the transaction. Never throws. */
  rollback(): void {
    try {
      if (this.#database?.hasFailed === false) this.#database.exec('ROLLBACK');
    } catch {
      // The connection has failed. Closing it ends the transaction.
    }
    this.#dropFailed();
  }

  /** Closes the connection, if it is open. */
  close(): void {
    if (this.#hasWritten) this.#database?.checkpoint();
    this.#database?.close();
    this.#database = undefined;
  }

  #dropFailed(): void {
    if (this.#database?.hasFailed === true) this.close();
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
