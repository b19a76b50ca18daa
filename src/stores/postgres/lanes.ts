import { createHash } from 'node:crypto';

/**
 * Lets writes of one lane, such as those of one organization, run one after the other. They would mostly change the same rows,
 * and all but one of them would have to be repeated. Lanes save work; that writes are serializable does not depend on them.
 */
export class Lanes {
  readonly #ends = new Map<string, Promise<unknown>>();

  /** Runs the work when the work before it in the lane has ended. */
  async run<T>(lane: string | undefined, work: () => Promise<T>): Promise<T> {
    if (lane === undefined) return work();
    const before = this.#ends.get(lane);
    const result = before === undefined ? work() : before.then(work);
    const end = result.catch(() => undefined);
    this.#ends.set(lane, end);
    try {
      return await result;
    } finally {
      if (this.#ends.get(lane) === end) this.#ends.delete(lane);
    }
  }
}

/** Returns the number of the advisory lock of a lane, which the processes of a store share. */
export function lockOf(schema: string, lane: string): string {
  return createHash('sha256').update(`${schema} ${lane}`).digest().readBigInt64BE().toString();
}
