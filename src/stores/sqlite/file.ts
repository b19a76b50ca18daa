import { statSync } from 'node:fs';
import { damagedStore } from '../../core/damage.ts';
import { Problem } from '../../errors/problem.ts';
import { replacedProblem } from '../failures.ts';
import { newerStoreProblem } from '../json-format.ts';
import type { TableLayout } from '../layout.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import { storeVersion } from '../version.ts';
import { Database, openImmutable } from './connection.ts';
import { baseSchema, schemaOf, type Schema } from './schema.ts';
import { upgradeTable } from './upgrade.ts';

/** "dctl" in ASCII. Distinguishes stores from databases of other programs. */
const applicationId = 0x6463746c;

/** The first SQLite without the WAL-reset bug, which can damage a file that several processes write. */
const minSqliteVersion = [3, 51, 3];

/** A store file: opens connections to it, and creates and upgrades its tables. */
export class SqliteFile {
  readonly path: string;
  readonly busyTimeout: number;
  readonly layouts: ReadonlyMap<string, TableLayout>;
  readonly #schema: Schema;
  #schemaVersion: number | undefined;
  /** The device and inode of the file that was opened first. */
  #place: string | undefined;
  /** Whether the file had content when it was last checked. A new file has none. */
  #hasContent = false;

  constructor(path: string, layouts: ReadonlyMap<string, TableLayout>, busyTimeout: number) {
    this.path = path;
    this.layouts = layouts;
    this.busyTimeout = busyTimeout;
    this.#schema = schemaOf(layouts.values());
  }

  /**
   * Opens a connection, read-only if the folder of the file cannot be written.
   *
   * @throws Problem(store-failed), Problem(store-busy)
   */
  async connect(): Promise<Database> {
    try {
      const database = this.open();
      await this.configure(database);
      return database;
    } catch (error) {
      if (!canOpenImmutable(this.path, error)) throw error;
      const database = openImmutable(this.path);
      await this.configure(database, false);
      return database;
    }
  }

