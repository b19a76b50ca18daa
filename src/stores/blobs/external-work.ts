import type { BlobStorage } from '../../core/blob-storage.ts';
import { isoTime, type Clock } from '../../core/clock.ts';
import { settings } from '../../core/rows/organizations.ts';
import type { Store, WriteTransaction } from '../../core/store.ts';
import { blobs, looseObjects, type BlobRow } from '../../content/rows.ts';
import { chunk } from '../../contract/values.ts';
import { isProblem, type Problem } from '../../errors/problem.ts';
import { isExternal, readExternal, type ExternalRow, type StoredBlob } from './external-row.ts';
import { wrongLocation } from './location.ts';

/** Ends a transaction that has to run again, after objects were read or stored. */
export class IncompleteError extends Error {}

/** The blob storage of a store, and the sources of names and times. */
export interface BlobOptions {
  readonly storage: BlobStorage;
  readonly clock: Clock;
  /** Returns a name that was never used. */
  readonly newName: () => string;
}

/** Number of objects that are stored or read at the same time. */
const concurrency = 4;
/** Maximum number of times that a transaction stores objects. */
const maxRounds = 10;

/** An object that the work writes. It is stored before the work runs again. */
interface Upload {
  readonly row: BlobRow;
  readonly stored: ExternalRow;
  isSent: boolean;
}

/** The objects that a transaction reads and writes. They are kept from one run of its work to the next. */
export class ExternalWork {
  readonly #store: Store;
  readonly #options: BlobOptions;
  /** Rows with their bytes, or the reason why an object could not be read, by the key of the object. */
  readonly #read = new Map<string, BlobRow | Problem>();
  /** Objects to store, by the hash of the bytes. */
  readonly #uploads = new Map<string, Upload>();
  readonly #wanted = new Map<string, ExternalRow>();
  readonly #unsent = new Set<Upload>();
  #rounds = 0;

  constructor(store: Store, options: BlobOptions) {
    this.#store = store;
    this.#options = options;
  }

  begin(): void {
    this.#wanted.clear();
    this.#unsent.clear();
  }

  /** Whether this run had all objects that it needs, and all new objects are stored. */
  get isComplete(): boolean {
    return this.#wanted.size === 0 && this.#unsent.size === 0;
  }

  /** Returns a row with its bytes. @throws IncompleteError if they have to be read first; Problem(store-failed) */
  read(row: StoredBlob): BlobRow {
    if (!isExternal(row)) return row;
    const upload = this.#uploads.get(row.id);
    if (upload?.stored.object === row.object) return upload.row;
    const known = this.#read.get(row.object);
    if (known === undefined) {
      this.#wanted.set(row.object, row);
      throw new IncompleteError();
    }
    if (known instanceof Error) throw known;
    return known;
  }

  /**
   * Writes the row of a blob whose bytes are an object. The object is stored before the work runs again. If a sweep removed it as
   * an unused object in the meantime, it is stored again.
   *
   * @throws Problem(store-failed) if the store keeps its objects elsewhere
   */
  async insert(tx: WriteTransaction, row: BlobRow): Promise<void> {
    const { storage, newName } = this.#options;
    const place = await tx.get(settings, 'store');
    if (place?.blobs !== undefined && place.blobs !== storage.url)
      throw wrongLocation(place.blobs, storage.url);
    if (place !== undefined && place.blobs === undefined)
      await tx.update(settings, 'store', { blobs: storage.url });
    let upload = this.#uploads.get(row.id);
    const loose = upload?.isSent === true ? await tx.get(looseObjects, upload.stored.object) : undefined;
    if (upload === undefined || (upload.isSent && loose?.state !== 'pending')) {
      const object = `${row.id}.${newName()}`;
      const size = Buffer.byteLength(row.data, 'base64');
      upload = { row, stored: { id: row.id, encoding: 'base64', object, size }, isSent: false };
      this.#uploads.set(row.id, upload);
    }
    if (upload.isSent) await tx.remove(looseObjects, upload.stored.object);
    else this.#unsent.add(upload);
    await tx.insert(blobs, upload.stored as unknown as BlobRow);
  }

  /** Reads or stores the objects that a run lacked. Returns false if it lacked none, or failed for another reason. */
  async complete(error: unknown): Promise<boolean> {
    if (this.#wanted.size > 0) {
      await inTurns([...this.#wanted.values()], (row) => this.#fetch(row));
      return true;
    }
    if (!(error instanceof IncompleteError)) return false;
    // If the work creates different files in each run, it would never end.
    if (++this.#rounds > maxRounds)
      throw new Error('The work of a transaction makes other files at each run.');
    await this.#send([...this.#unsent]);
    return true;
  }

  /**
   * Reads an object. A missing object may have been removed with its row, so it is an error only if the next run still needs it.
   */
  async #fetch(row: ExternalRow): Promise<void> {
    try {
      this.#read.set(row.object, await readExternal(this.#options.storage, row));
    } catch (error) {
      if (!isProblem(error, 'store-failed') || error.retryAfter !== undefined) throw error;
      this.#read.set(row.object, error);
    }
  }

  /** Stores objects. First it records their keys, so that a sweep finds them if their rows are never written. */
  async #send(uploads: readonly Upload[]): Promise<void> {
    const { storage, clock } = this.#options;
    const at = isoTime(clock());
    await this.#store.write(async (tx) => {
      for (const { stored } of uploads)
        if ((await tx.get(looseObjects, stored.object)) === undefined)
          await tx.insert(looseObjects, { id: stored.object, state: 'pending', at });
    });
    await inTurns(uploads, async (upload) => {
      await storage.put(upload.stored.object, Buffer.from(upload.row.data, 'base64'));
      upload.isSent = true;
    });
  }
}

/**
 * Runs work on items, four at a time. If one fails, it waits for the others first, so that nothing is stored after it has thrown.
 */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const some of chunk(items, concurrency)) {
    const ended = await Promise.allSettled(some.map(work));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}
