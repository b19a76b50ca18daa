import type { Api } from '../contract/api.ts';
import { batchesOf, type Batch } from './batches.ts';
import { formatOf, type Entry, type InputFormat } from './entry.ts';
import type { Mapping } from './mapping.ts';
import type { Marks } from './mark.ts';
import { createPreparer, idOf, type Preparer } from './prepare.ts';
import { readEntries } from './read-entries.ts';
import { openReading, type IngestHost, type Reading } from './reading.ts';
import { openRedactor, type Redactor, type RedactKind } from './redact/kinds.ts';
import type { Rejects } from './rejects.ts';
import { checkParcels, createSender, type Counts, type OnDuplicate, type Parcel } from './send.ts';
import type { Source } from './source.ts';
import type { Progress } from '../contract/progress.ts';

/** What is ingested, and how. */
export interface Ingest {
  readonly sources: readonly Source[];
  /** For all of them; undefined: their names say it. */
  readonly format?: InputFormat | undefined;
  readonly mapping?: Mapping | undefined;
  readonly redact: readonly RedactKind[];
  readonly idFromContent?: boolean | undefined;
  readonly onDuplicate: OnDuplicate;
  /** Batches under way at once. */
  readonly concurrency: number;
  readonly marks: Marks;
  readonly rejects: Rejects;
  readonly progress: Progress;
  /** A dry run: everything is read and checked, and given to this instead of sent. False: no more is wanted. */
  readonly preview?: ((conversations: readonly unknown[]) => Promise<boolean>) | undefined;
}

export interface Ingested {
  readonly counts: Readonly<Counts>;
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
  ingest: Ingest,
): Promise<Ingested> {
  const run = new Run(host, api, organizationId, ingest, await openRedactor(ingest.redact));
  for (const source of ingest.sources) {
    if (run.isOver) break;
    await run.take(source);
  }
  return run.finish();
}

class Run {
  readonly #host: IngestHost;
  readonly #ingest: Ingest;
  readonly #counts: Counts = { created: 0, updated: 0, unchanged: 0, kept: 0, failed: 0 };
  readonly #redactor: Redactor;
  readonly #send: (batch: readonly Parcel[]) => Promise<void>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #order = new InOrder();
  #failure: unknown;
  #checked = 0;
  #isEnough = false;

  constructor(host: IngestHost, api: Api, organizationId: string, ingest: Ingest, redactor: Redactor) {
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
    const { format = formatOf(source.name), marks } = this.#ingest;
    const file = source.name;
    try {
      const reading = openReading(this.#host, source, marks.get(file), format === 'ndjson');
      const { prepare, onColumns } = this.#preparerFor(file);
      const groups = readEntries(reading, { file, format, onColumns });
      for await (const batch of batchesOf({ reading, groups, prepare, stopped: () => this.isOver })) {
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

  async finish(): Promise<Ingested> {
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

  async #show(parcels: readonly Parcel[], preview: NonNullable<Ingest['preview']>): Promise<void> {
    const good = checkParcels(parcels, this.#rejectParcel);
    this.#checked += good.length;
    this.#isEnough = good.length > 0 && !(await preview(good.map(({ value }) => value)));
  }

  #start(file: string, reading: Reading, { parcels, upTo }: Batch): void {
    const mark = upTo === undefined ? undefined : reading.markAt(upTo.bytes, upTo.line);
    const settle = this.#order.begin(() => mark !== undefined && this.#ingest.marks.set(file, mark));
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

  readonly #reject = (entry: Entry, reason: string, id: string | undefined): void => {
    this.#counts.failed++;
    this.#ingest.rejects.add(
      { ...entry, value: this.#redactor.whole(entry.value, id) },
      this.#redactor.text(reason),
    );
  };

  readonly #rejectParcel = ({ entry, value }: Parcel, reason: string): void => {
    this.#reject(entry, reason, idOf(value));
  };
}

/** Things that end in any order, and are settled in the order in which they began. */
class InOrder {
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
