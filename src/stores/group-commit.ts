import type { WriteTransaction } from '../core/store.ts';
import type { WriteView } from './view.ts';

/** What a driver does around a group of writes. */
export interface Journal {
  /** Takes the lock; throws a store-busy Problem where another process keeps it. */
  begin(): Promise<void>;
  view(): WriteView;
  /** Remembers the state for `undo`. */
  mark(): void;
  undo(): void;
  /** The change is durable when this returns. */
  commit(): Promise<void>;
  /** Gives the whole group up and the lock back; never throws. */
  rollback(): void;
}

interface Waiting {
  readonly work: (tx: WriteTransaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

// Bounds how long the first of a group waits for its answer and how long others are locked out.
const maxGroupSize = 64;

/** Writes that arrive together become durable together: one lock and one sync for all, and each is still all or nothing. */
export class GroupCommit {
  readonly #journal: Journal;
  readonly #alone: (work: () => Promise<void>) => Promise<void>;
  #waiting: Waiting[] = [];
  #running = false;
  #closed = false;
  #drained: Promise<void> = Promise.resolve();

  /** `alone` runs a group when nothing else may go on. */
  constructor(journal: Journal, alone: (work: () => Promise<void>) => Promise<void>) {
    this.#journal = journal;
    this.#alone = alone;
  }

  write<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.#running) return;
      this.#running = true;
      this.#drained = this.#drain();
    });
  }

  /** Takes no more writes and waits for those that are under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#drained;
  }

  async #drain(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#waiting.splice(0, maxGroupSize);
      if (group.length === 0) break;
      await this.#alone(() => this.#commit(group));
    }
    this.#running = false;
  }

  /** Answers only after the commit: also a refusal may rest on what a neighbour in the group has done. */
  async #commit(group: readonly Waiting[]): Promise<void> {
    const answers: (() => void)[] = [];
    try {
      await this.#journal.begin();
      for (const one of group) answers.push(await this.#run(one, group.length === 1));
      await this.#journal.commit();
    } catch (error) {
      this.#journal.rollback();
      for (const one of group) one.reject(error);
      return;
    }
    for (const answer of answers) answer();
  }

  async #run(one: Waiting, only: boolean): Promise<() => void> {
    const view = this.#journal.view();
    if (!only) this.#journal.mark();
    try {
      const value = await one.work(view);
      return () => one.resolve(value);
    } catch (error) {
      if (only) throw error;
      this.#journal.undo();
      return () => one.reject(error);
    } finally {
      view.end();
    }
  }
}
