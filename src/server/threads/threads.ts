import type { WorkEvent } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import type { SiteAnswer } from '../../publishing/site-request.ts';
import { FairQueue } from './fair-queue.ts';
import type { SiteCall, ThreadAnswer, ThreadCall, ThreadJob } from './messages.ts';
import { Thread, type Port, type WriteTurn } from './thread.ts';

/** The threads of a server. They are started on demand, and end after some idle time. */
export interface Threads {
  /**
   * Runs a call in a thread. The organizations take turns, and none has more than half of the threads, if there are several.
   *
   * @throws the Problem of the call; Problem(store-busy) if too many calls of the organization wait
   */
  call(organization: string, call: ThreadCall, signal: AbortSignal): Promise<ThreadAnswer>;
  /** Answers a request to a published site. @throws Problem(store-busy) if too many requests of the same sites wait */
  answerSite(sites: string, call: SiteCall): Promise<SiteAnswer>;
  /**
   * Reads Markdown with `markdownToShow`, and returns its JSON. @throws Problem(store-busy) if too many calls of the organization
   * wait
   */
  readMarkdown(organization: string, markdown: string): Promise<string>;
  /** Runs a job in the thread for jobs, and returns how it ended. @throws the errors of the store */
  run(job: ThreadJob, signal: AbortSignal, progress: (event: WorkEvent) => void): Promise<WorkEvent>;
  /** Returns how many threads there are, what they do now, and the number of calls so far. */
  count(): {
    readonly threads: number;
    readonly calls: number;
    readonly waiting: number;
    readonly jobs: number;
    readonly total: number;
  };
  /**
   * Ends all threads, and runs the work before new ones start. New calls and jobs wait meanwhile. Those that run longer than some
   * seconds fail with Problem(store-busy).
   */
  whileAlone(work: () => Promise<void>): Promise<void>;
  /** Ends all threads, after at most `timeout` milliseconds. */
  close(timeout: number): Promise<void>;
}

interface ThreadsOptions {
  readonly start: (maxMegabytes: number) => Port;
  readonly takeTurn: WriteTurn;
  /** The number of threads for calls. There is one more for jobs. */
  readonly max: number;
  /** Milliseconds without work after which a thread ends (default 15,000). */
  readonly idleTime?: number;
  /** The number of calls of one organization that may wait (default 64). */
  readonly maxWaiting?: number;
}

/** Milliseconds that running calls and jobs have to end before the threads are stopped. */
const maxRest = 5000;

/** Maximum memory of JavaScript objects in a thread, in MiB: for one call at a time, and for jobs. */
const maxMegabytes = { calls: 768, jobs: 1536 };

interface WaitingCall {
  readonly organization: string;
  readonly start: (thread: Thread) => Promise<void>;
}

interface Slot {
  readonly thread: Thread;
  organization: string | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** Creates the threads of a server. They are not started yet. */
export function createThreads({
  start,
  takeTurn,
  max,
  idleTime = 15_000,
  maxWaiting = 64,
}: ThreadsOptions): Threads {
  const queue = new FairQueue<WaitingCall>();
  const slots = new Set<Slot>();
  const maxOfOrganization = Math.max(1, Math.floor(max / 2));
  let jobs: { readonly thread: Thread; idle: NodeJS.Timeout | undefined } | undefined;
  let isClosed = false;
  let alone: Promise<void> | undefined;
  let total = 0;
  const open = (megabytes: number): Thread => new Thread(start(megabytes), takeTurn);
  const mayStart = (organization: string): boolean =>
    [...slots].filter((slot) => slot.organization === organization).length < maxOfOrganization;
  /** Assigns waiting calls to free threads, and starts threads for the others. */
  const dispatch = (): void => {
    while (alone === undefined) {
      for (const slot of slots) if (slot.thread.hasEnded) slots.delete(slot);
      let free = [...slots].find(({ organization }) => organization === undefined);
      if (free === undefined && slots.size >= max) return;
      const next = queue.take(mayStart);
      if (next === undefined) return;
      if (free === undefined) {
        free = { thread: open(maxMegabytes.calls), organization: undefined, idle: undefined };
        slots.add(free);
      }
      const slot = free;
      clearTimeout(slot.idle);
      slot.organization = next.organization;
      void next.start(slot.thread).finally(() => {
        slot.organization = undefined;
        slot.idle = setTimeout(() => {
          slots.delete(slot);
          void slot.thread.close(idleTime);
        }, idleTime).unref();
        dispatch();
      });
    }
  };
  const inThread = <T>(
    organization: string,
    work: (thread: Thread) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      if (isClosed || queue.countOf(organization) >= maxWaiting) return reject(busyProblem());
      const waiting: WaitingCall = {
        organization,
        start: (thread) => {
          signal?.removeEventListener('abort', leave);
          total++;
          return work(thread).then(resolve, reject);
        },
      };
      const leave = (): void => {
        if (queue.remove(waiting))
          reject(new Problem('interrupted', 'Nobody waits for the answer any longer.'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(waiting);
      if (signal?.aborted === true) leave();
      dispatch();
    });
  const endAll = async (timeout: number, reason?: Problem): Promise<void> => {
    const threads = [...slots, ...(jobs === undefined ? [] : [jobs])].map(({ thread }) => thread);
    await Promise.all(
      threads.filter(({ hasEnded }) => !hasEnded).map((thread) => thread.close(timeout, reason)),
    );
  };
  return {
    call: (organization, call, signal) =>
      inThread(organization, (thread) => thread.call(call, signal), signal),
    answerSite: (sites, call) => inThread(sites, (thread) => thread.answerSite(call)),
    readMarkdown: (organization, markdown) =>
      inThread(organization, (thread) => thread.readMarkdown(markdown)),
    run: async (job, signal, progress) => {
      while (alone !== undefined) await alone.catch(() => {});
      if (jobs === undefined || jobs.thread.hasEnded)
        jobs = { thread: open(maxMegabytes.jobs), idle: undefined };
      const used = jobs;
      clearTimeout(used.idle);
      try {
        return await used.thread.run(job, signal, progress);
      } finally {
        if (used.thread.busy === 0)
          used.idle = setTimeout(() => {
            if (jobs === used) jobs = undefined;
            void used.thread.close(idleTime);
          }, idleTime).unref();
      }
    },
    count: () => {
      const calls = [...slots].filter(({ organization }) => organization !== undefined).length;
      const threads = slots.size + (jobs === undefined ? 0 : 1);
      return { threads, calls, waiting: queue.size, jobs: jobs?.thread.busy ?? 0, total };
    },
    whileAlone: (work) =>
      (alone ??= endAll(maxRest, reopeningProblem())
        .then(work)
        .finally(() => {
          alone = undefined;
          dispatch();
        })),
    close: (timeout) => {
      isClosed = true;
      return endAll(timeout);
    },
  };
}

function reopeningProblem(): Problem {
  return new Problem('store-busy', 'The server had to open its store again before the request ended.', {
    retryAfter: 2,
  });
}

function busyProblem(): Problem {
  return new Problem('store-busy', 'Too many large requests of this organization are waiting.', {
    retryAfter: 2,
  });
}
