import { defined, plural, truncate } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { recordJob } from './audit/record-job.ts';
import { isoTime } from './clock.ts';
import { servicesOf, type Core } from './embedded.ts';
import type { Engine, JobContext, JobOutcome } from './jobs.ts';
import { claimed } from './claim-job.ts';
import { claimDuration } from './claim-watch.ts';
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
  /** Maximum size of a store that is rewritten, in bytes (default: no limit). */
  readonly maxScrubSize?: number | undefined;
  /** This process serves the store to others, who must not wait while it is rewritten. */
  readonly isServing?: boolean;
  readonly progress?: JobContext['progress'];
  /** Ends a job without a last write together with other jobs (default: in a separate write). @throws the errors of the store */
  readonly endLater?: ((job: JobRow, outcome: JobOutcome) => Promise<JobEnd>) | undefined;
}

/** `again`: the job is repeated; `later`: it failed and is retried; `lost`: another process has claimed it. */
export type JobEnd = 'done' | 'again' | 'later' | 'failed' | 'lost' | 'stopped';

interface JobResult {
  readonly end: JobEnd;
  readonly problem?: Problem;
  /** A problem of the subject. The job itself has succeeded. */
  readonly trouble?: string;
}

/** Runs a claimed job. A failure is recorded on the job and returned. @throws only the errors of the store */
export async function runJob(core: Core, job: JobRow, run: JobRun): Promise<JobResult> {
  const claim = new Claim(core, job);
  const heartbeat = setInterval(
    () => void claim.write((tx) => tx.update(jobs, job.id, claimed(job.kind, core.clock()))).catch(() => {}),
    claimDuration / 3,
  ).unref();
  try {
    const engine = await core.engineOf(job.kind);
    try {
      const outcome = await runEngine(core, claim, engine, run);
      const end =
        outcome.write === undefined && run.endLater !== undefined
          ? await run.endLater(job, outcome)
          : await claim.end(outcome);
      return { end, ...defined({ trouble: outcome.warning }) };
    } catch (error) {
      return await recordError(claim, engine, error, run.signal);
    }
  } catch (error) {
    if (error instanceof LostClaimError) return { end: 'lost' };
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Reads and writes for a job, as long as this process has claimed it. */
class Claim {
  readonly core: Core;
  readonly job: JobRow;
  /** Jobs write audit events of their organization, as the calls in it do. */
  readonly lane: WriteOptions;

  constructor(core: Core, job: JobRow) {
    this.core = core;
    this.job = job;
    this.lane = job.organization === '' ? {} : { lane: job.organization };
  }

  readonly now = (): string => isoTime(this.core.clock());

  /** Reads the row of the job. @throws LostClaimError */
  async read(tx: ReadTransaction): Promise<JobRow> {
    const row = await tx.get(jobs, this.job.id);
    if (row?.owner !== this.job.owner) throw new LostClaimError();
    return row;
  }

  readonly write = <T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> =>
    this.#writeAndAnnounce(async (tx, onRequest) => {
      await this.read(tx);
      return recordJob(tx, this.job, this.now, work, onRequest);
    }, this.lane);

  /** Makes the last write of a job, and ends it. */
  end(outcome: JobOutcome): Promise<JobEnd> {
    const { id, kind, subject, organization } = this.job;
    return this.#writeAndAnnounce(
      async (tx, onRequest) => {
        const row = await this.read(tx);
        await recordJob(tx, this.job, this.now, async (recorded) => outcome.write?.(recorded), onRequest);
        return endJob(tx, row, outcome, this.now());
      },
      { ...this.lane, like: `end of ${kind}`, given: () => [id, subject, organization] },
    );
  }

  /** Wakes the workers after a write that requested jobs. */
  async #writeAndAnnounce<T>(
    work: (tx: WriteTransaction, onRequest: () => void) => Promise<T>,
    options: WriteOptions,
  ): Promise<T> {
    let hasRequested = false;
    const result = await this.core.store.write((tx) => {
      hasRequested = false;
      return work(tx, () => void (hasRequested = true));
    }, options);
    if (hasRequested) announceWork(this.core.store);
    return result;
  }
}

async function runEngine(
  core: Core,
  { job, write }: Claim,
  engine: Engine,
  { signal, progress = () => {}, maxScrubSize = Number.POSITIVE_INFINITY, isServing = false }: JobRun,
): Promise<JobOutcome> {
  if (job.attempts >= maxAttempts)
    throw new Problem('unexpected', `Gave up: the worker died ${plural(job.attempts, 'time')} on this job.`);
  const scrub = async (goesAhead = false) =>
    (await core.store.scrub?.(
      maxScrubSize,
      signal,
      isServing ? (goesAhead ? 'go-ahead' : 'give-way') : undefined,
    )) ?? 'done';
  return (
    (await engine.run({ ...servicesOf(core), job, write, env: core.env, signal, scrub, progress })) ?? {}
  );
}

/** Records why a run of a job failed. @throws LostClaimError, and the errors of the store */
async function recordError(
  claim: Claim,
  engine: Engine,
  error: unknown,
  signal: AbortSignal,
): Promise<JobResult> {
  const { core, job, now } = claim;
  if (error instanceof LostClaimError) throw error;
  if (signal.aborted || (error instanceof Problem && error.reason === 'interrupted')) {
    await claim.write((tx) => tx.update(jobs, job.id, unclaimed(job.kind, now(), now())));
    return { end: 'stopped' };
  }
  const problem =
    error instanceof Problem
      ? error
      : new Problem('unexpected', `docsctl itself failed: ${(error as Error).message}.`, { cause: error });
  const end = await core.store.write(
    async (tx) => recordFailure(tx, await claim.read(tx), engine, problem, core.clock()),
    claim.lane,
  );
  return { end, problem };
}

/** Thrown by reads and writes of a job that was removed or that another process has claimed. */
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
  // For example, a blob storage does not answer, or a disk is full.
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
