import type { Table } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { CountChanges } from '../counts.ts';
import { layoutOf, type TableLayout } from '../layout.ts';
import { useDatabase } from './connect.ts';
import type { Lease } from './connections.ts';
import { readDerived, rewriteColumns } from './derived-rows.ts';
import { DatabaseError } from './failures.ts';
import { Names } from './names.ts';
import type { Dialect } from './profile.ts';
import { isStored, shortName } from './rows.ts';
import { indexesOf } from './schema.ts';
import { parsePostgresUrl } from './settings.ts';
import { addCounts, readCounts, removeCounts } from './stored-counts.ts';
import { repeat } from './transactions.ts';

/** Milliseconds for which a table is retried while others write to it. */
const timeout = 15_000;

/**
 * Rebuilds the key columns, indexes, counts and searched words of a database from the JSON of its rows. Each table is repaired
 * completely or not at all, and others can write meanwhile. The JSON of rows is not changed. The layout must be current.
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
  // Serializable: if another write and this one do not see each other, one of them fails and is retried.
  await lease.command('BEGIN ISOLATION LEVEL SERIALIZABLE');
  try {
    const counts = new CountChanges(isStored);
    for (let after: string | undefined = ''; after !== undefined;) {
      const { rows, damaged, next } = await readDerived(lease, names, table, after);
      for (const { keys } of [...rows, ...damaged]) if (keys !== undefined) counts.add(table, keys, 1);
      await rewriteColumns(lease, names, table, rows);
      after = next;
    }
    await repairCounts(lease, names, table, counts.take());
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
  expected: ReturnType<CountChanges['take']>,
): Promise<void> {
  const present = await readCounts(lease, names, table);
  const isSame = ([name, number]: readonly [string, number]): boolean =>
    present.get(shortName(name)) === number;
  if (expected.length === present.size && expected.every(isSame)) return;
  await removeCounts(lease, names, table);
  await addCounts(lease, names, expected);
}
