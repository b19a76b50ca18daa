import { Problem } from '../errors/problem.ts';

/** How long a command waits at most. */
export interface Patience {
  readonly seconds: number;
  /** Aborts when it is over; the first call starts the clock. */
  readonly signal: () => AbortSignal;
}

/** The flag beside every --wait. */
export const timeoutOption = [
  '--timeout <seconds>',
  'with --wait: wait no longer than this; the work goes on as a job',
] as const;

/** A day: more is as good as none. */
const longest = 86_400;

/** Reads --timeout, before anything is sent. */
export function readPatience({
  wait,
  timeout,
}: {
  readonly wait?: boolean;
  readonly timeout?: string;
}): Patience | undefined {
  if (timeout === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(timeout) ? Number(timeout) : Number.NaN;
  if (!(seconds > 0 && seconds <= longest))
    throw new Problem('usage', `--timeout takes seconds, up to ${longest}, not "${timeout}".`, {
      hint: 'For ten minutes: --timeout 600.',
    });
  if (wait !== true)
    throw new Problem('usage', '--timeout says how long to wait, and nothing is waited for.', {
      hint: 'It goes with --wait.',
    });
  let signal: AbortSignal | undefined;
  return { seconds, signal: () => (signal ??= AbortSignal.timeout(Math.ceil(seconds * 1000))) };
}
