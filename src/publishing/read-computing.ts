import { waitAtMost } from '../contract/wait-at-most.ts';
import type { Services } from '../core/handler.ts';

/** Maximum number of computations for one answer. */
const maxRounds = 500;

/** Thrown if an answer needs data that must be computed outside of its transaction. */
export class NotComputed extends Error {
  readonly compute: (services: Services) => Promise<void>;
  /** Makes the answer possible without the data; undefined if it is required. */
  readonly skip: (() => void) | undefined;

  constructor(compute: NotComputed['compute'], skip?: () => void) {
    super('Something has to be computed first.');
    this.compute = compute;
    this.skip = skip;
  }
}

/**
 * Runs a read, and repeats it after the data that it needs was computed by a script of an integration or by another thread. After
 * `maxWait` milliseconds (default: no limit), the answer leaves out optional data, and the computation continues.
 */
export async function readComputing<T>(
  services: () => Services,
  read: () => Promise<T>,
  maxWait = Number.POSITIVE_INFINITY,
): Promise<T> {
  let wait = maxWait;
  for (let round = 1; ; round++)
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof NotComputed)) throw error;
      if (round === maxRounds)
        throw new Error('What an answer is made of changes all the time.', { cause: error });
      const work = error.compute(services()).then(() => true);
      const isInTime = error.skip === undefined ? await work : await waitAtMost(wait, work, () => false);
      if (isInTime) continue;
      error.skip?.();
      // A reader who has waited once does not wait for other scripts.
      wait = 0;
    }
}
