import { isBusy, storeBusy, storeFailure } from './failures.ts';

// SQLite's own busy handler would stop the whole process, signals and other requests with it, and sleeps up to 100 ms.
const retryDelay = 2;

/** Tries until the lock is free, for at most `timeout` milliseconds; the process goes on meanwhile. */
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
    await new Promise((resolve) => setTimeout(resolve, retryDelay));
  }
}
