import type { ReadTransaction, Store, Table } from '../core/store.ts';
import { storeFailure } from './failures.ts';
import { lockFile } from './file-lock.ts';
import { makeFolderOf } from './files.ts';
import { JsonState } from './json-state.ts';
import { layOutAll, type TableLayout } from './layout.ts';
import { during } from './memory.ts';
import { Turns } from './turns.ts';
import { ReadView, WriteView } from './view.ts';
import { WriteGroups, type Journal } from './write-groups.ts';

/** Opens a store that is one JSON file, which each change writes anew: for small stores that people read and compare. */
export function openJsonFile(
  url: string,
  path: string,
  tables: readonly Table[],
  busyTimeout: number,
): Store {
  const layouts = layOutAll(tables);
  const state = new JsonState(path, layouts);
  const turns = new Turns();
  const groups = new WriteGroups(new JsonJournal(path, state, layouts, busyTimeout), (work) =>
    turns.alone(work),
  );
  naming(path, () => state.refresh());
  return {
    url,
    read: <T>(work: (view: ReadTransaction) => Promise<T>) =>
      turns.shared(async () => {
        naming(path, () => state.refresh());
        return during(new ReadView(layouts, state.rows), work);
      }),
    write: (work) => groups.write(work),
    close: async () => {
      await groups.close();
      await turns.close();
    },
  };
}

class JsonJournal implements Journal {
  readonly #path: string;
  readonly #state: JsonState;
  readonly #layouts: ReadonlyMap<string, TableLayout>;
  readonly #busyTimeout: number;
  #unlock: () => void = () => undefined;
  #changes = 0;

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

  async begin(): Promise<void> {
    naming(this.#path, () => makeFolderOf(this.#path));
    this.#unlock = await lockFile(this.#path, this.#busyTimeout);
    naming(this.#path, () => {
      this.#state.clean();
      this.#state.refresh();
    });
  }

  view(): WriteView {
    return new WriteView(this.#layouts, this.#state.rows);
  }

  mark(): void {
    this.#changes = this.#state.rows.changes;
  }

  undo(): void {
    this.#state.rows.undoTo(this.#changes);
  }

  async commit(): Promise<void> {
    try {
      if (this.#state.rows.changes > 0) naming(this.#path, () => this.#state.save());
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

function naming(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw storeFailure(path, error);
  }
}
