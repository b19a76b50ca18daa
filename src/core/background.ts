import { waitAtMost } from '../contract/wait-at-most.ts';

/** Work that goes on after the answer to a call, by the vault of its core. */
const running = new WeakMap<object, Set<Promise<unknown>>>();

/** Lets work go on after the answer to a call. The store stays open until the work has ended, however it ends. */
export function continueInBackground({ vault }: { vault: object }, work: Promise<unknown>): void {
  const all = running.get(vault) ?? new Set();
  running.set(vault, all);
  const ended = work.then(
    () => void all.delete(ended),
    () => void all.delete(ended),
  );
  all.add(ended);
}

/**
 * Waits until all work that goes on after an answer has ended.
 *
 * @returns false if there was work left after `timeout` milliseconds (default: no limit)
 */
export async function backgroundEnded({ vault }: { vault: object }, timeout = Infinity): Promise<boolean> {
  const all = running.get(vault);
  if (all === undefined || all.size === 0) return true;
  const ended = Promise.all(all).then(() => true);
  return waitAtMost(timeout, ended, () => false);
}
