import { checksumOf, hasChecksum } from '../checksum.ts';
import { isConstraint } from '../failures.ts';
import { parseRow, sameKeys, sharedKeyProblem, textsOf, type Keys, type TableLayout } from '../layout.ts';
import type { Database } from './connection.ts';
import { CountChanges } from '../counts.ts';
import { saveCounts } from './save-counts.ts';
import { keyColumns } from '../columns.ts';
import { tableName, wordsName } from './names.ts';
import { checksumColumn, createIndexes, createTable } from './schema.ts';
import { addWords, createWords } from './words.ts';

/** Number of rows per batch. It limits the memory, because rows can contain files. */
const batchSize = 200;

/**
 * Creates a table, or rebuilds its columns, indexes, counts and words from the JSON of its rows, in the open transaction.
 *
 * @throws Problem(store-failed) if rows have equal keys in an index that is now unique
 */
export function upgradeTable(database: Database, path: string, table: TableLayout): void {
  if (table.words.length > 0 && lacksNumbers(database, table)) addNumbers(database, table);
  database.exec(createTable(table));
  const present = columnsOf(database, table);
  for (const column of keyColumns(table))
    if (!present.includes(column)) database.exec(`ALTER TABLE ${tableName(table)} ADD COLUMN ${column}`);
  if (!present.includes('"checksum"'))
    database.exec(`ALTER TABLE ${tableName(table)} ADD COLUMN ${checksumColumn}`);
  const indexes = database.all<[string]>(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    table.name,
  );
  for (const [name] of indexes) database.exec(`DROP INDEX "${name}"`);
  database.exec(`DROP TABLE IF EXISTS ${wordsName(table)}`);
  if (table.words.length > 0) database.exec(createWords(table));
  fill(database, table);
  for (const sql of createIndexes(table)) createIndex(database, path, table, sql);
}

/** Returns the columns that a table has in the file, quoted. */
export function columnsOf(database: Database, table: TableLayout): readonly string[] {
  return database
    .all<[string]>('SELECT name FROM pragma_table_info(?)', table.name)
    .map(([name]) => `"${name}"`);
}

function lacksNumbers(database: Database, table: TableLayout): boolean {
  const present = columnsOf(database, table);
  return present.length > 0 && !present.includes('"number"');
}

/** Moves the rows of a table without search to a new table with a column for row numbers. */
function addNumbers(database: Database, table: TableLayout): void {
  const old = '"docsctl_unnumbered"';
  const copied = columnsOf(database, table).includes('"checksum"') ? 'id, data, checksum' : 'id, data';
  database.exec(`ALTER TABLE ${tableName(table)} RENAME TO ${old}; ${createTable(table)};
    INSERT INTO ${tableName(table)} (${copied}) SELECT ${copied} FROM ${old} ORDER BY rowid; DROP TABLE ${old}`);
}

/** Fills the columns, counts and words of all rows. An existing checksum is kept, because the row may be damaged. */
function fill(database: Database, table: TableLayout): void {
  // The names of the counts of a table start with `["TABLE",`. In ASCII, "-" is the character after ",".
  database.run(
    'DELETE FROM docsctl_counts WHERE name >= ? AND name < ?',
    `["${table.name}",`,
    `["${table.name}"-`,
  );
  const columns = keyColumns(table);
  const counts = new CountChanges();
  const select = `SELECT rowid, data, checksum, ${['id', ...columns].join(', ')} FROM ${tableName(table)} WHERE rowid > ? ORDER BY rowid LIMIT ${batchSize}`;
  let last = 0;
  for (;;) {
    const rows = database.all<[number, string, number | null, ...Keys]>(select, last);
    for (const [rowid, text, held, ...heldKeys] of rows) {
      const checksum = held ?? (typeof text === 'string' ? checksumOf(text) : 0);
      // A damaged row is kept, and `store check` reports it.
      const found = hasChecksum(text, checksum) ? parseRow(table, text) : undefined;
      const keys = found?.keys ?? heldKeys;
      counts.add(table, keys, 1);
      if (table.words.length > 0 && found !== undefined)
        addWords(database, table, rowid, textsOf(table, found.row));
      const values = keys.slice(1);
      if (held === null || !sameKeys(keys, heldKeys))
        database.run(
          `UPDATE ${tableName(table)} SET ${['checksum', ...columns].map((column) => `${column} = ?`).join(', ')} WHERE rowid = ?`,
          checksum,
          ...values,
          rowid,
        );
      last = rowid;
    }
    if (rows.length < batchSize) break;
  }
  saveCounts(database, counts);
}

function createIndex(database: Database, path: string, table: TableLayout, sql: string): void {
  try {
    database.exec(sql);
  } catch (error) {
    if (!isConstraint(error)) throw error;
    throw sharedKeyProblem(path, table, error);
  }
}
