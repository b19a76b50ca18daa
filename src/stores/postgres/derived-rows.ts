import { checksumOf } from '../checksum.ts';
import { parseRow, textsOf, type Keys, type TableLayout } from '../layout.ts';
import { cast, rowsAs } from './buffer.ts';
import type { Lease, Value } from './connections.ts';
import { encodeKey } from './keys.ts';
import { keyColumns } from '../columns.ts';
import { wordColumns, type Names } from './names.ts';
import { textArray } from './text-array.ts';
import { wordValues } from './words.ts';

/** Number of rows that are read and compared at the same time. */
const batchSize = 200;

/** A row, the correct values of its columns, and whether the columns have them. */
interface DerivedRow {
  readonly id: string;
  readonly keys: Keys;
  /** The correct values of `derivedColumns`, from the JSON of the row. */
  readonly values: readonly (string | number)[];
  /** False for a row of an older version. A row with another checksum is damaged. */
  readonly hasChecksum: boolean;
  readonly hasKeys: boolean;
  readonly hasWords: boolean;
}

interface DamagedRow {
  readonly id: string;
  /** The groups in which the row is counted, because it is still read; undefined if it cannot be. */
  readonly keys: Keys | undefined;
}

/** Some rows of a table in the order of their IDs. */
interface DerivedBatch {
  readonly rows: readonly DerivedRow[];
  /** Rows whose JSON is not what was written, or cannot be used. Their columns stay as they are. */
  readonly damaged: readonly DamagedRow[];
  /** The ID after which the next batch starts; undefined if there is none. */
  readonly next: string | undefined;
}

/** Returns the columns that are derived from the JSON of a row, and the ID. */
function derivedColumns(table: TableLayout): readonly string[] {
  return ['id', 'checksum', ...keyColumns(table), ...wordColumns(table)];
}

/**
 * Reads rows after an ID, and compares them with their columns. With `locks`, nobody can change them before the transaction ends.
 */
export async function readDerived(
  lease: Lease,
  names: Names,
  table: TableLayout,
  after: string,
  locks = false,
): Promise<DerivedBatch> {
  const found = await lease.query(
    `SELECT id, data, checksum FROM ${names.table(table)} WHERE id > $1 ORDER BY id LIMIT ${batchSize}${locks ? ' FOR UPDATE' : ''}`,
    [after],
    false,
  );
  const expected: Expected[] = [];
  const damaged: DamagedRow[] = [];
  for (const [id, text, checksum] of found as [string, string, string | null][]) {
    const isWhole = checksum === null || Number(checksum) === checksumOf(text);
    const row = derive(table, id, text);
    if (row === undefined || !isWhole) damaged.push({ id, keys: row?.keys });
    else expected.push({ ...row, hasChecksum: checksum !== null });
  }
  const wrong = await findDifferent(lease, names, table, expected);
  return {
    rows: expected.map((row) => ({ ...row, ...(wrong.get(row.id) ?? { hasKeys: true, hasWords: true }) })),
    damaged,
    next: found.length < batchSize ? undefined : (found.at(-1)?.[0] as string),
  };
}

type Expected = Pick<DerivedRow, 'id' | 'keys' | 'values' | 'hasChecksum'>;

function derive(
  table: TableLayout,
  id: string,
  text: string,
): Pick<DerivedRow, 'id' | 'keys' | 'values'> | undefined {
  const found = parseRow(table, text);
  if (found?.row.id !== id) return undefined;
  const { row, keys } = found;
  const words = table.words.length === 0 ? [] : wordValues(table, textsOf(table, row));
  return { id, keys, values: [id, checksumOf(text), ...keys.slice(1).map(encodeKey), ...words] };
}

/** Returns the rows whose keys or words differ in the database. The database compares them, as values of their types. */
async function findDifferent(
  lease: Lease,
  names: Names,
  table: TableLayout,
  rows: readonly Expected[],
): Promise<ReadonlyMap<string, Pick<DerivedRow, 'hasKeys' | 'hasWords'>>> {
  const [keys, words] = [keyColumns(table), wordColumns(table)];
  if (rows.length === 0) return new Map();
  const same = (compared: readonly string[]): string =>
    compared.length === 0
      ? 'true'
      : `ROW(${compared.map((column) => `t.${column}`).join(', ')}) IS NOT DISTINCT FROM ROW(${compared.map(cast).join(', ')})`;
  const columns = derivedColumns(table);
  const found = await lease.query(
    `SELECT * FROM (SELECT t.id, ${same(keys)} AS keys, ${same(words)} AS words FROM ${names.table(table)} AS t JOIN ${rowsAs(columns)} ON t.id = u.id) AS compared WHERE NOT (keys AND words)`,
    columnsOf(rows, columns),
    false,
  );
  return new Map(
    found.map(([id, hasKeys, hasWords]) => [
      id as string,
      { hasKeys: hasKeys === 't', hasWords: hasWords === 't' },
    ]),
  );
}

/** Corrects the columns of rows that do not match their JSON. */
export async function rewriteColumns(
  lease: Lease,
  names: Names,
  table: TableLayout,
  rows: readonly DerivedRow[],
): Promise<void> {
  const wrong = rows.filter(({ hasChecksum, hasKeys, hasWords }) => !hasChecksum || !hasKeys || !hasWords);
  if (wrong.length === 0) return;
  const columns = derivedColumns(table);
  const set = columns.slice(1).map((column) => `${column} = ${cast(column)}`);
  await lease.query(
    `UPDATE ${names.table(table)} AS t SET ${set.join(', ')} FROM ${rowsAs(columns)} WHERE t.id = u.id`,
    columnsOf(wrong, columns),
    false,
  );
}

function columnsOf(rows: readonly Expected[], columns: readonly string[]): Value[] {
  return columns.map((_, at) => textArray(rows.map(({ values }) => values[at] as string | number)));
}
