import type { Hit, Key } from '../../core/store.ts';
import { normalizeText, type Phrase, type SearchTerms } from '../../core/search-terms.ts';
import type { IndexLayout, TableLayout } from '../layout.ts';
import type { WordSearch } from '../rows.ts';
import type { Database } from './connection.ts';
import { columnOf, keyColumns, tableName, wordKeysName, wordsName } from './names.ts';

/** To be raised when texts are cut into words differently: stores then build their words anew. */
export const wordsVersion = 1;

/** `ascii` keeps every other character: search-terms.ts has normalized both the texts and the queries. */
export function createWords(table: TableLayout): string {
  const fields = table.words.map(([field]) => `"w_${field}"`);
  return `CREATE VIRTUAL TABLE ${wordsName(table)} USING fts5(${fields.join(', ')}, content='', contentless_delete=1, tokenize='porter ascii')`;
}

/** Finds the keys of a row by its number. */
export function createWordKeys(table: TableLayout): string {
  return `CREATE INDEX ${wordKeysName(table)} ON ${tableName(table)} (${['number', 'id', ...keyColumns(table)].join(', ')})`;
}

/** Adds the words of the row with this number. */
export function addWords(
  database: Database,
  table: TableLayout,
  number: number,
  texts: readonly string[],
): void {
  database.run(
    `INSERT INTO ${wordsName(table)} (rowid${columns(table)}) VALUES (?${', ?'.repeat(texts.length)})`,
    number,
    ...texts.map(normalizeText),
  );
}

/** Adds the words of the row that was inserted just now. */
export function addNewWords(database: Database, table: TableLayout, texts: readonly string[]): void {
  database.run(
    `INSERT INTO ${wordsName(table)} (rowid${columns(table)}) VALUES (last_insert_rowid()${', ?'.repeat(texts.length)})`,
    ...texts.map(normalizeText),
  );
}

export function removeWords(database: Database, table: TableLayout, number: number): void {
  database.run(`DELETE FROM ${wordsName(table)} WHERE rowid = ?`, number);
}

/** Looks at the keys of each row with the words, in an index of their own: the rows themselves lie far apart. */
export function searchWords(
  database: Database,
  table: TableLayout,
  index: IndexLayout,
  { groups, wanted, limit }: WordSearch,
): readonly Hit[] {
  const words = wordsName(table);
  const filter = inGroups(table, index, groups);
  const weights = table.words.map(([, weight]) => weight.toFixed(3));
  const sql = `SELECT t.id, -bm25(${words}, ${weights.join(', ')}) AS score FROM ${words}
    CROSS JOIN ${tableName(table)} AS t INDEXED BY ${wordKeysName(table)} ON t.number = ${words}.rowid
    WHERE ${words} MATCH ? AND ${filter.sql} ORDER BY score DESC, t.id LIMIT ?`;
  return database
    .all<[string, number]>(sql, expression(wanted), ...filter.values, limit)
    .map(([id, score]) => ({ id, score }));
}

/** Words hold letters and digits only, so that nothing in them has a meaning to FTS5. */
function expression(wanted: SearchTerms): string {
  return wanted.map((phrases) => `(${phrases.map(written).join(' OR ')})`).join(' AND ');
}

function written({ words, isPrefix }: Phrase): string {
  return `"${words.join(' ')}"${isPrefix ? '*' : ''}`;
}

function inGroups(
  table: TableLayout,
  index: IndexLayout,
  groups: readonly (readonly Key[])[],
): { readonly sql: string; readonly values: readonly Key[] } {
  if (index.on.length === 0) return { sql: 'true', values: [] };
  const names = index.on.map((field) => `t.${columnOf(table, field)}`);
  // IN, which looks a row up however many groups there are, never finds a null.
  const whole = groups.filter((group) => !group.includes(null));
  const other = groups.filter((group) => group.includes(null));
  const listed = `(${names.join(', ')}) IN (SELECT ${names.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?))`;
  const single = ` OR (${names.map((name) => `${name} IS ?`).join(' AND ')})`;
  return {
    sql: `(${listed}${single.repeat(other.length)})`,
    values: [JSON.stringify(whole), ...other.flat()],
  };
}

function columns(table: TableLayout): string {
  return table.words.map(([field]) => `, "w_${field}"`).join('');
}
