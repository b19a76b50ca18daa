import { setTimeout } from 'node:timers/promises';
import { Problem } from '../../errors/problem.ts';
import { CountChanges } from '../counts.ts';
import { newerStoreProblem } from '../json-format.ts';
import { sharedKeyProblem, type TableLayout } from '../layout.ts';
import type { Connections, Lease } from './connections.ts';
import { readDerived, rewriteColumns } from './derived-rows.ts';
import { DatabaseError } from './failures.ts';
import { lockOf } from './lanes.ts';
import type { Names } from './names.ts';
import type { Dialect } from './profile.ts';
import { isStored } from './rows.ts';
import {
  addColumns,
  baseStatements,
  completeColumns,
  createTable,
  indexesOf,
  layoutText,
  placeColumns,
  requireColumns,
  wordsIndexName,
} from './schema.ts';
import { addCounts, removeCounts } from './stored-counts.ts';
import { storeVersion } from '../version.ts';

/** Milliseconds after which another process may take over the upgrade of a killed process, if the database has no locks. */
const claimDuration = 30_000;
/** Milliseconds between two checks whether another process has finished its upgrade. */
const lookInterval = 200;

/** The metadata of a store: the rows of the table docsctl_meta. */
type Meta = ReadonlyMap<string, string>;

/** Returns the metadata of a store; undefined if the schema contains no store. */
export async function readMeta(lease: Lease, names: Names): Promise<Meta | undefined> {
  try {
    const rows = await lease.query(`SELECT name, value FROM ${names.meta}`, [], false);
    return rows.length === 0
      ? undefined
      : new Map(rows.map(([name, value]) => [name as string, value as string]));
  } catch (error) {
    // The table or the schema does not exist.
    if (error instanceof DatabaseError && ['42P01', '3F000'].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Whether a store and its tables have the current version and layout. @throws Problem(store-failed) for a store of a newer
 * version
 */
export function isCurrent(meta: Meta, layouts: ReadonlyMap<string, TableLayout>, url: string): boolean {
  const format = Number(meta.get('format'));
  if (format > storeVersion) throw newerStoreProblem(url);
  return (
    format === storeVersion &&
    [...layouts.values()].every((table) => meta.get(`layout ${table.name}`) === layoutText(table))
  );
}

interface Upgrade {
  readonly connections: Connections;
  readonly names: Names;
  readonly dialect: Dialect;
  /** Whether a session lock shows that the upgrading process is alive. */
  readonly locks: boolean;
  readonly layouts: ReadonlyMap<string, TableLayout>;
  readonly url: string;
  /** A unique name of this process. */
  readonly owner: string;
  /** Milliseconds to wait for the upgrade of another process. */
  readonly timeout: number;
}

/**
 * Creates tables, and upgrades those with an old layout. If several processes start at once, one of them does it and the others
 * wait. The steps can be repeated, because the process may be killed between two of them.
 *
 * @throws Problem(store-busy) if another process does not finish its upgrade; Problem(store-failed)
 */
export async function upgrade(request: Upgrade): Promise<void> {
  const { connections, names, layouts, url, timeout } = request;
  const deadline = AbortSignal.timeout(timeout);
  await createBase(request);
  for (;;) {
    const isDone = await connections.use(async (lease) => {
      const meta = await readMeta(lease, names);
      if (meta !== undefined && isCurrent(meta, layouts, url)) return true;
      if (!(await begin(lease, request))) return false;
      await upgradeTables(lease, request, (await readMeta(lease, names)) ?? new Map());
      return true;
    });
    if (isDone) return;
    if (deadline.aborted)
      throw new Problem('store-busy', `Another docsctl is upgrading the store ${url}.`, {
        hint: 'Wait until it is done, then try again.',
        retryAfter: 5,
      });
    await setTimeout(lookInterval);
  }
}

async function createBase({ connections, names, dialect }: Upgrade): Promise<void> {
  const statements = baseStatements(names, dialect);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connections.use(async (lease) => {
        // A user who owns the schema may not have the permission to create one.
        const [found] = await lease.query(
          'SELECT 1 FROM pg_namespace WHERE nspname = $1',
          [names.schema.slice(1, -1)],
          false,
        );
        if (found === undefined) await lease.command(`CREATE SCHEMA IF NOT EXISTS ${names.schema}`);
        for (const sql of statements) await lease.command(sql);
      });
      return;
    } catch (error) {
      // Two processes that create the same object at once can collide in spite of IF NOT EXISTS.
      const isCollision =
        error instanceof DatabaseError && /^(23505|42710|42P0[67]|40001|XX000)$/.test(error.code);
      if (!isCollision || attempt === 10) throw error;
    }
  }
}

const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Claims the upgrade for this process. Returns false if another process does it. If a process is killed, its lock ends with its
 * connection, after the database has finished the last statement of the process.
 */
async function begin(lease: Lease, request: Upgrade): Promise<boolean> {
  if (!request.locks) return claim(lease, request);
  const lock = [lockOf(request.names.schema, 'upgrade')];
  const [row] = await lease.query('SELECT pg_try_advisory_lock($1::bigint)', lock, false);
  if (row?.[0] !== 't') return false;
  if (await claim(lease, request)) return true;
  await unlock(lease, request);
  return false;
}

async function unlock(lease: Lease, { locks, names }: Upgrade): Promise<void> {
  if (locks)
    await lease.query('SELECT pg_advisory_unlock($1::bigint)', [lockOf(names.schema, 'upgrade')], false);
}

/**
 * Claims the upgrade for some time, or renews the claim. Returns false if another process has claimed it. The process that has
 * the lock takes over the claim of a process that had the lock before.
 */
async function claim(lease: Lease, { names, owner, locks }: Upgrade): Promise<boolean> {
  const rows = await lease.query(
    `INSERT INTO ${names.meta} AS m (name, value) VALUES ('upgrade', (${nowMs} + ${claimDuration})::text || ' ' || $1::text)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE split_part(m.value, ' ', 1)::bigint < ${nowMs} OR split_part(m.value, ' ', 2) = $2::text
        ${locks ? "OR split_part(m.value, ' ', 3) = 'locked'" : ''} RETURNING name`,
    [locks ? `${owner} locked` : owner, owner],
    false,
  );
  return rows.length > 0;
}

async function upgradeTables(lease: Lease, request: Upgrade, meta: Meta): Promise<void> {
  const { names, layouts } = request;
  const outdated = [...layouts.values()].filter(
    (table) => meta.get(`layout ${table.name}`) !== layoutText(table),
  );
  // Writers of another version notice the new generation, and older versions refuse the new format.
  await setMeta(lease, names, [
    ['format', String(storeVersion)],
    ['generation', request.owner],
  ]);
  try {
    await layOutTables(lease, request, outdated, meta);
  } catch (error) {
    // If the upgrade fails, an older version can continue to use the store.
    const format = meta.get('format');
    if (format !== undefined && error instanceof Problem) await setMeta(lease, names, [['format', format]]);
    throw error;
  }
  await lease.query(`DELETE FROM ${names.meta} WHERE name = 'upgrade'`, [], false);
  await unlock(lease, request);
}

async function layOutTables(
  lease: Lease,
  request: Upgrade,
  outdated: readonly TableLayout[],
  meta: Meta,
): Promise<void> {
  const { names, dialect } = request;
  const created = outdated.filter((table) => !meta.has(`layout ${table.name}`));
  const existing = await tablesIn(lease, names);
  const missing = created.filter(({ name }) => !existing.has(name));
  if (missing.length > 0)
    await lease.command(
      missing
        .flatMap((table) => [
          createTable(names, table, dialect),
          ...placeColumns(names, table, dialect),
          ...indexesOf(names, table, dialect).map(({ sql }) => sql),
        ])
        .join(';\n'),
    );
  await setMeta(
    lease,
    names,
    missing.map((table) => [`layout ${table.name}`, layoutText(table)]),
  );
  for (const table of outdated) {
    if (missing.includes(table)) continue;
    await upgradeTable(lease, request, table);
    await setMeta(lease, names, [[`layout ${table.name}`, layoutText(table)]]);
  }
}

async function tablesIn(lease: Lease, names: Names): Promise<ReadonlySet<string>> {
  const rows = await lease.query(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1',
    [names.schema.slice(1, -1)],
    false,
  );
  return new Set(rows.map(([name]) => name as string));
}

async function setMeta(
  lease: Lease,
  names: Names,
  entries: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  if (entries.length === 0) return;
  await lease.query(
    `INSERT INTO ${names.meta} (name, value) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [entries.map(([name]) => name), entries.map(([, value]) => value)],
    false,
  );
}

/** Rebuilds the columns, indexes, counts and words of a table from the JSON of its rows. */
async function upgradeTable(lease: Lease, request: Upgrade, table: TableLayout): Promise<void> {
  const { names, dialect } = request;
  for (const sql of [...addColumns(names, table, dialect), ...placeColumns(names, table, dialect)])
    await lease.command(sql);
  // It is much faster to build the index once at the end than to change it with each row.
  await lease.command(`DROP INDEX IF EXISTS ${names.schema}."${wordsIndexName(table)}"`);
  await removeCounts(lease, names, table);
  const counts = new CountChanges(isStored);
  for (let after: string | undefined = ''; after !== undefined;) {
    await lease.command('BEGIN');
    try {
      const { rows, damaged, next } = await readDerived(lease, names, table, after, true);
      for (const { keys } of [...rows, ...damaged]) if (keys !== undefined) counts.add(table, keys, 1);
      await rewriteColumns(lease, names, table, rows);
      // A damaged row is kept, and `store check` reports it.
      if (damaged.length > 0)
        await lease.query(completeColumns(names, table), [damaged.map(({ id }) => id)], false);
      // All counts of the table become visible together with its last rows.
      if (next === undefined) await addCounts(lease, names, counts.take());
      await lease.command('COMMIT');
      after = next;
    } catch (error) {
      await lease.command('ROLLBACK').catch(() => {});
      throw error;
    }
    await claim(lease, request);
  }
  const wanted = indexesOf(names, table, dialect);
  for (const { sql } of wanted) await createIndex(lease, request, table, sql);
  // From here on the upgrade cannot fail, and older versions cannot write.
  await lease.command(requireColumns(names, table));
  const present = await lease.query(
    "SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND tablename = $2 AND indexname NOT LIKE '%\\_pkey'",
    [names.schema.slice(1, -1), table.name],
    false,
  );
  for (const [index] of present)
    if (!wanted.some(({ name: other }) => other === index))
      await lease.command(`DROP INDEX IF EXISTS ${names.schema}."${index}"`);
}

async function createIndex(lease: Lease, { url }: Upgrade, table: TableLayout, sql: string): Promise<void> {
  try {
    await lease.command(sql);
  } catch (error) {
    if (!(error instanceof DatabaseError) || !error.isTaken) throw error;
    throw sharedKeyProblem(url, table, error);
  }
}
