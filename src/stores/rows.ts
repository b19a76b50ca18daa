import type { Hit, Key, RowSize } from '../core/store.ts';
import type { SearchTerms } from '../core/search-terms.ts';
import { Problem } from '../errors/problem.ts';
import { groupOf, type IndexLayout, type Keys, type TableLayout } from './layout.ts';

/** A query for rows, after its index and values were checked. `limit` is at least 1. */
export interface Page {
  readonly equals: readonly Key[];
  readonly after: readonly Key[] | undefined;
  readonly descending: boolean;
  readonly limit: number;
}

/** A full-text search, after its index and values were checked. `limit` is at least 1. */
export interface WordSearch {
  /** The search covers only rows of these groups of the index. */
  readonly groups: readonly (readonly Key[])[];
  readonly terms: SearchTerms;
  readonly limit: number;
}

/** A value, or the promise of one. Drivers in this process answer synchronously, others asynchronously. */
type Awaitable<T> = T | Promise<T>;

/** What a driver implements for reads. Rows are JSON texts. */
export interface RowSource {
  text(table: TableLayout, id: string): Awaitable<string | undefined>;
  /** Returns one page of a group, in the order of the index. */
  page(table: TableLayout, index: IndexLayout, page: Page): Awaitable<readonly string[]>;
  count(table: TableLayout, index: IndexLayout, equals: readonly Key[]): Awaitable<number>;
  /** Returns the IDs after an ID, in order, with the sizes of the rows. */
  scan(table: TableLayout, after: string, limit: number): Awaitable<readonly RowSize[]>;
  /** Returns the best hits, best first, then by ID. Scores are above zero. */
  search(table: TableLayout, index: IndexLayout, search: WordSearch): Promise<readonly Hit[]>;
}

export interface RowChange {
  readonly before: Keys;
  readonly after: Keys;
  readonly text: string;
  /** The texts of the searched fields; undefined if they did not change. */
  readonly words: readonly string[] | undefined;
  /** The texts of the searched fields before the change. */
  readonly oldWords: readonly string[];
}

/** What a driver implements for writes. A call that throws Problem(conflict) changes nothing. */
export interface RowTarget extends RowSource {
  /** Adds a row. @throws Problem(conflict) if the ID or a unique key is taken */
  insert(table: TableLayout, keys: Keys, text: string, words: readonly string[]): Awaitable<void>;
  /** Replaces an existing row. @throws Problem(conflict) if a unique key is taken */
  replace(table: TableLayout, change: RowChange): Awaitable<void>;
  /** Removes a row. Returns false if there was none. */
  remove(table: TableLayout, id: string): Awaitable<boolean>;
}

/** Returns Problem(conflict) for a key that another row has: the ID, or the key of a unique index. */
export function conflictProblem(table: TableLayout, keys: Keys, index?: IndexLayout): Problem {
  const field = index === undefined ? 'id' : (table.fields[index.on.at(-1) ?? 0] ?? 'id');
  const value = index === undefined ? keys[0] : groupOf(index, keys).at(-1);
  return new Problem('conflict', `The ${field} "${String(value).slice(0, 120)}" is already taken.`, {
    hint: `Choose another ${field}.`,
  });
}
