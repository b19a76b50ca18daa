import { isoTime } from '../../core/clock.ts';
import type { ReadTransaction, Row, RowSize, Store, Table, WriteTransaction } from '../../core/store.ts';
import { blobs, looseObjects } from '../../content/rows.ts';
import { isExternal, isLarge, type StoredBlob } from './external-row.ts';
import { ExternalWork, IncompleteError, type BlobOptions } from './external-work.ts';
import { scanBlobs } from './scan-blobs.ts';
import { removeObjects, sweepObjects } from './sweep-objects.ts';

/**
 * Returns a store that keeps the bytes of large files in a blob storage. Transactions do not notice it. If they need an object,
 * or create one, their work runs again after the object was read or stored, so no transaction waits for the storage.
 */
export function withBlobs(store: Store, options: BlobOptions): Store {
  const { storage, clock } = options;
  const run = async <T>(begin: (external: ExternalWork) => Promise<T>): Promise<T> => {
    const external = new ExternalWork(store, options);
    for (;;)
      try {
        return await begin(external);
      } catch (error) {
        if (!(await external.complete(error))) throw error;
      }
  };
  return {
    ...store,
    read: (work, readOptions) =>
      run((external) =>
        store.read(async (view) => {
          external.begin();
          const result = await work(new BlobView(view, external));
          if (!external.isComplete) throw new IncompleteError();
          return result;
        }, readOptions),
      ),
    write: async (work, writeOptions) => {
      let removed: string[] = [];
      const result = await run((external) =>
        store.write(async (tx) => {
          external.begin();
          removed = [];
          const inner = await work(new BlobTransaction(tx, external, { removed, now: isoTime(clock()) }));
          if (!external.isComplete) throw new IncompleteError();
          return inner;
        }, writeOptions),
      );
      await removeObjects(store, storage, removed);
      return result;
    },
    scrub: async (maxSize, signal, serving) => {
      const failure = await sweepObjects(store, storage, { now: clock(), signal });
      const result = (await store.scrub?.(maxSize, signal, serving)) ?? 'done';
      if (failure !== undefined && result !== 'busy') throw failure;
      return result;
    },
  };
}

/** Reads rows as if all rows had their bytes. */
class BlobView implements ReadTransaction {
  readonly #view: ReadTransaction;
  readonly #external: ExternalWork;
  readonly find: ReadTransaction['find'];
  readonly count: ReadTransaction['count'];
  readonly search: ReadTransaction['search'];

  constructor(view: ReadTransaction, external: ExternalWork) {
    this.#view = view;
    this.#external = external;
    this.find = view.find.bind(view);
    this.count = view.count.bind(view);
    this.search = view.search.bind(view);
  }

  async get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined> {
    const row = await this.#view.get(table, id);
    if (row === undefined || table.name !== blobs.name) return row;
    return this.#external.read(row as unknown as StoredBlob) as unknown as R;
  }

  async scan(table: Table, after: string, limit: number): Promise<readonly RowSize[]> {
    return table.name === blobs.name
      ? scanBlobs(this.#view, after, limit)
      : this.#view.scan(table, after, limit);
  }
}

/** The objects of removed blobs, and the ISO time of their removal. */
interface Removal {
  readonly removed: string[];
  readonly now: string;
}

class BlobTransaction extends BlobView implements WriteTransaction {
  readonly #tx: WriteTransaction;
  readonly #external: ExternalWork;
  readonly #removal: Removal;
  readonly update: WriteTransaction['update'];

  constructor(tx: WriteTransaction, external: ExternalWork, removal: Removal) {
    super(tx, external);
    this.#tx = tx;
    this.#external = external;
    this.#removal = removal;
    this.update = tx.update.bind(tx);
  }

  async insert<R extends Row>(table: Table<R>, row: R): Promise<void> {
    const blob = row as unknown as StoredBlob;
    if (table.name !== blobs.name || !isLarge(blob)) return this.#tx.insert(table, row);
    await this.#external.insert(this.#tx, blob);
  }

  async remove<R extends Row>(table: Table<R>, id: string): Promise<boolean> {
    if (table.name !== blobs.name) return this.#tx.remove(table, id);
    const row = (await this.#tx.get(blobs, id)) as StoredBlob | undefined;
    if (row !== undefined && isExternal(row)) {
      const { removed, now } = this.#removal;
      removed.push(row.object);
      await this.#tx.insert(looseObjects, { id: row.object, state: 'unused', at: now });
    }
    return this.#tx.remove(table, id);
  }
}
