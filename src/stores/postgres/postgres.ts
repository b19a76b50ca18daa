import { randomUUID } from 'node:crypto';
import type { Store, Table } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { layoutsOf } from '../layout.ts';
import { MissingStore } from '../missing-store.ts';
import { connect } from './connect.ts';
import type { Lease } from './connections.ts';
import { databaseFailure } from './failures.ts';
import { Lanes } from './lanes.ts';
import { Names } from './names.ts';
import { parsePostgresUrl } from './settings.ts';
import type { Profile } from './profile.ts';
import { ReadPlans } from './read-plans.ts';
import { SnapshotStamp } from './snapshot-stamp.ts';
import { runRead, runWrite, type TransactionContext } from './transactions.ts';
import { isCurrent, readMeta, upgrade } from './upgrade.ts';
import { WordStatistics } from './words.ts';

/** How to open a store in PostgreSQL. */
interface PostgresOptions {
  readonly tables: readonly Table[];
  /** Milliseconds for which a transaction is retried while others change the same rows. */
  readonly busyTimeout: number;
  /** Whether a missing store is created. */
  readonly create: boolean;
}

/** Opens a store in a schema of a PostgreSQL database. Any number of processes, on any machines, may use it at once. */
export async function openPostgres(
  url: string,
  { tables, busyTimeout, create }: PostgresOptions,
): Promise<Store> {
  const settings = parsePostgresUrl(url);
  const { shownUrl } = settings;
  const names = new Names(settings.schema);
  const layouts = layoutsOf(tables);
  let generation: string | undefined;

  /** Creates the tables or upgrades their layout, if necessary. */
  const prepare = async (lease: Lease): Promise<boolean> => {
    const meta = await readMeta(lease, names);
    if (meta === undefined && !create) throw new MissingStore('URL', shownUrl);
    if (meta === undefined || !isCurrent(meta, layouts, shownUrl)) return false;
    generation = meta.get('generation');
    return true;
  };
  const checkLayout = async (lease: Lease): Promise<void> => {
    const [row] = await lease.query(`SELECT value FROM ${names.meta} WHERE name = 'generation'`);
    if (row?.[0] === generation) return;
    const meta = await readMeta(lease, names);
    if (meta === undefined || !isCurrent(meta, layouts, shownUrl))
      throw new Problem(
        'store-failed',
        `Another version of docsctl has changed the layout of ${shownUrl} in the meantime.`,
        { hint: 'Start docsctl again, with the newer version.', retryAfter: 60 },
      );
    generation = meta.get('generation');
  };
  const failure = (error: unknown): never => {
    throw databaseFailure(shownUrl, error);
  };
  const { connections, profile, first: isReady } = await connect(settings, prepare).catch(failure);
  try {
    if (!isReady) {
      const { dialect, lanes: locks } = profile;
      const owner = randomUUID();
      await upgrade({ connections, names, dialect, locks, layouts, url: shownUrl, owner, timeout: 60_000 });
      await connections.use(prepare);
    }
  } catch (error) {
    await connections.close();
    failure(error);
  }
  const context: TransactionContext = {
    connections,
    names,
    layouts,
    dialect: profile.dialect,
    statistics: new WordStatistics(() => performance.now()),
    plans: new ReadPlans(),
    lanes: new Lanes(),
    laneLocks: profile.laneLocks,
    url: shownUrl,
    timeout: busyTimeout,
    random: Math.random,
    checkLayout,
  };
  const stamp = new SnapshotStamp(connections);
  let closed: Promise<void> | undefined;
  const open = new Set<Promise<unknown>>();
  const track = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed !== undefined) throw new Error('The store is closed.');
    const result = work();
    open.add(result);
    try {
      return await result;
    } finally {
      open.delete(result);
    }
  };
  return {
    url: shownUrl,
    read: (work, options) => track(() => runRead(context, work, options)),
    write: (work, options) => track(() => runWrite(context, work, options)),
    ...(profile.stamps ? { fetchStamp: () => track(() => stamp.read()) } : {}),
    checkInUse: () => track(() => connections.use(checkLayout)).catch(failure),
    close: () => (closed ??= Promise.allSettled(open).then(() => connections.close())),
  };
}

/** Returns how the database of a store is used. @throws Problem(store-busy), Problem(store-failed) */
export async function readPostgresProfile(url: string): Promise<Profile> {
  const settings = parsePostgresUrl(url);
  try {
    const { connections, profile } = await connect(settings, async () => {});
    await connections.close();
    return profile;
  } catch (error) {
    throw databaseFailure(settings.shownUrl, error);
  }
}
