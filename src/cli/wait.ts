import { setTimeout } from 'node:timers/promises';
import type { WorkRequest } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { createProgress } from './output/progress.ts';
import type { Session } from './session.ts';

export interface JobCounts {
  readonly done: number;
  readonly failed: number;
  readonly later: number;
  readonly troubles: readonly string[];
  /** When the claims end of those that others hold, in order. */
  readonly held: readonly string[];
}

/** Does jobs that are due, with a line of progress; tells what failed. */
export async function runJobs(
  session: Session,
  filter: Omit<WorkRequest, 'signal' | 'onEvent'>,
  signal: AbortSignal = session.runtime.signal,
): Promise<JobCounts> {
  const { runtime, terminal, note } = session;
  const api = await session.api();
  const counts = { done: 0, failed: 0, later: 0, troubles: [] as string[], held: [] as string[] };
  const progress = createProgress(terminal, { label: 'jobs', clock: runtime.clock });
  try {
    await api.work?.({
      ...filter,
      signal,
      onEvent: ({ kind, subject, progress: text, end, problem, trouble, until }) => {
        if (end === 'held') return void counts.held.push(until ?? '');
        if (end === undefined)
          return progress.note(
            filter.subject === undefined ? `· ${kind} ${subject}: ${text ?? ''}` : `· ${text ?? ''}`,
          );
        progress.tick();
        if (end === 'done' || end === 'again') counts.done++;
        if (trouble !== undefined) counts.troubles.push(`${kind} ${trouble}`);
        if (end === 'failed' || end === 'later') counts[end]++;
        // Whoever waits for one thing says himself what is wrong with it.
        if (problem === undefined || (end === 'failed' && filter.subject !== undefined)) return;
        progress.done();
        note(`${end === 'failed' ? 'failed' : 'will try again'}: ${kind} ${subject}: ${problem.message}`);
      },
    });
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
  /** Whose jobs it waits for. */
  readonly kind: string;
  readonly subject: string;
  /** How it is now. */
  readonly read: (signal: AbortSignal) => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** How far it is, for the line of progress. */
  readonly describe?: (value: T) => string;
  /** How long it waits; undefined: until it is done. */
  readonly timeout: Timeout | undefined;
  /** The command that shows later how far it is. */
  readonly command?: string;
}

/** Milliseconds between two looks at a server: quick at first. */
const pauses = { first: 200, longest: 3000 };

/** Returns when the work on something is done: does it here where the store is here, else asks the server again and again. */
export async function waitForJob<T>(session: Session, waiting: JobWait<T>): Promise<T> {
  const {
    kind,
    subject,
    read,
    isDone,
    describe,
    timeout,
    command = `docsctl jobs get ${kind}.${subject}`,
  } = waiting;
  const { runtime, terminal } = session;
  const api = await session.api();
  const signal = timeout === undefined ? runtime.signal : AbortSignal.any([runtime.signal, timeout.signal()]);
  const progress = createProgress(terminal, { label: 'waited', clock: runtime.clock });
  const begun = runtime.clock();
  let told = 0;
  const stopped = (): Problem =>
    new Problem('interrupted', 'Stopped waiting; the work goes on where it is done.', { hint: command });
  try {
    for (let pause = pauses.first; ; pause = Math.min(pauses.longest, pause * 1.5)) {
      if (api.work !== undefined) await runJobs(session, { kind, subject }, signal);
      const value = await read(signal);
      if (isDone(value)) return value;
      const seconds = Math.floor((runtime.clock() - begun) / 1000);
      progress.tick(seconds - told);
      told = seconds;
      progress.note(describe === undefined ? 's' : `s · ${describe(value)}`);
      await setTimeout(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw stopped();
    }
  } catch (error) {
    if (timeout === undefined || !isStop(error) || runtime.signal.aborted) throw error;
    const goesOn = api.work === undefined ? 'there' : 'with `docsctl jobs run`';
    throw new Problem(
      'timed-out',
      `Not done after ${timeout.seconds} s. The work stays queued and goes on ${goesOn}.`,
      { hint: `\`${command}\` shows how far it is.` },
    );
  } finally {
    progress.done();
  }
}

function isStop(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'interrupted';
}

/** Says what does the work that was asked for, where no server does it by itself. */
export async function notePending(session: Session, number = 1): Promise<void> {
  if ((await session.api()).work === undefined) return;
  session.note(
    number === 1
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
