import type { Api } from '../contract/api.ts';
import { hasOtherFields } from '../contract/has-other-fields.ts';
import { ConversationInput } from '../resources/conversations/contract.ts';
import { readBatches, type Batch } from './read-batches.ts';
import { formatFromName, type InputFormat } from './source-record.ts';
import type { Mapping } from './mapping.ts';
import type { Checkpoint, Checkpoints } from './checkpoint.ts';
import { groupRecords } from './group-records.ts';
import { NumbersByText } from './numbers-by-text.ts';
import { createPreparer } from './prepare.ts';
import { readRecords } from './read-records.ts';
import { openSourceStream, type IngestHost, type SourceStream } from './source-stream.ts';
import { openRedactor, type Redactor, type RedactKind } from '../redaction/kinds.ts';
import type { Rejects } from './rejects.ts';
import {
  checkRecords,
  createSender,
  idOf,
  type IngestCounts,
  type DuplicatePolicy,
  type PreparedRecord,
} from './send.ts';
import { isRereadable, type Source } from './source.ts';
import { listFieldOf } from './suggestion.ts';
import type { Progress } from '../contract/progress.ts';

export interface IngestOptions {
  readonly sources: readonly Source[];
  /** The format of all sources (default: by the extension of each name). */
  readonly format?: InputFormat | undefined;
  readonly mapping?: Mapping | undefined;
  readonly redact: readonly RedactKind[];
  readonly idFromContent?: boolean;
  readonly onDuplicate: DuplicatePolicy;
  /** The number of batches that are sent at the same time. */
  readonly concurrency: number;
  readonly checkpoints: Checkpoints;
  readonly rejects: Rejects;
  readonly progress: Progress;
  /** Makes this a dry run. It receives the conversations that would be sent, and returns false to stop. */
  readonly preview?: ((conversations: readonly unknown[]) => Promise<boolean>) | undefined;
}

/** Maximum number of IDs in which repeated ones are recognized. */
const maxKnownIds = 100_000;

export interface IngestResult {
  readonly counts: Readonly<IngestCounts>;
  readonly redacted: Readonly<Partial<Record<RedactKind, number>>>;
  /** The error that ended the ingest early, if any. */
  readonly failure: unknown;
  /** Whether a signal stopped the ingest. */
  readonly interrupted: boolean;
  /** In a dry run, the number of valid conversations. */
  readonly checked: number;
  /** Whether a rejected record lacks fields of a conversation, or has others. */
  readonly hasOtherFields: boolean;
  /** The number of records with the ID of an earlier record; only the first `maxKnownIds` IDs are compared. */
  readonly repeated: number;
  /** The name of a list in the first rejected record without an ID, which may be a list of conversations. */
  readonly listField: string | undefined;
}

/**
 * Sends the conversations of files to an organization, and returns the result. Errors are not thrown, but are part of the result.
 */
export async function runIngest(
  host: IngestHost,
  { api, organizationId }: { api: Api; organizationId: string },
  options: IngestOptions,
): Promise<IngestResult> {
  const run = new IngestRun(host, api, organizationId, options, await openRedactor(options.redact));
  // Finds files in a wrong format before any file is sent.
  if (options.sources.length > 1) {
    const redactor = await openRedactor([]);
    for (const source of options.sources) await run.check(source, redactor);
  }
  for (const source of options.sources) {
    if (run.isOver) break;
    await run.ingest(source);
  }
  return run.finish();
}

class IngestRun {
  readonly #host: IngestHost;
  readonly #options: IngestOptions;
  readonly #counts: IngestCounts = { created: 0, updated: 0, unchanged: 0, kept: 0, failed: 0 };
  readonly #redactor: Redactor;
  readonly #send: ReturnType<typeof createSender>;
  readonly #pending = new Set<Promise<void>>();
  readonly #completion = new InOrderCompletion();
  readonly #reports = new InOrderCompletion();
  #failure: unknown;
  readonly #ids = new NumbersByText();
  #repeated = 0;
  #checked = 0;
  #isEnough = false;
  #hasOtherFields = false;
  #listField: string | undefined;

