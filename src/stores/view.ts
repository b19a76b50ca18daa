import { isObject } from '../contract/values.ts';
import type {
  Hit,
  Key,
  Query,
  ReadTransaction,
  Row,
  RowSize,
  Search,
  Table,
  WriteTransaction,
} from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { damagedRow } from './checksum.ts';
import { keysOf, textsOf, type IndexLayout, type TableLayout, toKey } from './layout.ts';
import type { RowCache } from './row-cache.ts';
import type { RowSource, RowTarget } from './rows.ts';
import { parseSearchQuery, type SearchTerms } from '../core/search-terms.ts';

type Layouts = ReadonlyMap<string, TableLayout>;

/**
 * A read transaction on any driver. Every read parses the row again or returns frozen rows of a cache, so callers cannot change
 * the store through it.
 */
export class ReadView implements ReadTransaction {
  readonly #layouts: Layouts;
  readonly #rows: RowSource;
  protected readonly cache: RowCache | undefined;
  #ended = false;

  /** `cache`, if given, must hold the version of the store that the transaction reads. */
  constructor(layouts: Layouts, rows: RowSource, cache?: RowCache) {
    this.#layouts = layouts;
    this.#rows = rows;
    this.cache = cache;
  }

  async get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined> {
    const layout = this.layout(table);
    const kept = this.cache?.row(table.name, id);
    if (kept !== undefined) return kept as R;
    const found = this.#rows.text(layout, String(toKey(id, 'id')));
    // A driver with a cache answers synchronously, so nothing can change between the read and keeping the row.
    const text = found instanceof Promise ? await found : found;
    if (text === undefined) return undefined;
    const row = parse<R>(text, table.name);
    this.cache?.keepRow(table.name, id, row, text.length);
    return row;
  }

  async find<R extends Row, I extends string>(table: Table<R, I>, query: Query<I>): Promise<readonly R[]> {
    const layout = this.layout(table);
    const index = indexOf(layout, query.index);
    const equals = toKeys(query.equals, index.on, layout);
    const after = query.after === undefined ? undefined : toKeys(query.after, index.place, layout);
    if (!Number.isSafeInteger(query.limit))
      throw new Error(`A query of "${table.name}" has no whole number as its limit.`);
    if (query.limit <= 0) return [];
    const page = { equals, after, descending: query.order === 'desc', limit: query.limit };
    const key = this.cache === undefined ? '' : `${index.name} ${JSON.stringify(Object.values(page))}`;
    const kept = this.cache?.list(table.name, key);
    if (kept !== undefined) return kept as readonly R[];
    const found = this.#rows.page(layout, index, page);
    const texts = found instanceof Promise ? await found : found;
    const rows = texts.map((text) => parse<R>(text, table.name));
    this.cache?.keepList(
      table.name,
      key,
      rows,
      texts.reduce((sum, { length }) => sum + length, 0),
    );
    return rows;
  }

  async count<R extends Row, I extends string>(
    table: Table<R, I>,
    index: I,
    equals: readonly Key[],
  ): Promise<number> {
    const layout = this.layout(table);
    const indexLayout = indexOf(layout, index);
    return this.#rows.count(layout, indexLayout, toKeys(equals, indexLayout.on, layout));
  }

  async scan(table: Table, after: string, limit: number): Promise<readonly RowSize[]> {
    return limit <= 0 ? [] : this.#rows.scan(this.layout(table), after, limit);
  }

  async search<R extends Row, I extends string>(
    table: Table<R, I>,
    { index, anyOf, query, limit }: Search<I>,
  ): Promise<readonly Hit[]> {
    const layout = this.layout(table);
    const { on } = indexOf(layout, index);
    if (layout.words.length === 0) throw new Error(`The table "${table.name}" has no words to search.`);
    const groups = anyOf.map((equals) => toKeys(equals, on, layout));
    if (!Number.isSafeInteger(limit))
      throw new Error(`A search of "${table.name}" has no whole number as its limit.`);
    if (groups.length === 0 || limit <= 0) return [];
    return searchByRank(query, limit, (terms) =>
      this.#rows.search(layout, indexOf(layout, index), { groups, terms, limit }),
    );
  }

  /** Ends the view. Later calls throw; otherwise they would become part of the next transaction. */
  end(): void {
    this.#ended = true;
  }

