import type { Hit, Key } from '../core/store.ts';
import type { SearchTerms } from '../core/search-terms.ts';
import { Problem } from '../errors/problem.ts';
import { groupOf, type IndexLayout, type Keys, type TableLayout } from './layout.ts';

/** A query whose index and values have been checked. */
export interface Page {
  readonly equals: readonly Key[];
  readonly after: readonly Key[] | undefined;
  readonly descending: boolean;
  readonly limit: number;
}

/** A search whose index and values have been checked. */
export interface WordSearch {
  readonly groups: readonly (readonly Key[])[];
  readonly wanted: SearchTerms;
  readonly limit: number;
}

/** What a driver must be able to do to be read: rows as JSON text, without waiting for anything but its own code. */
export interface RowSource {
  text(table: TableLayout, id: string): string | undefined;
  page(table: TableLayout, index: IndexLayout, page: Page): readonly string[];
  count(table: TableLayout, index: IndexLayout, equals: readonly Key[]): number;
  /** Best first, then by id; the scores are above zero. */
  search(table: TableLayout, index: IndexLayout, search: WordSearch): Promise<readonly Hit[]>;
}

/** A new version of a row. */
export interface RowChange {
  readonly before: Keys;
  readonly after: Keys;
  readonly text: string;
  /** Undefined if they stay the same. */
  readonly words: readonly string[] | undefined;
}

/** What a driver must implement for writes. A conflict changes nothing. */
export interface RowTarget extends RowSource {
  insert(table: TableLayout, keys: Keys, text: string, words: readonly string[]): void;
  replace(table: TableLayout, change: RowChange): void;
  remove(table: TableLayout, id: string): boolean;
}

/** Says which key is taken; `index` is left out where it is the id. */
export function conflictProblem(table: TableLayout, keys: Keys, index?: IndexLayout): Problem {
  const field = index === undefined ? 'id' : (table.fields[index.on.at(-1) ?? 0] ?? 'id');
  const value = index === undefined ? keys[0] : groupOf(index, keys).at(-1);
  return new Problem('conflict', `The ${field} "${String(value).slice(0, 120)}" is already taken.`, {
    hint: `Choose another ${field}.`,
  });
}
