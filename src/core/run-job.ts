import { defined, plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { isoTime } from './clock.ts';
import type { Core } from './embedded.ts';
import type { JobOutcome, Engine } from './jobs.ts';
import { jobs, type JobRow } from './rows/jobs.ts';
import type { ReadTransaction, WriteTransaction } from './store.ts';

/** Milliseconds that a claim lasts without a heartbeat. */
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
  const isMeant = (job: JobRow): boolean => job.dueAt <= now && matchesFilter(filter, job);
  const find = async (view: ReadTransaction): Promise<JobRow | undefined> => {
    if (filter.id !== undefined)
      return [await view.get(jobs, filter.id)].find((job) => job !== undefined && isMeant(job));
    let after: readonly string[] | undefined;
    for (;;) {
      const rows = await view.find(jobs, {
        index: 'byDue',
        equals: ['open'],
        limit: 50,
        ...defined({ after }),
      });
      const found = rows.find(isMeant);
      const last = rows.at(-1);
      if (found !== undefined || last === undefined || rows.length < 50 || last.dueAt > now) return found;
      after = [last.dueAt, last.id];
    }
  };
  // A read costs no write, and mostly nothing is due.
  if ((await store.read(find)) === undefined) return undefined;
  return store.write(async (tx) => {
    const job = await find(tx);
    // A claim ends without a result when its process dies, perhaps because of the job: that counts as an attempt.
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
    job.organization === (organization ?? job.organization)
  );
}

/** Lists the jobs that other processes have claimed, including processes that were killed: a claim must end first. */
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
      // No claim lasts longer; jobs that are due later only wait.
      if (end === undefined || rows.length < 50 || end.dueAt > last) return held;
      after = [end.dueAt, end.id];
    }
  });
}

export interface JobRun {
  readonly signal: AbortSignal;
  readonly progress?: (text: string) => void;
}

type JobEnd = 'done' | 'again' | 'later' | 'failed' | 'lost' | 'stopped';

export interface JobResult {
  readonly end: JobEnd;
  readonly problem?: Problem;
  readonly trouble?: string;
}

/** Runs a claimed job and records its failure on it. Throws only what the store throws. */
export async function runJob(
  core: Core,
  job: JobRow,
  { signal, progress = () => {} }: JobRun,
): Promise<JobResult> {
  const now = (): string => isoTime(core.clock());
  const mine = async (tx: ReadTransaction): Promise<JobRow> => {
    const row = await tx.get(jobs, job.id);
    if (row?.owner !== job.owner) throw new LostClaimError();
    return row;
  };
  const write = <T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> =>
    core.store.write(async (tx) => (await mine(tx), work(tx)));
  const beat = setInterval(
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
      const { newId, randomBytes, outgoing, vault, env } = core;
      const url = (path: string): string => core.publicUrl + path;
      const ending =
        (await engine.run({
          job,
          read: (work) => core.store.read(work),
          write,
          outgoing,
          vault,
          now,
          newId,
          randomBytes,
          url,
          env,
          signal,
          progress,
        })) ?? {};
      const end = await core.store.write(async (tx) => endJob(tx, await mine(tx), ending, now()));
      return { end, ...defined({ trouble: ending.warning }) };
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
          recordFailure(tx, await mine(tx), engine, problem, core.clock()),
        ),
        problem,
      };
    }
  } catch (error) {
    if (error instanceof LostClaimError) return { end: 'lost' };
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** Another process has claimed the job, or it was dequeued. */
class LostClaimError extends Error {}

async function endJob(tx: WriteTransaction, job: JobRow, ending: JobOutcome, now: string): Promise<JobEnd> {
  await ending.write?.(tx);
  const next = job.again ? now : ending.repeatAt;
  if (next === undefined) {
    await tx.remove(jobs, job.id);
    return 'done';
  }
  await tx.update(jobs, job.id, { owner: null, dueAt: next, attempts: 0, again: false, problem: undefined });
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
  const noted = {
    attempts,
    owner: null,
    problem: { reason, message: message.slice(0, 1000), at: isoTime(time) },
  };
  if (job.again) {
    await tx.update(jobs, job.id, { ...noted, attempts: 0, again: false, dueAt: isoTime(time) });
    return 'later';
  }
  if (transientReasons.has(reason) && attempts < maxAttempts) {
    await tx.update(jobs, job.id, {
      ...noted,
      dueAt: isoTime(time + retryDelay(attempts, job.id, problem)),
    });
    return 'later';
  }
  await tx.update(jobs, job.id, { ...noted, queue: 'failed', dueAt: isoTime(time) });
  await engine.failed?.(tx, job, problem, isoTime(time));
  return 'failed';
}

/** Milliseconds until the next attempt: 5 s, 10 s, 20 s … up to an hour, spread by id so that jobs that failed together do not return together. A longer Retry-After is obeyed, up to an hour. */
function retryDelay(attempts: number, id: string, { retryAfter }: Problem): number {
  const spread =
    [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1000, attempts) / 1000;
  const pause = Math.min(3_600_000, 5000 * 2 ** (attempts - 1)) * (0.75 + spread / 2);
  return Math.max(pause, Math.min(3_600_000, (retryAfter ?? 0) * 1000));
}
