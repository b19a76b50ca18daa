import { createHash } from 'node:crypto';

/**
 * Runs writes of one lane, such as writes of one organization, one after the other. They would often change the same rows, and
 * all but one would have to be repeated. Lanes only save work. Writes are serializable without them.
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

/** Returns the number of the advisory lock of a lane, which all processes of a store use. */
export function lockOf(schema: string, lane: string): string {
  return createHash('sha256').update(`${schema} ${lane}`).digest().readBigInt64BE().toString();
}
