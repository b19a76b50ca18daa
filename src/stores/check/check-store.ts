import { existsSync } from 'node:fs';
import type { OnProgress } from '../../contract/api.ts';
import type { ReadTransaction, Store, Table } from '../../core/store.ts';
import { isProblem } from '../../errors/problem.ts';
import type { StoreTarget } from '../backup/restore.ts';
import { countRows } from '../backup/stored-rows.ts';
import { isFile } from '../files.ts';
import { openStore } from '../index.ts';
import { marks } from '../marks.ts';
import { parseStoreUrl, pathOfStore } from '../url.ts';
import { findBrokenReferences } from './broken-references.ts';
import type { Damage } from './damage.ts';
import { checkTable } from './check-table.ts';
import { checkSqliteFile } from '../sqlite/check-file.ts';
import { repairSqliteFile } from '../sqlite/repair-file.ts';
import { describeDamage, isNoDamage } from '../failures.ts';

export interface CheckResult {
  readonly rows: number;
  readonly damages: readonly Damage[];
  /** Whether the store could be opened. If not, it cannot be repaired. */
  readonly opens: boolean;
}

/** Maximum number of damages that are reported. */
export const maxDamages = 1000;

/**
 * Checks all rows of a store: their JSON and keys, the indexes and counts, the searched words, the hashes of texts, files and
 * lists, and the references between rows. Then it checks the files in the blob storage, if there is one. It changes nothing.
 *
 * @throws Problem(store-busy); Problem(store-failed) for a store that is missing or of another program
 */
export async function checkStore(
  target: StoreTarget,
  { quick = false, onProgress }: { readonly quick?: boolean; readonly onProgress?: OnProgress } = {},
): Promise<CheckResult> {
  const { url, cwd } = target;
  const tables = [...target.tables, marks];
  const damages: Damage[] = [];
  const report = (damage: Damage): void => {
    if (damages.length < maxDamages) damages.push(damage);
  };
  const path = pathOfStore(url, cwd);
  if (path !== undefined && parseStoreUrl(url).scheme === 'sqlite')
    await checkSqliteFile(path, tables, quick, report);
  let rows = 0;
  let opens = false;
  try {
    const store = await openStore(url, { tables: target.tables, cwd, create: false, ignoreMarks: true });
    opens = true;
    try {
      if (quick) await store.read(async (view) => void (await view.scan(tables[0] as Table, '', 1)));
      else {
        if (isPostgres(url))
          await (await import('../postgres/check-database.ts')).checkDatabase(url, tables, report);
        rows = await checkRows(store, tables, report, onProgress);
      }
    } finally {
      await store.close();
    }
  } catch (error) {
    const isMissing = path !== undefined && !existsSync(path);
    if (!isProblem(error, 'store-failed') || isNoDamage(error) || isMissing) throw error;
    // If the file cannot be opened, the check of the file has already reported why.
    if (opens || damages.length === 0) report({ table: '-', id: '-', what: describeDamage(error) });
  }
  const { blobs } = target;
  // Damaged rows are reported already.
  if (blobs !== undefined && !quick && damages.length === 0) {
    const store = await openStore(url, { tables: target.tables, cwd, create: false, ignoreMarks: true });
    try {
      await (await import('./check-objects.ts')).checkObjects(store, blobs, report);
    } finally {
      await store.close();
    }
  }
  return { rows, damages, opens };
}

async function checkRows(
  store: Store,
  tables: readonly Table[],
  report: (damage: Damage) => void,
  onProgress?: OnProgress,
): Promise<number> {
  // If rows cannot be counted, there is no total. The check itself reports the fault.
  const total =
    onProgress === undefined ? 0 : await store.read((view) => countReads(view, tables)).catch(() => 0);
  let [rows, reads] = [0, 0];
  const onRead = (count: number): void => onProgress?.((reads += count), total);
  for (const table of tables) {
    rows += await guarded(table.name, report, () =>
      store.read((view) => checkTable(view, table, report, onRead)),
    );
  }
  await guarded('-', report, () =>
    store.read(async (view) => {
      await findBrokenReferences(view, report);
      return 0;
    }),
  );
  return rows;
}

/** Returns how many rows a check reads: each once from its table, and once from each index. */
async function countReads(view: ReadTransaction, tables: readonly Table[]): Promise<number> {
  let reads = 0;
  for (const table of tables)
    reads += (await countRows(view, table)) * (1 + Object.keys(table.indexes).length);
  return reads;
}

/** Runs a part of the check. A read error is reported as damage and ends the part. */
async function guarded(
  table: string,
  report: (damage: Damage) => void,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!isProblem(error, 'store-failed')) throw error;
    report({ table, id: '-', what: describeDamage(error) });
    return 0;
  }
}

/**
 * Rebuilds everything that is derived from rows. Returns false for a store without derived data.
 *
 * @throws Problem(store-failed), Problem(store-busy)
 */
export async function repairStore({ url, tables, cwd }: StoreTarget): Promise<boolean> {
  if (isPostgres(url)) {
    // Opening the store upgrades its layout.
    await (await openStore(url, { tables, create: false, ignoreMarks: true })).close();
    await (await import('../postgres/repair-database.ts')).repairDatabase(url, [...tables, marks]);
    return true;
  }
  const path = pathOfStore(url, cwd);
  if (path === undefined || parseStoreUrl(url).scheme !== 'sqlite' || !isFile(path)) return false;
  await repairSqliteFile(path, [...tables, marks]);
  return true;
}

function isPostgres(url: string): boolean {
  return parseStoreUrl(url).scheme === 'postgres';
}
