import { isYieldDue, yieldToEvents } from '../contract/event-loop.ts';
import type { ReadTransaction } from './store.ts';

const methods = ['get', 'find', 'count', 'scan', 'search', 'insert', 'update', 'remove'] as const;
type Method = (from: unknown, more: unknown, last: unknown) => Promise<unknown>;

/**
 * The same transaction, which lets signals, timers and other requests have their turn before a row is read or written, if
 * work has held the event loop for 20 ms: long work shows its progress and can be interrupted.
 *
 * Its methods throw Problem(interrupted) when the signal was aborted. The store then takes back what was written.
 */
export function yieldingTransaction<V extends ReadTransaction>(view: V, signal?: AbortSignal): V {
  const source = view as unknown as Partial<Record<(typeof methods)[number], Method>>;
  const yielding: typeof source = {};
  for (const name of methods) {
    const method = source[name]?.bind(view);
    if (method === undefined) continue;
    yielding[name] = (from, more, last) =>
      isYieldDue(signal)
        ? yieldToEvents(signal).then(() => method(from, more, last))
        : method(from, more, last);
  }
  return yielding as unknown as V;
}
