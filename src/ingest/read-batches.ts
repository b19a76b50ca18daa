import type { SourceRecord } from './source-record.ts';
import type { SourceStream } from './source-stream.ts';
import type { PreparedRecord } from './send.ts';

/**
 * Maximum number of conversations in a batch. A batch is one transaction, and the time of a transaction hardly
 * depends on its size.
 */
const batchSize = 500;
/** Maximum size of a batch in the file, in bytes. */
const batchBytes = 4 * 1024 * 1024;

/** Conversations that are sent together. Once they are stored, the file is done up to `upTo`. */
export interface Batch {
  readonly prepared: readonly PreparedRecord[];
  readonly upTo: { readonly bytes: number; readonly line: number } | undefined;
}

interface BatchOptions {
  readonly stream: SourceStream;
  readonly groups: AsyncIterable<SourceRecord[]>;
  readonly prepare: (records: readonly SourceRecord[], isFirst: boolean) => readonly PreparedRecord[];
  readonly isStopped: () => boolean;
}

/**
 * Yields the records of a file in batches. The last batch is empty, for the checkpoint at the end. An error is thrown
 * after the batch before it.
 */
export async function* readBatches(options: BatchOptions): AsyncGenerator<Batch> {
  const { stream, groups, prepare, isStopped } = options;
  const { resumeFrom, start } = stream;
  let prepared: PreparedRecord[] = [];
  let size = 0;
  let lastEnd = start.bytes;
  let isFirst = resumeFrom === 0;
  let last: SourceRecord | undefined;
  let lastGood = { bytes: resumeFrom, line: start.line };
  let failure: { error: unknown } | undefined;
  const takeBatch = (): Batch => {
    const done = prepared.findLast(
      ({ record, problem }) => record.hasMore !== true && problem === undefined,
    )?.record;
    const batch = { prepared, upTo: done === undefined ? undefined : { bytes: done.end, line: done.line } };
    [prepared, size] = [[], 0];
    return batch;
  };
  try {
    for await (const records of groups) {
      if (isStopped()) return;
      const newRecords = resumeFrom === 0 ? records : records.filter(({ end }) => end > resumeFrom);
      if (newRecords.length === 0) continue;
      for (const next of prepare(newRecords, isFirst)) {
        prepared.push(next);
        size += next.record.size ?? next.record.end - lastEnd;
        lastEnd = next.record.end;
        if (prepared.length >= batchSize || size >= batchBytes) yield takeBatch();
      }
      isFirst = false;
      last = newRecords.at(-1);
      const good = newRecords.findLast(({ problem }) => problem === undefined);
      if (good !== undefined) lastGood = { bytes: good.end, line: good.line };
    }
  } catch (error) {
    failure = { error };
  }
  if (prepared.length > 0) yield takeBatch();
  if (failure !== undefined) throw failure.error;
  // An incomplete last record may still be written by another program. The next run reads it again.
  const isCutOff = last?.problem !== undefined && !stream.endsWithNewline;
  yield {
    prepared: [],
    upTo: isCutOff ? lastGood : { bytes: stream.position, line: last?.line ?? start.line },
  };
}
