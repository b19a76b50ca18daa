import { defaultLimit } from '../contract/operation.ts';
import { invalid } from '../errors/problem.ts';
import { compareKeys } from './keys.ts';
import { eachRow, positionOf, type Key, type ReadTransaction, type Row, type Table } from './store.ts';

export interface PageQuery {
  readonly page?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Selection<R extends Row, I extends string> {
  readonly table: Table<R, I>;
  readonly index: I;
  readonly equals: readonly Key[];
  readonly order?: 'asc' | 'desc';
  /** Leaves rows out. Costs a walk over all that the index selects: give it only where a filter asks for it. */
  readonly filter?: ((row: R) => boolean | Promise<boolean>) | undefined;
}

export interface Page<T> {
  next?: { page: string };
  count: number;
  items: T[];
}

/** One page of a selection, by key: page 10,000 costs what page 1 costs, and no item is met twice or missed. */
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

/** Makes a filter that keeps rows whose title contains a text, ignoring case; undefined where no text is given. */
export function titleFilter(
  text: string | undefined,
): ((row: { readonly title: string }) => boolean) | undefined {
  const wanted = text?.toLowerCase();
  return wanted === undefined ? undefined : ({ title }) => title.toLowerCase().includes(wanted);
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

function isAfter(place: readonly Key[], after: readonly Key[], descending: boolean): boolean {
  for (let index = 0; index < place.length; index++) {
    const difference = compareKeys(place[index] ?? null, after[index] ?? null);
    if (difference !== 0) return descending ? difference < 0 : difference > 0;
  }
  return false;
}

function writeCursor<R extends Row, I extends string>(selection: Selection<R, I>, row: R): string {
  const place = [
    selection.index,
    selection.order ?? 'asc',
    ...positionOf(selection.table, selection.index, row),
  ];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function readCursor<R extends Row, I extends string>(
  selection: Selection<R, I>,
  page: string,
): readonly Key[] {
  const [index, order, ...place] = parseCursor(page);
  const length = (selection.table.indexes[selection.index].by?.length ?? 0) + 1;
  const isKeys =
    place.length === length &&
    place.every((key) => key === null || typeof key === 'string' || typeof key === 'number');
  if (index !== selection.index || order !== (selection.order ?? 'asc') || !isKeys) {
    throw invalid(
      '/query/page',
      'The value of page does not come from this list.',
      'Use next.page of the previous page, with the same order and filters.',
    );
  }
  return place;
}

function parseCursor(page: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(page, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** One page of a list that is already in memory, in its order; for sets that are small by nature. */
export function pageOfArray<T extends { readonly id: string }>(all: readonly T[], query: PageQuery): Page<T> {
  const limit = query.limit ?? defaultLimit;
  const behind =
    query.page === undefined
      ? -1
      : all.findIndex((item) => Buffer.from(item.id).toString('base64url') === query.page);
  if (query.page !== undefined && behind < 0)
    throw invalid(
      '/query/page',
      'The value of page does not come from this list, or the item that it points to was deleted.',
      'Start again at the first page, without --page.',
    );
  const items = all.slice(behind + 1, behind + 1 + limit);
  const last = items.at(-1);
  const more = behind + 1 + limit < all.length && last !== undefined;
  return {
    ...(more ? { next: { page: Buffer.from(last.id).toString('base64url') } } : {}),
    count: all.length,
    items,
  };
}
