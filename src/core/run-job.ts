import { defined, plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { recordJob } from './audit/record-job.ts';
import { isoTime } from './clock.ts';
import { servicesOf, type Core } from './embedded.ts';
import type { JobOutcome, Engine } from './jobs.ts';
import { jobs, type JobRow } from './rows/jobs.ts';
import type { ReadTransaction, WriteTransaction } from './store.ts';

/** How long a claim lasts without a heartbeat, in milliseconds. */
const claimDuration = 60_000;
const maxAttempts = 8;
const transientReasons: ReadonlySet<string> = new Set([
  'unreachable',
  'timed-out',
  'rate-limited',
  'store-busy',
]);

/** Which jobs to take: one by id, those of a kind or organization, or any. */
export interface JobFilter {
  readonly id?: string | undefined;
  readonly kind?: string | undefined;
  readonly organization?: string | undefined;
}

/** Claims the job that has been due the longest. Returns undefined when none is due. */
export async function claimJob(
  { store, clock, newId }: Core,
  filter: JobFilter = {},
): Promise<JobRow | undefined> {
  const now = isoTime(clock());
  const isDue = (job: JobRow): boolean => job.dueAt <= now && matchesFilter(filter, job);
  const find = async (view: ReadTransaction): Promise<JobRow | undefined> => {
    if (filter.id !== undefined)
      return [await view.get(jobs, filter.id)].find((job) => job !== undefined && isDue(job));
    let after: readonly string[] | undefined;
    for (;;) {
      const rows = await view.find(jobs, {
        index: 'byDue',
        equals: ['open'],
        limit: 50,
        ...defined({ after }),
      });
      const found = rows.find(isDue);
      const last = rows.at(-1);
      if (found !== undefined || last === undefined || rows.length < 50 || last.dueAt > now) return found;
      after = [last.dueAt, last.id];
    }
  };
  // Mostly nothing is due. A read finds that out without the lock of a write.
  if ((await store.read(find)) === undefined) return undefined;
  return store.write(async (tx) => {
    const job = await find(tx);
    // A job with an owner has lost its process, perhaps because of the job itself, so this counts as a failed attempt.
    const attempts = (job?.attempts ?? 0) + (job?.owner == null ? 0 : 1);
    return job === undefined
      ? undefined
      : tx.update(jobs, job.id, {
          owner: newId('run'),
          dueAt: isoTime(clock() + claimDuration),
          again: false,
          attempts,
        });
  });
}

function matchesFilter({ kind, organization }: JobFilter, job: JobRow): boolean {
  return (
    job.queue === 'open' &&
    job.kind === (kind ?? job.kind) &&
    // A job of the whole store belongs to no organization, and runs with those of any.
    (job.organization === '' || job.organization === (organization ?? job.organization))
  );
}

/** Lists the jobs that other processes have claimed, including killed processes whose claims have not ended yet. */
export async function listHeldJobs({ store, clock }: Core, filter: JobFilter = {}): Promise<JobRow[]> {
  const [now, last] = [isoTime(clock()), isoTime(clock() + claimDuration)];
  const isHeld = (job: JobRow): boolean =>
    job.owner !== null && job.dueAt > now && matchesFilter(filter, job);
  return store.read(async (view) => {
    if (filter.id !== undefined)
      return [await view.get(jobs, filter.id)].filter((job) => job !== undefined && isHeld(job)) as JobRow[];
    const held: JobRow[] = [];
    let after = [now, ''];
    for (;;) {
      const rows = await view.find(jobs, { index: 'byDue', equals: ['open'], limit: 50, after });
      held.push(...rows.filter(isHeld));
      const end = rows.at(-1);
      // No claim ends later than `last`. Jobs that are due later are only waiting.
      if (end === undefined || rows.length < 50 || end.dueAt > last) return held;
      after = [end.dueAt, end.id];
    }
  });
}

/** How to run a job. */
export interface JobRun {
  readonly signal: AbortSignal;
  /** Bytes of the largest store that is rewritten (default: any). */
  readonly maxScrubSize?: number | undefined;
  /** Others use the store through this process, and do not wait while it is rewritten. */
  readonly isServing?: boolean;
  readonly progress?: (text: string) => void;
}

/** `again`: the job is repeated; `later`: it failed and is retried; `lost`: another process has claimed it. */
type JobEnd = 'done' | 'again' | 'later' | 'failed' | 'lost' | 'stopped';

/** The result of a run. */
export interface JobResult {
  readonly end: JobEnd;
  /** Why the job failed. */
  readonly problem?: Problem;
  /** A problem of the subject, although the job itself is done. */
  readonly trouble?: string;
}

/** Runs a claimed job. A failure is recorded on the job and returned. @throws only the errors of the store */
export async function runJob(
  core: Core,
  job: JobRow,
  { signal, progress = () => {}, maxScrubSize = Number.POSITIVE_INFINITY, isServing = false }: JobRun,
): Promise<JobResult> {
  const now = (): string => isoTime(core.clock());
  const getClaimed = async (tx: ReadTransaction): Promise<JobRow> => {
    const row = await tx.get(jobs, job.id);
    if (row?.owner !== job.owner) throw new LostClaimError();
    return row;
  };
  const write = <T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> =>
    core.store.write(async (tx) => (await getClaimed(tx), recordJob(tx, job, now, work)));
  const heartbeat = setInterval(
    () =>
      void write((tx) => tx.update(jobs, job.id, { dueAt: isoTime(core.clock() + claimDuration) })).catch(
        () => {},
      ),
    claimDuration / 3,
  ).unref();
  try {
    const engine = await core.engineOf(job.kind);
    try {
      if (job.attempts >= maxAttempts)
        throw new Problem(
          'unexpected',
          `Gave up: the worker died ${plural(job.attempts, 'time')} on this job.`,
        );
      const outcome =
        (await engine.run({
          ...servicesOf(core),
          job,
          write,
          env: core.env,
          signal,
          scrub: async (goesAhead = false) =>
            (await core.store.scrub?.(
              maxScrubSize,
              signal,
              isServing ? (goesAhead ? 'go-ahead' : 'give-way') : undefined,
            )) ?? 'done',
          progress,
        })) ?? {};
      const end = await core.store.write(async (tx) => {
        const claimed = await getClaimed(tx);
        await recordJob(tx, job, now, async (recorded) => outcome.write?.(recorded));
        return endJob(tx, claimed, outcome, now());
      });
      return { end, ...defined({ trouble: outcome.warning }) };
    } catch (error) {
      if (error instanceof LostClaimError) return { end: 'lost' };
      const isStop = error instanceof Problem && error.reason === 'interrupted';
      if (isStop || signal.aborted) {
        await write((tx) => tx.update(jobs, job.id, { owner: null, dueAt: now() }));
        return { end: 'stopped' };
      }
      const problem =
        error instanceof Problem
          ? error
          : new Problem('unexpected', `docsctl itself failed: ${(error as Error).message}.`, {
              cause: error,
            });
      return {
        end: await core.store.write(async (tx) =>
          recordFailure(tx, await getClaimed(tx), engine, problem, core.clock()),
        ),
        problem,
      };
    }
  } catch (error) {
    if (error instanceof LostClaimError) return { end: 'lost' };
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Thrown by writes of a job that another process has claimed meanwhile, or that was removed. */
class LostClaimError extends Error {}

async function endJob(tx: WriteTransaction, job: JobRow, outcome: JobOutcome, now: string): Promise<JobEnd> {
  const next = job.again ? now : outcome.repeatAt;
  if (next === undefined) {
    await tx.remove(jobs, job.id);
    return 'done';
  }
  await tx.update(jobs, job.id, {
    owner: null,
    dueAt: next,
    attempts: 0,
    again: false,
    problem: undefined,
    busySince: outcome.busySince,
  });
  return 'again';
}

async function recordFailure(
  tx: WriteTransaction,
  job: JobRow,
  engine: Engine,
  problem: Problem,
  time: number,
): Promise<JobEnd> {
  const attempts = job.attempts + 1;
  const { reason, message } = problem;
  const failure = {
    attempts,
    owner: null,
    problem: { reason, message: message.slice(0, 1000), at: isoTime(time) },
  };
  if (job.again) {
    await tx.update(jobs, job.id, { ...failure, attempts: 0, again: false, dueAt: isoTime(time) });
    return 'later';
  }
  if (transientReasons.has(reason) && attempts < maxAttempts) {
    await tx.update(jobs, job.id, {
      ...failure,
      dueAt: isoTime(time + retryDelay(attempts, job.id, problem)),
    });
    return 'later';
  }
  await tx.update(jobs, job.id, { ...failure, queue: 'failed', dueAt: isoTime(time) });
  await engine.failed?.(tx, job, problem, isoTime(time));
  return 'failed';
}

/**
 * Returns the milliseconds until the next attempt: about 5 s, 10 s, 20 s and so on, up to an hour. The delay differs by
 * job, so that jobs that failed together are not retried together. A longer Retry-After is obeyed, up to an hour.
 */
function retryDelay(attempts: number, id: string, { retryAfter }: Problem): number {
  const spread =
    [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1000, attempts) / 1000;
  const pause = Math.min(3_600_000, 5000 * 2 ** (attempts - 1)) * (0.75 + spread / 2);
  return Math.max(pause, Math.min(3_600_000, (retryAfter ?? 0) * 1000));
}
