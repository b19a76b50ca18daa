import { getOrInsert } from '../contract/values.ts';
import { comparePositions, compareTexts } from '../core/keys.ts';
import {
  positionOf,
  type Hit,
  type Key,
  type Query,
  type ReadTransaction,
  type Row,
  type RowSize,
  type Search,
  type Store,
  type Table,
  type WriteTransaction,
} from '../core/store.ts';
import { groupOf, keysOf, layoutsOf, type TableLayout } from './layout.ts';
import { withView } from './memory.ts';
import { MemoryRows } from './memory-rows.ts';
import { conflictProblem } from './rows.ts';
import { RwLock } from './rw-lock.ts';
import { ReadView, WriteView } from './view.ts';

type Layouts = ReadonlyMap<string, TableLayout>;

/** The IDs of rows of the base store that an overlay has changed or removed, by table. */
class ReplacedRows {
  readonly #byTable = new Map<string, Set<string>>();
  #added: (readonly [table: string, id: string])[] = [];

  of(table: Table): ReadonlySet<string> {
    return this.#byTable.get(table.name) ?? none;
  }

  add(table: Table, id: string): void {
    const ids = getOrInsert(this.#byTable, table.name, () => new Set());
    ids.add(id);
    this.#added.push([table.name, id]);
  }

  undo(): void {
    for (const [table, id] of this.#added) this.#byTable.get(table)?.delete(id);
    this.forget();
  }

  forget(): void {
    this.#added = [];
  }
}

const none: ReadonlySet<string> = new Set();

/**
 * Opens a store on top of a base store. It reads from both and keeps all writes in memory, so the base store is never changed.
 * Changes by others in the base store are visible, unless the overlay has changed the same row. To discard the writes, open
 * another overlay. Closing the overlay does not close the base store.
 */
export function openOverlay(base: Store, tables: readonly Table[]): Store {
  const layouts = layoutsOf(tables);
  const rows = new MemoryRows();
  const replaced = new ReplacedRows();
  const lock = new RwLock();
  let writes = 0;
  return {
    url: base.url,
    stamp: () => {
      const below = base.stamp?.();
      return below === undefined ? undefined : `${below} ${writes}`;
    },
    read: (work) =>
      lock.shared(() =>
        base.read((below) =>
          withView(new ReadView(layouts, rows), (own) =>
            work(new OverlayView(below, own, layouts, replaced)),
          ),
        ),
      ),
    write: (work, { keepsStamp = false } = {}) =>
      lock.exclusive(() =>
        base.read(async (below) => {
          const own = new WriteView(layouts, rows, keepsStamp);
          try {
            return await work(new OverlayTransaction(below, own, layouts, replaced));
          } catch (error) {
            rows.undoTo(0);
            replaced.undo();
            throw error;
          } finally {
            own.end();
            rows.forget();
            replaced.forget();
            if (!keepsStamp) writes++;
          }
        }),
      ),
    close: () => lock.close(),
  };
}

class OverlayView implements ReadTransaction {
  protected readonly below: ReadTransaction;
  protected readonly layouts: Layouts;
  protected readonly replaced: ReplacedRows;
  readonly #own: ReadView;

  constructor(below: ReadTransaction, own: ReadView, layouts: Layouts, replaced: ReplacedRows) {
    this.below = below;
    this.#own = own;
    this.layouts = layouts;
    this.replaced = replaced;
  }

  async get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined> {
    const own = await this.#own.get(table, id);
    return own ?? (this.replaced.of(table).has(id) ? undefined : await this.below.get(table, id));
  }

  async find<R extends Row, I extends string>(table: Table<R, I>, query: Query<I>): Promise<readonly R[]> {
    const own = await this.#own.find(table, query);
    const below = await this.#findBelow(table, query);
    const positions = new Map([...own, ...below].map((row) => [row, positionOf(table, query.index, row)]));
    const sign = query.order === 'desc' ? -1 : 1;
    return merge(own, below, query.limit, (a, b) => {
      return sign * comparePositions(positions.get(a) ?? [], positions.get(b) ?? []);
    });
  }

  async count<R extends Row, I extends string>(
    table: Table<R, I>,
    index: I,
    equals: readonly Key[],
  ): Promise<number> {
    const own = await this.#own.count(table, index, equals);
    let below = await this.below.count(table, index, equals);
    const { on } = table.indexes[index];
    for (const id of this.replaced.of(table)) {
      const row = (await this.below.get(table, id)) as Readonly<Record<string, unknown>> | undefined;
      if (row !== undefined && on.every((field, at) => (row[field] ?? null) === equals[at])) below -= 1;
    }
    return own + below;
  }

  async scan(table: Table, after: string, limit: number): Promise<readonly RowSize[]> {
    const own = await this.#own.scan(table, after, limit);
    const replaced = this.replaced.of(table);
    const below: RowSize[] = [];
    for (let from = after; below.length < limit;) {
      const rows = await this.below.scan(table, from, limit);
      below.push(...rows.filter(({ id }) => !replaced.has(id)));
      if (rows.length < limit) break;
      from = rows.at(-1)?.id ?? from;
    }
    return merge(own, below, limit, (a, b) => compareTexts(a.id, b.id));
  }

  /** The scores of the two stores are compared, although each store counts words only in its own rows. */
  async search<R extends Row, I extends string>(
    table: Table<R, I>,
    search: Search<I>,
  ): Promise<readonly Hit[]> {
    const { limit } = search;
    const own = await this.#own.search(table, search);
    const replaced = this.replaced.of(table);
    const found = await this.below.search(table, { ...search, limit: limit + replaced.size });
    const below = found.filter(({ id }) => !replaced.has(id));
    const hits = merge(own, below, limit, (a, b) => b.score - a.score || compareTexts(a.id, b.id));
    // Rows with only some of the words, whose scores are below one, count only if no row has all of them.
    const [best] = hits;
    return best !== undefined && best.score >= 1 ? hits.filter(({ score }) => score >= 1) : hits;
  }

  protected layout(table: Table): TableLayout {
    const layout = this.layouts.get(table.name);
    if (layout === undefined) throw new Error(`The store was opened without the table "${table.name}".`);
    return layout;
  }

  async #findBelow<R extends Row, I extends string>(table: Table<R, I>, query: Query<I>): Promise<R[]> {
    const replaced = this.replaced.of(table);
    const found: R[] = [];
    for (let { after } = query; found.length < query.limit;) {
      const rows = await this.below.find(table, { ...query, ...(after === undefined ? {} : { after }) });
      found.push(...rows.filter(({ id }) => !replaced.has(id)));
      const last = rows.at(-1);
      if (last === undefined || rows.length < query.limit) break;
      after = positionOf(table, query.index, last);
    }
    return found;
  }
}

class OverlayTransaction extends OverlayView implements WriteTransaction {
  readonly #target: WriteView;

