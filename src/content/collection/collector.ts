import type { ReadTransaction, Row, RowSize, Table, WriteTransaction } from '../../core/store.ts';
import { blobs, collectionStates, newReferences, nodes, type CollectionStateRow } from '../rows.ts';
import { Marks } from './marks.ts';
import type { References } from './record-references.ts';

export interface ReferringTable {
  readonly table: Table;
  readonly references: (row: Row) => References;
}

/** The functions with which a collection runs short transactions. */
interface CollectorStore {
  readonly read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (tx: WriteTransaction) => Promise<T>) => Promise<T>;
}

/** Limits of one transaction: nodes that it reads, and rows and bytes that it removes. It takes about 10 ms. */
const limits = { nodes: 200, rows: 100, bytes: 1024 * 1024, references: 100 };

/**
 * Removes unreferenced blobs and trie nodes in short transactions, while others write. First it marks everything that rows refer
 * to. Nodes never change, so rows may come and go meanwhile: references of new rows are recorded in the transaction that writes
 * them (`recordReferences`). Then it removes everything that is not marked. Each removing transaction first marks the recorded
 * references, so that everything in use is marked at that moment.
 */
export class Collector {
  readonly epoch: string;
  readonly #tables: readonly ReferringTable[];
  readonly #marks = new Marks();
  #rows = 0;
  #bytes = 0;
  /** The current table, and the last ID that is done: first the tables with references, then nodes and blobs. */
  #position = { table: 0, after: '' };
  #phase: 'mark' | 'sweep' | 'end' = 'mark';

  constructor(epoch: string, tables: readonly ReferringTable[]) {
    this.epoch = epoch;
    this.#tables = tables;
  }

  /** Returns the progress in a few words. */
  get progress(): string {
    const { size } = this.#marks;
    return this.#phase === 'mark' ? `${size} in use` : `${size} in use, ${this.#rows} removed`;
  }

  /** Runs one short transaction. Returns true when the collection is done. */
  async step(store: CollectorStore, now: string): Promise<boolean> {
    if (this.#phase === 'mark') await store.read((view) => this.#markSome(view));
    else if (this.#phase === 'sweep') await this.#sweepSome(store);
    else return this.#end(store, now);
    return false;
  }

  async #markSome(view: ReadTransaction): Promise<void> {
    let left = limits.nodes;
    while (left > 0) {
      left = await this.#marks.follow(view, left);
      const referring = this.#tables[this.#position.table];
      if (left === 0) return;
      if (referring === undefined) {
        this.#phase = 'sweep';
        this.#position = { table: 0, after: '' };
        return;
      }
      const ids = await view.scan(referring.table, this.#position.after, Math.min(left, 50));
      for (const { id } of ids) {
        const row = await view.get(referring.table, id);
        if (row !== undefined) this.#marks.add(referring.references(row));
      }
      left -= ids.length;
      const last = ids.at(-1);
      this.#position =
        last === undefined
          ? { table: this.#position.table + 1, after: '' }
          : { ...this.#position, after: last.id };
    }
  }

  async #sweepSome(store: CollectorStore): Promise<void> {
    const table = ([nodes, blobs] as const)[this.#position.table];
    if (table === undefined) {
      this.#phase = 'end';
      return;
    }
    const { after } = this.#position;
    const rows = await store.read(async (view) => {
      await this.#marks.follow(view, limits.nodes);
      return this.#marks.isWhole ? view.scan(table, after, 1000) : undefined;
    });
    if (rows === undefined) return;
    const { removed, last } = this.#chooseUnmarked(table, rows);
    if (removed.length > 0) {
      const done = await store.write((tx) => this.#remove(tx, table, removed));
      // There are many new references. They are followed in reads before the next attempt.
      if (done === undefined) return;
      this.#rows += done.rows;
      this.#bytes += done.bytes;
    }
    this.#position =
      last === undefined
        ? { table: this.#position.table + 1, after: '' }
        : { ...this.#position, after: last };
  }

  /** Chooses the rows to remove in one write, and returns the ID up to which all rows are done then. */
  #chooseUnmarked(
    table: Table,
    rows: readonly RowSize[],
  ): { readonly removed: readonly RowSize[]; readonly last: string | undefined } {
    const removed: RowSize[] = [];
    let bytes = 0;
    for (const row of rows) {
      if (this.#isMarked(table, row.id)) continue;
      if (removed.length === limits.rows || (removed.length > 0 && bytes + row.size > limits.bytes))
        return { removed, last: removed.at(-1)?.id };
      removed.push(row);
      bytes += row.size;
    }
    return { removed, last: rows.at(-1)?.id };
  }

  #isMarked(table: Table, id: string): boolean {
    return this.#marks[table.name === nodes.name ? 'nodes' : 'blobs'].has(id);
  }

  /** Removes rows that are still unmarked. Returns undefined if new references must be followed first. */
  async #remove(
    tx: WriteTransaction,
    table: Table,
    rows: readonly RowSize[],
  ): Promise<{ readonly rows: number; readonly bytes: number } | undefined> {
    const isWhole = await this.#markNew(tx);
    await this.#marks.follow(tx, limits.nodes);
    if (!isWhole || !this.#marks.isWhole) return undefined;
    let [count, bytes] = [0, 0];
    for (const { id, size } of rows) {
      if (this.#isMarked(table, id) || !(await tx.remove(table, id))) continue;
      count += 1;
      bytes += size;
    }
    return { rows: count, bytes };
  }

  /** Marks the references that were recorded since, and removes the records. Returns false if there are more. */
  async #markNew(tx: WriteTransaction): Promise<boolean> {
    const start = `${this.epoch}.`;
    const found = await tx.scan(newReferences, start, limits.references + 1);
    const own = found.filter(({ id }) => id.startsWith(start));
    for (const { id } of own.slice(0, limits.references)) {
      const [kind, hash = ''] = id.slice(start.length).split('.');
      this.#marks.add(kind === 'b' ? { blobs: [hash] } : { roots: [hash] });
      await tx.remove(newReferences, id);
    }
    return own.length <= limits.references;
  }

  /** Ends the epoch, and removes its records and those of earlier epochs. Returns true when no records are left. */
  async #end(store: CollectorStore, now: string): Promise<boolean> {
    const result: CollectionStateRow = { id: 'last', at: now, rows: this.#rows, bytes: this.#bytes };
    return store.write(async (tx) => {
      await tx.remove(collectionStates, 'current');
      const found = await tx.scan(newReferences, '', limits.rows);
      for (const { id } of found) await tx.remove(newReferences, id);
      if (found.length === limits.rows) return false;
      await tx.remove(collectionStates, 'last');
      await tx.insert(collectionStates, result);
      return true;
    });
  }
}

/** Starts a collection. From this transaction on, new references are recorded. */
export async function startCollection(
  tx: WriteTransaction,
  tables: readonly ReferringTable[],
  { epoch, at }: { epoch: string; at: string },
): Promise<Collector> {
  await tx.remove(collectionStates, 'needed');
  await tx.remove(collectionStates, 'current');
  await tx.insert(collectionStates, { id: 'current', epoch, at });
  return new Collector(epoch, tables);
}

/** Whether unreferenced content may be stored: a collection was requested, was interrupted, or never ran. */
export async function isCollectionNeeded(view: ReadTransaction): Promise<boolean> {
  for (const id of ['needed', 'current'] as const)
    if ((await view.get(collectionStates, id)) !== undefined) return true;
  return (await view.get(collectionStates, 'last')) === undefined;
}
