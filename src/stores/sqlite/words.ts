import type { Hit, Key } from '../../core/store.ts';
import { normalizeText, type Phrase, type SearchTerms } from '../../core/search-terms.ts';
import type { IndexLayout, TableLayout } from '../layout.ts';
import type { WordSearch } from '../rows.ts';
import type { Database } from './connection.ts';
import { columnOf, keyColumns } from '../columns.ts';
import { limitParameter, tableName, wordKeysName, wordsName } from './names.ts';

/** Raise it when texts are split into words or kept differently. Stores then rebuild their full-text tables. */
export const wordsVersion = 2;

/**
 * Returns the statement that creates the full-text table of a table. The `ascii` tokenizer is enough, because
 * `normalizeText` has prepared both texts and queries. The table has no `contentless_delete`, because removals would then not be
 * subtracted from the totals that the rank of hits is computed from.
 */
export function createWords(table: TableLayout): string {
  const fields = table.words.map(([field]) => `"w_${field}"`);
  return `CREATE VIRTUAL TABLE ${wordsName(table)} USING fts5(${fields.join(', ')}, content='', tokenize='porter ascii')`;
}

/** Returns the statement that creates the index in which a search looks up the keys of a row by its number. */
export function createWordKeys(table: TableLayout): string {
  return `CREATE INDEX ${wordKeysName(table)} ON ${tableName(table)} (${['number', 'id', ...keyColumns(table)].join(', ')})`;
}

/** Adds the words of a row by its number. */
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

/** Adds the words of the row that was inserted last. */
export function addNewWords(database: Database, table: TableLayout, texts: readonly string[]): void {
  database.run(
    `INSERT INTO ${wordsName(table)} (rowid${columns(table)}) VALUES (last_insert_rowid()${', ?'.repeat(texts.length)})`,
    ...texts.map(normalizeText),
  );
}

/** Removes the words of a row by its number. `texts` must be those with which they were added. */
export function removeWords(
  database: Database,
  table: TableLayout,
  number: number,
  texts: readonly string[],
): void {
  const words = wordsName(table);
  database.run(
    `INSERT INTO ${words} (${words}, rowid${columns(table)}) VALUES ('delete', ?${', ?'.repeat(texts.length)})`,
    number,
    ...texts.map(normalizeText),
  );
}

/**
 * Returns the best rows of some groups, best first. The keys of each hit are read from an index that contains all of them,
 * because reading the rows themselves would be slow.
 */
export function searchWords(
  database: Database,
  table: TableLayout,
  index: IndexLayout,
  { groups, terms, limit }: WordSearch,
): readonly Hit[] {
  const words = wordsName(table);
  const filter = inGroups(table, index, groups);
  const weights = table.words.map(([, weight]) => weight.toFixed(3));
  const sql = `SELECT t.id, -bm25(${words}, ${weights.join(', ')}) AS score FROM ${words}
    CROSS JOIN ${tableName(table)} AS t INDEXED BY ${wordKeysName(table)} ON t.number = ${words}.rowid
    WHERE ${words} MATCH ? AND ${filter.sql} ORDER BY score DESC, t.id ${limitParameter}`;
  return database
    .all<[string, number]>(sql, matchExpression(terms), ...filter.values, limit)
    .map(([id, score]) => ({ id, score }));
}

/** Returns the terms in the query language of FTS5. Words consist of letters and digits, so they need no escaping. */
function matchExpression(terms: SearchTerms): string {
  return terms.map((phrases) => `(${phrases.map(phraseExpression).join(' OR ')})`).join(' AND ');
}

function phraseExpression({ words, isPrefix }: Phrase): string {
  return `"${words.join(' ')}"${isPrefix ? '*' : ''}`;
}

function inGroups(
  table: TableLayout,
  index: IndexLayout,
  groups: readonly (readonly Key[])[],
): { readonly sql: string; readonly values: readonly Key[] } {
  if (index.on.length === 0) return { sql: 'true', values: [] };
  const names = index.on.map((field) => `t.${columnOf(table, field)}`);
  // IN is one look-up for any number of groups, but never matches a null.
  const withoutNull = groups.filter((group) => !group.includes(null));
  const withNull = groups.filter((group) => group.includes(null));
  const listed = `(${names.join(', ')}) IN (SELECT ${names.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?))`;
  const single = ` OR (${names.map((name) => `${name} IS ?`).join(' AND ')})`;
  return {
    sql: `(${listed}${single.repeat(withNull.length)})`,
    values: [JSON.stringify(withoutNull), ...withNull.flat()],
  };
}

function columns(table: TableLayout): string {
  return table.words.map(([field]) => `, "w_${field}"`).join('');
}
