import type { IndexLayout, TableLayout } from '../layout.ts';
import { columnOf, keyColumns } from '../columns.ts';
import { indexName, tableName } from './names.ts';
import { createWordKeys, wordsVersion } from './words.ts';

/** Raise it when the layout of rows in tables changes. */
const layoutVersion = 2;

/** The layout of each table as text. If the text in the file differs, the table is upgraded. */
export type Schema = Readonly<Record<string, string>>;

/** The statements that create a store without tables in an empty file. */
export const baseSchema = `
  CREATE TABLE docsctl_meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE docsctl_counts (name TEXT PRIMARY KEY NOT NULL, number INTEGER NOT NULL) WITHOUT ROWID;
`;

/** Returns the schema of tables. */
export function schemaOf(tables: Iterable<TableLayout>): Schema {
  return Object.fromEntries(
    Array.from(tables, (table) => [
      table.name,
      JSON.stringify([
        layoutVersion,
        table.fields,
        [...table.indexes.values()],
        ...(table.words.length === 0 ? [] : [wordsVersion, table.words]),
      ]),
    ]),
  );
}

/** The column with the checksum of the JSON of a row (`checksumOf`). It is empty in upgraded tables. */
export const checksumColumn = 'checksum INTEGER';

/**
 * Returns the statement that creates a table. A table with full-text search has a column for the row number that its words refer
 * to. Without this column, VACUUM would change the numbers.
 */
export function createTable(table: TableLayout): string {
  if (table.words.length > 0) {
    const columns = [
      'number INTEGER PRIMARY KEY',
      'id TEXT UNIQUE NOT NULL',
      ...keyColumns(table),
      'data TEXT NOT NULL',
      checksumColumn,
    ];
    return `CREATE TABLE IF NOT EXISTS ${tableName(table)} (${columns.join(', ')})`;
  }
  return `CREATE TABLE IF NOT EXISTS ${tableName(table)} (${['id TEXT PRIMARY KEY NOT NULL', 'data TEXT NOT NULL', ...keyColumns(table), checksumColumn].join(', ')})`;
}

/** Returns the statements that create the indexes of a table. */
export function createIndexes(table: TableLayout): readonly string[] {
  return [
    ...[...table.indexes.values()].flatMap((index) => createIndex(table, index)),
    ...(table.words.length > 0 ? [createWordKeys(table)] : []),
  ];
}

/** Returns one statement, or two for a unique index that also orders its rows. */
function createIndex(table: TableLayout, index: IndexLayout): string[] {
  const create = (kind: string, name: string, fields: readonly number[]): string =>
    `CREATE ${kind} ${indexName(table, name)} ON ${tableName(table)} (${fields.map((field) => columnOf(table, field)).join(', ')})`;
  if (index.unique && index.place.length === 1) return [create('UNIQUE INDEX', index.name, index.on)];
  const order = create('INDEX', index.name, [...index.on, ...index.place]);
  return index.unique ? [order, create('UNIQUE INDEX', `${index.name}_unique`, index.on)] : [order];
}
