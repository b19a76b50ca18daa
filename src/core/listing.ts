import { defaultLimit } from '../contract/operation.ts';
import { invalid } from '../errors/problem.ts';
import { compareKeys } from './keys.ts';
import { eachRow, positionOf, type Key, type ReadTransaction, type Row, type Table } from './store.ts';

export interface PageQuery {
  /** The cursor in `next.page` of the previous page (default: the first page). */
  readonly page?: string | undefined;
  /** Maximum number of items (default `defaultLimit`). */
  readonly limit?: number;
}

/** The rows of a list: those of an index with equal values of `on`. */
export interface Selection<R extends Row, I extends string> {
  readonly table: Table<R, I>;
  readonly index: I;
  readonly equals: readonly Key[];
  readonly order?: 'asc' | 'desc';
  /**
   * Keeps only some rows. With a filter every page reads all rows of the selection, so set it only if the query has
   * one.
   */
  readonly filter?: Filter<R> | undefined;
}

type Filter<R> = (row: R) => boolean | Promise<boolean>;

/** One page of a list. `count` is the number of items on all pages. */
export interface Page<T> {
  next?: { page: string };
  count: number;
  items: T[];
}

/**
 * Returns one page of a selection, with each row turned into an item by `shape`. Pages are found by key, so a late page
 * costs no more than the first, and changes between two pages repeat or hide no other item.
 *
 * @throws Problem(invalid-input) for a `page` that is not of this list
 */
export async function listPage<R extends Row, I extends string, T>(
  view: ReadTransaction,
  selection: Selection<R, I>,
  query: PageQuery,
  shape: (row: R) => T | Promise<T>,
): Promise<Page<T>> {
  const limit = query.limit ?? defaultLimit;
  const after = query.page === undefined ? undefined : readCursor(selection, query.page);
  const { rows, count } =
    selection.filter === undefined
      ? await readRows(view, selection, limit, after)
      : await readFilteredRows(view, selection, selection.filter, limit, after);
  const items: T[] = [];
  for (const row of rows.slice(0, limit)) items.push(await shape(row));
  const last = rows[limit - 1];
  return {
    ...(rows.length > limit && last !== undefined ? { next: { page: writeCursor(selection, last) } } : {}),
    count,
    items,
  };
}

/** Returns a filter for rows whose title contains a text, ignoring case; undefined without a text. */
export function titleFilter(
  text: string | undefined,
): ((row: { readonly title: string }) => boolean) | undefined {
  const searched = text?.toLowerCase();
  return searched === undefined ? undefined : ({ title }) => title.toLowerCase().includes(searched);
}

/** Returns a filter for rows that both filters keep; undefined without filters. */
export function both<R>(first: Filter<R> | undefined, second: Filter<R> | undefined): Filter<R> | undefined {
  if (first === undefined) return second;
  return second === undefined ? first : async (row) => (await first(row)) && second(row);
}

async function readRows<R extends Row, I extends string>(
  view: ReadTransaction,
  { table, index, equals, order = 'asc' }: Selection<R, I>,
  limit: number,
  after: readonly Key[] | undefined,
) {
  const rows = await view.find(table, {
    index,
    equals,
    order,
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  });
  return { rows, count: await view.count(table, index, equals) };
}

async function readFilteredRows<R extends Row, I extends string>(
  view: ReadTransaction,
  selection: Selection<R, I>,
  keep: NonNullable<Selection<R, I>['filter']>,
  limit: number,
  after: readonly Key[] | undefined,
) {
  const rows: R[] = [];
  let count = 0;
  const descending = selection.order === 'desc';
  for await (const row of eachRow(
    view,
    selection.table,
    selection.index,
    selection.equals,
    selection.order,
  )) {
    if (!(await keep(row))) continue;
    count++;
    if (rows.length > limit) continue;
    if (after !== undefined && !isAfter(positionOf(selection.table, selection.index, row), after, descending))
      continue;
    rows.push(row);
  }
  return { rows, count };
}

function isAfter(position: readonly Key[], after: readonly Key[], descending: boolean): boolean {
  for (let index = 0; index < position.length; index++) {
    const difference = compareKeys(position[index] ?? null, after[index] ?? null);
    if (difference !== 0) return descending ? difference < 0 : difference > 0;
  }
  return false;
}

/** Returns the cursor of the page after a row: the index, its order, and the position of the row in it. */
export function writeCursor<R extends Row, I extends string>(selection: Selection<R, I>, row: R): string {
  const cursor = [
    selection.index,
    selection.order ?? 'asc',
    ...positionOf(selection.table, selection.index, row),
  ];
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Returns the position in a cursor. @throws Problem(invalid-input) for a cursor of another list */
export function readCursor<R extends Row, I extends string>(
  selection: Selection<R, I>,
  page: string,
): readonly Key[] {
  const [index, order, ...position] = parseCursor(page);
  const length = (selection.table.indexes[selection.index].by?.length ?? 0) + 1;
  const isPosition =
    position.length === length &&
    position.every((key) => key === null || typeof key === 'string' || typeof key === 'number');
  if (index !== selection.index || order !== (selection.order ?? 'asc') || !isPosition) {
    throw invalid(
      '/query/page',
      'The value of page is not a position in this list.',
      'Use next.page of the previous page, with the same order and filters.',
    );
  }
  return position;
}

function parseCursor(page: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(page, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * Returns one page of a list that is in memory, for lists that are always small.
 *
 * @throws Problem(invalid-input) for a `page` that is not of this list
 */
export function pageOfArray<T extends { readonly id: string }>(all: readonly T[], query: PageQuery): Page<T> {
  const limit = query.limit ?? defaultLimit;
  const lastIndex =
    query.page === undefined
      ? -1
      : all.findIndex((item) => Buffer.from(item.id).toString('base64url') === query.page);
  if (query.page !== undefined && lastIndex < 0)
    throw invalid(
      '/query/page',
      'The value of page is not a position in this list, or the item that it points to was deleted.',
      'Start again at the first page, without --page.',
    );
  const items = all.slice(lastIndex + 1, lastIndex + 1 + limit);
  const last = items.at(-1);
  const hasMore = lastIndex + 1 + limit < all.length && last !== undefined;
  return {
    ...(hasMore ? { next: { page: Buffer.from(last.id).toString('base64url') } } : {}),
    count: all.length,
    items,
  };
}
