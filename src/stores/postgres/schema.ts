import { createHash } from 'node:crypto';
import type { IndexLayout, TableLayout } from '../layout.ts';
import { columnOf, keyColumns } from '../columns.ts';
import { wordColumns, type Names } from './names.ts';
import type { Dialect } from './profile.ts';
import { wordsVersion } from './words.ts';

/** Raise it when the layout of rows in tables and indexes changes. */
const layoutVersion = 2;

/** Returns the layout of a table as text. If the text in the database differs, the table is upgraded. */
export function layoutText(table: TableLayout): string {
  return JSON.stringify([
    layoutVersion,
    table.fields,
    [...table.indexes.values()],
    ...(table.words.length === 0 ? [] : [wordsVersion, table.words]),
  ]);
}

/** Returns the statements that create an empty store in a schema. They can be repeated. */
export function baseStatements(names: Names, { text }: Dialect): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${names.meta} (name ${text} PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${names.counts} (name ${text} PRIMARY KEY, number bigint NOT NULL)`,
  ];
}

/** Returns the statement that creates a table, without its indexes. It can be repeated. */
export function createTable(names: Names, table: TableLayout, dialect: Dialect): string {
  const columns = valueColumns(table).map((column) => `${column} ${typeOf(column, dialect)} NOT NULL`);
  return `CREATE TABLE IF NOT EXISTS ${names.table(table)} (${[`id ${dialect.text} PRIMARY KEY`, 'data text NOT NULL', ...columns].join(', ')})`;
}

/**
 * Columns up to this many bytes stay in a long row with searched words. A search reads these columns of each row that it finds,
 * among them the counts of stems. The JSON, the stems and the texts of stems are stored outside of the row, in TOAST.
 */
const keptBytes = 1000;

/** Returns the statements that set the storage of the columns of a table. They can be repeated, and change no row. */
export function placeColumns(names: Names, table: TableLayout, { storage }: Dialect): readonly string[] {
  if (!storage || table.words.length === 0) return [];
  const [stems, counts, , ...texts] = wordColumns(table);
  const places = [
    `ALTER COLUMN ${counts} SET STORAGE MAIN`,
    ...[stems, ...texts].map((column) => `ALTER COLUMN ${column} SET STORAGE EXTERNAL`),
  ];
  return [
    `ALTER TABLE ${names.table(table)} SET (toast_tuple_target = ${keptBytes})`,
    `ALTER TABLE ${names.table(table)} ${places.join(', ')}`,
  ];
}

/** Returns the statements that add the missing columns of a table. They can be repeated. */
export function addColumns(names: Names, table: TableLayout, dialect: Dialect): readonly string[] {
  // There is no default, so that rows written by an older docsctl are found when the columns are filled.
  return valueColumns(table).map(
    (column) =>
      `ALTER TABLE ${names.table(table)} ADD COLUMN IF NOT EXISTS ${column} ${typeOf(column, dialect)}`,
  );
}

/** Returns the statement that fills null columns of rows with empty values. Its parameter is a list of IDs. */
export function completeColumns(names: Names, table: TableLayout): string {
  const set = valueColumns(table).map((column) => {
    const empty = { checksum: '0', w_length: '0', w_counts: "'{}'" }[column] ?? "''";
    return `${column} = coalesce(${column}, ${empty})`;
  });
  return `UPDATE ${names.table(table)} SET ${set.join(', ')} WHERE id = ANY($1::text[])`;
}

/** Returns the columns whose values are derived from the JSON of a row. */
function valueColumns(table: TableLayout): readonly string[] {
  return ['checksum', ...keyColumns(table), ...wordColumns(table)];
}

function typeOf(column: string, { text }: Dialect): string {
  return { checksum: 'integer', w_stems: 'tsvector', w_counts: 'jsonb', w_length: 'integer' }[column] ?? text;
}

interface DatabaseIndex {
  readonly name: string;
  readonly sql: string;
}

/** Returns the indexes of a table. The name of an index depends on its definition, so a changed index has another name. */
export function indexesOf(names: Names, table: TableLayout, { words }: Dialect): readonly DatabaseIndex[] {
  const name = names.table(table);
  const make = (kind: string, columns: readonly string[], where = ''): DatabaseIndex => {
    const index = `${table.name}_${createHash('sha256').update(`${kind} ${columns.join()} ${where}`).digest('hex').slice(0, 12)}`;
    return {
      name: index,
      sql: `CREATE ${kind} IF NOT EXISTS "${index}" ON ${name} (${columns.join(', ')})${where}`,
    };
  };
  const all = [...table.indexes.values()].flatMap((index) => {
    const on = index.on.map((field) => columnOf(table, field));
    const order = make('INDEX', [...on, ...index.place.map((field) => columnOf(table, field))]);
    return index.unique ? [order, make('UNIQUE INDEX', on, withoutNull(table, index))] : [order];
  });
  // An index on the ID alone is the primary key.
  const needed = all.filter(({ sql }) => !sql.endsWith('(id)'));
  if (table.words.length > 0 && words !== undefined) {
    const index = wordsIndexName(table);
    needed.push({
      name: index,
      sql: `CREATE INDEX IF NOT EXISTS "${index}" ON ${name} ${words}`,
    });
  }
  return [...new Map(needed.map((index) => [index.name, index])).values()];
}

/** Returns the name of the index of the full-text search. */
export function wordsIndexName({ name }: TableLayout): string {
  return `${name}_words`;
}

/** Keys that contain null are not unique. */
function withoutNull(table: TableLayout, index: IndexLayout): string {
  return ` WHERE ${index.on.map((field) => `${columnOf(table, field)} <> ''`).join(' AND ')}`;
}

/** Returns the statement that makes all columns of a table NOT NULL. */
export function requireColumns(names: Names, table: TableLayout): string {
  const columns = valueColumns(table).map((column) => `ALTER COLUMN ${column} SET NOT NULL`);
  return `ALTER TABLE ${names.table(table)} ${columns.join(', ')}`;
}