  protected layout(table: Table): TableLayout {
    if (this.#ended)
      throw new Error(`"${table.name}" was used after its transaction had ended; await every call.`);
    const layout = this.#layouts.get(table.name);
    if (layout === undefined) throw new Error(`The store was opened without the table "${table.name}".`);
    return layout;
  }
}

export class WriteView extends ReadView implements WriteTransaction {
  readonly #target: RowTarget;
  readonly #keepsStamp: boolean;
  #hasChanged = false;

  /**
   * With `keepsStamp`, only tables with `keepsStamp` can be changed. `cache`, if given, belongs to the connection of `target`.
   */
  constructor(layouts: Layouts, target: RowTarget, keepsStamp = false, cache?: RowCache) {
    super(layouts, target, cache);
    this.#target = target;
    this.#keepsStamp = keepsStamp;
  }

  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  async insert<R extends Row>(table: Table<R>, row: R): Promise<void> {
    const layout = this.#changed(table, row.id);
    await this.#target.insert(layout, keysOf(layout, row), JSON.stringify(row), textsOf(layout, row));
  }

  async update<R extends Row>(table: Table<R>, id: string, change: Partial<R>): Promise<R> {
    const before = await this.get(table, id);
    if (before === undefined)
      throw new Problem('not-found', `There is no "${id.slice(0, 120)}" in ${table.name}.`);
    const layout = this.#changed(table, id);
    const after = { ...before, ...change, id: before.id };
    const text = JSON.stringify(after);
    const words = textsOf(layout, after);
    const oldWords = textsOf(layout, before);
    const replaced = this.#target.replace(layout, {
      before: keysOf(layout, before),
      after: keysOf(layout, after),
      text,
      words: words.every((fieldText, at) => fieldText === oldWords[at]) ? undefined : words,
      oldWords,
    });
    if (replaced instanceof Promise) await replaced;
    const row = parse<R>(text, table.name);
    this.cache?.keepRow(table.name, id, row, text.length);
    return row;
  }

  async remove<R extends Row>(table: Table<R>, id: string): Promise<boolean> {
    return this.#target.remove(this.#changed(table, id), String(toKey(id, 'id')));
  }

  #changed(table: Table, id: string): TableLayout {
    if (this.#keepsStamp && table.keepsStamp !== true)
      throw new Error(`A write that keeps the stamp changes "${table.name}", which answers depend on.`);
    const layout = this.layout(table);
    this.#hasChanged = true;
    this.cache?.change(table.name, id);
    return layout;
  }
}

function indexOf(table: TableLayout, name: string): IndexLayout {
  const index = table.indexes.get(name);
  if (index === undefined) throw new Error(`The table "${table.name}" has no index "${name}".`);
  return index;
}

function toKeys(values: readonly Key[], fields: readonly number[], table: TableLayout): readonly Key[] {
  if (values.length !== fields.length)
    throw new Error(`A query of "${table.name}" needs ${fields.length} values and has ${values.length}.`);
  return values.map((value, at) => toKey(value, table.fields[fields[at] as number] as string));
}

function parse<R>(text: string, table: string): R {
  let row: R;
  try {
    row = JSON.parse(text) as R;
  } catch (cause) {
    throw damagedRow(table, 'is not JSON', cause);
  }
  if (!isObject(row)) throw damagedRow(table, 'is not a JSON object');
  return row;
}

/**
 * If there are this many exact hits, the search for words that start with the last word is skipped, because its hits would rank
 * below.
 */
const enoughExactHits = 50;

/**
 * Searches for rows with every word, then for rows with every word where the last one may be unfinished. If there is none, it
 * searches for rows with any of the words. Hits of a later search rank below those of an earlier one.
 */
async function searchByRank(
  query: string,
  limit: number,
  search: (terms: SearchTerms) => Promise<readonly Hit[]>,
): Promise<readonly Hit[]> {
  const parsed = parseSearchQuery(query);
  if (parsed === undefined) return [];
  const exact = addRank(2, await search(parsed.exact));
  if (exact.length >= Math.min(limit, enoughExactHits)) return exact;
  const exactIds = new Set(exact.map(({ id }) => id));
  const starting = parsed.starting === parsed.exact ? [] : await search(parsed.starting);
  const all = [...exact, ...addRank(1, starting).filter(({ id }) => !exactIds.has(id))].slice(0, limit);
  return all.length > 0 ? all : addRank(0, await search(parsed.any));
}

/** Moves the scores of hits into the range from `rank` to `rank + 1`, in the same order. */
function addRank(rank: number, hits: readonly Hit[]): readonly Hit[] {
  return hits.map((hit) => ({ ...hit, score: rank + hit.score / (1 + hit.score) }));
}