  constructor(below: ReadTransaction, own: WriteView, layouts: Layouts, replaced: ReplacedRows) {
    super(below, own, layouts, replaced);
    this.#target = own;
  }

  async insert<R extends Row>(table: Table<R>, row: R): Promise<void> {
    const layout = this.layout(table);
    const keys = keysOf(layout, row);
    if ((await this.get(table, row.id)) !== undefined) throw conflictProblem(layout, keys);
    await this.#refuseTakenBelow(table, row);
    await this.#target.insert(table, row);
  }

  async update<R extends Row>(table: Table<R>, id: string, change: Partial<R>): Promise<R> {
    const own = await this.#target.get(table, id);
    const before = own ?? (await this.get(table, id));
    if (before !== undefined) await this.#refuseTakenBelow(table, { ...before, ...change, id });
    if (own === undefined && before !== undefined) {
      await this.#target.insert(table, before);
      this.replaced.add(table, id);
    }
    return this.#target.update(table, id, change);
  }

  async remove<R extends Row>(table: Table<R>, id: string): Promise<boolean> {
    const isOwn = await this.#target.remove(table, id);
    if (this.replaced.of(table).has(id) || (await this.below.get(table, id)) === undefined) return isOwn;
    this.replaced.add(table, id);
    return true;
  }

  /** @throws Problem(conflict) if a row of the base store has a unique key of the row */
  async #refuseTakenBelow<R extends Row>(table: Table<R>, row: R): Promise<void> {
    const layout = this.layout(table);
    const keys = keysOf(layout, row);
    const replaced = this.replaced.of(table);
    for (const index of layout.indexes.values()) {
      const equals = groupOf(index, keys);
      if (!index.unique || equals.includes(null)) continue;
      const [found] = await this.below.find(table, {
        index: index.name,
        equals,
        limit: 1,
      });
      if (found !== undefined && found.id !== row.id && !replaced.has(found.id))
        throw conflictProblem(layout, keys, index);
    }
  }
}

/** Merges two sorted lists into one of at most `limit` items. */
function merge<T>(
  one: readonly T[],
  other: readonly T[],
  limit: number,
  compare: (a: T, b: T) => number,
): T[] {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (merged.length < limit) {
    const [a, b] = [one[left], other[right]];
    if (a === undefined && b === undefined) break;
    if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
      merged.push(a as T);
      left += 1;
    } else {
      merged.push(b);
      right += 1;
    }
  }
  return merged;
}
