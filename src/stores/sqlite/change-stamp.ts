import type { Database } from './connection.ts';
import type { SqliteFile } from './file.ts';

/** Attempts in a row that may fail. A folder that cannot be written, for example, lets no other connection in. */
const maxFailures = 3;
/** Milliseconds between two looks at whether the file was replaced. */
const timeBetweenLooks = 100;

/**
 * Tells whether something in a file was changed. It has a connection of its own, which is never in a transaction: SQLite
 * counts what other connections commit, and those of this process are others too.
 */
export class ChangeStamp {
  readonly #file: SqliteFile;
  #database: Database | undefined;
  #connections = 0;
  #failures = 0;
  #nextLook = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Returns a text that differs after every change; undefined if it cannot be told now. */
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

  close(): void {
    this.#database?.close();
    this.#database = undefined;
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
