import type { CountChanges } from '../counts.ts';
import type { TableLayout } from '../layout.ts';
import type { Lease } from './connections.ts';
import type { Names } from './names.ts';
import { shortName } from './rows.ts';

/** Returns the stored counts of a table by name. */
export async function readCounts(
  lease: Lease,
  names: Names,
  table: TableLayout,
): Promise<ReadonlyMap<string, number>> {
  const rows = await lease.query(
    `SELECT name, number FROM ${names.counts} WHERE starts_with(name, $1)`,
    [startOf(table)],
    false,
  );
  return new Map(rows.map(([name, number]) => [name as string, Number(number)]));
}

/** Removes the stored counts of a table. */
export async function removeCounts(lease: Lease, names: Names, table: TableLayout): Promise<void> {
  await lease.query(`DELETE FROM ${names.counts} WHERE starts_with(name, $1)`, [startOf(table)], false);
}

/** Adds to the stored counts. */
export async function addCounts(
  lease: Lease,
  names: Names,
  counts: ReturnType<CountChanges['take']>,
): Promise<void> {
  await lease.query(
    `INSERT INTO ${names.counts} AS c (name, number) SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT (name) DO UPDATE SET number = c.number + excluded.number`,
    [counts.map(([name]) => shortName(name)), counts.map(([, number]) => number)],
    false,
  );
}

/** Returns the start of the names of all counts of a table. */
function startOf(table: TableLayout): string {
  return shortName(`["${table.name}",`);
}
