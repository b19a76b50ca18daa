import type { ReadTransaction, Store, Table } from '../core/store.ts';
import { storeFailure } from './failures.ts';
import { lockFile } from './file-lock.ts';
import { createParentFolder } from './files.ts';
import { JsonState } from './json-state.ts';
import { layoutsOf, type TableLayout } from './layout.ts';
import { withView } from './memory.ts';
import { RwLock } from './rw-lock.ts';
import { ReadView, WriteView } from './view.ts';
import { GroupCommit, type Journal } from './group-commit.ts';

/**
 * Opens a store that is one JSON file. Every change rewrites the file, so it suits small stores that people read and
 * compare.
 */
export function openJsonFile(
  url: string,
  path: string,
  tables: readonly Table[],
  busyTimeout: number,
): Store {
  const layouts = layoutsOf(tables);
  const state = new JsonState(path, layouts);
  const lock = new RwLock();
  const groups = new GroupCommit(new JsonJournal(path, state, layouts, busyTimeout), (work) =>
    lock.exclusive(work),
  );
  throwAsStoreFailure(path, () => state.refresh());
  return {
    url,
    stamp: () => state.stamp(),
    read: <T>(work: (view: ReadTransaction) => Promise<T>) =>
      lock.shared(async () => {
        throwAsStoreFailure(path, () => state.refresh());
        return withView(new ReadView(layouts, state.rows), work);
      }),
    write: (work, options) => groups.write(work, options),
    close: async () => {
      await groups.close();
      await lock.close();
    },
  };
}

/** A group of writes as one new version of the file. */
class JsonJournal implements Journal {
  readonly #path: string;
  readonly #state: JsonState;
  readonly #layouts: ReadonlyMap<string, TableLayout>;
  readonly #busyTimeout: number;
  #unlock: () => void = () => undefined;
  #changesBeforeWrite = 0;
  #keepsStamp = false;

  constructor(
    path: string,
    state: JsonState,
    layouts: ReadonlyMap<string, TableLayout>,
    busyTimeout: number,
  ) {
    this.#path = path;
    this.#state = state;
    this.#layouts = layouts;
    this.#busyTimeout = busyTimeout;
  }

  async begin(keepsStamp: boolean): Promise<void> {
    this.#keepsStamp = keepsStamp;
    throwAsStoreFailure(this.#path, () => createParentFolder(this.#path));
    this.#unlock = await lockFile(this.#path, this.#busyTimeout);
    throwAsStoreFailure(this.#path, () => {
      this.#state.clean();
      this.#state.refresh();
    });
  }

  view(): WriteView {
    return new WriteView(this.#layouts, this.#state.rows, this.#keepsStamp);
  }

  mark(): void {
    this.#changesBeforeWrite = this.#state.rows.changes;
  }

  undo(): void {
    this.#state.rows.undoTo(this.#changesBeforeWrite);
  }

  async commit(): Promise<void> {
    try {
      if (this.#state.rows.changes > 0)
        throwAsStoreFailure(this.#path, () => this.#state.save(this.#keepsStamp));
    } catch (error) {
      this.#state.forget();
      throw error;
    }
    this.#state.rows.forget();
    this.#end();
  }

  rollback(): void {
    this.#state.rows.undoTo(0);
    this.#end();
  }

  #end(): void {
    this.#unlock();
    this.#unlock = () => undefined;
  }
}

/** Runs the work. @throws Problem(store-failed) for its errors */
function throwAsStoreFailure(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw storeFailure(path, error);
  }
}
