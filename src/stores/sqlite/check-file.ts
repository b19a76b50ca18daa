import { statSync } from 'node:fs';
import type { Row, Table } from '../../core/store.ts';
import { normalizeText } from '../../core/search-terms.ts';
import { isProblem } from '../../errors/problem.ts';
import { hasChecksum } from '../checksum.ts';
import type { ReportDamage } from '../check/damage.ts';
import { isFile } from '../files.ts';
import { groupOf, layoutOf, parseRow, sameKeys, textsOf, type Keys, type TableLayout } from '../layout.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import { Database, openImmutable } from './connection.ts';
import { countName, isCounted } from '../counts.ts';
import { canOpenImmutable, readSchema, refuseForeign } from './file.ts';
import { keyColumns } from '../columns.ts';
import { tableName, wordsName } from './names.ts';
import { createIndexes, schemaOf } from './schema.ts';
import { columnsOf } from './upgrade.ts';
import { describeDamage, isNoDamage } from '../failures.ts';

/** Milliseconds to wait for a lock. */
const timeout = 15_000;
const rowsPerRead = 200;
/** Maximum number of damages that SQLite lists, and of rows with wrong words that are listed. */
const maxListed = 100;

/**
 * Checks the data that only SQLite has: the pages and indexes of the file, the stored counts, and the searched words. With
 * `quick`, it checks only the pages. It changes nothing.
 */
export async function checkSqliteFile(
  path: string,
  tables: readonly Table[],
  quick: boolean,
  report: ReportDamage,
): Promise<void> {
  // A file that cannot be opened is reported when the store is opened.
  if (!isFile(path)) return;
  let database: Database | undefined;
  try {
    const opened = await openToCheck(path);
    database = opened;
    checkSize(opened, path, report);
    const found = opened.all<[string]>(`PRAGMA ${quick ? 'quick_check' : 'integrity_check'}(${maxListed})`);
    for (const [what] of found) if (what !== 'ok') report({ table: '-', id: '-', what });
    const present = new Set(opened.all<[string]>('SELECT name FROM sqlite_schema').map(([name]) => name));
    checkSchema(opened, tables, present, quick, report);
    if (quick) return;
    for (const table of tables) {
      const layout = layoutOf(table);
      // Opening the store adds the tables and columns that an older layout lacks.
      if (!present.has(layout.name) || !hasColumns(opened, layout)) continue;
      const damaged = checkRows(opened, layout, report);
      if (layout.words.length > 0 && present.has(wordsName(layout).slice(1, -1)))
        checkWords(opened, layout, damaged, report);
    }
  } catch (error) {
    if (!isProblem(error, 'store-failed') || isNoDamage(error)) throw error;
    report({ table: '-', id: '-', what: describeDamage(error) });
  } finally {
    database?.close();
  }
}

/** Opens a file and starts a read, even in a folder that cannot be written. @throws Problem(store-failed) */
async function openToCheck(path: string, isFixed = false): Promise<Database> {
  let database: Database | undefined;
  try {
    const opened = (database = isFixed ? openImmutable(path) : new Database(path));
    await retryWhileBusy(path, timeout, () => {
      refuseForeign(path, opened);
      opened.exec('PRAGMA temp_store = MEMORY; BEGIN');
      opened.get('SELECT count(*) FROM sqlite_schema');
    });
    return opened;
  } catch (error) {
    database?.close();
    if (isFixed || !canOpenImmutable(path, error)) throw error;
    return openToCheck(path, true);
  }
}

/**
 * Reports missing tables and indexes. Opening the store adds what an older layout lacks. Without `quick`, a table without which
 * rows cannot be read is reported when they are.
 */
function checkSchema(
  database: Database,
  tables: readonly Table[],
  present: ReadonlySet<string>,
  quick: boolean,
  report: ReportDamage,
): void {
  if (!present.has('docsctl_meta')) return;
  const layouts = tables.map(layoutOf);
  const [saved, current] = [readSchema(database), schemaOf(layouts)];
  for (const table of layouts) {
    if (saved[table.name] !== current[table.name]) continue;
    const isMissing = !present.has(table.name);
    if (isMissing && quick)
      report({ table: table.name, id: '-', what: `the table ${table.name} is missing` });
    if (isMissing) continue;
    if (table.words.length > 0 && !present.has(wordsName(table).slice(1, -1)))
      report({ table: table.name, id: '-', what: `the search index of ${table.name} is missing` });
    for (const sql of createIndexes(table)) {
      const [, name = ''] = /INDEX "([^"]+)"/.exec(sql) ?? [];
      if (!present.has(name)) report({ table: table.name, id: '-', what: `the index ${name} is missing` });
    }
  }
}

function hasColumns(database: Database, table: TableLayout): boolean {
  const present = new Set(columnsOf(database, table));
  return [...keyColumns(table), '"checksum"'].every((column) => present.has(column));
}

