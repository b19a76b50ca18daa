import { defined, plural, truncate } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { recordJob } from './audit/record-job.ts';
import { isoTime } from './clock.ts';
import { servicesOf, type Core } from './embedded.ts';
import type { JobOutcome, Engine } from './jobs.ts';
import { claimDuration, claimed } from './claim-job.ts';
import { jobs, unclaimed, type JobRow } from './rows/jobs.ts';
import type { ReadTransaction, WriteOptions, WriteTransaction } from './store.ts';
import { announceWork } from './work-signal.ts';

const maxAttempts = 8;
const transientReasons: ReadonlySet<string> = new Set([
  'unreachable',
  'timed-out',
  'rate-limited',
  'store-busy',
]);

export interface JobRun {
  readonly signal: AbortSignal;
  /** Bytes of the largest store that is rewritten (default: any). */
  readonly maxScrubSize?: number | undefined;
  /** Others use the store through this process, and do not wait while it is rewritten. */
  readonly isServing?: boolean;
  readonly progress?: (text: string) => void;
  /** Ends a job that has no last write, in one write with other jobs (default: in its own). @throws the errors of the store */
  readonly endLater?: ((job: JobRow, outcome: JobOutcome) => Promise<JobEnd>) | undefined;
}

/** `again`: the job is repeated; `later`: it failed and is retried; `lost`: another process has claimed it. */
export type JobEnd = 'done' | 'again' | 'later' | 'failed' | 'lost' | 'stopped';

interface JobResult {
  readonly end: JobEnd;
  readonly problem?: Problem;
  /** A problem of the subject, although the job itself is done. */
  readonly trouble?: string;
}

/** Runs a claimed job. A failure is recorded on the job and returned. @throws only the errors of the store */
export async function runJob(
  core: Core,
  job: JobRow,
  {
    signal,
    progress = () => {},
    maxScrubSize = Number.POSITIVE_INFINITY,
    isServing = false,
    endLater,
  }: JobRun,
): Promise<JobResult> {
  const now = (): string => isoTime(core.clock());
  const getClaimed = async (tx: ReadTransaction): Promise<JobRow> => {
    const row = await tx.get(jobs, job.id);
    if (row?.owner !== job.owner) throw new LostClaimError();
    return row;
  };
  const writeAndAnnounce = async <T>(
    work: (tx: WriteTransaction, onRequest: () => void) => Promise<T>,
    options: WriteOptions,
  ): Promise<T> => {
    let hasRequested = false;
    const result = await core.store.write((tx) => {
      hasRequested = false;
      return work(tx, () => void (hasRequested = true));
    }, options);
    if (hasRequested) announceWork(core.store);
    return result;
  };
  // Jobs write audit events of their organization, as the calls in it do.
  const inLane = job.organization === '' ? {} : { lane: job.organization };
  const write = <T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> =>
    writeAndAnnounce(async (tx, onRequest) => {
      await getClaimed(tx);
      return recordJob(tx, job, now, work, onRequest);
    }, inLane);
  const heartbeat = setInterval(
    () => void write((tx) => tx.update(jobs, job.id, claimed(job.kind, core.clock()))).catch(() => {}),
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
      const end =
        outcome.write === undefined && endLater !== undefined
          ? await endLater(job, outcome)
          : await writeAndAnnounce(
              async (tx, onRequest) => {
                const row = await getClaimed(tx);
                await recordJob(tx, job, now, async (recorded) => outcome.write?.(recorded), onRequest);
                return endJob(tx, row, outcome, now());
              },
              {
                ...inLane,
                like: `end of ${job.kind}`,
                given: () => [job.id, job.subject, job.organization],
              },
            );
      return { end, ...defined({ trouble: outcome.warning }) };
    } catch (error) {
      if (error instanceof LostClaimError) return { end: 'lost' };
      const isStop = error instanceof Problem && error.reason === 'interrupted';
      if (isStop || signal.aborted) {
        await write((tx) => tx.update(jobs, job.id, unclaimed(job.kind, now(), now())));
        return { end: 'stopped' };
      }
      const problem =
        error instanceof Problem
          ? error
          : new Problem('unexpected', `docsctl itself failed: ${(error as Error).message}.`, {
              cause: error,
            });
      return {
        end: await core.store.write(
          async (tx) => recordFailure(tx, await getClaimed(tx), engine, problem, core.clock()),
          inLane,
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

/** Ends a job that this process has claimed: removes it, or sets the time when it runs again. */
export async function endJob(
  tx: WriteTransaction,
  job: JobRow,
  outcome: JobOutcome,
  now: string,
): Promise<JobEnd> {
  const next = job.again ? now : outcome.repeatAt;
  if (next === undefined) {
    await tx.remove(jobs, job.id);
    return 'done';
  }
  await tx.update(jobs, job.id, {
    ...unclaimed(job.kind, next, now),
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
  const now = isoTime(time);
  const failure = {
    attempts,
    problem: { reason, message: truncate(message, 1000), at: now },
  };
  if (job.again) {
    await tx.update(jobs, job.id, {
      ...failure,
      ...unclaimed(job.kind, now, now),
      attempts: 0,
      again: false,
    });
    return 'later';
  }
  // Such as that of an object store or a full disk.
  const isAway = reason === 'store-failed' && problem.retryAfter !== undefined;
  if ((transientReasons.has(reason) || isAway) && attempts < maxAttempts) {
    const retryAt = isoTime(time + retryDelay(attempts, job.id, problem));
    await tx.update(jobs, job.id, { ...failure, ...unclaimed(job.kind, retryAt, now) });
    return 'later';
  }
  await tx.update(jobs, job.id, {
    ...failure,
    ...unclaimed(job.kind, now, now),
    queue: 'failed',
    ready: undefined,
  });
  await engine.failed?.(tx, job, problem, now);
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
