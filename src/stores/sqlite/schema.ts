import type { IndexLayout, TableLayout } from '../layout.ts';
import { columnOf, indexName, keyColumns, tableName } from './names.ts';
import { createWordKeys, wordsVersion } from './words.ts';

/** What a file says of each of its tables; what is written there differently is laid out anew. */
export type Schema = Readonly<Record<string, string>>;

/** The statements that make the file a store, before it has any table. */
export const baseSchema = `
  CREATE TABLE docsctl_meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE docsctl_counts (name TEXT PRIMARY KEY NOT NULL, number INTEGER NOT NULL) WITHOUT ROWID;
`;

export function schemaOf(tables: Iterable<TableLayout>): Schema {
  return Object.fromEntries(
    Array.from(tables, (table) => [
      table.name,
      JSON.stringify([
        table.fields,
        [...table.indexes.values()],
        ...(table.words.length === 0 ? [] : [wordsVersion, table.words]),
      ]),
    ]),
  );
}

/** Words belong to the number of a row, which VACUUM changes unless it has a column. */
export function createTable(table: TableLayout): string {
  if (table.words.length > 0) {
    const columns = [
      'number INTEGER PRIMARY KEY',
      'id TEXT UNIQUE NOT NULL',
      ...keyColumns(table),
      'data TEXT NOT NULL',
    ];
    return `CREATE TABLE IF NOT EXISTS ${tableName(table)} (${columns.join(', ')})`;
  }
  return `CREATE TABLE IF NOT EXISTS ${tableName(table)} (${['id TEXT PRIMARY KEY NOT NULL', 'data TEXT NOT NULL', ...keyColumns(table)].join(', ')})`;
}

export function createIndexes(table: TableLayout): readonly string[] {
  return [
    ...[...table.indexes.values()].flatMap((index) => createIndex(table, index)),
    ...(table.words.length > 0 ? [createWordKeys(table)] : []),
  ];
}

/** A unique key that orders nothing behind it is one index; otherwise the order takes a second one. */
function createIndex(table: TableLayout, index: IndexLayout): string[] {
  const create = (kind: string, name: string, fields: readonly number[]): string =>
    `CREATE ${kind} ${indexName(table, name)} ON ${tableName(table)} (${fields.map((field) => columnOf(table, field)).join(', ')})`;
  if (index.unique && index.place.length === 1) return [create('UNIQUE INDEX', index.name, index.on)];
  const order = create('INDEX', index.name, [...index.on, ...index.place]);
  return index.unique ? [order, create('UNIQUE INDEX', `${index.name}_unique`, index.on)] : [order];
}
