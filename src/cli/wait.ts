import { setTimeout } from 'node:timers/promises';
import type { WorkRequest } from '../contract/api.ts';
import { isProblem, Problem } from '../errors/problem.ts';
import { createProgress } from './output/progress.ts';
import type { Session } from './session.ts';

export interface JobCounts {
  readonly done: number;
  readonly failed: number;
  readonly later: number;
  readonly troubles: readonly string[];
  /** When the claims of other workers on jobs end, in order. */
  readonly held: readonly string[];
}

/**
 * Runs jobs that are due, with a line of progress, and notes failures.
 * @throws Problem(interrupted) when the signal aborts
 */
export async function runJobs(
  session: Session,
  filter: Omit<WorkRequest, 'signal' | 'onEvent'>,
  signal: AbortSignal = session.runtime.signal,
): Promise<JobCounts> {
  const { runtime, terminal, note } = session;
  const api = await session.api();
  const counts = { done: 0, failed: 0, later: 0, troubles: [] as string[], held: [] as string[] };
  const progress = createProgress(terminal, { label: 'jobs', clock: runtime.clock });
  const onEvent: WorkRequest['onEvent'] = ({
    kind,
    subject,
    progress: text = '',
    end,
    problem,
    trouble,
    until,
  }) => {
    if (end === 'held') return void counts.held.push(until ?? '');
    if (end === undefined)
      return progress.note(filter.subject === undefined ? `· ${kind} ${subject}: ${text}` : `· ${text}`);
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
    await api.work?.({ ...filter, signal, onEvent });
  } finally {
    progress.done();
  }
  if (signal.aborted)
    throw new Problem('interrupted', 'Stopped by a signal; what was not done waits.', {
      hint: 'docsctl jobs run goes on.',
    });
  return { ...counts, held: counts.held.sort() };
}

export interface JobWait<T> {
  /** The jobs to wait for. */
  readonly kind: string;
  readonly subject: string;
  /** Reads the state of the subject. */
  readonly read: (signal: AbortSignal) => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** Describes the state on the line of progress. */
  readonly describe?: (value: T) => string;
  /** How long to wait; undefined for no limit. */
  readonly timeout: Timeout | undefined;
  /** The command that shows the state later. */
  readonly command?: string;
}

/** Milliseconds between two reads from a server: from `first`, half as much again each time, up to `max`. */
const pauses = { first: 200, max: 3000 };

/**
 * Waits until the jobs on a subject are done: runs them in an embedded store, else asks the server again and again.
 * @throws Problem(timed-out) after the timeout, Problem(interrupted) after a signal
 */
export async function waitForJob<T>(session: Session, wait: JobWait<T>): Promise<T> {
  const { kind, subject, timeout, command = `docsctl jobs get ${kind}.${subject}` } = wait;
  const { runtime, terminal } = session;
  const api = await session.api();
  const signal = timeout === undefined ? runtime.signal : AbortSignal.any([runtime.signal, timeout.signal()]);
  const progress = createProgress(terminal, { label: 'waited', clock: runtime.clock });
  const start = runtime.clock();
  let shownSeconds = 0;
  try {
    for (let pause = pauses.first; ; pause = Math.min(pauses.max, pause * 1.5)) {
      if (api.work !== undefined) await runJobs(session, { kind, subject }, signal);
      const value = await wait.read(signal);
      if (wait.isDone(value)) return value;
      const seconds = Math.floor((runtime.clock() - start) / 1000);
      progress.tick(seconds - shownSeconds);
      shownSeconds = seconds;
      progress.note(wait.describe === undefined ? 's' : `s · ${wait.describe(value)}`);
      await setTimeout(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted)
        throw new Problem('interrupted', 'Stopped waiting; the work goes on where it is done.', {
          hint: command,
        });
    }
  } catch (error) {
    const isStopped = isProblem(error, 'interrupted');
    if (timeout === undefined || !isStopped || runtime.signal.aborted) throw error;
    const place = api.work === undefined ? 'there' : 'with `docsctl jobs run`';
    throw new Problem(
      'timed-out',
      `Not done after ${timeout.seconds} s. The work stays queued and goes on ${place}.`,
      { hint: `\`${command}\` shows how far it is.` },
    );
  } finally {
    progress.done();
  }
}

/** Notes which command runs the queued jobs, if no server does. */
export async function notePending(session: Session, count = 1): Promise<void> {
  if ((await session.api()).work === undefined) return;
  session.note(
    count === 1
      ? 'It is processed by a job: `docsctl jobs run` does it.'
      : 'They are processed by jobs: `docsctl jobs run` does them.',
  );
}

/** How long a command waits at most. */
export interface Timeout {
  readonly seconds: number;
  /** Aborts when the time is over; the first call starts the clock. */
  readonly signal: () => AbortSignal;
}

/** The flag beside every --wait. */
export const timeoutOption = [
  '--timeout <seconds>',
  'with --wait: wait no longer than this; the work goes on as a job',
] as const;

/** A day. */
const maxSeconds = 86_400;

/** Reads --timeout, before anything is sent. @throws Problem(usage) for no number of seconds, or without --wait. */
export function readTimeout(options: {
  readonly wait?: boolean;
  readonly timeout?: string;
}): Timeout | undefined {
  if (options.timeout === undefined) return undefined;
  const timeout = timeoutOf(options.timeout);
  if (options.wait !== true)
    throw new Problem('usage', '--timeout says how long to wait, and nothing is waited for.', {
      hint: 'It goes with --wait.',
    });
  return timeout;
}

/** A timeout of so many seconds, from a fraction of one to a day. @throws Problem(usage) */
export function timeoutOf(text: string): Timeout {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds > 0 && seconds <= maxSeconds))
    throw new Problem('usage', `--timeout takes seconds, up to ${maxSeconds}, not "${text}".`, {
      hint: 'For ten minutes: --timeout 600.',
    });
  let signal: AbortSignal | undefined;
  return { seconds, signal: () => (signal ??= AbortSignal.timeout(Math.ceil(seconds * 1000))) };
}
