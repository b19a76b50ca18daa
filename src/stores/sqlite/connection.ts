import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { isBusy, isConstraint, storeFailure } from '../failures.ts';
import { loadBinding } from './binding.ts';

type Value = string | number | null;

/**
 * A connection to a SQLite file. Only this file and binding.ts use the SQLite package, and only features that node:sqlite has
 * too.
 */
export class Database {
  /** Whether SQLite takes no locks, and assumes that the file does not change. */
  readonly isImmutable: boolean;
  readonly #path: string;
  readonly #database: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();
  #failure: unknown;

  constructor(path: string, location: string | URL = path, isImmutable = false) {
    this.isImmutable = isImmutable;
    this.#path = path;
    // No busy timeout of SQLite: `retryWhileBusy` waits instead, without blocking the process.
    this.#database = this.#guard(
      () =>
        new (loadBinding().DatabaseSync)(location as string, {
          readOnly: isImmutable,
          timeout: 0,
          enableForeignKeyConstraints: true,
        }),
    );
  }

  /**
   * Whether the connection cannot be used any more because of an error. After a full disk, for example, SQLite may have rolled
   * back by itself.
   */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Runs statements without parameters. */
  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  run(sql: string, ...values: readonly Value[]): void {
    // `run` of the binding takes longer, because it returns how many rows were changed.
    this.#guard(() => this.#prepare(sql).get(...values));
  }

  /** Returns all rows of a query, each as an array of its columns. */
  all<T extends readonly unknown[]>(sql: string, ...values: readonly Value[]): T[] {
    return this.#guard(() => this.#prepare(sql).all(...values) as T[]);
  }

  /** Returns the first row of a query as an array of its columns. */
  get<T extends readonly unknown[]>(sql: string, ...values: readonly Value[]): T | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values) as T | undefined);
  }

  /** Moves the contents of the WAL into the file. Does nothing if another process is using the WAL. */
  checkpoint(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: the WAL remains, and the next process that opens the file reads it.
    }
  }

  /** Moves the contents of the WAL into the file and empties it. Returns false if another connection uses it. */
  emptyLog(): boolean {
    try {
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
    } catch {
      return false;
    }
  }

  /**
   * Closes the connection. Statements are dropped first, because the binding closes the file only after they are
   * collected.
   */
  close(): void {
    this.#statements.clear();
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // SQLite has already ended the transaction.
    }
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs the work. Busy and constraint errors pass unchanged. After any other error the connection is not used any more. */
  #guard<T>(work: () => T): T {
    if (this.#failure !== undefined) throw this.#failure as Error;
    try {
      return work();
    } catch (error) {
      if (isBusy(error) || isConstraint(error)) throw error;
      this.#failure = storeFailure(this.#path, error);
      throw this.#failure;
    }
  }
}

/** Opens a file in a folder where SQLite cannot create other files. */
export function openImmutable(path: string): Database {
  const url = pathToFileURL(path);
  url.search = '?immutable=1';
  return new Database(path, url, true);
}
