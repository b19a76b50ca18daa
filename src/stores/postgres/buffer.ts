import type { TableLayout } from '../layout.ts';
import type { Answer, Value } from './connections.ts';
import { columnOf, keyColumns } from '../columns.ts';
import { wordColumns, type Names } from './names.ts';
import { textArray } from './text-array.ts';

/** A row as its columns: ID, JSON, checksum, and encoded keys. */
interface StoredRow {
  readonly id: string;
  readonly text: string;
  readonly checksum: number;
  readonly keys: readonly string[];
  /** The values of `wordColumns`; undefined if they do not change. */
  readonly words: readonly (string | number)[] | undefined;
}

type PendingChange =
  | { readonly kind: 'insert' | 'update'; readonly row: StoredRow }
  | { readonly kind: 'remove' };

interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Characters of rows after which the changes are sent. */
const maxSize = 125_000;

/**
 * The changes of a transaction that were not sent yet. They are sent together: one statement per table and kind, for any number
 * of rows.
 */
export class WriteBuffer {
  readonly #names: Names;
  readonly #send: (sql: string, values: readonly Value[]) => Promise<Answer>;
  readonly #tables = new Map<TableLayout, Map<string, PendingChange>>();
  #size = 0;

  constructor(names: Names, send: (sql: string, values: readonly Value[]) => Promise<Answer>) {
    this.#names = names;
    this.#send = send;
  }

  /** Whether so many changes are pending that they should be sent. */
  get isFull(): boolean {
    return this.#size > maxSize;
  }

  get isEmpty(): boolean {
    return this.#tables.size === 0;
  }

  insert(table: TableLayout, row: StoredRow): void {
    // If a row is removed and inserted again in one transaction, the change is an update.
    const before = this.#changesOf(table).get(row.id);
    this.#set(table, row, before?.kind === 'remove' ? 'update' : 'insert');
  }

  update(table: TableLayout, row: StoredRow): void {
    const before = this.#changesOf(table).get(row.id);
    if (before === undefined || before.kind === 'remove') this.#set(table, row, 'update');
    else this.#set(table, { ...row, words: row.words ?? before.row.words }, before.kind);
  }

  /**
   * Whether changes have to be sent before a row is removed or gets other keys. Changes of a table are sent as removals, updates,
   * then insertions. In this order, a conflict between them could remain undetected.
   */
  isAhead(table: TableLayout, id: string): boolean {
    const changes = this.#tables.get(table);
    if (changes === undefined) return false;
    return changes.has(id) || [...table.indexes.values()].some(({ unique }) => unique);
  }

  /** Removes a row that has no pending change. */
  remove(table: TableLayout, id: string): void {
    this.#changesOf(table).set(id, { kind: 'remove' });
  }

  /** Sends the changes and returns when all of them are done. */
  async flush(): Promise<void> {
    if (this.#tables.size === 0) return;
    const statements = [...this.#tables].flatMap(([table, changes]) => this.#statementsOf(table, changes));
    this.#tables.clear();
    this.#size = 0;
    await Promise.all(statements.map(({ sql, values }) => this.#send(sql, values)));
  }

  #changesOf(table: TableLayout): Map<string, PendingChange> {
    let changes = this.#tables.get(table);
    if (changes === undefined) this.#tables.set(table, (changes = new Map()));
    return changes;
  }

  #set(table: TableLayout, row: StoredRow, kind: 'insert' | 'update'): void {
    this.#changesOf(table).set(row.id, { kind, row });
    this.#size += row.text.length;
  }

  /** Removals come first, because an added row may have the unique key of a removed row. */
  #statementsOf(table: TableLayout, changes: ReadonlyMap<string, PendingChange>): Statement[] {
    const removed: string[] = [];
    const inserted: StoredRow[] = [];
    const updated: StoredRow[] = [];
    const withWords: StoredRow[] = [];
    for (const [id, change] of changes)
      if (change.kind === 'remove') removed.push(id);
      else if (change.kind === 'insert') inserted.push(change.row);
      else (change.row.words === undefined ? updated : withWords).push(change.row);
    return [
      ...(removed.length === 0
        ? []
        : [{ sql: `DELETE FROM ${this.#names.table(table)} WHERE id = ANY($1::text[])`, values: [removed] }]),
      ...(updated.length === 0 ? [] : [updateRows(this.#names, table, updated, rowColumns(table))]),
      ...(withWords.length === 0
        ? []
        : [updateRows(this.#names, table, withWords, [...rowColumns(table), ...wordColumns(table)])]),
      ...(inserted.length === 0 ? [] : [insertRows(this.#names, table, inserted)]),
    ];
  }
}

function insertRows(names: Names, table: TableLayout, rows: readonly StoredRow[]): Statement {
  const columns = [...rowColumns(table), ...wordColumns(table)];
  return {
    sql: `INSERT INTO ${names.table(table)} (${columns.join(', ')}) SELECT ${columns.map(cast).join(', ')} FROM ${rowsAs(columns)}`,
    values: valuesOf(rows, columns.length),
  };
}

/** Returns the statement that updates columns of rows. `columns` may include the columns of words. */
function updateRows(
  names: Names,
  table: TableLayout,
  rows: readonly StoredRow[],
  columns: readonly string[],
): Statement {
  const set = columns.slice(1).map((column) => `${column} = ${cast(column)}`);
  return {
    sql: `UPDATE ${names.table(table)} AS t SET ${set.join(', ')} FROM ${rowsAs(columns)} WHERE t.id = u.id`,
    values: valuesOf(rows, columns.length),
  };
}

function rowColumns(table: TableLayout): readonly string[] {
  return [columnOf(table, 0), 'data', 'checksum', ...keyColumns(table)];
}

const columnTypes: Readonly<Record<string, string>> = {
  checksum: 'integer',
  w_stems: 'tsvector',
  w_counts: 'jsonb',
  w_length: 'integer',
};

/** Returns a column of `u`, cast to the type of the column of the same name. */
export function cast(column: string): string {
  const type = columnTypes[column];
  return type === undefined ? `u.${column}` : `u.${column}::${type}`;
}

/** Returns the parameters of a statement as the rows of a table `u`. */
export function rowsAs(columns: readonly string[]): string {
  return `unnest(${columns.map((_, at) => `$${at + 1}::text[]`).join(', ')}) AS u (${columns.join(', ')})`;
}

/** Returns the values of each column, as the arrays that `unnest` takes. */
function valuesOf(rows: readonly StoredRow[], count: number): Value[] {
  const columns: (string | number)[][] = Array.from({ length: count }, () => []);
  for (const { id, text, checksum, keys, words = [] } of rows) {
    columns[0]?.push(id);
    columns[1]?.push(text);
    columns[2]?.push(checksum);
    for (const [at, key] of keys.entries()) columns[3 + at]?.push(key);
    for (const [at, value] of words.entries()) columns[3 + keys.length + at]?.push(value);
  }
  return columns.map(textArray);
}
