import type { Writing } from './store.ts';

/**
 * Thrown by a reading handler whose answer needs something that is kept beside the content and lags behind it, such as
 * the words of a large import. The caller lets it catch up, piece by piece, each in a short write, and reads again.
 */
export class Behind {
  /** Does one piece; true when nothing is left. */
  readonly catchUp: (tx: Writing) => Promise<boolean>;

  constructor(catchUp: Behind['catchUp']) {
    this.catchUp = catchUp;
  }
}
