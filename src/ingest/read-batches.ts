import type { SourceRecord } from './source-record.ts';
import type { SourceStream } from './source-stream.ts';
import type { PreparedRecord } from './send.ts';

/** Conversations in one transaction: the durable write costs the same for all of them. */
const batchSize = 500;
/** Bytes of a file that go into one batch. */
const batchBytes = 4 * 1024 * 1024;

/** What is sent together. When it is taken, all of the file up to `upTo` is done; undefined where that is not known. */
export interface Batch {
  readonly parcels: readonly PreparedRecord[];
  readonly upTo: { readonly bytes: number; readonly line: number } | undefined;
}

interface BatchOptions {
  readonly reading: SourceStream;
  readonly groups: AsyncIterable<SourceRecord[]>;
  readonly prepare: (entries: readonly SourceRecord[], isFirst: boolean) => readonly PreparedRecord[];
  readonly stopped: () => boolean;
}

/** Puts the records of a file into batches; an empty one says that the file is at its end. What stands before a fault is given before it is thrown. */
export async function* readBatches({ reading, groups, prepare, stopped }: BatchOptions): AsyncGenerator<Batch> {
  let parcels: PreparedRecord[] = [];
  let begun = reading.start.bytes;
  let isFirst = reading.resumeFrom === 0;
  let last: SourceRecord | undefined;
  let sound = { bytes: reading.resumeFrom, line: reading.start.line };
  let fault: { readonly error: unknown } | undefined;
  const take = (): Batch => {
    const done = parcels.findLast(({ record }) => record.partly !== true)?.record;
    const batch = { parcels, upTo: done === undefined ? undefined : { bytes: done.end, line: done.line } };
    begun = parcels.at(-1)!.record.end;
    parcels = [];
    return batch;
  };
  try {
    for await (const entries of groups) {
      if (stopped()) return;
      const fresh = reading.resumeFrom === 0 ? entries : entries.filter(({ end }) => end > reading.resumeFrom);
      if (fresh.length === 0) continue;
      for (const parcel of prepare(fresh, isFirst)) {
        parcels.push(parcel);
        if (parcels.length >= batchSize || parcel.record.end - begun >= batchBytes) yield take();
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
  const isCutOff = last?.problem !== undefined && !reading.endsWithNewline;
  yield {
    parcels: [],
    upTo: isCutOff ? sound : { bytes: reading.position, line: last?.line ?? reading.start.line },
  };
}
