import type { Api } from '../contract/api.ts';
import { readBatches, type Batch } from './read-batches.ts';
import { formatFromName, type SourceRecord, type InputFormat } from './source-record.ts';
import type { Mapping } from './mapping.ts';
import type { Checkpoints } from './checkpoint.ts';
import { createPreparer, idOf, type Preparer } from './prepare.ts';
import { readEntries } from './read-entries.ts';
import { openSourceStream, type IngestHost, type SourceStream } from './source-stream.ts';
import { openRedactor, type Redactor, type RedactKind } from './redact/kinds.ts';
import type { Rejects } from './rejects.ts';
import { checkRecords, createSender, type IngestCounts, type DuplicatePolicy, type PreparedRecord } from './send.ts';
import type { Source } from './source.ts';
import type { Progress } from '../contract/progress.ts';

/** What is ingested, and how. */
export interface IngestOptions {
  readonly sources: readonly Source[];
  /** For all of them; undefined: their names say it. */
  readonly format?: InputFormat | undefined;
  readonly mapping?: Mapping | undefined;
  readonly redact: readonly RedactKind[];
  readonly idFromContent?: boolean | undefined;
  readonly onDuplicate: DuplicatePolicy;
  /** Batches under way at once. */
  readonly concurrency: number;
  readonly checkpoints: Checkpoints;
  readonly rejects: Rejects;
  readonly progress: Progress;
  /** A dry run: everything is read and checked, and given to this instead of sent. False: no more is wanted. */
  readonly preview?: ((conversations: readonly unknown[]) => Promise<boolean>) | undefined;
}

export interface IngestResult {
  readonly counts: Readonly<IngestCounts>;
  readonly redacted: Readonly<Partial<Record<RedactKind, number>>>;
  /** Why it ended before the end. */
  readonly failure: unknown;
  /** A signal stopped it. */
  readonly interrupted: boolean;
  /** In a dry run: how many could be sent. */
  readonly checked: number;
}

/** Streams files into an organization. What fails is in the result, so that what was done can be told. */
export async function runIngest(
  host: IngestHost,
  { api, organizationId }: { readonly api: Api; readonly organizationId: string },
  ingest: IngestOptions,
): Promise<IngestResult> {
  const run = new IngestRun(host, api, organizationId, ingest, await openRedactor(ingest.redact));
  for (const source of ingest.sources) {
    if (run.isOver) break;
    await run.take(source);
  }
  return run.finish();
}

class IngestRun {
  readonly #host: IngestHost;
  readonly #ingest: IngestOptions;
  readonly #counts: IngestCounts = { created: 0, updated: 0, unchanged: 0, kept: 0, failed: 0 };
  readonly #redactor: Redactor;
  readonly #send: (batch: readonly PreparedRecord[]) => Promise<void>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #order = new InOrderCompletion();
  #failure: unknown;
  #checked = 0;
  #isEnough = false;

  constructor(host: IngestHost, api: Api, organizationId: string, ingest: IngestOptions, redactor: Redactor) {
    this.#host = host;
    this.#ingest = ingest;
    this.#redactor = redactor;
    const { signal } = host;
    this.#send = createSender({
      api,
      organizationId,
      onDuplicate: ingest.onDuplicate,
      signal,
      counts: this.#counts,
      reject: this.#rejectParcel,
    });
  }

  get isOver(): boolean {
    return this.#failure !== undefined || this.#isEnough || this.#host.signal.aborted;
  }

  async take(source: Source): Promise<void> {
    const { format = formatFromName(source.name), checkpoints } = this.#ingest;
    const file = source.name;
    try {
      const reading = openSourceStream(this.#host, source, checkpoints.get(file), format === 'ndjson');
      const { prepare, onColumns } = this.#preparerFor(file);
      const groups = readEntries(reading, { file, format, onColumns });
      for await (const batch of readBatches({ reading, groups, prepare, stopped: () => this.isOver })) {
        if (this.isOver) break;
        if (this.#ingest.preview !== undefined) await this.#show(batch.parcels, this.#ingest.preview);
        else this.#start(file, reading, batch);
        if (this.#underWay.size >= this.#ingest.concurrency) await Promise.race(this.#underWay);
      }
    } catch (error) {
      // What a signal cut off is no fault of the file.
      if (!this.#host.signal.aborted) this.#failure ??= error;
    }
  }

  async finish(): Promise<IngestResult> {
    await Promise.all(this.#underWay);
    this.#ingest.progress.done();
    this.#ingest.rejects.close();
    return {
      counts: this.#counts,
      redacted: this.#redactor.counts,
      failure: this.#failure,
      interrupted: this.#host.signal.aborted,
      checked: this.#checked,
    };
  }

  #preparerFor(file: string): Preparer {
    const { mapping, idFromContent = false } = this.#ingest;
    return createPreparer({
      file,
      mapping,
      redactor: this.#redactor,
      idFromContent,
      reject: this.#reject,
      note: this.#host.note,
    });
  }

  async #show(parcels: readonly PreparedRecord[], preview: NonNullable<IngestOptions['preview']>): Promise<void> {
    const good = checkRecords(parcels, this.#rejectParcel);
    this.#checked += good.length;
    this.#isEnough = good.length > 0 && !(await preview(good.map(({ value }) => value)));
  }

  #start(file: string, reading: SourceStream, { parcels, upTo }: Batch): void {
    const mark = upTo === undefined ? undefined : reading.checkpointAt(upTo.bytes, upTo.line);
    const settle = this.#order.begin(() => mark !== undefined && this.#ingest.checkpoints.set(file, mark));
    if (parcels.length === 0) return settle();
    const settled = this.#send(parcels)
      .then(() => {
        this.#ingest.progress.tick(parcels.length);
        settle();
      })
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
  }

  readonly #reject = (entry: SourceRecord, reason: string, id: string | undefined): void => {
    this.#counts.failed++;
    this.#ingest.rejects.add(
      { ...entry, value: this.#redactor.redactValue(entry.value, id) },
      this.#redactor.redactText(reason),
    );
  };

  readonly #rejectParcel = ({ record, value }: PreparedRecord, reason: string): void => {
    this.#reject(record, reason, idOf(value));
  };
}

/** Things that end in any order, and are settled in the order in which they began. */
class InOrderCompletion {
  readonly #open: { ended: boolean; readonly settle: () => void }[] = [];

  /** Call what it gives when the thing has ended. */
  begin(settle: () => void): () => void {
    const one = { ended: false, settle };
    this.#open.push(one);
    return () => {
      one.ended = true;
      while (this.#open[0]?.ended === true) this.#open.shift()!.settle();
    };
  }
}
