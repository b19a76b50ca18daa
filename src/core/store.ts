/** A stored value: JSON, with an id. */
export interface Row {
  readonly id: string;
}

/** What an index can hold. Null sorts first; strings sort by code point. */
export type Key = string | number | null;

export interface IndexSpec {
  /** Fields that a query fixes, all of them. */
  readonly on: readonly string[];
  /** Fields that order what is left; the id always comes last. */
  readonly by?: readonly string[];
  /** No two rows may agree on `on`, unless one of its fields is null or absent. */
  readonly unique?: boolean;
}

/** A table with the indexes that its queries use. An absent field is indexed as null. */
export interface Table<R extends Row = Row, I extends string = string> {
  readonly name: string;
  readonly indexes: Readonly<Record<I, IndexSpec>>;
  /** The fields that are searched, with the weight of a word found in each. */
  readonly words?: Readonly<Record<string, number>>;
  /** Type carrier only, never set. */
  readonly row?: R;
}

export interface Query<I extends string = string> {
  readonly index: I;
  /** One value for each field of the index's `on`. */
  readonly equals: readonly Key[];
  readonly order?: 'asc' | 'desc';
  /** Start after this position: the values of `by`, then the ID. */
  readonly after?: readonly Key[];
  readonly limit: number;
}

export interface Search<I extends string = string> {
  readonly index: I;
  /** Values of the index's `on`: only rows that have one of these lists are looked at. */
  readonly anyOf: readonly (readonly Key[])[];
  /** The query as typed; `parseSearchQuery` in search-terms.ts defines what it finds. */
  readonly query: string;
  readonly limit: number;
}

/** The id of a row that a search found: of many hits mostly few are shown, so rows are read by `get`. The score only orders the hits of one search. */
export interface Hit {
  readonly id: string;
  readonly score: number;
}

/** A consistent view: nothing that others commit meanwhile shows in it. Rows are read-only. */
export interface ReadTransaction {
  get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined>;
  find<R extends Row, I extends string>(table: Table<R, I>, query: Query<I>): Promise<readonly R[]>;
  /** How many rows have these values of `on`; costs the same at any size. */
  count<R extends Row, I extends string>(
    table: Table<R, I>,
    index: I,
    equals: readonly Key[],
  ): Promise<number>;
  /** The rows that match best, best first, then by id; only of tables with `words`. */
  search<R extends Row, I extends string>(table: Table<R, I>, search: Search<I>): Promise<readonly Hit[]>;
}

export interface WriteTransaction extends ReadTransaction {
  /** @throws Problem(conflict) if the ID or a unique key is taken. */
  insert<R extends Row>(table: Table<R>, row: R): Promise<void>;
  /** Merges `change` into the row and returns it; undefined removes a field. @throws Problem(not-found) */
  update<R extends Row>(table: Table<R>, id: string, change: Partial<R>): Promise<R>;
  /** Returns false if there was no such row. */
  remove<R extends Row>(table: Table<R>, id: string): Promise<boolean>;
}

/**
 * Where rows live. `write` is all or nothing, serializable, and returns only when the change is durable;
 * work may be run more than once by a driver that has to retry, so it must have no other effect.
 */
export interface Store {
  /** The URL that opened it. */
  readonly url: string;
  read<T>(work: (view: ReadTransaction) => Promise<T>): Promise<T>;
  write<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T>;
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
 * The row with an id that another row refers to. Rows that refer to each other are written and removed together, so a
 * missing one is a bug and throws a plain Error.
 */
export async function getExisting<R extends Row>(
  view: ReadTransaction,
  from: Table<R>,
  id: string,
): Promise<R> {
  const row = await view.get(from, id);
  if (row === undefined)
    throw new Error(`The table ${from.name} has no row "${id}", which another row refers to.`);
  return row;
}

/** Returns the row with these values of a unique index. */
export async function findOne<R extends Row, I extends string>(
  view: ReadTransaction,
  where: Table<R, I>,
  index: I,
  equals: readonly Key[],
): Promise<R | undefined> {
  const [row] = await view.find(where, { index, equals, limit: 1 });
  return row;
}

/** Yields every row of an index in order, 500 at a time; for sets that are small by nature. */
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
      limit: 500,
      ...(after === undefined ? {} : { after }),
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < 500) return;
    after = positionOf(from, index, last);
  }
}

/** Reads every row of an index into an array, so that the rows can be changed while it is walked. */
export async function collectRows<R extends Row, I extends string>(
  view: ReadTransaction,
  from: Table<R, I>,
  index: I,
  equals: readonly Key[],
): Promise<R[]> {
  const rows: R[] = [];
  for await (const row of eachRow(view, from, index, equals)) rows.push(row);
  return rows;
}

/** Removes every row of an index. */
export async function removeRows<R extends Row, I extends string>(
  tx: WriteTransaction,
  from: Table<R, I>,
  index: I,
  equals: readonly Key[],
): Promise<void> {
  for (const { id } of await collectRows(tx, from, index, equals)) await tx.remove(from, id);
}

/** The change that a body asks for: an absent member changes nothing, and null removes the field. */
export function changeFrom<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[name, value ?? undefined]],
    ),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** The place of a row in an index: what `after` takes to go on behind it. */
export function positionOf<R extends Row, I extends string>(
  from: Table<R, I>,
  index: I,
  row: R,
): readonly Key[] {
  const fields = row as unknown as Record<string, Key | undefined>;
  return [...(from.indexes[index].by ?? []).map((field) => fields[field] ?? null), row.id];
}
