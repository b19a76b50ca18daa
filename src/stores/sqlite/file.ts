import { statSync } from 'node:fs';
import { Problem } from '../../errors/problem.ts';
import { newerStoreProblem } from '../json-format.ts';
import type { TableLayout } from '../layout.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import { Database, openImmutable } from './connection.ts';
import { baseSchema, schemaOf, type Schema } from './schema.ts';
import { upgradeTable } from './upgrade.ts';

/** "dctl": tells our files from those of other programs. */
const applicationId = 0x6463746c;

/** To be raised when an older docsctl must not touch what this one writes; indexes and columns do not count, they follow from the rows. */
const version = 1;

/** The first SQLite without the WAL-reset bug, which could damage a file that several processes write. */
const oldestSqlite = [3, 51, 3];

/** One store file: opens connections to it and keeps its layout as the tables say. */
export class SqliteFile {
  readonly path: string;
  readonly busyTimeout: number;
  readonly layouts: ReadonlyMap<string, TableLayout>;
  readonly #schema: Schema;
  #schemaVersion: number | undefined;

  constructor(path: string, layouts: ReadonlyMap<string, TableLayout>, busyTimeout: number) {
    this.path = path;
    this.layouts = layouts;
    this.busyTimeout = busyTimeout;
    this.#schema = schemaOf(layouts.values());
  }

  async connect(): Promise<Database> {
    try {
      return await this.#configured(new Database(this.path));
    } catch (error) {
      if (!this.#isOutOfReach(error)) throw error;
      return this.#configured(openImmutable(this.path), false);
    }
  }

  /** Starts a transaction that sees the layout it relies on. */
  begin(database: Database, kind: 'DEFERRED' | 'IMMEDIATE'): Promise<void> {
    return retryWhileBusy(this.path, this.busyTimeout, () => {
      database.exec(`BEGIN ${kind}`);
      try {
        this.#checkLayout(database);
      } catch (error) {
        if (!database.hasFailed) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Creates what is missing in the file, once, however many processes start at the same time. */
  async layOut(database: Database): Promise<void> {
    const seen = database.get<[number]>('PRAGMA schema_version')?.[0];
    if (!isEmpty(database) && this.#outdated(database).length === 0) {
      this.#schemaVersion = seen;
      return;
    }
    await retryWhileBusy(this.path, this.busyTimeout, () => database.exec('BEGIN IMMEDIATE'));
    try {
      refuseForeign(this.path, database);
      if (isEmpty(database))
        database.exec(
          `${baseSchema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`,
        );
      const before = readSchema(database);
      for (const table of this.#outdated(database)) upgradeTable(database, this.path, table);
      const after = JSON.stringify({ ...before, ...this.#schema });
      database.run(
        "INSERT INTO docsctl_meta (name, value) VALUES ('layout', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        after,
      );
      database.exec('COMMIT');
      database.checkpoint();
    } catch (error) {
      if (!database.hasFailed) database.exec('ROLLBACK');
      throw error;
    }
  }

  async #configured(database: Database, journal = true): Promise<Database> {
    try {
      await retryWhileBusy(this.path, this.busyTimeout, () => {
        refuseOld(database);
        refuseForeign(this.path, database);
        // 32 MB of WAL: rows that go in by the thousand change the same pages again and again before they are moved.
        database.exec(
          'PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 8000',
        );
        // Where the file system has no shared memory the rollback journal stays; there only EXTRA is durable.
        if (journal && database.get('PRAGMA journal_mode = WAL')?.[0] !== 'wal')
          database.exec('PRAGMA synchronous = EXTRA');
      });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Another docsctl may have laid the file out differently while this one runs. */
  #checkLayout(database: Database): void {
    const current = database.get<[number]>('PRAGMA schema_version')?.[0];
    if (current === this.#schemaVersion) return;
    refuseForeign(this.path, database);
    if (isEmpty(database) || this.#outdated(database).length > 0) {
      throw new Problem(
        'store-failed',
        `Another version of docsctl has changed the layout of ${this.path} meanwhile.`,
        { hint: 'Start again, with the newer version.' },
      );
    }
    this.#schemaVersion = current;
  }

  #outdated(database: Database): readonly TableLayout[] {
    const schema = readSchema(database);
    return [...this.layouts.values()].filter(({ name }) => schema[name] !== this.#schema[name]);
  }

  /** WAL needs two files beside the store. Without them it can be read only if nobody has left anything to be read in them. */
  #isOutOfReach(error: unknown): boolean {
    const code = (error as { cause?: { errcode?: number } }).cause?.errcode ?? 0;
    return (
      [8, 14].includes(code & 0xff) &&
      (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
    );
  }
}

function isEmpty(database: Database): boolean {
  return database.get<[number]>('PRAGMA application_id')?.[0] === 0;
}

function readSchema(database: Database): Schema {
  const value = database.get<[string]>("SELECT value FROM docsctl_meta WHERE name = 'layout'")?.[0];
  return value === undefined ? {} : (JSON.parse(value) as Schema);
}

function refuseForeign(path: string, database: Database): void {
  const id = database.get<[number]>('PRAGMA application_id')?.[0];
  const isOurs =
    id === applicationId ||
    (id === 0 && database.get<[number]>('SELECT count(*) FROM sqlite_schema')?.[0] === 0);
  if (!isOurs)
    throw new Problem('store-failed', `The file ${path} is a database of another program.`, {
      hint: 'Name another path with --store.',
    });
  if ((database.get<[number]>('PRAGMA user_version')?.[0] ?? 0) > version) throw newerStoreProblem(path);
}

function refuseOld(database: Database): void {
  const found = String(database.get('SELECT sqlite_version()')?.[0]);
  const parts = found.split('.').map(Number);
  const at = oldestSqlite.findIndex((part, index) => part !== parts[index]);
  if (at === -1 || (parts[at] ?? 0) > (oldestSqlite[at] ?? 0)) return;
  throw new Problem('store-failed', `SQLite ${found} is too old to be trusted with a store.`, {
    hint: 'Reinstall docsctl; it needs SQLite 3.51.3.',
  });
}
