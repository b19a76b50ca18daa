import type { TableLayout } from '../layout.ts';

/** Returns the name of a table in SQLite, quoted. */
export function tableName(table: TableLayout): string {
  return `"${table.name}"`;
}

/** Returns the name of the full-text table of a table. */
export function wordsName(table: TableLayout): string {
  return `"docsctl_words_${table.name}"`;
}

/** Returns the name of the index in which a full-text search looks up the keys of its hits. */
export function wordKeysName(table: TableLayout): string {
  return `"docsctl_words_${table.name}_keys"`;
}

/**
 * Returns the name of the SQLite index for an index of a table. If a second one is needed to keep keys unique, its name ends in
 * `_unique`.
 */
export function indexName(table: TableLayout, index: string): string {
  return `"${table.name}_${index}"`;
}

/**
 * The limit of a query, as a parameter. The plus hides its value from the planner. Otherwise SQLite would prepare the statement
 * again for each value.
 */
export const limitParameter = 'LIMIT +?';
