import type { OnProgress } from '../../contract/api.ts';
import type { Store, Table } from '../../core/store.ts';
import { yieldingTransaction } from '../../core/yielding-transaction.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { inlineBlobs } from '../blobs/inline-view.ts';
import { checkLocation } from '../blobs/location.ts';
import { storeFailure } from '../failures.ts';
import { openStore } from '../index.ts';
import { storeVersion } from '../version.ts';
import { backupFormat, backupVersion, type BackupFacts, type BackupSummary } from './format.ts';
import { removeStore } from './place-file.ts';
import { verifyBackup } from './read-backup.ts';
import { noteBackup, restoreBackup, type StoreTarget } from './restore.ts';
import { countAllRows } from './stored-rows.ts';
import { summarizeRows, writeBackup, type BackupOrigin } from './write-backup.ts';

/**
 * Passes the lines of a backup to a consumer. It uses one snapshot and a separate connection, so that other reads and writes
 * continue. The backup contains the bytes of large files, even if a blob storage holds them. If the store can be written, it also
 * records the time of the backup there. The consumer is called again if the database ends the transaction.
 *
 * @throws Problem(interrupted) when the signal is aborted
 */
export async function backupStore(
  target: StoreTarget,
  origin: BackupOrigin,
  consume: (lines: AsyncIterable<string>) => Promise<void>,
  { signal, onProgress }: { readonly signal?: AbortSignal; readonly onProgress?: OnProgress } = {},
): Promise<BackupSummary> {
  const { url, tables, cwd, blobs } = target;
  const store = await openStore(url, { tables, cwd, create: false, ignoreMarks: true });
  try {
    await checkLocation(store, blobs?.url);
    let summary: BackupSummary | undefined;
    await store.read(async (transaction) => {
      const view = yieldingTransaction(transaction, signal);
      await consume(
        (async function* () {
          const rows = blobs === undefined ? view : inlineBlobs(view, blobs);
          const total = onProgress === undefined ? 0 : await countAllRows(view, tables);
          let done = 0;
          summary = yield* writeBackup(rows, tables, origin, (count) => onProgress?.((done += count), total));
        })(),
      );
    });
    if (summary === undefined) throw new Error('The backup was not read to its end.');
    await noteIn(store, factsOf(origin, summary));
    return summary;
  } finally {
    await store.close();
  }
}

/** Returns a consumer for an output that cannot begin again. @throws Problem(store-failed) when it is called again */
export function onlyOnce<T>(consume: (lines: T) => Promise<void>): (lines: T) => Promise<void> {
  let isUsed = false;
  return async (lines) => {
    if (isUsed)
      throw new Problem(
        'store-failed',
        'The database ended the transaction before the backup was complete.',
        { hint: 'Discard the incomplete backup, and start a new one.' },
      );
    isUsed = true;
    await consume(lines);
  };
}

/** A read-only store cannot record the time of its last backup. */
async function noteIn(store: Store, facts: BackupFacts): Promise<void> {
  try {
    await store.write((tx) => noteBackup(tx, facts), { keepsStamp: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

function factsOf({ version, createdAt }: BackupOrigin, summary: BackupSummary): BackupFacts {
  const header = {
    format: backupFormat,
    version: backupVersion,
    store: storeVersion,
    docsctl: version,
    createdAt,
    sha256: '',
  } as const;
  return { header, summary };
}

/**
 * Restores a backup into a temporary SQLite store beside it, and returns whether that store has the same rows.
 *
 * @throws Problem(invalid-input) if the backup is damaged; Problem(store-failed) if the new store cannot be written
 */
export async function tryRestore(
  backup: string,
  tables: readonly Table[],
  newName: string,
): Promise<boolean> {
  const facts = await verifyBackup(backup, tables);
  const path = `${backup}.${newName}.trial`;
  const url = `sqlite:${path}`;
  try {
    await restoreBackup(
      backup,
      { url, tables, cwd: '' },
      { facts, isDamaged: false, newName, replaces: false },
    );
    const store = await openStore(url, { tables, create: false });
    try {
      const { sha256 } = await store.read((view) => summarizeRows(view, tables));
      return sha256 === facts.summary.sha256;
    } finally {
      await store.close();
    }
  } catch (thrown) {
    const error = storeFailure(path, thrown);
    if (!isProblem(error, 'store-failed')) throw error;
    const message = `The backup ${backup} was written, but it could not be restored as a trial: ${error.message}`;
    throw new Problem('store-failed', message, {
      hint: 'Check that the disk of the backup has as much free space as the store takes up, or leave out --verify.',
      cause: error,
    });
  } finally {
    removeStore(path);
  }
}
