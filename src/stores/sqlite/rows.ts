import type { Hit, Key, RowSize } from '../../core/store.ts';
import { checksumOf, hasChecksum, verifyRow } from '../checksum.ts';
import { isConstraint } from '../failures.ts';
import {
  groupOf,
  parseRow,
  sameKeys,
  textsOf,
  type IndexLayout,
  type Keys,
  type TableLayout,
} from '../layout.ts';
import {
  conflictProblem,
  type Page,
  type RowChange,
  type RowSource,
  type RowTarget,
  type WordSearch,
} from '../rows.ts';
import type { Database } from './connection.ts';
import { countName, isCounted, type CountChanges } from '../counts.ts';
import { columnOf, keyColumns } from '../columns.ts';
import { limitParameter, tableName } from './names.ts';
import { indexRanges } from './index-ranges.ts';
import { addNewWords, addWords, removeWords, searchWords } from './words.ts';

/** Reads rows in the open transaction of a connection. */
export class SqliteRows implements RowSource {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  text(table: TableLayout, id: string): string | undefined {
    const row = this.database.get<[string, number]>(
      `SELECT data, checksum FROM ${tableName(table)} WHERE id = ?`,
      id,
    );
    return row === undefined ? undefined : verifyRow(table.name, row[0], row[1]);
  }

  page(table: TableLayout, index: IndexLayout, page: Page): readonly string[] {
    const texts: string[] = [];
    for (const { sql, values } of indexRanges(table, index, page)) {
      const rows = this.database.all<[string, number]>(sql, ...values, page.limit - texts.length);
      for (const [text, checksum] of rows) texts.push(verifyRow(table.name, text, checksum));
      if (texts.length === page.limit) break;
    }
    return texts;
  }

  count(table: TableLayout, index: IndexLayout, equals: readonly Key[]): number {
    if (!isCounted(index, equals)) return this.#countRows(table, index, equals);
    return (
      this.database.get<[number]>(
        'SELECT number FROM docsctl_counts WHERE name = ?',
        countName(table, index, equals),
      )?.[0] ?? 0
    );
  }

  scan(table: TableLayout, after: string, limit: number): readonly RowSize[] {
    // SQLite reads the length of a text from the header of the record, without reading the text.
    return this.database
      .all<[string, number]>(
        `SELECT id, octet_length(data) FROM ${tableName(table)} WHERE id > ? ORDER BY id ${limitParameter}`,
        after,
        limit,
      )
      .map(([id, size]) => ({ id, size }));
  }

  async search(table: TableLayout, index: IndexLayout, search: WordSearch): Promise<readonly Hit[]> {
    return searchWords(this.database, table, index, search);
  }

  #countRows(table: TableLayout, index: IndexLayout, equals: readonly Key[]): number {
    const sql = `SELECT count(*) FROM ${tableName(table)} WHERE ${inGroup(table, index)}`;
    return this.database.get<[number]>(sql, ...equals)?.[0] ?? 0;
  }
}

function inGroup(table: TableLayout, index: IndexLayout): string {
  return index.on.map((field) => `${columnOf(table, field)} IS ?`).join(' AND ') || 'true';
}

/** Writes rows in the open transaction of a connection. */
export class SqliteWriter extends SqliteRows implements RowTarget {
  readonly #counts: CountChanges;
  readonly #inserts = new Map<TableLayout, string>();

  constructor(database: Database, counts: CountChanges) {
    super(database);
    this.#counts = counts;
  }

  override count(table: TableLayout, index: IndexLayout, equals: readonly Key[]): number {
    return (
      super.count(table, index, equals) +
      (isCounted(index, equals) ? this.#counts.of(countName(table, index, equals)) : 0)
    );
  }

  insert(table: TableLayout, keys: Keys, text: string, words: readonly string[]): void {
    this.#change(table, keys, true, this.#insertSql(table), text, checksumOf(text), ...keys);
    if (table.words.length > 0) addNewWords(this.database, table, words);
    this.#counts.add(table, keys, 1);
  }

  replace(table: TableLayout, { before, after, text, words, oldWords }: RowChange): void {
    this.#replaceRow(table, before, after, text);
    if (words === undefined) return;
    const [number] = this.database.get<[number]>(
      `SELECT number FROM ${tableName(table)} WHERE id = ?`,
      after[0],
    ) as [number];
    removeWords(this.database, table, number, oldWords);
    addWords(this.database, table, number, words);
  }

  #replaceRow(table: TableLayout, before: Keys, after: Keys, text: string): void {
    if (sameKeys(before, after)) {
      // The statement sets no keys, because SQLite updates the indexes of every column named in SET.
      const sql = `UPDATE ${tableName(table)} SET data = ?, checksum = ? WHERE id = ?`;
      this.database.run(sql, text, checksumOf(text), after[0]);
      return;
    }
    const [id, ...keys] = after;
    const columns = keyColumns(table).map((column) => `, ${column} = ?`);
    this.#change(
      table,
      after,
      false,
      `UPDATE ${tableName(table)} SET data = ?, checksum = ?${columns.join('')} WHERE id = ?`,
      text,
      checksumOf(text),
      ...keys,
      id,
    );
    this.#counts.add(table, before, -1);
    this.#counts.add(table, after, 1);
  }

  remove(table: TableLayout, id: string): boolean {
    const texts = table.words.length > 0 ? 'data, checksum' : 'NULL, NULL';
    const removed = this.database.get<[number, string | null, number | null, ...Keys]>(
      `DELETE FROM ${tableName(table)} WHERE id = ? RETURNING rowid, ${[texts, 'id', ...keyColumns(table)].join(', ')}`,
      id,
    );
    if (removed === undefined) return false;
    const [number, text, checksum, ...keys] = removed;
    // The texts of a damaged row are unknown. Its words find nothing without the row.
    const found = hasChecksum(text, checksum) ? parseRow(table, text) : undefined;
    if (found !== undefined) removeWords(this.database, table, number, textsOf(table, found.row));
    this.#counts.add(table, keys, -1);
    return true;
  }

  #insertSql(table: TableLayout): string {
    let sql = this.#inserts.get(table);
    if (sql === undefined) {
      const columns = ['data', 'checksum', 'id', ...keyColumns(table)];
      sql = `INSERT INTO ${tableName(table)} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
      this.#inserts.set(table, sql);
    }
    return sql;
  }

  /** Runs a statement that writes a row. @throws Problem(conflict) that names the key that another row has */
  #change(table: TableLayout, keys: Keys, isNew: boolean, sql: string, ...values: Key[]): void {
    try {
      this.database.run(sql, ...values);
    } catch (error) {
      if (!isConstraint(error)) throw error;
      if (isNew && this.text(table, keys[0]) !== undefined) throw conflictProblem(table, keys);
      for (const index of table.indexes.values()) {
        const group = groupOf(index, keys);
        if (!index.unique || group.includes(null)) continue;
        const [id] =
          this.database.get<[string]>(
            `SELECT id FROM ${tableName(table)} WHERE ${inGroup(table, index)} LIMIT 1`,
            ...group,
          ) ?? [];
        if (id !== undefined && id !== keys[0]) throw conflictProblem(table, keys, index);
      }
      throw error;
    }
  }
}
