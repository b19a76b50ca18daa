import { getOrInsert } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type {
  Hit,
  Query,
  ReadTransaction,
  Row,
  RowSize,
  Search,
  Table,
  WriteTransaction,
} from '../core/store.ts';

/**
 * Keeps writes in memory on top of a transaction, to preview the effect of content changes. Written rows can be read by ID.
 * Queries return only stored rows, which is enough because content is read by hash.
 */
export class ScratchTransaction implements WriteTransaction {
  readonly #view: ReadTransaction;
  readonly #written = new Map<string, Map<string, Row | undefined>>();

  constructor(view: ReadTransaction) {
    this.#view = view;
  }

  async get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined> {
    const rows = this.#written.get(table.name);
    return rows?.has(id) === true ? (rows.get(id) as R | undefined) : this.#view.get(table, id);
  }

  find<R extends Row, I extends string>(table: Table<R, I>, query: Query<I>): Promise<readonly R[]> {
    return this.#view.find(table, query);
  }

  count<R extends Row, I extends string>(
    table: Table<R, I>,
    index: I,
    equals: Query['equals'],
  ): Promise<number> {
    return this.#view.count(table, index, equals);
  }

  scan(table: Table, after: string, limit: number): Promise<readonly RowSize[]> {
    return this.#view.scan(table, after, limit);
  }

  search<R extends Row, I extends string>(table: Table<R, I>, search: Search<I>): Promise<readonly Hit[]> {
    return this.#view.search(table, search);
  }

  async insert<R extends Row>(table: Table<R>, row: R): Promise<void> {
    this.#put(table, row.id, row);
  }

  async update<R extends Row>(table: Table<R>, id: string, change: Partial<R>): Promise<R> {
    const row = await this.get(table, id);
    if (row === undefined) throw new Problem('not-found', `There is no ${table.name} "${id}".`);
    const updated = { ...row, ...change };
    this.#put(table, id, updated);
    return updated;
  }

  async remove<R extends Row>(table: Table<R>, id: string): Promise<boolean> {
    const isThere = (await this.get(table, id)) !== undefined;
    this.#put(table, id, undefined);
    return isThere;
  }

  #put(table: Table, id: string, row: Row | undefined): void {
    getOrInsert(this.#written, table.name, () => new Map()).set(id, row);
  }
}
