import { readFileSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import type { Store, Table } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { storeFailure } from './failures.ts';
import { guardStore, refuseIncomplete } from './guard.ts';
import { marks } from './marks.ts';
import { MissingStore } from './missing-store.ts';
import type { WhileAlone } from './sqlite/sqlite.ts';
import { parseStoreUrl } from './url.ts';

export { parseStoreUrl, type StoreUrl } from './url.ts';

interface StoreOptions {
  readonly tables: readonly Table[];
  /** Milliseconds to wait for another process that is writing (default 15,000). */
  readonly busyTimeout?: number;
  /** The folder that relative paths start from (default: the current folder of the process). */
  readonly cwd?: string;
  /** Whether a missing store is created (default true). */
  readonly create?: boolean;
  /** Runs work while no other thread of this process uses the store (default: there are no others). */
  readonly whileAlone?: WhileAlone | undefined;
  /** Opens a store that is moved to another place or not yet complete (default false). */
  readonly ignoreMarks?: boolean;
}

/**
 * Opens the store at a URL or path. Loads only the driver that the URL names.
 *
 * @throws Problem(invalid-input) for an invalid URL; Problem(store-failed) for a store that is missing, damaged or not readable
 */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  const { tables, ignoreMarks = false } = options;
  const store = await openDriver(url, { ...options, tables: [...tables, marks] });
  if (ignoreMarks) return store;
  try {
    await refuseIncomplete(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return guardStore(store);
}

async function openDriver(
  url: string,
  { tables, busyTimeout = 15_000, cwd = '', create = true, whileAlone }: StoreOptions,
): Promise<Store> {
  const { scheme, path } = parseStoreUrl(url);
  if (scheme === 'memory') return (await import('./memory.ts')).openMemory(url, tables);
  if (scheme === 'postgres')
    return (await import('./postgres/postgres.ts')).openPostgres(url, { tables, busyTimeout, create });
  const file = resolve(cwd, path);
  const stat = create ? undefined : statStore(file, path);
  if (!create && stat === undefined) throw new MissingStore('path', path);
  if (stat !== undefined) refuseCutOff(scheme, file, path, stat);
  if (scheme === 'json') return (await import('./json-file.ts')).openJsonFile(url, file, tables, busyTimeout);
  return (await import('./sqlite/sqlite.ts')).openSqlite(url, file, tables, busyTimeout, whileAlone);
}

/**
 * Returns the attributes of the file of a store; undefined if there is none. @throws Problem(store-failed) if it cannot be
 * reached
 */
function statStore(file: string, path: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw storeFailure(path, error);
  }
}

/** The bytes that every SQLite file begins with. */
const sqliteHead = 'SQLite format 3\0';

/**
 * Refuses a file that is empty or too short for a SQLite file, because SQLite would treat it as a new one.
 *
 * @throws Problem(store-failed)
 */
function refuseCutOff(scheme: string, file: string, path: string, stat: Stats): void {
  if (!stat.isFile() || stat.size >= (scheme === 'sqlite' ? 512 : 1)) return;
  const isOurs = sqliteHead.startsWith(readFileSync(file, 'latin1').slice(0, sqliteHead.length));
  const what = isOurs
    ? `The store ${path} is damaged: the file is ${stat.size === 0 ? 'empty' : 'cut off'}.`
    : `The file is not a docsctl store: ${path}.`;
  throw new Problem('store-failed', what, {
    hint: isOurs
      ? 'To go back to a backup, run `docsctl store restore FILE`. If there never was a store, delete the file and run `docsctl init --org-title TITLE --email EMAIL`.'
      : 'Check the path. To go back to a backup, run `docsctl store restore FILE --replace`.',
  });
}
