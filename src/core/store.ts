import type { TableAudit } from './audit/table-audit.ts';
import { notFound } from '../errors/problem.ts';
import { damagedStore } from './damage.ts';

/** A stored value: JSON, with an id. */
export interface Row {
  readonly id: string;
}

/** A value in an index. Null sorts first, then numbers, then strings by code point. */
export type Key = string | number | null;

export interface IndexSpec {
  /** The fields that a query selects by. It gives a value for each of them. */
  readonly on: readonly string[];
  /** The fields that order the rows with equal values. Rows that are equal here too are ordered by ID. */
  readonly by?: readonly string[];
  /** Two rows may not have the same values of `on`, unless one of the values is null or absent. */
  readonly unique?: boolean;
  /**
   * The groups of rows with equal values of `on` stay small (a few thousand rows at most) or are rarely counted. A store counts
   * their rows on request, instead of keeping a number for each group. If all organizations shared a group, they would wait for
   * each other to change its number.
   */
  readonly small?: boolean;
}

/** A table with the indexes that its queries use. An absent field is indexed as null. */
export interface Table<R extends Row = Row, I extends string = string> {
  readonly name: string;
  readonly indexes: Readonly<Record<I, IndexSpec>>;
  /** The fields of the full-text search, with the weight of a word in each. */
  readonly words?: Readonly<Record<string, number>>;
  /** How audit events show its changes (default: not at all). See `audited`. */
  readonly audit?: TableAudit;
  /** Whether writes that keep the stamp may change its rows, because no answer of a site depends on them (default false). */
  readonly keepsStamp?: boolean;
  /** Never set. It only makes the type of the rows part of the type of the table. */
  readonly row?: R;
}

export interface Query<I extends string = string> {
  readonly index: I;
  /** One value for each field of the index's `on`. */
  readonly equals: readonly Key[];
  readonly order?: 'asc' | 'desc';
  /** The position to start after: the values of `by`, then the ID. See `positionOf`. */
  readonly after?: readonly Key[];
  readonly limit: number;
}

export interface Search<I extends string = string> {
  readonly index: I;
  /** Lists of values of the index's `on`. The search covers the rows that have the values of one of the lists. */
  readonly anyOf: readonly (readonly Key[])[];
  /** The query as typed; `parseSearchQuery` in search-terms.ts defines what it finds. */
  readonly query: string;
  readonly limit: number;
}

/**
 * A row that a search found. It has only the ID, because usually few hits are shown. Scores are comparable only within one
 * search.
 */
export interface Hit {
  readonly id: string;
  readonly score: number;
}

/** The ID of a row and the size of its JSON. */
export interface RowSize {
  readonly id: string;
  /** Bytes, or characters in a store that is kept in memory. */
  readonly size: number;
}

/** A transaction that reads from a consistent snapshot. It does not see later commits of others. */
export interface ReadTransaction {
  /** Returns the row with an ID; undefined if there is none. */
  get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined>;
  /** Returns the rows of a query, in the order of its index. */
  find<R extends Row, I extends string>(table: Table<R, I>, query: Query<I>): Promise<readonly R[]>;
  /**
   * Returns the number of rows with these values of `on`. It takes the same time for any number, unless the index is
   * `small`.
   */
  count<R extends Row, I extends string>(
    table: Table<R, I>,
    index: I,
    equals: readonly Key[],
  ): Promise<number>;
  /** Returns the IDs of all rows of a table after an ID, in the order of the IDs. It reads no rows, so they may be large. */
  scan(table: Table, after: string, limit: number): Promise<readonly RowSize[]>;
  /** Returns the best hits of a search, best first, then by ID. The table must have `words`. */
  search<R extends Row, I extends string>(table: Table<R, I>, search: Search<I>): Promise<readonly Hit[]>;
}

