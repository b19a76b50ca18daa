import type { BlobStorage } from '../../core/blob-storage.ts';
import { isoTime, type Clock } from '../../core/clock.ts';
import { settings } from '../../core/rows/organizations.ts';
import { scanTable, type ReadTransaction, type Store, type WriteTransaction } from '../../core/store.ts';
import { blobs, looseObjects, type BlobRow } from '../../content/rows.ts';
import { Problem } from '../../errors/problem.ts';
import { isExternal, isLarge, readExternal, type ExternalRow, type StoredBlob } from './external-row.ts';
import { inTurns } from './external-work.ts';
import { wrongLocation } from './location.ts';
import { removeObjects, sweepObjects } from './sweep-objects.ts';

/** The source and the target of a move of the bytes of large files; undefined stands for the store itself. */
export interface BlobMove {
  readonly from: BlobStorage | undefined;
  readonly to: BlobStorage | undefined;
  readonly newName: () => string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives the number of moved files, the number of all files, and the bytes of the last one. */
  readonly onMoved: (done: number, total: number, bytes: number) => void;
}

export interface MoveSize {
  readonly files: number;
  readonly bytes: number;
}

/** Number of blobs per transaction. */
const step = 200;

/**
 * Moves the bytes of all large files while others use the store. After an interruption, call it again to continue. The objects in
 * the old storage are not removed.
 *
 * @throws Problem(store-failed), Problem(interrupted)
 */
export async function moveBlobs(store: Store, move: BlobMove): Promise<MoveSize> {
  const { to, from } = move;
  const moved = { files: 0, bytes: 0 };
  const total = (await measureMove(store, move)).files;
  const count = (bytes: number): void => {
    moved.bytes += bytes;
    move.onMoved(++moved.files, Math.max(total, moved.files), bytes);
  };
  if (to === undefined) {
    if (from !== undefined) await bringBack(store, { ...move, from }, count);
    return moved;
  }
  if (from !== undefined && from.url !== to.url) await copyObjects(store, { ...move, from, to }, count);
  await eachBlob(store, move.signal, (row) =>
    isLarge(row) ? sendOut(store, { ...move, to }, row, count) : undefined,
  );
  return moved;
}

/** Returns the number and the size of the files that a move would move. */
export async function measureMove(
  store: Store,
  { from, to, signal }: Pick<BlobMove, 'from' | 'to' | 'signal'>,
): Promise<MoveSize> {
  const size = { files: 0, bytes: 0 };
  await eachBlob(store, signal, async (row) => {
    const isMoved = isExternal(row)
      ? to === undefined || from?.url !== to.url
      : to !== undefined && isLarge(row);
    if (!isMoved) return;
    size.files += 1;
    size.bytes += isExternal(row) ? row.size : Buffer.byteLength(row.data, 'base64');
  });
  return size;
}

type Count = (bytes: number) => void;

/** Moves the bytes of a row to a storage. */
async function sendOut(
  store: Store,
  { to, newName, clock }: BlobMove & { to: BlobStorage },
  row: BlobRow,
  count: Count,
): Promise<void> {
  const bytes = Buffer.from(row.data, 'base64');
  const object = `${row.id}.${newName()}`;
  await store.write(async (tx) => {
    const place = await tx.get(settings, 'store');
    if (place?.blobs === undefined) await tx.update(settings, 'store', { blobs: to.url });
    else if (place.blobs !== to.url) throw wrongLocation(place.blobs, to.url);
    await tx.insert(looseObjects, { id: object, state: 'pending', at: isoTime(clock()) });
  });
  await to.put(object, bytes);
  const isDone = await store.write(async (tx) => {
    const current = await readBlob(tx, row.id);
    const note = await tx.get(looseObjects, object);
    if (current === undefined || isExternal(current) || note?.state !== 'pending') return false;
    await tx.remove(looseObjects, object);
    await replace(tx, { id: row.id, encoding: 'base64', object, size: bytes.length });
    return true;
  });
  if (isDone) count(bytes.length);
}

/** Copies all objects to another storage under the same keys, and then makes it the storage of the store. */
async function copyObjects(
  store: Store,
  { from, to, signal }: BlobMove & { from: BlobStorage; to: BlobStorage },
  count: Count,
): Promise<void> {
  const copied = new Set<string>();
  for (;;) {
    await eachBlob(store, signal, async (row) => {
      if (!isExternal(row) || copied.has(row.object)) return;
      if (!(await to.has(row.object))) {
        const { data } = await readExternal(from, row);
        await to.put(row.object, Buffer.from(data, 'base64'));
      }
      copied.add(row.object);
      count(row.size);
    });
    // Others may have stored files in the meantime. During this transaction they cannot.
    const isWhole = await store.write(async (tx) => {
      for await (const row of blobsOf(tx)) if (isExternal(row) && !copied.has(row.object)) return false;
      await tx.update(settings, 'store', { blobs: to.url });
      return true;
    });
    if (isWhole) return;
  }
}

/** Moves the bytes of all objects into the rows. */
async function bringBack(
  store: Store,
  { from, clock, signal }: BlobMove & { from: BlobStorage },
  count: Count,
): Promise<void> {
  for (;;) {
    await eachBlob(store, signal, async (row) => {
      if (!isExternal(row)) return;
      const whole = await readExternal(from, row);
      const isDone = await store.write(async (tx) => {
        const current = await readBlob(tx, row.id);
        if (current === undefined || !isExternal(current) || current.object !== row.object) return false;
        await tx.insert(looseObjects, { id: row.object, state: 'unused', at: isoTime(clock()) });
        await replace(tx, whole);
        return true;
      });
      if (!isDone) return;
      await removeObjects(store, from, [row.object]);
      count(row.size);
    });
    await sweepObjects(store, from, { now: clock(), signal });
    const isWhole = await store.write(async (tx) => {
      for await (const row of blobsOf(tx)) if (isExternal(row)) return false;
      await tx.update(settings, 'store', { blobs: undefined } as never);
      return true;
    });
    if (isWhole) return;
  }
}

async function replace(tx: WriteTransaction, row: BlobRow | ExternalRow): Promise<void> {
  const none = { data: undefined, object: undefined, size: undefined };
  await tx.update(blobs, row.id, { ...none, ...row } as Partial<BlobRow>);
}

async function readBlob(view: ReadTransaction, id: string): Promise<StoredBlob | undefined> {
  return view.get(blobs, id);
}

async function* blobsOf(view: ReadTransaction): AsyncGenerator<StoredBlob> {
  for await (const found of scanTable((work) => work(view), blobs, step))
    for (const { id } of found) {
      const row = await readBlob(view, id);
      if (row !== undefined) yield row;
    }
}

/** Runs work on all blobs outside of transactions, several at a time. @throws Problem(interrupted) */
async function eachBlob(
  store: Store,
  signal: AbortSignal,
  work: (row: StoredBlob) => Promise<void> | undefined,
): Promise<void> {
  for await (const found of scanTable((read) => store.read(read), blobs, step))
    await inTurns(found, async ({ id }) => {
      if (signal.aborted)
        throw new Problem('interrupted', 'Interrupted. Run the same command again to go on.');
      const row = await store.read((view) => readBlob(view, id));
      if (row !== undefined) await work(row);
    });
}
