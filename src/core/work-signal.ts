import type { Store } from './store.ts';

/** What the workers of this process do when a job was requested, by the store that it is in. */
const listeners = new WeakMap<Store, () => void>();

/** Calls a listener whenever a call or a job in this process has requested jobs in a store. Returns what ends this. */
export function onWork(store: Store, listener: () => void): () => void {
  listeners.set(store, listener);
  return () => {
    if (listeners.get(store) === listener) listeners.delete(store);
  };
}

/** Tells the workers of this process that jobs were requested, after the write that requests them. */
export function announceWork(store: Store): void {
  listeners.get(store)?.();
}