/** A transaction that reads and writes. It sees its own changes. */
export interface WriteTransaction extends ReadTransaction {
  /** Adds a row. @throws Problem(conflict) if the ID or a unique key is taken */
  insert<R extends Row>(table: Table<R>, row: R): Promise<void>;
  /**
   * Merges `change` into a row and returns the row. Undefined removes a field.
   *
   * @throws Problem(not-found), Problem(conflict)
   */
  update<R extends Row>(table: Table<R>, id: string, change: Partial<R>): Promise<R>;
  /** Removes a row. Returns false if there was none. */
  remove<R extends Row>(table: Table<R>, id: string): Promise<boolean>;
}

/** `busy`: others used the store all the time, or the signal was aborted; `large`: everything but the rewriting is done. */
export type ScrubResult = 'done' | 'busy' | 'large';

/** Maximum milliseconds that writes wait while the store is rewritten. It is less than the timeout of a write. */
export const maxHold = 10_000;

/** What a driver may use to read the rows of a transaction together. */
export interface ReadOptions {
  /** The same for all transactions that usually read the same kinds of rows in the same order, such as those of an operation. */
  readonly like?: string;
  /** Returns the values that decide which rows the transaction reads. Transactions with the same `like` use the same order. */
  readonly given?: () => readonly Key[];
}

export interface WriteOptions extends ReadOptions {
  /** Writes in the same lane often change the same rows. A driver may run them one after the other. */
  readonly lane?: string | undefined;
  /**
   * The write need not change the stamp of this store. It may change only tables that have `keepsStamp`. It still changes the
   * stamps of other processes (default false).
   */
  readonly keepsStamp?: boolean;
}

