import type { Watcher } from '../contract/progress.ts';
import type { WriteTransaction } from './store.ts';

/** The result of one step of `catchUp`. */
export interface IndexProgress {
  /** How many entries the step has indexed. 0 if there is only one step, which reports its own progress. */
  readonly done: number;
  /** How many entries are known to be left. */
  readonly left: number;
  readonly isFresh: boolean;
}

/**
 * Thrown by a reading handler whose answer needs an index that lags behind the content, such as the searched words after
 * a large import. The caller runs `catchUp` in short write transactions until the index is fresh, then reads again.
 */
export class StaleIndexError extends Error {
  override readonly name = 'StaleIndexError';
  /** The text that the progress of `catchUp` shows: "indexing pages". */
  readonly what: string;
  /** Brings a part of the index up to date. */
  readonly catchUp: (tx: WriteTransaction, watcher: Watcher) => Promise<IndexProgress>;
  /** Call this when the write of a step has succeeded. */
  readonly onWritten: () => void;

  constructor(what: string, catchUp: StaleIndexError['catchUp'], onWritten: () => void = () => {}) {
    super('An index lags behind the content.');
    this.what = what;
    this.catchUp = catchUp;
    this.onWritten = onWritten;
  }
}
