import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { isBusy, isConstraint, storeFailure } from '../failures.ts';
import { loadBinding } from './binding.ts';

type Value = string | number | null;

/** One connection to a SQLite file; the only place that knows the binding, which is used as far as node:sqlite goes too. */
export class Database {
  readonly #path: string;
  readonly #database: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();
  #failure: unknown;

  constructor(path: string, location: string | URL = path, readOnly = false) {
    this.#path = path;
    // No busy timeout of SQLite's own: `patiently` waits instead, without stopping the process.
    this.#database = this.#guard(
      () =>
        new (loadBinding().DatabaseSync)(location as string, {
          readOnly,
          timeout: 0,
          enableForeignKeyConstraints: true,
        }),
    );
  }

  /** SQLite may have given the transaction up (disk full, disk failed), so nothing more is done on this connection. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  run(sql: string, ...values: readonly Value[]): void {
    this.#guard(() => this.#prepare(sql).run(...values));
  }

  /** Rows as arrays of their columns. */
  all<T extends readonly unknown[]>(sql: string, ...values: readonly Value[]): T[] {
    return this.#guard(() => this.#prepare(sql).all(...values) as T[]);
  }

  get<T extends readonly unknown[]>(sql: string, ...values: readonly Value[]): T | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values) as T | undefined);
  }

  /** Moves what the WAL holds into the file, as closing should; others that are busy with it do so later. */
  checkpoint(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: the WAL stays, and whoever opens the file next reads it.
    }
  }

  /** The binding closes for real only once its statements are collected, so nothing may be left to that. */
  close(): void {
    this.#statements.clear();
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The transaction has ended by itself.
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

  /** Errors that a retry or the caller can fix pass unchanged; any other ends the use of the connection. */
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

/** Opens a file that nothing can be written beside: SQLite then takes no locks and trusts that nobody writes. */
export function openImmutable(path: string): Database {
  const url = pathToFileURL(path);
  url.search = '?immutable=1';
  return new Database(path, url, true);
}
