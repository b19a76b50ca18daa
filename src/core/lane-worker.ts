import { setTimeout as delay } from 'node:timers/promises';
import { claimJobs, releaseJobs, type ClaimedRow, type JobShare, type Turns } from './claim-job.ts';
import { ClaimWatch } from './claim-watch.ts';
import type { Core } from './embedded.ts';
import { endAndClaim, type DoneJob } from './end-and-claim.ts';
import type { JobOutcome } from './jobs.ts';
import type { JobRow, Lane } from './rows/jobs.ts';
import type { JobEnd, JobRun } from './run-job.ts';

/** Options of a worker. */
interface LaneOptions {
  readonly lane: Lane;
  /** The maximum number of jobs that run at the same time. */
  readonly max: number;
  /** The maximum number of jobs of one organization that run at the same time, in all processes. */
  readonly maxRunning: number;
  /** When it is aborted, no more jobs are started. */
  readonly signal: AbortSignal;
  /** Runs a job. It never throws. */
  readonly run: (job: JobRow, endLater: JobRun['endLater']) => Promise<void>;
  /** Receives errors of the store. The worker continues after a pause. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds until the next look for jobs: when none is due, and after an error of the store. */
export const pause = { idle: 500, broken: 5000 };

/** How many jobs to claim in advance: the first of these numbers whose jobs would wait for at most `maxQueueTime` ms. */
const claimedAhead = [50, 10];
const maxQueueTime = 200;
/** Milliseconds after which jobs that were claimed in advance are given back. */
const maxWait = 500;

/** A finished job, and the functions that settle the promise of `endLater`. */
interface EndingJob extends DoneJob {
  /** How long the job ran, in milliseconds. */
  readonly time: number;
  readonly resolve: (end: JobEnd) => void;
  readonly reject: (error: unknown) => void;
}

/** A job that was claimed but has not started, and when it was claimed, on the clock of `performance.now()`. */
interface QueuedJob {
  readonly job: ClaimedRow;
  readonly since: number;
}

/**
 * Runs the jobs of a lane as they become due. One write ends several jobs and claims the next ones. After brief jobs, it claims
 * more jobs than can run now, but only of organizations for which no other process runs jobs.
 */
export class LaneWorker {
  readonly #core: Core;
  readonly #options: LaneOptions;
  readonly #turns: Turns = {};
  /** The owners (claim IDs) of jobs whose end is not written yet. */
  readonly #held = new Set<string>();
  readonly #watch = new ClaimWatch(this.#held);
  /** The jobs that run now, and when they started. */
  readonly #active = new Map<ClaimedRow, number>();
  #queue: QueuedJob[] = [];
  #done: EndingJob[] = [];
  #isWoken = false;
  #changed = (): void => {};

  constructor(core: Core, options: LaneOptions) {
    this.#core = core;
    this.#options = options;
  }

  /** Makes the worker look for jobs now. */
  wake(): void {
    this.#isWoken = true;
    this.#changed();
  }

  /** Works until the signal is aborted and the running jobs have ended. */
  async work(): Promise<void> {
    const { signal, onError } = this.#options;
    const wake = (): void => this.wake();
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted || this.#held.size > 0) {
      this.#isWoken = false;
      try {
        const hasMore = await this.#step();
        if (!hasMore) await this.#rest();
      } catch (error) {
        onError(error);
        await this.#pause();
      }
    }
    signal.removeEventListener('abort', wake);
  }

  /** Writes what has changed, and claims jobs. Returns whether there may be more to do now. */
  async #step(): Promise<boolean> {
    const { lane, max, maxRunning, signal } = this.#options;
    const waited = performance.now() - (this.#queue[0]?.since ?? Number.POSITIVE_INFINITY);
    if (signal.aborted || waited > maxWait) await this.#giveBack();
    // Queued jobs do not count: their organizations already run as many jobs as they may.
    const limit = signal.aborted ? 0 : max - this.#active.size;
    const share = { turns: this.#turns, maxRunning, limit, held: this.#held, watch: this.#watch };
    if (this.#done.length > 0) return this.#endAndClaim(share);
    if (limit === 0) return false;
    const claimed = await claimJobs(this.#core, lane, share);
    this.#accept(claimed);
    return claimed.length > 0;
  }

  async #endAndClaim(share: JobShare): Promise<boolean> {
    const done = this.#done;
    this.#done = [];
    const time = done.reduce((sum, job) => sum + job.time, 0) / done.length;
    const isShort = (count: number): boolean => (count * time) / share.maxRunning <= maxQueueTime;
    const ahead = claimedAhead.find(isShort) ?? 0;
    try {
      const { ends, claimed, hasMore } = await endAndClaim(this.#core, this.#options.lane, done, {
        ...share,
        ahead,
      });
      for (const [at, { resolve }] of done.entries()) resolve(ends[at] as JobEnd);
      this.#accept(claimed);
      return hasMore;
    } catch (error) {
      // The jobs report the error.
      for (const { reject } of done) reject(error);
      await this.#pause();
      return true;
    }
  }

  #accept(claimed: readonly ClaimedRow[]): void {
    const since = performance.now();
    for (const job of claimed) {
      this.#held.add(job.owner);
      this.#queue.push({ job, since });
    }
    this.#startQueued();
  }

  #startQueued(): void {
    const { signal } = this.#options;
    if (signal.aborted) return;
    const waiting: QueuedJob[] = [];
    for (const queued of this.#queue)
      if (this.#hasRoom(queued.job)) this.#start(queued.job);
      else waiting.push(queued);
    this.#queue = waiting;
  }

  #hasRoom({ organization }: JobRow): boolean {
    const { max, maxRunning } = this.#options;
    const own = [...this.#active.keys()].filter((job) => job.organization === organization);
    return this.#active.size < max && own.length < maxRunning;
  }

  #start(job: ClaimedRow): void {
    const startedAt = performance.now();
    this.#active.set(job, startedAt);
    const endLater = (_: JobRow, outcome: JobOutcome): Promise<JobEnd> =>
      new Promise((resolve, reject) => {
        const time = performance.now() - startedAt;
        this.#done.push({ job, outcome, time, resolve, reject });
        this.#leave(job);
      });
    void this.#options.run(job, endLater).finally(() => {
      this.#held.delete(job.owner);
      this.#leave(job);
      if (this.#options.signal.aborted) this.wake();
    });
  }

  /** Makes room for the next job of the organization. */
  #leave(job: ClaimedRow): void {
    if (!this.#active.delete(job)) return;
    this.#startQueued();
    this.wake();
  }

  /** Releases the jobs that were claimed in advance and have not started. */
  async #giveBack(): Promise<void> {
    const given = this.#queue.map(({ job }) => job);
    this.#queue = [];
    for (const { owner } of given) this.#held.delete(owner);
    if (given.length > 0) await releaseJobs(this.#core, given);
  }

  /** Waits until a job ends or `wake` is called, for about `pause.idle` milliseconds at most. */
  async #rest(): Promise<void> {
    // The time is random, so that several processes do not look at the same time.
    const idle = pause.idle * (0.75 + (this.#core.randomBytes(1)[0] as number) / 512);
    const time = this.#queue.length > 0 ? Math.min(idle, maxWait) : idle;
    if (this.#done.length === 0 && !this.#isWoken)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, time).unref();
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    // Jobs that end together are ended in one write.
    await new Promise(setImmediate);
  }

  #pause(): Promise<void> {
    const { signal } = this.#options;
    return delay(pause.broken, undefined, { signal, ref: false }).catch(() => {});
  }
}
