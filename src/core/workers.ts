import { setTimeout } from 'node:timers/promises';
import type { WorkEvent, WorkRequest } from '../contract/api.ts';
import type { Core } from './embedded.ts';
import { jobId, type JobRow } from './rows/jobs.ts';
import { claimJob, listHeldJobs, runJob, type JobRun } from './run-job.ts';

/** Does all jobs that are due, one after the other, until none is left or the signal says so; tells of those that others hold. */
export async function runDueJobs(
  core: Core,
  { kind, subject, organization, signal, onEvent = () => {} }: WorkRequest,
): Promise<void> {
  const filter = {
    kind,
    organization,
    id: kind === undefined || subject === undefined ? undefined : jobId(kind, subject),
  };
  while (!signal.aborted) {
    const job = await claimJob(core, filter);
    if (job === undefined) break;
    await runAndReport(core, job, signal, onEvent);
  }
  if (signal.aborted) return;
  for (const held of await listHeldJobs(core, filter))
    onEvent({ kind: held.kind, subject: held.subject, end: 'held', until: held.dueAt });
}

async function runAndReport(
  core: Core,
  job: JobRow,
  signal: AbortSignal,
  onEvent: (event: WorkEvent) => void,
): Promise<void> {
  const { kind, subject } = job;
  const run: JobRun = { signal, progress: (progress) => onEvent({ kind, subject, progress }) };
  onEvent({ kind, subject, ...(await runJob(core, job, run)) });
}

export interface Workers {
  /** Begins no more jobs, and waits so many milliseconds for those that run to come to a stop. What does not is done anew by others. */
  stop(patience: number): Promise<void>;
}

export interface WorkersOptions {
  /** Jobs at once. */
  readonly count: number;
  readonly onEvent?: (event: WorkEvent) => void;
  /** Told of a store that fails; the worker goes on a little later. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two looks for work. */
const pause = { idle: 500, broken: 5000 };

/** Does jobs as they become due, for as long as the process serves. */
export function startWorkers(core: Core, { count, onEvent = () => {}, onError }: WorkersOptions): Workers {
  const controller = new AbortController();
  const { signal } = controller;
  const rest = (milliseconds: number): Promise<void> =>
    setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const job = await claimJob(core);
        if (job === undefined) await rest(pause.idle);
        else await runAndReport(core, job, signal, onEvent);
      } catch (error) {
        onError(error);
        await rest(pause.broken);
      }
    }
  };
  const working = Promise.all(Array.from({ length: count }, worker));
  return {
    async stop(patience) {
      controller.abort();
      await Promise.race([working, setTimeout(patience, undefined, { ref: false })]);
    },
  };
}
