import type { Table } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { CountChanges } from '../counts.ts';
import { layoutOf, type TableLayout } from '../layout.ts';
import { storedCounts } from './check-database.ts';
import { useDatabase } from './connect.ts';
import type { Lease } from './connections.ts';
import { derivedRows, rewriteColumns } from './derived-rows.ts';
import { DatabaseError } from './failures.ts';
import { Names } from './names.ts';
import type { Dialect } from './profile.ts';
import { countsOf, isStored, shortName } from './rows.ts';
import { indexesOf } from './schema.ts';
import { parsePostgresUrl } from './settings.ts';
import { repeat } from './transactions.ts';

/** Milliseconds for which a table is tried again while others write to it. */
const timeout = 15_000;

/**
 * Makes the key columns, indexes, counts and searched words of a database again from the JSON of its rows. Each table is repaired
 * as a whole or not at all, and others can write meanwhile. No JSON of a row is changed. The layout must be current.
 *
 * @throws Problem(store-busy), Problem(store-failed)
 */
export async function repairDatabase(url: string, tables: readonly Table[]): Promise<void> {
  const settings = parsePostgresUrl(url);
  const names = new Names(settings.schema);
  await useDatabase(settings, async (connections, dialect) => {
    for (const table of tables.map(layoutOf))
      await repeat({ url: settings.shownUrl, timeout, random: Math.random }, () =>
        connections.use((lease) => repairTable(lease, names, table, dialect)),
      );
  });
}

async function repairTable(lease: Lease, names: Names, table: TableLayout, dialect: Dialect): Promise<void> {
  // A write that this one does not see makes one of the two fail, and it is repeated.
  await lease.command('BEGIN ISOLATION LEVEL SERIALIZABLE');
  try {
    const counts = new CountChanges(isStored);
    for await (const rows of derivedRows(lease, names, table)) {
      for (const { keys } of rows) counts.add(table, keys, 1);
      await rewriteColumns(
        lease,
        names,
        table,
        rows.filter(({ hasKeys, hasWords }) => !hasKeys || !hasWords),
      );
    }
    await repairCounts(lease, names, table, counts);
    for (const { sql } of indexesOf(names, table, dialect)) await lease.command(sql);
    await lease.command(`REINDEX TABLE ${names.table(table)}`);
    await lease.command('COMMIT');
  } catch (error) {
    await lease.command('ROLLBACK').catch(() => {});
    if (error instanceof DatabaseError && error.isTaken)
      throw new Problem(
        'store-failed',
        `The store cannot be repaired: rows of "${table.name}" share a key that must be unique.`,
        { hint: 'Run `docsctl store check` to see the key, and go back to a backup.', cause: error },
      );
    throw error;
  }
}

async function repairCounts(
  lease: Lease,
  names: Names,
  table: TableLayout,
  counts: CountChanges,
): Promise<void> {
  const present = await storedCounts(lease, names, table);
  const expected = counts.take().map(([name, number]) => [shortName(name), number] as const);
  if (expected.length === present.size && expected.every(([name, number]) => present.get(name) === number))
    return;
  await lease.query(`DELETE FROM ${names.counts} WHERE starts_with(name, $1)`, [countsOf(table)], false);
  await lease.query(
    `INSERT INTO ${names.counts} (name, number) SELECT * FROM unnest($1::text[], $2::bigint[])`,
    [expected.map(([name]) => name), expected.map(([, number]) => number)],
    false,
  );
}
