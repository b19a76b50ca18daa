import { getOrInsert } from '../contract/values.ts';
import { waitAtMost } from '../contract/wait-at-most.ts';

/** Work that continues after the answer to a call. The key is the vault of the core that the call used. */
const running = new WeakMap<object, Set<Promise<unknown>>>();

/** Continues work after the answer to a call. The store stays open until the work has succeeded or failed. */
export function continueInBackground({ vault }: { vault: object }, work: Promise<unknown>): void {
  const all = getOrInsert(running, vault, () => new Set());
  const ended = work.then(
    () => void all.delete(ended),
    () => void all.delete(ended),
  );
  all.add(ended);
}

/**
 * Waits until all work that continues after answers has ended.
 *
 * @returns false if there was work left after `timeout` milliseconds (default: no limit)
 */
export async function backgroundEnded({ vault }: { vault: object }, timeout = Infinity): Promise<boolean> {
  const all = running.get(vault);
  if (all === undefined || all.size === 0) return true;
  const ended = Promise.all(all).then(() => true);
  return waitAtMost(timeout, ended, () => false);
}
