import { setTimeout } from 'node:timers/promises';
import { isBusy, storeBusy, storeFailure } from './failures.ts';

/**
 * Milliseconds between two attempts. SQLite's own busy handler is not used, because it blocks the whole process for
 * up to 100 ms.
 */
const retryDelay = 2;

/**
 * Repeats an attempt until the lock is free, and returns its result.
 *
 * @param timeout maximum time in milliseconds
 * @throws Problem(store-busy) after the timeout; Problem(store-failed) for any other failure
 */
export async function retryWhileBusy<T>(path: string, timeout: number, attempt: () => T): Promise<T> {
  let deadline: AbortSignal | undefined;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw storeFailure(path, error);
      deadline ??= AbortSignal.timeout(timeout);
      if (deadline.aborted) throw storeBusy(path, timeout, error);
    }
    await setTimeout(retryDelay);
  }
}