/** Where rows are kept. Drivers are in the room `stores/`. */
export interface Store {
  /** The URL with which the store was opened, without the password in it. */
  readonly url: string;
  /** Runs the work in a read transaction and returns its result. A driver may run the work again. */
  read<T>(work: (view: ReadTransaction) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * Runs the work in a write transaction and returns its result when the change is durable. If the work throws, nothing is
   * changed. Write transactions are serializable. A driver may run the work again, so it must have no other effects.
   *
   * @throws Problem(store-busy), Problem(store-failed)
   */
  write<T>(work: (tx: WriteTransaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Returns a text that changes with every write of any process, except writes with `keepsStamp`. Data that was read after the
   * stamp was taken is up to date as long as the stamp is the same. It is cheap and does not wait. Absent or undefined if the
   * store has no stamp.
   */
  stamp?(): string | undefined;
  /**
   * Returns a stamp, like `stamp`, in a store that has to ask another process for it. The stamp is taken after the call, and
   * simultaneous calls may share one query. Undefined if there is no stamp now. Absent if there never is, or there is `stamp`.
   */
  fetchStamp?(): Promise<string | undefined>;
  /**
   * Erases the traces of removed rows in the files of the store, in short writes. If the store has at most `maxSize` bytes, it is
   * also rewritten, which blocks all writes. With `serving`, another process rewrites it. `give-way`: the rewriting stops when
   * this process writes, and the result is `busy`. `go-ahead`: writes wait for the rewriting, for at most `maxHold` milliseconds.
   * Absent if removed rows leave no traces.
   *
   * @throws Problem(store-failed) if everything except objects of the blob storage was removed
   */
  scrub?(maxSize: number, signal: AbortSignal, serving?: 'give-way' | 'go-ahead'): Promise<ScrubResult>;
  /**
   * Checks whether the store refuses every write for good, although it can still be read. Absent if it never does.
   *
   * @throws Problem(store-failed) if it was moved, or if another version of docsctl has changed its layout
   */
  checkInUse?(): Promise<void>;
  /** Waits for open transactions and closes the store. */
  close(): Promise<void>;
}

/** Declares a table: `table<SpaceRow>()('spaces', { byOrganization: { on: ['organization'], by: ['title'] } })`. */
export function table<R extends Row>() {
  return <const I extends Record<string, IndexSpec>>(
    name: string,
    indexes: I,
    words?: Readonly<Partial<Record<Extract<keyof R, string>, number>>>,
  ): Table<R, Extract<keyof I, string>> => ({
    name,
    indexes,
    ...(words === undefined ? {} : { words: words as Readonly<Record<string, number>> }),
  });
}

/**
 * Returns the row with an ID that another row refers to. Rows that refer to each other are written and removed together.
 *
 * @throws Problem(store-failed) if the row is missing: the store is damaged
 */
export async function getExisting<R extends Row>(
  view: ReadTransaction,
  from: Table<R>,
  id: string,
): Promise<R> {
  const row = await view.get(from, id);
  if (row === undefined)
    throw damagedStore(`the table ${from.name} has no row ${id}, which another row refers to`);
  return row;
}

/**
 * Returns the row with an ID from a request. Its fields must have the values in `owner`, such as `{ site: 'site_1' }`.
 *
 * @throws Problem(not-found), which names the row with `noun`
 */
export async function getOwned<R extends Row>(
  view: ReadTransaction,
  from: Table<R>,
  id: string,
  owner: Partial<R>,
  noun: string,
): Promise<R> {
  const row = await view.get(from, id);
  if (row === undefined || (Object.keys(owner) as (keyof R)[]).some((field) => row[field] !== owner[field]))
    throw notFound(noun, id);
  return row;
}

/** Returns the row with these values of a unique index; undefined if there is none. */
export async function findOne<R extends Row, I extends string>(
  view: ReadTransaction,
  where: Table<R, I>,
  index: I,
  equals: readonly Key[],
): Promise<R | undefined> {
  const [row] = await view.find(where, { index, equals, limit: 1 });
  return row;
}

/** How many rows `eachRow` reads at once. */
const rowsPerRead = 500;

/** Yields all rows with these values of an index, in order. It reads 500 rows at a time. */
export async function* eachRow<R extends Row, I extends string>(
  view: ReadTransaction,
  from: Table<R, I>,
  index: I,
  equals: readonly Key[],
  order: 'asc' | 'desc' = 'asc',
): AsyncGenerator<R> {
  let after: readonly Key[] | undefined;
  for (;;) {
    const rows = await view.find(from, {
      index,
      equals,
      order,
      limit: rowsPerRead,
      ...(after === undefined ? {} : { after }),
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerRead) return;
    after = positionOf(from, index, last);
  }
}

/**
 * Returns all rows with these values of an index. Unlike with `eachRow`, rows can be changed while the array is
 * walked.
 */
export async function collectRows<R extends Row, I extends string>(
  view: ReadTransaction,
  from: Table<R, I>,
  index: I,
  equals: readonly Key[],
): Promise<R[]> {
  // Usually there are few rows. One read costs less than a generator.
  const first = await view.find(from, { index, equals, limit: rowsPerRead });
  if (first.length < rowsPerRead) return [...first];
  const rows: R[] = [];
  for await (const row of eachRow(view, from, index, equals)) rows.push(row);
  return rows;
}

/** Runs reads in transactions: each in a short one, or all in the same. */
export type ReadShortly = <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;

/** Yields the IDs and sizes of all rows of a table in the order of the IDs, `limit` at a time, each time with one read. */
export async function* scanTable(
  read: ReadShortly,
  from: Table,
  limit: number,
  after = '',
): AsyncGenerator<readonly RowSize[]> {
  for (let last = after; ;) {
    const found = await read((view) => view.scan(from, last, limit));
    yield found;
    const end = found.at(-1);
    if (end === undefined || found.length < limit) return;
    last = end.id;
  }
}

/** Removes all rows with these values of an index. */
export async function removeRows<R extends Row, I extends string>(
  tx: WriteTransaction,
  from: Table<R, I>,
  index: I,
  equals: readonly Key[],
): Promise<void> {
  for (const { id } of await collectRows(tx, from, index, equals)) await tx.remove(from, id);
}

/**
 * Turns the members of a request body into a change of a row. An undefined member changes nothing; null removes the field.
 */
export function changeFrom<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[name, value ?? undefined]],
    ),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Returns the position of a row in an index, for `Query.after`. */
export function positionOf<R extends Row, I extends string>(
  from: Table<R, I>,
  index: I,
  row: R,
): readonly Key[] {
  const fields = row as unknown as Record<string, Key | undefined>;
  return [...(from.indexes[index].by ?? []).map((field) => fields[field] ?? null), row.id];
}
