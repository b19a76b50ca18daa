import type { ReadTransaction, Store, Table, WriteTransaction } from '../core/store.ts';
import { layoutsOf } from './layout.ts';
import { MemoryRows } from './memory-rows.ts';
import { RwLock } from './rw-lock.ts';
import { ReadView, WriteView } from './view.ts';

/** A store that lives as long as its process. Reads run together, a write runs alone: each waits for those before it. */
export function openMemory(url: string, tables: readonly Table[]): Store {
  const layouts = layoutsOf(tables);
  const rows = new MemoryRows();
  const turns = new RwLock();
  return {
    url,
    read: <T>(work: (view: ReadTransaction) => Promise<T>) =>
      turns.shared(() => withView(new ReadView(layouts, rows), work)),
    write: <T>(work: (tx: WriteTransaction) => Promise<T>) =>
      turns.alone(async () => {
        try {
          return await withView(new WriteView(layouts, rows), work);
        } catch (error) {
          rows.undoTo(0);
          throw error;
        } finally {
          rows.forget();
        }
      }),
    close: () => turns.close(),
  };
}

/** Runs the work on a view that ends with it. */
export async function withView<V extends ReadView, T>(view: V, work: (view: V) => Promise<T>): Promise<T> {
  try {
    return await work(view);
  } finally {
    view.end();
  }
}
