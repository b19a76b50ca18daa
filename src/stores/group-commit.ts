import type { WriteOptions, WriteTransaction } from '../core/store.ts';
import type { WriteView } from './view.ts';

/** What a driver implements to write groups of changes. */
export interface Journal {
  /**
   * Takes the lock and starts a transaction. With `keepsStamp`, the transaction does not change the stamp of the store.
   *
   * @throws Problem(store-busy) if another process keeps the lock
   */
  begin(keepsStamp: boolean): Promise<void>;
  view(): WriteView;
  /** Sets a savepoint for `undo`. */
  mark(): void;
  /** Undoes the changes since the last `mark`. */
  undo(): void;
  /** Commits the transaction and releases the lock. The changes are durable when it returns. */
  commit(): Promise<void>;
  /** Undoes all changes of the group and releases the lock. Never throws. */
  rollback(): void;
}

interface PendingWrite {
  readonly work: (tx: WriteTransaction) => Promise<unknown>;
  readonly keepsStamp: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Maximum number of writes in a group. It limits how long the first write waits and how long other processes are
 * locked out.
 */
const maxGroupSize = 64;

/**
 * Commits writes that arrive together as one group, with one lock and one sync of the disk. Each write is still all or nothing:
 * if one fails after it has changed something, the group runs again with marks (savepoints), and only that write is undone. Marks
 * in every group would take a third of the time of small writes.
 */
export class GroupCommit {
  readonly #journal: Journal;
  readonly #runExclusive: (work: () => Promise<void>) => Promise<void>;
  #pending: PendingWrite[] = [];
  #running = false;
  #closed = false;
  #drained: Promise<void> = Promise.resolve();

  /**
   * `runExclusive` runs a group; a driver whose reads must not overlap with writes waits in it for the reads to end.
   */
  constructor(journal: Journal, runExclusive: (work: () => Promise<void>) => Promise<void>) {
    this.#journal = journal;
    this.#runExclusive = runExclusive;
  }

  /** Runs the work in a transaction and returns its result when the change is durable. */
  write<T>(
    work: (tx: WriteTransaction) => Promise<T>,
    { keepsStamp = false }: WriteOptions = {},
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.#pending.push({ work, keepsStamp, resolve: resolve as (value: unknown) => void, reject });
      if (this.#running) return;
      this.#running = true;
      this.#drained = this.#drain();
    });
  }

  /** Refuses new writes and waits for the pending ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#drained;
  }

  async #drain(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const [first] = this.#pending;
      if (first === undefined) break;
      const group = this.#pending.splice(0, this.#sizeOfGroup(first.keepsStamp));
      await this.#runExclusive(() => this.#commit(group));
    }
    this.#running = false;
  }

  /** Returns how many pending writes can be committed together. Writes with and without `keepsStamp` are never in one group. */
  #sizeOfGroup(keepsStamp: boolean): number {
    const other = this.#pending.findIndex((write) => write.keepsStamp !== keepsStamp);
    return Math.min(other === -1 ? this.#pending.length : other, maxGroupSize);
  }

  /**
   * Settles all writes after the commit. This includes failed writes, because another write of the group may have caused the
   * failure.
   */
  async #commit(group: readonly PendingWrite[]): Promise<void> {
    let settlements: readonly (() => void)[] | undefined;
    try {
      settlements = await this.#run(group, false);
      if (settlements === undefined) {
        this.#journal.rollback();
        settlements = await this.#run(group, true);
      }
      await this.#journal.commit();
    } catch (error) {
      this.#journal.rollback();
      for (const write of group) write.reject(error);
      return;
    }
    for (const settle of settlements ?? []) settle();
  }

  /**
   * Runs the writes of a group. Returns the functions that settle their promises; undefined if a write has failed after it
   * changed something, which cannot be undone without marks.
   */
  async #run(
    group: readonly PendingWrite[],
    hasMarks: boolean,
  ): Promise<readonly (() => void)[] | undefined> {
    await this.#journal.begin(group[0]?.keepsStamp === true);
    const settlements: (() => void)[] = [];
    for (const { work, resolve, reject } of group) {
      const view = this.#journal.view();
      if (hasMarks) this.#journal.mark();
      try {
        const value = await work(view);
        settlements.push(() => resolve(value));
      } catch (error) {
        if (group.length === 1) throw error;
        if (hasMarks) this.#journal.undo();
        else if (view.hasChanged) return undefined;
        settlements.push(() => reject(error));
      } finally {
        view.end();
      }
    }
    return settlements;
  }
}
