import { parseRow, textsOf, type Keys, type TableLayout } from '../layout.ts';
import { cast, rowsAs } from './buffer.ts';
import type { Lease, Value } from './connections.ts';
import { encodeKey } from './keys.ts';
import { keyColumns, wordColumns, type Names } from './names.ts';
import { wordValues } from './words.ts';

/** Rows that are read and compared at once. */
const batchSize = 200;

/** A row with what its columns must be, and whether they are. */
export interface DerivedRow {
  readonly id: string;
  readonly keys: Keys;
  /** The values that the JSON of the row demands of `derivedColumns`. */
  readonly values: readonly (string | number)[];
  readonly hasKeys: boolean;
  readonly hasWords: boolean;
}

/** Returns the ID and the columns that are made from the JSON of a row. */
export function derivedColumns(table: TableLayout): readonly string[] {
  return ['id', ...keyColumns(table), ...wordColumns(table)];
}

/**
 * Yields the rows of a table in the order of their IDs, compared with their columns. Rows that are not JSON, or of another ID,
 * are left out.
 */
export async function* derivedRows(
  lease: Lease,
  names: Names,
  table: TableLayout,
): AsyncGenerator<readonly DerivedRow[]> {
  for (let last = ''; ;) {
    const rows = await lease.query(
      `SELECT id, data FROM ${names.table(table)} WHERE id > $1 ORDER BY id LIMIT ${batchSize}`,
      [last],
      false,
    );
    const expected = rows.flatMap(([id, text]) => derive(table, id as string, text as string));
    const wrong = await findDifferent(lease, names, table, expected);
    yield expected.map((row) => ({ ...row, ...(wrong.get(row.id) ?? { hasKeys: true, hasWords: true }) }));
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.[0] as string;
  }
}

type Expected = Pick<DerivedRow, 'id' | 'keys' | 'values'>;

function derive(table: TableLayout, id: string, text: string): Expected[] {
  const found = parseRow(table, text);
  if (found?.row.id !== id) return [];
  const { row, keys } = found;
  const words = table.words.length === 0 ? [] : wordValues(table, textsOf(table, row));
  return [{ id, keys, values: [id, ...keys.slice(1).map(encodeKey), ...words] }];
}

/** Returns the rows whose keys or words are others in the database. It compares them there, as values of their types. */
async function findDifferent(
  lease: Lease,
  names: Names,
  table: TableLayout,
  rows: readonly Expected[],
): Promise<ReadonlyMap<string, Pick<DerivedRow, 'hasKeys' | 'hasWords'>>> {
  const columns = derivedColumns(table);
  if (rows.length === 0 || columns.length === 1) return new Map();
  const same = (compared: readonly string[]): string =>
    compared.length === 0
      ? 'true'
      : `ROW(${compared.map((column) => `t.${column}`).join(', ')}) IS NOT DISTINCT FROM ROW(${compared.map(cast).join(', ')})`;
  const found = await lease.query(
    `SELECT * FROM (SELECT t.id, ${same(keyColumns(table))} AS keys, ${same(wordColumns(table))} AS words FROM ${names.table(table)} AS t JOIN ${rowsAs(columns)} ON t.id = u.id) AS compared WHERE NOT (keys AND words)`,
    columnsOf(rows, columns),
    false,
  );
  return new Map(
    found.map(([id, keys, words]) => [id as string, { hasKeys: keys === 't', hasWords: words === 't' }]),
  );
}

/** Writes the columns of rows again. */
export async function rewriteColumns(
  lease: Lease,
  names: Names,
  table: TableLayout,
  rows: readonly DerivedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = derivedColumns(table);
  const set = columns.slice(1).map((column) => `${column} = ${cast(column)}`);
  await lease.query(
    `UPDATE ${names.table(table)} AS t SET ${set.join(', ')} FROM ${rowsAs(columns)} WHERE t.id = u.id`,
    columnsOf(rows, columns),
    false,
  );
}

function columnsOf(rows: readonly Expected[], columns: readonly string[]): Value[] {
  return columns.map((_, at) => rows.map(({ values }) => values[at] as string | number));
}
