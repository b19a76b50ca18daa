import { isProblem, Problem } from '../../errors/problem.ts';

/** One day. */
const maxSeconds = 86_400;

/** Parses a number of seconds, from a fraction of a second to one day. @throws Problem(invalid-input) */
export function readSeconds(text: string, flag: string, { min }: { min: 'zero' | 'positive' }): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= maxSeconds && (seconds > 0 || (min === 'zero' && seconds === 0))) return seconds;
  throw new Problem(
    'invalid-input',
    `${flag} takes a number of seconds ${min === 'zero' ? 'from 0 to' : 'above 0, up to'} ${maxSeconds}, not "${text}".`,
    { hint: `For ten minutes: ${flag} 600.` },
  );
}

/** Milliseconds in which a command can stop by itself after its timeout. */
const grace = 2000;

/**
 * Runs work with a signal that is aborted with the outer signal and after `seconds`. If the work does not stop then, it is
 * abandoned.
 * @throws Problem(timed-out) if the work took longer
 */
export async function withTimeout(
  seconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const late = new AbortController();
  const timeout = new Problem('timed-out', `The command took longer than ${seconds} s (--timeout).`, {
    hint: 'Allow more time with --timeout. Changes that the command has made are kept.',
  });
  const timers: NodeJS.Timeout[] = [];
  const abandoned = new Promise<never>((_, reject) => {
    const stop = () => {
      late.abort(timeout);
      timers.push(setTimeout(() => reject(timeout), grace));
    };
    timers.push(setTimeout(stop, Math.ceil(seconds * 1000)));
  });
  try {
    await Promise.race([work(AbortSignal.any([outer, late.signal])), abandoned]);
  } catch (error) {
    if (!late.signal.aborted || outer.aborted || isProblem(error, 'timed-out')) throw error;
    throw timeout;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
  if (late.signal.aborted) throw timeout;
}

/** Whether a signal was aborted because of --timeout. */
export function isTimedOut({ reason }: AbortSignal): boolean {
  return isProblem(reason, 'timed-out');
}
