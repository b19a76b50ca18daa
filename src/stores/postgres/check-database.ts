import type { Table } from '../../core/store.ts';
import type { ReportDamage } from '../check/damage.ts';
import { countName } from '../counts.ts';
import { groupOf, layoutOf, type TableLayout } from '../layout.ts';
import { useDatabase } from './connect.ts';
import type { Lease } from './connections.ts';
import { derivedRows } from './derived-rows.ts';
import { Names } from './names.ts';
import type { Dialect } from './profile.ts';
import { countsOf, shortName } from './rows.ts';
import { indexesOf } from './schema.ts';
import { parsePostgresUrl } from './settings.ts';

/**
 * Checks what only a database has: the indexes, the columns with the keys and the searched words of rows, and the numbers of rows
 * that are kept. It reads one snapshot and changes nothing. The layout must be current.
 *
 * @throws Problem(store-busy), Problem(store-failed)
 */
export async function checkDatabase(
  url: string,
  tables: readonly Table[],
  report: ReportDamage,
): Promise<void> {
  const settings = parsePostgresUrl(url);
  const names = new Names(settings.schema);
  await useDatabase(settings, (connections, dialect) =>
    connections.use(async (lease) => {
      await lease.command('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      for (const table of tables.map(layoutOf)) {
        await checkIndexes(lease, names, table, dialect, report);
        await checkRows(lease, names, table, report);
      }
      await lease.command('COMMIT');
    }),
  );
}

async function checkIndexes(
  lease: Lease,
  names: Names,
  table: TableLayout,
  dialect: Dialect,
  report: ReportDamage,
): Promise<void> {
  const present = new Set(
    (
      await lease.query(
        'SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid WHERE i.indrelid = $1::regclass AND i.indisvalid',
        [names.table(table)],
        false,
      )
    ).map(([name]) => name),
  );
  for (const { name } of indexesOf(names, table, dialect))
    if (!present.has(name)) report({ table: table.name, id: '-', what: `the index ${name} is missing` });
}

/** Reports rows whose columns are not made from their JSON, and numbers of rows that are kept for groups without rows. */
async function checkRows(
  lease: Lease,
  names: Names,
  table: TableLayout,
  report: ReportDamage,
): Promise<void> {
  const kept = new Set((await storedCounts(lease, names, table)).keys());
  for await (const rows of derivedRows(lease, names, table))
    for (const { id, keys, hasKeys, hasWords } of rows) {
      if (!hasKeys) report({ table: table.name, id, what: 'has keys that are not those of its JSON' });
      if (!hasWords)
        report({ table: table.name, id, what: 'has searched words that are not those of its texts' });
      for (const index of kept.size === 0 ? [] : table.indexes.values())
        kept.delete(shortName(countName(table, index, groupOf(index, keys))));
    }
  for (const name of kept)
    report({
      table: table.name,
      id: '-',
      what: `a number of rows is kept for ${name.slice(1)}, which has none`,
    });
}

/** Returns the numbers of rows that are kept of a table, by their names. */
export async function storedCounts(
  lease: Lease,
  names: Names,
  table: TableLayout,
): Promise<ReadonlyMap<string, number>> {
  const rows = await lease.query(
    `SELECT name, number FROM ${names.counts} WHERE starts_with(name, $1)`,
    [countsOf(table)],
    false,
  );
  return new Map(rows.map(([name, number]) => [name as string, Number(number)]));
}
