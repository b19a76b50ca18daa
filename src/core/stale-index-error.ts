import type { Watcher } from '../contract/progress.ts';
import type { WriteTransaction } from './store.ts';

/** What a piece of catching up did. */
export interface IndexProgress {
  /** 0 where the piece is the whole, which reports its progress itself. */
  readonly done: number;
  /** How much is known to be left. */
  readonly left: number;
  readonly isFresh: boolean;
}

/**
 * Thrown by a reading handler whose answer needs an index that lags behind the content, such as the searched words after
 * a large import. The caller runs `catchUp` in short write transactions until the index is fresh, then reads again.
 */
export class StaleIndexError extends Error {
  override readonly name = 'StaleIndexError';
  /** What catching up does, for its progress: "indexing pages". */
  readonly what: string;
  /** Brings one piece of the index up to date. */
  readonly catchUp: (tx: WriteTransaction, watcher: Watcher) => Promise<IndexProgress>;
  /** To be called when a piece was written. */
  readonly onWritten: () => void;

  constructor(what: string, catchUp: StaleIndexError['catchUp'], onWritten: () => void = () => {}) {
    super('An index lags behind the content.');
    this.what = what;
    this.catchUp = catchUp;
    this.onWritten = onWritten;
  }
}
