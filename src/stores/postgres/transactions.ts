import { setTimeout } from 'node:timers/promises';
import type { Key, ReadOptions, ReadTransaction, WriteOptions, WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { CountChanges } from '../counts.ts';
import type { TableLayout } from '../layout.ts';
import { withView } from '../memory.ts';
import { ReadView, WriteView } from '../view.ts';
import type { Connections, Lease } from './connections.ts';
import { databaseFailure, DatabaseError } from './failures.ts';
import { lockOf, type Lanes } from './lanes.ts';
import type { Names } from './names.ts';
import { lockTimeout, type Dialect, type Profile } from './profile.ts';
import { planAnswers, planValues, type ReadPlans } from './read-plans.ts';
import { Reads } from './reads.ts';
import { isStored, PostgresRows, PostgresWriter, type RowContext } from './rows.ts';
import type { Run, WordStatistics } from './words.ts';

export interface TransactionContext {
  readonly connections: Connections;
  readonly names: Names;
  readonly layouts: ReadonlyMap<string, TableLayout>;
  readonly dialect: Dialect;
  readonly statistics: WordStatistics;
  readonly plans: ReadPlans;
  readonly lanes: Lanes;
  readonly laneLocks: Profile['laneLocks'];
  /** The URL of the store without its password. */
  readonly url: string;
  /** Milliseconds for which a transaction is retried. */
  readonly timeout: number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Checks that the layout of the store is still the one that this process uses. */
  readonly checkLayout: (lease: Lease) => Promise<void>;
}

/** Runs the work in a read transaction. @throws Problem(store-busy), Problem(store-failed) */
export async function runRead<T>(
  context: TransactionContext,
  work: (view: ReadTransaction) => Promise<T>,
  { like, given = none }: ReadOptions = {},
): Promise<T> {
  return repeat(context, async () => {
    const single = like === undefined ? undefined : await readInOneStatement(context, work, like, given);
    if (single !== undefined) return single.value;
    const lease = await context.connections.lease();
    const begun = lease.command('BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY');
    begun.catch(() => {});
    let lost: unknown;
    try {
      try {
        const reads = await planReads(context, lease, like, given);
        const value = await withView(
          new ReadView(context.layouts, new PostgresRows(rowContext(context, lease, reads))),
          work,
        );
        if (like !== undefined) context.plans.learn(like, given(), reads.done, reads.hasMissed);
        return value;
      } finally {
        // Use results only after the commit. Without it, a later write may be in conflict with the read, and PostgreSQL would not
        // detect it (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE).
        await Promise.all([begun, lease.command('COMMIT')]);
      }
    } catch (error) {
      if (error instanceof DatabaseError && error.isLost) lost = error;
      throw error;
    } finally {
      lease.release(lost);
    }
  });
}

/** Ends an attempt to answer all reads with one statement. */
class MissedRead extends Error {}

/**
 * Runs the work on the answers of one statement, which has a snapshot without a transaction. Returns undefined if the work needs
 * a read that the statement does not contain, or if requests of this kind usually do.
 */
async function readInOneStatement<T>(
  { connections, plans, names, dialect, statistics, layouts }: TransactionContext,
  work: (view: ReadTransaction) => Promise<T>,
  like: string,
  given: () => readonly Key[],
): Promise<{ readonly value: T } | undefined> {
  const plan = plans.find(like);
  if (plan === undefined || !plans.isWhole(like)) return undefined;
  const values = given();
  const parameters = planValues(plan, values);
  if (parameters === undefined) return undefined;
  const [row = []] = await connections.query(plan.sql, parameters);
  const reads = new Reads(planAnswers(plan, values, row));
  const run: Run = () => Promise.reject(new MissedRead());
  try {
    const rows = new PostgresRows({ run, names, dialect, statistics, reads });
    const value = await withView(new ReadView(layouts, rows), work);
    if (!reads.hasMissed) return { value };
  } catch (error) {
    if (!reads.hasMissed && !(error instanceof MissedRead)) throw error;
  }
  return undefined;
}

/** Runs the plan of a kind of request in the open transaction. */
async function planReads(
  { plans }: TransactionContext,
  lease: Lease,
  like: string | undefined,
  given: () => readonly Key[],
): Promise<Reads> {
  const plan = like === undefined ? undefined : plans.find(like);
  if (plan === undefined) return new Reads();
  const values = given();
  const parameters = planValues(plan, values);
  if (parameters === undefined) return new Reads();
  const [row = []] = await lease.query(plan.sql, parameters);
  return new Reads(planAnswers(plan, values, row));
}

function rowContext(
  { names, dialect, statistics }: TransactionContext,
  lease: Lease,
  reads: Reads,
): RowContext {
  const run: Run = (sql, values, isPrepared) => lease.query(sql, values, isPrepared);
  return { run, names, dialect, statistics, reads };
}

function none(): readonly Key[] {
  return [];
}

/** A transaction found a conflict when its changes were sent. It runs again with a check before each change. */
class UncheckedConflict extends Error {}

/** Runs the work in a write transaction. @throws Problem(store-busy), Problem(store-failed) */
export async function runWrite<T>(
  context: TransactionContext,
  work: (tx: WriteTransaction) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  let isChecked = false;
  const attempt = async (): Promise<T> => {
    try {
      return await attemptWrite(context, work, isChecked, options);
    } catch (error) {
      if (error instanceof UncheckedConflict) isChecked = true;
      throw error;
    }
  };
  return context.lanes.run(options.lane, () => repeat(context, attempt));
}

const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE';

/**
 * Begins a write in a lane behind a pooler, which may change the connection after each transaction. A write takes its lock after
 * its snapshot, and a wait would make the snapshot old, so a separate transaction waits first. Both are sent together, so the
 * pooler runs them on one connection. Only one process at a time waits for the lock of the lane. The others wait for the lock of
 * the queue. Otherwise, one of them could take the lane between the two transactions.
 */
async function beginInLane(lease: Lease, { queue, lock }: { queue: string; lock: string }): Promise<void> {
  const take = [queue, lock].map((each) => `SELECT pg_advisory_xact_lock(${each})`).join('; ');
  const wait = `BEGIN; SET LOCAL lock_timeout = ${lockTimeout}; ${take}; COMMIT`;
  const script = `${wait}; ${begin}; SELECT pg_try_advisory_xact_lock(${lock})`;
  while ((await lease.script(script))[0]?.[0] !== 't') await lease.command('ROLLBACK');
}

async function attemptWrite<T>(
  context: TransactionContext,
  work: (tx: WriteTransaction) => Promise<T>,
  isChecked: boolean,
  { keepsStamp = false, like, given = none, lane }: WriteOptions,
): Promise<T> {
  const lease = await context.connections.lease();
  const lockIn = (name: string): string => lockOf(context.names.schema, name);
  const lock = lane !== undefined && context.laneLocks === 'session' ? [lockIn(lane)] : undefined;
  let writer: PostgresWriter | undefined;
  let isCommitting = false;
  try {
    const isBegun = lane !== undefined && context.laneLocks === 'transaction';
    if (isBegun) await beginInLane(lease, { queue: lockIn(`queue ${lane}`), lock: lockIn(lane) });
    const begun = Promise.all([
      // The lock is taken before the transaction starts, so that the snapshot includes the previous write of the lane.
      lock === undefined ? undefined : lease.query('SELECT pg_advisory_lock($1::bigint)', lock),
      isBegun ? undefined : lease.command(begin),
      context.checkLayout(lease),
    ]);
    begun.catch(() => {});
    const reads = await planReads(context, lease, like, given);
    writer = new PostgresWriter(rowContext(context, lease, reads), {
      isChecked,
      counts: new CountChanges(isStored),
    });
    const value = await withView(new WriteView(context.layouts, writer, keepsStamp), work);
    // A failed change ends the transaction, even if the work continued.
    if (writer.failure !== undefined) throw writer.failure as Error;
    await begun;
    isCommitting = true;
    const [, tag] = await Promise.all([
      writer.flush(),
      lease.command('COMMIT'),
      lock === undefined ? undefined : lease.query(unlock, lock),
    ]);
    if (tag !== 'COMMIT') throw new Error('The database did not commit a transaction without an error.');
    lease.release();
    if (like !== undefined && !isChecked) context.plans.learn(like, given(), reads.done, reads.hasMissed);
    return value;
  } catch (thrown) {
    // The work may have failed because of a conflict that is not known yet. Sending the changes reveals it.
    if (!isCommitting && !isChecked) await writer?.sendChanges().catch(() => {});
    const error = writer?.failure ?? thrown;
    const isLost = error instanceof DatabaseError && error.isLost;
    if (!isLost) {
      await Promise.allSettled([
        lease.command('ROLLBACK'),
        lock === undefined ? undefined : lease.query(unlock, lock),
      ]);
    }
    lease.release(isLost ? error : undefined);
    if (isLost && isCommitting) throw unknownCommit(context.url, error);
    if (error instanceof DatabaseError && error.isTaken && !isChecked) throw new UncheckedConflict();
    throw error;
  }
}

const unlock = 'SELECT pg_advisory_unlock($1::bigint)';

function unknownCommit(url: string, cause: unknown): Problem {
  return new Problem(
    'store-busy',
    `The connection to the database of ${url} was lost while a change was being saved. It may have been saved.`,
    { hint: 'Check whether the change is there before you repeat it.', retryAfter: 1, cause },
  );
}

/** Milliseconds before the second attempt. Each further attempt may wait twice as long, up to `maxDelay`. */
const firstDelay = 2;
const maxDelay = 250;

/** Retries a transaction until it has no conflict. @throws Problem(store-busy), Problem(store-failed) */
export async function repeat<T>(
  { timeout, url, random }: Pick<TransactionContext, 'timeout' | 'url' | 'random'>,
  attempt: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + timeout;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isConflict =
        error instanceof UncheckedConflict ||
        (error instanceof DatabaseError && (error.isTransient || error.isTaken));
      // The other side may have closed an idle connection. A retry shows whether the database is available.
      const isRepeated = isConflict || (error instanceof DatabaseError && error.isLost && tries < 3);
      if (!isRepeated) throw databaseFailure(url, error);
      if (performance.now() > end)
        throw new Problem(
          'store-busy',
          `Too many changes to the same data were made at the same time in ${url}.`,
          {
            hint: 'Try again.',
            retryAfter: 1,
            cause: error,
          },
        );
      if (!(error instanceof UncheckedConflict)) {
        const delay = Math.min(maxDelay, firstDelay * 2 ** Math.min(tries, 10)) * random();
        await setTimeout(delay);
      }
    }
  }
}
