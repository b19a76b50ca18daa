import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkEvent, WorkRequest } from '../contract/api.ts';
import { defined } from '../contract/values.ts';
import { isoTime } from './clock.ts';
import type { Core } from './embedded.ts';
import { requestRemoval } from './removal.ts';
import { claimJob, listHeldJobs, type Turns } from './claim-job.ts';
import { claimOf, ClaimWatch } from './claim-watch.ts';
import { LaneWorker, pause } from './lane-worker.ts';
import { jobId, type JobRow } from './rows/jobs.ts';
import { runJob, type JobRun } from './run-job.ts';
import { onWork } from './work-signal.ts';

/**
 * Maximum size of a store that is rewritten after deletions, in bytes. `server`: by a server, at a time without writes. `brief`:
 * at the end of a command.
 */
const maxScrubSizes = { server: 2 ** 30, brief: 8 * 2 ** 20 };

/** The claims that `runDueJobs` has watched, by core. */
const watches = new WeakMap<Core, ClaimWatch>();

/**
 * Runs all jobs that are due, one after another, until none is left or the signal is aborted. Then waits until it is known
 * whether the processes that hold jobs still run, unless `isBrief`. Takes over the jobs of dead processes, and reports the others.
 */
export async function runDueJobs(
  core: Core,
  { kind, subject, organization, signal, isBrief = false, isRequested, onEvent }: WorkRequest,
): Promise<void> {
  const filter = {
    kind,
    organization,
    id: kind === undefined || subject === undefined ? undefined : jobId(kind, subject),
  };
  if (isRequested) {
    const now = isoTime(core.clock());
    await core.store.write((tx) => requestRemoval(tx, now, now));
  }
  const report = onEvent ?? (() => {});
  const turns: Turns = {};
  const watch = watches.get(core) ?? new ClaimWatch();
  watches.set(core, watch);
  let claims: ReadonlySet<string> | undefined;
  while (!signal.aborted) {
    const job = await claimJob(core, filter, turns, watch);
    if (job !== undefined) {
      await runAndReport(
        core,
        job,
        { signal, maxScrubSize: isBrief ? maxScrubSizes.brief : undefined },
        report,
      );
      continue;
    }
    if (isBrief && onEvent === undefined) return;
    const held = await listHeldJobs(core, filter);
    // A running process soon extends its claim.
    const watched = claims === undefined ? held : held.filter((row) => claims?.has(claimOf(row)));
    if (isBrief || watched.length === 0) {
      for (const row of held) report({ kind: row.kind, subject: row.subject, end: 'held' });
      return;
    }
    claims ??= new Set(held.map(claimOf));
    for (const row of watched.slice(0, 1))
      report({
        kind: row.kind,
        subject: row.subject,
        progress: 'claimed by another process, which may have been killed',
      });
    await delay(pause.idle, undefined, { signal }).catch(() => {});
  }
}

/** Runs a claimed job, and reports its progress and how it ended. @throws only the errors of the store */
export async function runAndReport(
  core: Core,
  job: JobRow,
  options: Omit<JobRun, 'progress'>,
  onEvent: (event: WorkEvent) => void,
): Promise<void> {
  const { kind, subject } = job;
  const run: JobRun = {
    ...options,
    progress: (progress, share) => onEvent({ kind, subject, progress, ...defined({ share }) }),
  };
  onEvent({ kind, subject, ...(await runJob(core, job, run)) });
}

export interface Workers {
  /**
   * Starts no more jobs, and waits at most `timeout` milliseconds for running ones. A job that does not stop is run
   * again later.
   */
  stop(timeout: number): Promise<void>;
}

export interface ClaimedJob extends Pick<JobRow, 'kind' | 'subject' | 'organization'> {
  /** When it was claimed, on the clock of `performance.now()`. */
  readonly claimedAt: number;
}

interface WorkersOptions {
  /** The number of jobs of one organization that run at the same time. None run with 0. */
  readonly count: number;
  readonly onClaim?: (job: ClaimedJob) => void;
  /** Receives how a job ended, once for each claim. */
  readonly onEnd?: (job: ClaimedJob, event: WorkEvent) => void;
  /** Receives errors of the store. The worker continues after a pause. */
  readonly onError: (error: unknown) => void;
  /** Runs a job of a heavy kind in another thread, and returns how it ended (default: this thread runs all jobs). */
  readonly runApart?: (job: JobRow, run: ApartRun) => Promise<WorkEvent>;
}

interface ApartRun {
  readonly signal: AbortSignal;
  readonly maxScrubSize: number;
  readonly onProgress: (event: WorkEvent) => void;
}

/** The kinds of jobs that need much CPU time or change many rows. */
const heavyKinds: ReadonlySet<string> = new Set([
  'conversations',
  'git-sync',
  'index',
  'openapi',
  'translation',
]);

/** Jobs that wait for other services: how many run at the same time, in all and of one organization. */
const networkJobs = { max: 16, maxRunning: 4 };

/**
 * Starts workers that run jobs as they become due, until `stop` is called. The organizations take turns, and no organization
 * has more than half of the workers, so that the first job of another one starts at once.
 */
export function startWorkers(
  core: Core,
  { count, onClaim, onEnd, onError, runApart }: WorkersOptions,
): Workers {
  const controller = new AbortController();
  const { signal } = controller;
  // Each job listens to it.
  setMaxListeners(0, signal);
  const rest = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  const run = async (job: JobRow, endLater: JobRun['endLater']): Promise<void> => {
    const { kind, subject, organization } = job;
    const claimed = { kind, subject, organization, claimedAt: performance.now() };
    onClaim?.(claimed);
    const options = { signal, maxScrubSize: maxScrubSizes.server };
    const report = (event: WorkEvent): void => {
      if (event.end !== undefined) onEnd?.(claimed, event);
    };
    try {
      if (runApart !== undefined && heavyKinds.has(kind))
        report(await runApart(job, { ...options, onProgress: report }));
      else await runAndReport(core, job, { ...options, isServing: true, endLater }, report);
    } catch (error) {
      onError(error);
      // The claim of the job will expire, and then the job runs again.
      onEnd?.(claimed, { kind, subject, end: 'lost' });
      await rest(pause.broken);
    }
  };
  const workers =
    count === 0
      ? []
      : [
          new LaneWorker(core, { lane: 'work', max: 2 * count, maxRunning: count, signal, run, onError }),
          new LaneWorker(core, { lane: 'network', ...networkJobs, signal, run, onError }),
        ];
  const forget = onWork(core.store, () => workers.forEach((worker) => worker.wake()));
  const working = Promise.all(workers.map((worker) => worker.work()));
  return {
    async stop(timeout) {
      forget();
      controller.abort();
      // The timer keeps the process alive. While another thread ends its job, nothing else may do that.
      const isOver = new AbortController();
      const late = delay(timeout, undefined, { signal: isOver.signal }).catch(() => {});
      await Promise.race([working, late]);
      isOver.abort();
    },
  };
}
