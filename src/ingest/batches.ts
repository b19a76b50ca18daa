import type { Entry } from './entry.ts';
import type { Reading } from './reading.ts';
import type { Parcel } from './send.ts';

/** Conversations in one transaction: the durable write costs the same for all of them. */
const batchSize = 500;
/** Bytes of a file that go into one batch. */
const batchBytes = 4 * 1024 * 1024;

/** What is sent together. When it is taken, all of the file up to `upTo` is done; undefined where that is not known. */
export interface Batch {
  readonly parcels: readonly Parcel[];
  readonly upTo: { readonly bytes: number; readonly line: number } | undefined;
}

interface BatchOptions {
  readonly reading: Reading;
  readonly groups: AsyncIterable<Entry[]>;
  readonly prepare: (entries: readonly Entry[], isFirst: boolean) => readonly Parcel[];
  readonly stopped: () => boolean;
}

/** Puts the records of a file into batches; an empty one says that the file is at its end. What stands before a fault is given before it is thrown. */
export async function* batchesOf({ reading, groups, prepare, stopped }: BatchOptions): AsyncGenerator<Batch> {
  let parcels: Parcel[] = [];
  let begun = reading.from.bytes;
  let isFirst = reading.done === 0;
  let last: Entry | undefined;
  let sound = { bytes: reading.done, line: reading.from.line };
  let fault: { readonly error: unknown } | undefined;
  const take = (): Batch => {
    const done = parcels.findLast(({ entry }) => entry.partly !== true)?.entry;
    const batch = { parcels, upTo: done === undefined ? undefined : { bytes: done.end, line: done.line } };
    begun = parcels.at(-1)!.entry.end;
    parcels = [];
    return batch;
  };
  try {
    for await (const entries of groups) {
      if (stopped()) return;
      const fresh = reading.done === 0 ? entries : entries.filter(({ end }) => end > reading.done);
      if (fresh.length === 0) continue;
      for (const parcel of prepare(fresh, isFirst)) {
        parcels.push(parcel);
        if (parcels.length >= batchSize || parcel.entry.end - begun >= batchBytes) yield take();
      }
      isFirst = false;
      last = fresh.at(-1)!;
      const good = fresh.findLast(({ problem }) => problem === undefined);
      if (good !== undefined) sound = { bytes: good.end, line: good.line };
    }
  } catch (error) {
    fault = { error };
  }
  if (parcels.length > 0) yield take();
  if (fault !== undefined) throw fault.error;
  // A record that is still being written is read again when it is whole.
  const isCutOff = last?.problem !== undefined && !reading.endsLine;
  yield {
    parcels: [],
    upTo: isCutOff ? sound : { bytes: reading.position, line: last?.line ?? reading.from.line },
  };
}
