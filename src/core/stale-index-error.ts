import type { WriteTransaction } from './store.ts';

/**
 * Thrown by a reading handler whose answer needs an index that lags behind the content, such as the searched words after
 * a large import. The caller runs `catchUp` in short write transactions until it returns true, then reads again.
 */
export class StaleIndexError extends Error {
  override readonly name = 'StaleIndexError';
  /** Brings one piece of the index up to date. Returns true when nothing is left. */
  readonly catchUp: (tx: WriteTransaction) => Promise<boolean>;

  constructor(catchUp: StaleIndexError['catchUp']) {
    super('An index lags behind the content.');
    this.catchUp = catchUp;
  }
}
