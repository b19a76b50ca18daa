import type { Store } from '../../src/core/store.ts';

/** Returns a store that logs every transaction and passes it to another store. */
export function openLogged(store: Store, log: (line: string) => void): Store {
  return {
    url: `logged+${store.url}`,
    read: (work) => (log('read'), store.read(work)),
    write: (work, options) => (log('write'), store.write(work, options)),
    close: () => store.close(),
  };
}