/** Reports a file that was truncated. SQLite treats the missing part as empty. */
function checkSize(database: Database, path: string, report: ReportDamage): void {
  // Some pages may exist only in the WAL.
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const [pages, size] = ['page_count', 'page_size'].map((name) =>
    Number(database.get(`PRAGMA ${name}`)?.[0]),
  );
  const [expected, present] = [(pages ?? 0) * (size ?? 0), statSync(path).size];
  if (present < expected || present % (size ?? 1) !== 0)
    report({ table: '-', id: '-', what: `the size of the file is ${present} bytes, and not ${expected}` });
}

/**
 * Reports rows whose columns do not match their JSON, and stored counts of groups without rows. The other counts are compared
 * with the rows of their groups. Returns the damaged rows, which the check of the rows reports.
 */
function checkRows(database: Database, table: TableLayout, report: ReportDamage): ReadonlySet<number> {
  const kept = new Set(
    database
      .all<[string]>(
        'SELECT name FROM docsctl_counts WHERE name >= ? AND name < ?',
        `["${table.name}",`,
        `["${table.name}"-`,
      )
      .map(([name]) => name),
  );
  const damaged = new Set<number>();
  for (const { number, held, found } of eachRow(database, table)) {
    if (found === undefined) {
      damaged.add(number);
      continue;
    }
    const { keys } = found;
    const [id] = held;
    if (!sameKeys(keys, held))
      report({ table: table.name, id, what: 'has keys that are not those of its JSON' });
    for (const index of kept.size === 0 ? [] : table.indexes.values()) {
      const group = groupOf(index, keys);
      if (isCounted(index, group)) kept.delete(countName(table, index, group));
    }
  }
  // The group of a damaged row is unknown.
  for (const name of damaged.size === 0 ? kept : [])
    report({ table: table.name, id: '-', what: `a number of rows is kept for ${name}, which has none` });
  return damaged;
}

/** Reports rows whose searched words do not match their texts. */
function checkWords(
  database: Database,
  table: TableLayout,
  damaged: ReadonlySet<number>,
  report: ReportDamage,
): void {
  const fields = table.words.map(([field]) => `"w_${field}"`);
  const words = wordsName(table);
  database.exec(
    `CREATE VIRTUAL TABLE temp.docsctl_expected USING fts5(${fields.join(', ')}, content='', tokenize='porter ascii');
     CREATE VIRTUAL TABLE temp.docsctl_expected_words USING fts5vocab('temp', 'docsctl_expected', 'instance');
     CREATE VIRTUAL TABLE temp.docsctl_present_words USING fts5vocab('main', ${words}, 'instance')`,
  );
  try {
    for (const { number, found } of eachRow(database, table)) {
      if (found === undefined) continue;
      database.run(
        `INSERT INTO temp.docsctl_expected (rowid, ${fields.join(', ')}) VALUES (?${', ?'.repeat(fields.length)})`,
        number,
        ...textsOf(table, found.row).map(normalizeText),
      );
    }
    const columns = 'term, doc, col, "offset"';
    const without = (a: string, b: string): string =>
      `SELECT DISTINCT doc FROM (SELECT ${columns} FROM temp.docsctl_${a}_words EXCEPT SELECT ${columns} FROM temp.docsctl_${b}_words)`;
    const wrong = database.all<[number, string | null]>(
      `SELECT doc, (SELECT id FROM ${tableName(table)} WHERE number = doc) FROM (${without('expected', 'present')} UNION ${without('present', 'expected')}) LIMIT ${maxListed}`,
    );
    for (const [number, id] of wrong.filter(([one]) => !damaged.has(one)))
      report(
        id === null
          ? { table: table.name, id: '-', what: `has searched words of row ${number}, which is missing` }
          : { table: table.name, id, what: 'has searched words that are not those of its texts' },
      );
  } finally {
    if (!database.hasFailed)
      database.exec(
        'DROP TABLE temp.docsctl_present_words; DROP TABLE temp.docsctl_expected_words; DROP TABLE temp.docsctl_expected',
      );
  }
}

interface StoredRow {
  readonly number: number;
  /** The keys in the columns. */
  readonly held: Keys;
  /** The row and its keys, from its JSON; undefined if the row is damaged. */
  readonly found: { readonly row: Row; readonly keys: Keys } | undefined;
}

/** Yields the rows of a table in the order of their numbers. */
function* eachRow(database: Database, table: TableLayout): Generator<StoredRow> {
  const columns = ['id', ...keyColumns(table)];
  for (let last = 0; ;) {
    const rows = database.all<[number, string, number | null, ...Keys]>(
      `SELECT rowid, data, checksum, ${columns.join(', ')} FROM ${tableName(table)} WHERE rowid > ? ORDER BY rowid LIMIT ${rowsPerRead}`,
      last,
    );
    for (const [number, text, checksum, ...held] of rows) {
      last = number;
      const found = hasChecksum(text, checksum) ? parseRow(table, text) : undefined;
      yield { number, held, found };
    }
    if (rows.length < rowsPerRead) return;
  }
}
