import type { TableLayout } from '../layout.ts';

/** The name of the table in SQLite. */
export function tableName(table: TableLayout): string {
  return `"${table.name}"`;
}

/** The table in SQLite that finds rows by their words. */
export function wordsName(table: TableLayout): string {
  return `"docsctl_words_${table.name}"`;
}

/** The index that tells a search what the keys of a row are. */
export function wordKeysName(table: TableLayout): string {
  return `"docsctl_words_${table.name}_keys"`;
}

/** The column that holds a field; the prefix keeps fields apart from `id` and `data`. */
export function columnOf(table: TableLayout, field: number): string {
  return field === 0 ? 'id' : `"k_${table.fields[field]}"`;
}

/** Every column that an index uses but the id. */
export function keyColumns(table: TableLayout): readonly string[] {
  return table.fields.slice(1).map((_, at) => columnOf(table, at + 1));
}

/** The index in SQLite that holds the order; the one that keeps a key unique has `_unique` behind it. */
export function indexName(table: TableLayout, index: string): string {
  return `"${table.name}_${index}"`;
}
