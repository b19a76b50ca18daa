import type { BlobStorage } from '../../core/blob-storage.ts';
import { day, isoTime } from '../../core/clock.ts';
import { scanTable, type Store, type WriteTransaction } from '../../core/store.ts';
import { looseObjects, type LooseObjectRow } from '../../content/rows.ts';
import { isProblem, type Problem } from '../../errors/problem.ts';

/** Milliseconds after which an object without a blob is removed. */
const maxPending = day;
/** Number of objects that are removed at the same time. */
const step = 100;

/**
 * Removes the objects of removed blobs, and objects whose blobs were not written within a day. A transaction marks an object
 * before it is removed, and no blob with a marked object is written. Returns the error of the storage, if there was one.
 */
export async function sweepObjects(
  store: Store,
  storage: BlobStorage,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<Problem | undefined> {
  const oldest = isoTime(now - maxPending);
  for await (const found of scanTable((work) => store.read(work), looseObjects, step)) {
    if (signal.aborted) break;
    const rows = await store.read((view) => Promise.all(found.map(({ id }) => view.get(looseObjects, id))));
    const isOver = ({ state, at }: LooseObjectRow): boolean => state === 'unused' || at < oldest;
    const left = rows
      .filter((row) => row !== undefined && isOver(row))
      .map((row) => (row as LooseObjectRow).id);
    const unused = left.length === 0 ? [] : await store.write((tx) => giveUp(tx, left));
    const failure = await removeObjects(store, storage, unused);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function giveUp(tx: WriteTransaction, keys: readonly string[]): Promise<string[]> {
  const unused: string[] = [];
  for (const key of keys) {
    const row = await tx.get(looseObjects, key);
    if (row === undefined) continue;
    if (row.state === 'pending') await tx.update(looseObjects, key, { state: 'unused' });
    unused.push(key);
  }
  return unused;
}

/**
 * Removes unused objects, and then their records. Returns the error of the storage, if there was one. A later sweep removes the
 * rest.
 */
export async function removeObjects(
  store: Store,
  storage: BlobStorage,
  keys: readonly string[],
): Promise<Problem | undefined> {
  if (keys.length === 0) return undefined;
  try {
    for (const key of keys) await storage.remove(key);
  } catch (error) {
    if (isProblem(error, 'store-failed')) return error;
    throw error;
  }
  await store.write(async (tx) => {
    for (const key of keys) await tx.remove(looseObjects, key);
  });
  return undefined;
}
