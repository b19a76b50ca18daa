import { setTimeout } from 'node:timers/promises';
import type { WorkRequest, WorkShare } from '../../contract/api.ts';
import type { PathParams } from '../../contract/operation.ts';
import { defined } from '../../contract/values.ts';
import type { Clock } from '../../core/clock.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { createProgress, describeSpeed, withStep } from '../output/progress.ts';
import type { Session } from './session.ts';
import { isTimedOut } from '../input/timeout.ts';

interface JobCounts {
  readonly done: number;
  readonly failed: number;
  readonly later: number;
  readonly troubles: readonly string[];
  /** The number of jobs that other processes run. */
  readonly held: number;
}

/** Runs due jobs with a progress line, and notes failures. @throws Problem(interrupted) when the signal aborts */
export async function runJobs(
  session: Session,
  filter: Omit<WorkRequest, 'signal' | 'onEvent'>,
): Promise<JobCounts> {
  const { runtime, terminal, note } = session;
  const { signal } = runtime;
  const api = await session.api();
  const counts = { done: 0, failed: 0, later: 0, troubles: [] as string[], held: 0 };
  const progress = createProgress(terminal, { label: 'jobs', clock: runtime.clock });
  const speedOf = speedMeter(runtime.clock);
  const onEvent: WorkRequest['onEvent'] = ({
    kind,
    subject,
    progress: text = '',
    share,
    end,
    problem,
    trouble,
  }) => {
    if (end === 'held') return void counts.held++;
    if (end === undefined) {
      const speed = share === undefined ? '' : speedOf(share);
      // The name comes last, because it is cut off first.
      const name = filter.subject === undefined ? ` · ${kind} ${subject}` : '';
      return progress.note(`· ${text}${speed}${name}`);
    }
    progress.tick();
    if (end === 'done' || end === 'again') counts.done++;
    if (trouble !== undefined) counts.troubles.push(`${kind} ${trouble}`);
    if (end === 'failed' || end === 'later') counts[end]++;
    // A caller that waits for one subject reports its failure itself.
    if (problem === undefined || (end === 'failed' && filter.subject !== undefined)) return;
    progress.done();
    note(`${end === 'failed' ? 'failed' : 'will try again'}: ${kind} ${subject}: ${problem.message}`);
  };
  try {
    await withStep(session, 'Running jobs', async () => api.work?.({ ...filter, signal, onEvent }));
  } finally {
    progress.done();
  }
  if (signal.aborted)
    throw new Problem('interrupted', 'Interrupted. The remaining jobs stay queued.', {
      hint: '`docsctl jobs run` continues them.',
    });
  return counts;
}

/** Returns a function that describes the speed of the current step of a job since its first report. */
function speedMeter(clock: Clock): (share: WorkShare) => string {
  let first: (WorkShare & { at: number }) | undefined;
  return ({ done, total }) => {
    if (first?.total !== total || done < first.done) first = { done, total, at: clock() };
    return describeSpeed(done - first.done, total - first.done, clock() - first.at);
  };
}

export interface JobWait<T> {
  /** The jobs to wait for: those of a subject, or all jobs of the kind. */
  readonly kind: string;
  readonly subject?: string;
  readonly read: (signal: AbortSignal) => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** Describes the state for the progress line. */
  readonly describe?: (value: T) => string;
  /** The command that shows the state later. */
  readonly command?: string;
  /** Called with a problem of the subject although the job has succeeded. Only for jobs in an embedded store. */
  readonly onTrouble?: (text: string) => void;
}

/** Milliseconds between two reads from a server: starts with `first`, then 1.5 times as long each time, up to `max`. */
const pauses = { first: 200, max: 3000 };

/**
 * Waits until the jobs of a subject are done. In an embedded store it runs them; otherwise it polls the server.
 * @throws Problem(timed-out) after --timeout, Problem(interrupted) after a signal
 */
export async function waitForJob<T>(session: Session, wait: JobWait<T>): Promise<T> {
  const { kind, subject } = wait;
  const { command = subject === undefined ? 'docsctl jobs list' : `docsctl jobs get ${kind}.${subject}` } =
    wait;
  const { runtime, terminal } = session;
  const { signal } = runtime;
  const api = await session.api();
  const progress = createProgress(terminal, { label: 'waited', clock: runtime.clock, hasRate: false });
  const start = runtime.clock();
  let shownSeconds = 0;
  try {
    for (let pause = pauses.first; ; pause = Math.min(pauses.max, pause * 1.5)) {
      if (api.work !== undefined) {
        const { troubles } = await runJobs(session, defined({ kind, subject }));
        for (const trouble of troubles) wait.onTrouble?.(trouble);
      }
      const value = await wait.read(signal);
      if (wait.isDone(value)) return value;
      const seconds = Math.floor((runtime.clock() - start) / 1000);
      progress.tick(seconds - shownSeconds);
      shownSeconds = seconds;
      progress.note(wait.describe === undefined ? 's' : `s · ${wait.describe(value)}`);
      await setTimeout(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted)
        throw new Problem('interrupted', 'Stopped waiting. The work itself is not stopped.', {
          hint: `To see its state, run \`${command}\`.`,
        });
    }
  } catch (error) {
    if (!isProblem(error, 'interrupted', 'timed-out') || !isTimedOut(signal)) throw error;
    const next = api.work === undefined ? 'The server continues it' : '`docsctl jobs run` continues it';
    throw new Problem(
      'timed-out',
      `Not done after ${session.flags.timeout} s. The work stays queued. ${next}.`,
      { hint: `To see its state, run \`${command}\`.` },
    );
  } finally {
    progress.done();
  }
}

/** Notes the job that a git import or export has queued, how to watch it, and which process runs it. */
export async function noteStartedJob(session: Session, { spaceId }: PathParams): Promise<void> {
  session.note(
    `The run is part of job git-sync.${spaceId}. \`docsctl spaces git runs ${spaceId}\` shows its state and result.`,
  );
  await notePending(session);
}

/** Notes which process runs the queued jobs of an embedded store. On a server, it is the server. */
export async function notePending(session: Session, count = 1): Promise<void> {
  if ((await session.api()).work === undefined) return;
  session.note(
    count === 1
      ? 'A job is queued. If a server uses this store, the server runs it. Otherwise, run `docsctl jobs run`.'
      : 'The jobs are queued. If a server uses this store, the server runs them. Otherwise, run `docsctl jobs run`.',
  );
}
