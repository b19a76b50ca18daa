import { scanTable, type ReadTransaction, type Table } from '../core/store.ts';
import { yieldingTransaction } from '../core/yielding-transaction.ts';
import { openStore } from './index.ts';
import { marks, type MarkRow } from './marks.ts';
import { sizeOfFiles } from './backup/place-file.ts';
import type { StoreTarget } from './backup/restore.ts';
import { parseStoreUrl, pathOfStore, withoutPassword } from './url.ts';
import { storeVersion } from './version.ts';

/** The number of rows of a table, and the size of their JSON in bytes. */
interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

/** The properties of a database, and how docsctl uses it. */
export interface DatabaseInfo {
  readonly product: string;
  /** Such as "15.14". */
  readonly version: string;
  readonly pooled: boolean;
  readonly lanes: boolean;
  readonly pipeline: boolean;
  readonly prepare: boolean;
  /** Whether searches use an index or scan all rows. */
  readonly search: 'index' | 'scan';
}

export interface StoreInfo {
  readonly kind: string;
  /** The database of a store in PostgreSQL and how it is used; null for other stores. */
  readonly database: DatabaseInfo | null;
  /** Without a password. */
  readonly url: string;
  readonly formatVersion: number;
  /** Bytes of its files; null for a store without files. */
  readonly size: number | null;
  readonly rows: number;
  /** Tables with rows, largest first. */
  readonly tables: readonly TableSize[];
  /** The last backup that docsctl wrote or restored. */
  readonly backup: MarkRow | null;
  readonly movedTo: string | undefined;
}

/** Number of rows that are scanned before other work gets its turn. */
const rowsPerScan = 2000;

/**
 * Returns statistics of a store, from one snapshot.
 *
 * @throws Problem(store-failed), Problem(store-busy); Problem(interrupted) when the signal is aborted
 */
export async function readStoreInfo(
  { url, tables, cwd }: StoreTarget,
  signal?: AbortSignal,
): Promise<StoreInfo> {
  const store = await openStore(url, { tables, cwd, create: false, ignoreMarks: true });
  try {
    const database = await readDatabase(url);
    return await store.read(async (transaction) => {
      const view = yieldingTransaction(transaction, signal);
      const sizes: TableSize[] = [];
      for (const table of tables) sizes.push(await measure(view, table));
      const path = pathOfStore(url, cwd);
      return {
        kind: parseStoreUrl(url).scheme,
        database,
        url: withoutPassword(url),
        formatVersion: storeVersion,
        size: path === undefined ? null : sizeOfFiles(path),
        rows: sizes.reduce((sum, { rows }) => sum + rows, 0),
        tables: sizes.filter(({ rows }) => rows > 0).toSorted((a, b) => b.bytes - a.bytes),
        backup: (await view.get(marks, 'backup')) ?? null,
        movedTo: (await view.get(marks, 'moved'))?.to,
      };
    });
  } finally {
    await store.close();
  }
}

async function readDatabase(url: string): Promise<DatabaseInfo | null> {
  if (parseStoreUrl(url).scheme !== 'postgres') return null;
  const { readPostgresProfile } = await import('./postgres/postgres.ts');
  const { dialect, stamps: _, laneLocks, ...profile } = await readPostgresProfile(url);
  const search = dialect.words === undefined ? 'scan' : 'index';
  return { ...profile, lanes: laneLocks !== undefined, search };
}

async function measure(view: ReadTransaction, table: Table): Promise<TableSize> {
  let [rows, bytes] = [0, 0];
  for await (const found of scanTable((work) => work(view), table, rowsPerScan)) {
    rows += found.length;
    for (const { size } of found) bytes += size;
  }
  return { table: table.name, rows, bytes };
}
