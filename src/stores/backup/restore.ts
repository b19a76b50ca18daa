import { existsSync } from 'node:fs';
import type { OnProgress } from '../../contract/api.ts';
import type { BlobStorage } from '../../core/blob-storage.ts';
import type { ReadTransaction, Store, Table, WriteTransaction } from '../../core/store.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { storeFailure } from '../failures.ts';
import { isFile } from '../files.ts';
import { openStore } from '../index.ts';
import { marks } from '../marks.ts';
import { isSqliteFileEmpty } from '../sqlite/hold-file.ts';
import { parseStoreUrl, pathOfStore, withoutPassword } from '../url.ts';
import type { BackupFacts } from './format.ts';
import { findRefusedRow } from './find-refused-row.ts';
import { placeFile, removeLeftovers, removeStore, type PlacedFile } from './place-file.ts';
import { readBackup } from './read-backup.ts';
import { storedRows, type RowBatch } from './stored-rows.ts';

export interface StoreTarget {
  readonly url: string;
  readonly tables: readonly Table[];
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly blobs?: BlobStorage;
}

/** The state of the target of a restore. `damaged`: there is something that cannot be opened. */
type TargetState =
  | { readonly state: 'missing' | 'empty' | 'full' }
  | { readonly state: 'damaged'; readonly problem: Problem };

/** Returns the state of a target, without creating anything. @throws Problem(usage), Problem(store-busy) */
export async function inspectTarget(target: StoreTarget): Promise<TargetState> {
  const { url, cwd } = target;
  const path = pathOfStore(url, cwd);
  if (path !== undefined && !existsSync(path)) return { state: 'missing' };
  try {
    const isEmpty =
      path !== undefined && parseStoreUrl(url).scheme === 'sqlite'
        ? isFile(path) && (await isSqliteFileEmpty(path, 2000))
        : await isStoreEmpty(target);
    return { state: isEmpty ? 'empty' : 'full' };
  } catch (error) {
    if (isProblem(error, 'store-failed')) return { state: 'damaged', problem: error };
    throw error;
  }
}

async function isStoreEmpty({ url, tables, cwd }: StoreTarget): Promise<boolean> {
  const store = await openStore(url, { tables, cwd, ignoreMarks: true });
  try {
    return await store.read((view) => hasNoRows(view, tables));
  } finally {
    await store.close();
  }
}

async function hasNoRows(view: ReadTransaction, tables: readonly Table[]): Promise<boolean> {
  for (const table of tables) if ((await view.scan(table, '', 1)).length > 0) return false;
  return true;
}

/** Returns the Problem for a store that may not be replaced. */
export function notEmptyProblem(url: string): Problem {
  return new Problem(
    'guard-refused',
    `The store ${withoutPassword(url)} is not empty. Nothing was changed.`,
    {
      hint: 'Name another store with --store, or replace this one with --replace.',
    },
  );
}

interface RestoreOptions {
  readonly facts: BackupFacts;
  readonly isDamaged: boolean;
  /** 16 hexadecimal digits. */
  readonly newName: string;
  /** Whether what the store contains may be deleted. */
  readonly replaces: boolean;
  readonly onProgress?: OnProgress;
}

/**
 * Replaces the rows of a store by those of a verified backup. Others see the old rows until it is done: a file is built beside
 * the old one and then renamed, and other stores are filled in one transaction.
 *
 * @throws Problem(invalid-input) if the backup is damaged or was changed by hand; Problem(store-busy) if another process uses the file;
 *   Problem(guard-refused) if the store may not be replaced and is not empty, also if it was when it was inspected
 */
export async function restoreBackup(
  backup: string,
  target: StoreTarget,
  options: RestoreOptions,
): Promise<PlacedFile> {
  try {
    return await putRows(backup, target, options);
  } catch (error) {
    if (isProblem(error) && error.reason !== 'conflict' && error.reason !== 'invalid-input') throw error;
    throw (await findRefusedRow(backup, target.tables)) ?? error;
  }
}

async function putRows(
  backup: string,
  target: StoreTarget,
  { facts, isDamaged, newName, replaces, onProgress }: RestoreOptions,
): Promise<PlacedFile> {
  const { url, tables, cwd } = target;
  const { scheme } = parseStoreUrl(url);
  const path = pathOfStore(url, cwd);
  const batches = async function* () {
    let done = 0;
    for await (const batch of readBackup(backup, tables)) {
      yield batch;
      onProgress?.((done += batch.rows.length), facts.summary.rows);
    }
  };
  if (path === undefined) {
    const store = await openStore(url, { tables, cwd, ignoreMarks: true });
    try {
      await store.write(async (tx) => {
        if (!replaces && !(await hasNoRows(tx, tables))) throw notEmptyProblem(url);
        await replaceRows(tx, tables, batches(), facts);
      });
    } finally {
      await store.close();
    }
    return {};
  }
  const partial = `${path}.${newName}.restore`;
  let isCreated = false;
  try {
    removeLeftovers(path);
    const store = await openStore(`${scheme}:${partial}`, { tables, ignoreMarks: true });
    isCreated = existsSync(partial);
    try {
      await fillStore(store, batches(), facts, scheme === 'json');
    } finally {
      await store.close();
    }
    isCreated = true;
    // Somebody may have created a store there in the meantime.
    if (!replaces && (await inspectTarget(target)).state === 'full') throw notEmptyProblem(url);
    return await placeFile({ scheme, partial, path, isDamaged, aside: `${path}.${newName}.damaged` });
  } catch (thrown) {
    const error = storeFailure(path, thrown);
    // A restore that starts later removes what this one has written.
    if (!isCreated || existsSync(partial) || !isProblem(error, 'store-failed')) throw error;
    throw new Problem('store-busy', `Another restore to ${url} was started in the meantime.`, {
      hint: 'Wait until it ends, and check the store, before you try again.',
      cause: error,
    });
  } finally {
    removeStore(partial);
  }
}

/** Fills a new store. A store whose writes replace the whole file is filled in one transaction. */
async function fillStore(
  store: Store,
  batches: AsyncIterable<RowBatch>,
  facts: BackupFacts,
  isWrittenAsWhole: boolean,
): Promise<void> {
  if (isWrittenAsWhole) return store.write((tx) => replaceRows(tx, [], batches, facts));
  for await (const batch of batches) await store.write((tx) => insertRows(tx, batch));
  await store.write((tx) => noteBackup(tx, facts));
}

async function replaceRows(
  tx: WriteTransaction,
  tables: readonly Table[],
  batches: AsyncIterable<RowBatch>,
  facts: BackupFacts,
): Promise<void> {
  await removeAllRows(tx, tables);
  for await (const batch of batches) await insertRows(tx, batch);
  await noteBackup(tx, facts);
}

/** Removes all rows of the tables, and what docsctl notes about the store itself. */
export async function removeAllRows(tx: WriteTransaction, tables: readonly Table[]): Promise<void> {
  for (const table of [...tables, marks])
    for await (const rows of storedRows(tx, table)) for (const { id } of rows) await tx.remove(table, id);
}

/** Inserts rows concurrently, so that a store on another machine gets them in one message. */
export async function insertRows(tx: WriteTransaction, { table, rows }: RowBatch): Promise<void> {
  await Promise.all(rows.map((row) => tx.insert(table, row)));
}

/** Notes in a store that this is its last backup. */
export async function noteBackup(tx: WriteTransaction, { header, summary }: BackupFacts): Promise<void> {
  await tx.remove(marks, 'backup');
  const { rows, sha256 } = summary;
  await tx.insert(marks, { id: 'backup', at: header.createdAt, rows, sha256 });
}
