import { waitAtMost } from '../contract/wait-at-most.ts';
import type { Services } from '../core/handler.ts';

/** The most times that one answer computes something. */
const maxRounds = 500;

/** Thrown where an answer needs what is not computed yet, and cannot be computed in the transaction of the answer. */
export class NotComputed extends Error {
  readonly compute: (services: Services) => Promise<void>;
  /** Lets the answer be made without it; undefined where it cannot be. */
  readonly skip: (() => void) | undefined;

  constructor(compute: NotComputed['compute'], skip?: () => void) {
    super('Something has to be computed first.');
    this.compute = compute;
    this.skip = skip;
  }
}

/**
 * Reads, and reads again after what the reading needs has been computed: scripts of integrations have run, or another thread has
 * read a long text. After `maxWait` milliseconds (default: no limit), the answer is made without what can be left out, which goes
 * on being computed.
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
      // Who has waited once does not wait for other scripts.
      wait = 0;
    }
}
