import type { ReadTransaction, Store, Table, WriteOptions, WriteTransaction } from '../core/store.ts';
import { layoutsOf } from './layout.ts';
import { MemoryRows } from './memory-rows.ts';
import { RwLock } from './rw-lock.ts';
import { ReadView, WriteView } from './view.ts';

/** Opens a store in memory. It ends with its process. Reads run concurrently; a write waits for all earlier reads and writes. */
export function openMemory(url: string, tables: readonly Table[]): Store {
  const layouts = layoutsOf(tables);
  const rows = new MemoryRows();
  const lock = new RwLock();
  let writes = 0;
  return {
    url,
    stamp: () => String(writes),
    read: <T>(work: (view: ReadTransaction) => Promise<T>) =>
      lock.shared(() => withView(new ReadView(layouts, rows), work)),
    write: <T>(work: (tx: WriteTransaction) => Promise<T>, { keepsStamp = false }: WriteOptions = {}) =>
      lock.exclusive(async () => {
        try {
          return await withView(new WriteView(layouts, rows, keepsStamp), work);
        } catch (error) {
          rows.undoTo(0);
          throw error;
        } finally {
          rows.forget();
          if (!keepsStamp) writes++;
        }
      }),
    close: () => lock.close(),
  };
}

/** Runs the work on a view, and ends the view after it. */
export async function withView<V extends ReadView, T>(view: V, work: (view: V) => Promise<T>): Promise<T> {
  try {
    return await work(view);
  } finally {
    view.end();
  }
}