  /** Opens a connection with SQLite's defaults. Configure it before it writes. @throws Problem(store-failed) */
  open(): Database {
    // SQLite would create a missing file.
    if (this.#place !== undefined) this.checkPlace();
    const database = new Database(this.path);
    try {
      this.checkPlace();
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Checks that the file at the path is the one that was opened first, and was not emptied. Writes to a removed file would be
   * lost.
   *
   * @throws Problem(store-failed)
   */
  checkPlace(): void {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    const place = stats === undefined ? 'none' : `${stats.dev} ${stats.ino}`;
    this.#place ??= place;
    if (place !== this.#place) throw replacedProblem(this.path, stats === undefined ? 'removed' : 'replaced');
    if (stats?.size === 0 && this.#hasContent) throw replacedProblem(this.path, 'emptied');
    this.#hasContent = stats !== undefined && stats.size > 0;
  }

  /**
   * Starts a transaction.
   *
   * @throws Problem(store-failed) if another version of docsctl has changed the layout, or the file was replaced
   */
  async begin(database: Database, kind: 'DEFERRED' | 'IMMEDIATE'): Promise<void> {
    return retryWhileBusy(this.path, this.busyTimeout, () => {
      if (kind === 'IMMEDIATE') this.checkPlace();
      database.exec(`BEGIN ${kind}`);
      try {
        // A write checks again: the file may have been replaced while it waited for the lock.
        this.checkPlace();
        this.#checkLayout(database);
      } catch (error) {
        if (!database.hasFailed) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /**
   * Creates or upgrades the tables that do not have the current layout. Processes that start at the same time wait
   * for each other.
   */
  async layOut(database: Database): Promise<void> {
    const schemaVersion = database.get<[number]>('PRAGMA schema_version')?.[0];
    if (
      !isEmpty(database) &&
      versionOf(database) >= storeVersion &&
      this.#outdatedTables(database).length === 0
    ) {
      this.#schemaVersion = schemaVersion;
      return;
    }
    await retryWhileBusy(this.path, this.busyTimeout, () => database.exec('BEGIN IMMEDIATE'));
    try {
      refuseForeign(this.path, database);
      if (isEmpty(database))
        database.exec(
          `${baseSchema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${storeVersion}`,
        );
      for (const table of this.#outdatedTables(database)) upgradeTable(database, this.path, table);
      // A running older docsctl checks the version after a change of the schema, and refuses to continue.
      if (versionOf(database) < storeVersion)
        database.exec(
          `CREATE TABLE docsctl_version (x); DROP TABLE docsctl_version; PRAGMA user_version = ${storeVersion}`,
        );
      this.saveLayout(database, readSchema(database));
      database.exec('COMMIT');
      database.checkpoint();
    } catch (error) {
      if (!database.hasFailed) database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Records that the tables have the current layout, and that other tables have the layouts `before`. */
  saveLayout(database: Database, before: Schema): void {
    database.run(
      "INSERT INTO docsctl_meta (name, value) VALUES ('layout', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      JSON.stringify({ ...before, ...this.#schema }),
    );
  }

  /** Prepares a connection for writes, or closes it. @throws Problem(store-failed), Problem(store-busy) */
  async configure(database: Database, isWritable = true): Promise<void> {
    try {
      await retryWhileBusy(this.path, this.busyTimeout, () => {
        refuseOldSqlite(database);
        refuseForeign(this.path, database);
        // A checkpoint after 32 MB of WAL: a bulk insert changes the same pages many times, so fewer checkpoints
        // write less.
        database.exec(
          'PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 8000; PRAGMA secure_delete = ON',
        );
        // A file system without shared memory cannot use WAL. With a rollback journal, only EXTRA is durable.
        if (isWritable && database.get('PRAGMA journal_mode = WAL')?.[0] !== 'wal')
          database.exec('PRAGMA synchronous = EXTRA');
      });
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Checks that no other version of docsctl has changed the layout while this one runs.
   *
   * @throws Problem(store-failed)
   */
  #checkLayout(database: Database): void {
    const current = database.get<[number]>('PRAGMA schema_version')?.[0];
    if (current === this.#schemaVersion) return;
    refuseForeign(this.path, database);
    if (isEmpty(database) || this.#outdatedTables(database).length > 0) {
      throw new Problem(
        'store-failed',
        `Another version of docsctl has changed the layout of ${this.path} in the meantime.`,
        { hint: 'Start docsctl again, with the newer version.', retryAfter: 60 },
      );
    }
    this.#schemaVersion = current;
  }

  #outdatedTables(database: Database): readonly TableLayout[] {
    const schema = readSchema(database);
    return [...this.layouts.values()].filter(({ name }) => schema[name] !== this.#schema[name]);
  }
}

/**
 * Whether a file that failed to open can be opened as immutable. WAL needs two more files in the folder. If they cannot be
 * created (SQLITE_READONLY, SQLITE_CANTOPEN), the file alone is complete only if there is no WAL with data.
 */
export function canOpenImmutable(path: string, error: unknown): boolean {
  const code = (error as { cause?: { errcode?: number } }).cause?.errcode ?? 0;
  return (
    [8, 14].includes(code & 0xff) && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
  );
}

/** Whether the file is not yet a store. */
function isEmpty(database: Database): boolean {
  return database.get<[number]>('PRAGMA application_id')?.[0] === 0;
}

function versionOf(database: Database): number {
  return database.get<[number]>('PRAGMA user_version')?.[0] ?? 0;
}

/** Returns the layouts of the tables in a file. @throws Problem(store-failed) if they are damaged */
export function readSchema(database: Database): Schema {
  const value = database.get<[string]>("SELECT value FROM docsctl_meta WHERE name = 'layout'")?.[0];
  try {
    return value === undefined ? {} : (JSON.parse(value) as Schema);
  } catch (cause) {
    throw damagedStore('the layout of its tables is not JSON', cause);
  }
}

/** Checks that a file is empty or a store, and was not written by a newer docsctl. @throws Problem(store-failed) */
export function refuseForeign(path: string, database: Database): void {
  const id = database.get<[number]>('PRAGMA application_id')?.[0];
  const isOurs =
    id === applicationId ||
    (id === 0 && database.get<[number]>('SELECT count(*) FROM sqlite_schema')?.[0] === 0);
  if (!isOurs)
    throw new Problem('store-failed', `The file ${path} is a database of another program.`, {
      hint: 'Choose another path.',
    });
  if (versionOf(database) > storeVersion) throw newerStoreProblem(path);
}

function refuseOldSqlite(database: Database): void {
  const [sqliteVersion = ''] = database.get<[string]>('SELECT sqlite_version()') ?? [];
  if (!isOldSqlite(sqliteVersion)) return;
  throw new Problem('store-failed', `SQLite ${sqliteVersion} is too old to be trusted with a store.`, {
    hint: 'Reinstall docsctl; it needs SQLite 3.51.3.',
  });
}

/** Whether a version of SQLite, such as "3.50.4", is older than `minSqliteVersion`. */
export function isOldSqlite(sqliteVersion: string): boolean {
  const parts = sqliteVersion.split('.').map(Number);
  const at = minSqliteVersion.findIndex((part, index) => part !== parts[index]);
  return at !== -1 && (parts[at] ?? 0) < (minSqliteVersion[at] ?? 0);
}
