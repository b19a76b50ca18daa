import type { Clock } from '../core/clock.ts';
import { settings } from '../core/rows/organizations.ts';
import type { Store } from '../core/store.ts';
import { isProblem, type Problem } from '../errors/problem.ts';

/** Minimum milliseconds between two test writes. */
const tryInterval = 1000;

/** A store, and a check whether it is usable. */
interface WatchedStore {
  readonly store: Store;
  /** Reads from the store. @throws Problem(store-failed) also while the store is not writable, and after it was moved */
  readonly check: () => Promise<void>;
}

/**
 * Watches the writes of a store. After a failed write, the store counts as not writable until another one succeeds; meanwhile the
 * check tries a write, at most once a second. Otherwise the check only reads.
 */
export function watchStore(store: Store, clock: Clock): WatchedStore {
  let failure: Problem | undefined;
  let triedAt = 0;
  const watched: Store = {
    ...store,
    write: async (work, options) => {
      try {
        const result = await store.write(work, options);
        failure = undefined;
        return result;
      } catch (error) {
        if (isProblem(error, 'store-failed')) failure = error;
        throw error;
      }
    },
  };
  const check = async (): Promise<void> => {
    await readFrom(store);
    if (failure === undefined) return;
    const now = clock();
    if (Math.abs(now - triedAt) < tryInterval) throw failure;
    triedAt = now;
    await watched.write(async (tx) => {
      await tx.insert(settings, { id: 'write-check', administrator: '' });
      await tx.remove(settings, 'write-check');
    });
  };
  return { store: watched, check };
}

/** Reads from a store that a server uses. @throws Problem(store-failed) also if it was moved, or a newer docsctl has upgraded it */
export async function readFrom(store: Store): Promise<void> {
  await store.read((view) => view.get(settings, 'store'));
  await store.checkInUse?.();
}
