import { isYieldDue, yieldToEvents } from '../contract/event-loop.ts';
import { HeavyCallError } from './heavy-call-error.ts';
import type { Key, Query, ReadTransaction, Row, Search, Table, WriteTransaction } from './store.ts';

/**
 * The number of reads and writes after which the time of a call counts. On a busy machine, even small calls take long, and it
 * would not help to run them in another thread.
 */
const freeSteps = 128;
/** The clock is read once for this many reads and writes. */
const stepsPerLook = 8;

/**
 * Wraps a transaction. Before a row is read or written, it yields to the event loop if the loop has been blocked for 20 ms, so
 * that long work shows its progress and can be interrupted.
 *
 * Its methods throw Problem(interrupted) when the signal is aborted, and HeavyCallError if the transaction takes more than
 * `maxTime` milliseconds and many rows (default: no limit). `onUnstamped` is called for reads of tables that may change while the
 * stamp of the store stays the same.
 */
export function yieldingTransaction<V extends ReadTransaction>(
  view: V,
  signal?: AbortSignal,
  onUnstamped?: () => void,
  maxTime?: number,
): V {
  // A view that can only read has no methods that write, and its type offers none.
  return new YieldingTransaction(
    view as unknown as WriteTransaction,
    signal,
    onUnstamped,
    maxTime,
  ) as unknown as V;
}

/** A class with methods instead of bound functions, because every request creates one. */
class YieldingTransaction implements WriteTransaction {
  readonly #view: WriteTransaction;
  readonly #signal: AbortSignal | undefined;
  readonly #onUnstamped: (() => void) | undefined;
  readonly #end: number | undefined;
  #steps = 0;

  constructor(
    view: WriteTransaction,
    signal: AbortSignal | undefined,
    onUnstamped: (() => void) | undefined,
    maxTime: number | undefined,
  ) {
    this.#view = view;
    this.#signal = signal;
    this.#onUnstamped = onUnstamped;
    this.#end = maxTime === undefined ? undefined : performance.now() + maxTime;
  }

  get<R extends Row>(from: Table<R>, id: string): Promise<R | undefined> {
    return this.#inTurn(from, () => this.#view.get(from, id));
  }

  find<R extends Row, I extends string>(from: Table<R, I>, query: Query<I>): Promise<readonly R[]> {
    return this.#inTurn(from, () => this.#view.find(from, query));
  }

  count<R extends Row, I extends string>(
    from: Table<R, I>,
    index: I,
    equals: readonly Key[],
  ): Promise<number> {
    return this.#inTurn(from, () => this.#view.count(from, index, equals));
  }

  scan(from: Table, after: string, limit: number): ReturnType<ReadTransaction['scan']> {
    return this.#inTurn(from, () => this.#view.scan(from, after, limit));
  }

  search<R extends Row, I extends string>(
    from: Table<R, I>,
    search: Search<I>,
  ): ReturnType<ReadTransaction['search']> {
    return this.#inTurn(from, () => this.#view.search(from, search));
  }

  insert<R extends Row>(into: Table<R>, row: R): Promise<void> {
    return this.#inTurn(into, () => this.#view.insert(into, row));
  }

  update<R extends Row>(into: Table<R>, id: string, change: Partial<R>): Promise<R> {
    return this.#inTurn(into, () => this.#view.update(into, id, change));
  }

  remove<R extends Row>(from: Table<R>, id: string): Promise<boolean> {
    return this.#inTurn(from, () => this.#view.remove(from, id));
  }

  #inTurn<T>({ keepsStamp }: Table, step: () => Promise<T>): Promise<T> {
    if (keepsStamp === true) this.#onUnstamped?.();
    if (this.#end !== undefined && this.#isLate(this.#end)) return Promise.reject(new HeavyCallError());
    return isYieldDue(this.#signal) ? yieldToEvents(this.#signal).then(step) : step();
  }
  #isLate(end: number): boolean {
    return ++this.#steps >= freeSteps && this.#steps % stepsPerLook === 0 && performance.now() > end;
  }
}
