import type { Table } from '../../core/store.ts';
import type { ReportDamage } from '../check/damage.ts';
import { countName } from '../counts.ts';
import { groupOf, layoutOf, type TableLayout } from '../layout.ts';
import { useDatabase } from './connect.ts';
import type { Lease } from './connections.ts';
import { readDerived } from './derived-rows.ts';
import { Names } from './names.ts';
import type { Dialect } from './profile.ts';
import { shortName } from './rows.ts';
import { indexesOf } from './schema.ts';
import { parsePostgresUrl } from './settings.ts';
import { readCounts } from './stored-counts.ts';

/**
 * Checks the data that only a database has: the indexes, the columns with the keys and the searched words of rows, and the stored
 * counts. It reads one snapshot and changes nothing. The layout must be current.
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

/** Reports rows whose columns do not match their JSON, and stored counts of groups without rows. */
async function checkRows(
  lease: Lease,
  names: Names,
  table: TableLayout,
  report: ReportDamage,
): Promise<void> {
  let isDamaged = false;
  const kept = new Set((await readCounts(lease, names, table)).keys());
  for (let after: string | undefined = ''; after !== undefined;) {
    const { rows, damaged, next } = await readDerived(lease, names, table, after);
    after = next;
    isDamaged ||= damaged.length > 0;
    // The check for all kinds of stores reports these rows.
    for (const { id, keys, hasKeys, hasWords } of rows) {
      if (!hasKeys) report({ table: table.name, id, what: 'has keys that are not those of its JSON' });
      if (!hasWords)
        report({ table: table.name, id, what: 'has searched words that are not those of its texts' });
      for (const index of kept.size === 0 ? [] : table.indexes.values())
        kept.delete(shortName(countName(table, index, groupOf(index, keys))));
    }
  }
  // The group of a damaged row is unknown.
  for (const name of isDamaged ? [] : kept)
    report({
      table: table.name,
      id: '-',
      what: `a number of rows is kept for ${name.slice(1)}, which has none`,
    });
}
