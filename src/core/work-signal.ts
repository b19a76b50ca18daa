import type { Store } from './store.ts';

/** The listeners of the workers in this process, by the store in which jobs are requested. */
const listeners = new WeakMap<Store, () => void>();

/** Calls a listener whenever a call or a job in this process has requested jobs in a store. Returns a function to remove it. */
export function onWork(store: Store, listener: () => void): () => void {
  listeners.set(store, listener);
  return () => {
    if (listeners.get(store) === listener) listeners.delete(store);
  };
}

/** Tells the workers of this process that jobs were requested. Call it after the write that requests them. */
export function announceWork(store: Store): void {
  listeners.get(store)?.();
}