  constructor(
    host: IngestHost,
    api: Api,
    organizationId: string,
    options: IngestOptions,
    redactor: Redactor,
  ) {
    this.#host = host;
    this.#options = options;
    this.#redactor = redactor;
    this.#send = createSender({
      api,
      organizationId,
      onDuplicate: options.onDuplicate,
      signal: host.signal,
      counts: this.#counts,
    });
  }

  get isOver(): boolean {
    return this.#failure !== undefined || this.#isEnough || this.#host.signal.aborted;
  }

  /** Checks the first records of a file. Standard input and pipes can be read only once, so they are not checked. */
  async check(source: Source, redactor: Redactor): Promise<void> {
    if (this.isOver || !isRereadable(source)) return;
    try {
      const { records, prepare, isGrouped } = this.#open(source, undefined, redactor, () => {});
      for await (const first of records) {
        if (!isGrouped) prepare(first, true);
        break;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  async ingest(source: Source): Promise<void> {
    const file = source.name;
    try {
      const {
        stream,
        records,
        prepare,
        idOf: mappedId,
        isGrouped,
      } = this.#open(source, this.#options.checkpoints.get(file), this.#redactor, this.#host.note);
      const groups = isGrouped ? groupRecords(records, file, mappedId) : records;
      for await (const batch of readBatches({ stream, groups, prepare, isStopped: () => this.isOver })) {
        if (this.isOver) break;
        this.#countRepeated(batch.prepared);
        if (this.#options.preview !== undefined) await this.#preview(batch.prepared, this.#options.preview);
        else this.#start(file, stream, batch);
        if (this.#pending.size >= this.#options.concurrency) await Promise.race(this.#pending);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #open(source: Source, checkpoint: Checkpoint | undefined, redactor: Redactor, note: IngestHost['note']) {
    const file = source.name;
    const { format = formatFromName(file), mapping, idFromContent = false } = this.#options;
    const isGrouped = mapping?.isGrouped === true;
    const stream = openSourceStream(this.#host, source, checkpoint, format === 'ndjson' && !isGrouped);
    const { onColumns, ...preparer } = createPreparer({ file, mapping, redactor, idFromContent, note });
    const records = readRecords(stream, { file, format, onColumns });
    return { ...preparer, stream, records, isGrouped };
  }

  #fail(error: unknown): void {
    // An error after a signal comes from the interruption and not from the file.
    if (!this.#host.signal.aborted) this.#failure ??= error;
  }

  async finish(): Promise<IngestResult> {
    await Promise.all(this.#pending);
    this.#options.progress.done();
    this.#options.rejects.close();
    return {
      counts: this.#counts,
      redacted: this.#redactor.counts,
      failure: this.#failure,
      interrupted: this.#host.signal.aborted,
      checked: this.#checked,
      hasOtherFields: this.#hasOtherFields,
      listField: this.#listField,
      repeated: this.#repeated,
    };
  }

  #countRepeated(prepared: readonly PreparedRecord[]): void {
    for (const { value, problem } of prepared) {
      const id = problem === undefined ? idOf(value) : undefined;
      if (id === undefined) continue;
      if (this.#ids.has(id)) this.#repeated++;
      else if (this.#ids.size < maxKnownIds) this.#ids.set(id, 0);
    }
  }

  async #preview(
    prepared: readonly PreparedRecord[],
    show: NonNullable<IngestOptions['preview']>,
  ): Promise<void> {
    const valid = checkRecords(prepared, this.#reject);
    this.#checked += valid.length;
    this.#isEnough = valid.length > 0 && !(await show(valid.map(({ value }) => value)));
  }

  #start(file: string, stream: SourceStream, { prepared, upTo }: Batch): void {
    const checkpoint = upTo === undefined ? undefined : stream.checkpointAt(upTo.bytes, upTo.line);
    const settle = this.#completion.begin(
      () => checkpoint !== undefined && this.#options.checkpoints.set(file, checkpoint),
    );
    const reasons = new Map<PreparedRecord, string>();
    const report = this.#reports.begin(() => {
      for (const each of prepared) {
        const reason = each.problem ?? reasons.get(each);
        if (reason !== undefined) this.#reject(each, reason);
      }
    });
    const valid = prepared.filter(({ problem }) => problem === undefined);
    if (valid.length === 0) {
      report();
      settle();
      return;
    }
    const settled = this.#send(valid, (each, reason) => void reasons.set(each, reason))
      .then(() => {
        this.#options.progress.tick(valid.length);
        report();
        settle();
      })
      .catch((error: unknown) => {
        this.#failure ??= error;
        report();
      })
      .finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }

  readonly #reject = ({ record, value, problem }: PreparedRecord, reason: string): void => {
    this.#counts.failed++;
    // The check is needed only if all records fail.
    if (problem === undefined && this.#counts.created === 0)
      this.#hasOtherFields ||= hasOtherFields(ConversationInput, value);
    if (idOf(record.value) === undefined) this.#listField ??= listFieldOf(record.value);
    this.#options.rejects.add(
      { ...record, value: this.#redactor.redactValue(record.value, idOf(value)) },
      this.#redactor.redactText(reason),
    );
  };
}

/** Settles tasks in the order in which they began, even if they end in another order. */
class InOrderCompletion {
  readonly #unsettled: { isEnded: boolean; readonly settle: () => void }[] = [];

  /** Begins a task and returns the function to call when it has ended. */
  begin(settle: () => void): () => void {
    const task = { isEnded: false, settle };
    this.#unsettled.push(task);
    return () => {
      task.isEnded = true;
      for (let [next] = this.#unsettled; next?.isEnded === true; [next] = this.#unsettled) {
        this.#unsettled.shift();
        next.settle();
      }
    };
  }
}
