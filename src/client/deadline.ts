import { Problem } from '../errors/problem.ts';

/** Maximum delay of a timer in milliseconds. A longer timer would fire at once. */
const maxTimer = 2 ** 31 - 1;

/** Creates a signal that is aborted after a time or together with the outer signal. Its reason is the Problem to throw. */
export function startDeadline(
  milliseconds: number,
  outer: AbortSignal | undefined,
  origin: string,
): { readonly signal: AbortSignal; clear(): void } {
  const inner = new AbortController();
  const timer = setTimeout(
    () => inner.abort(timeoutProblem(origin, milliseconds)),
    Math.min(milliseconds, maxTimer),
  );
  const onAbort = () => inner.abort(abortProblem(outer?.reason, origin));
  if (outer?.aborted) onAbort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: inner.signal,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}

function timeoutProblem(origin: string, milliseconds?: number): Problem {
  const time = milliseconds === undefined ? 'the time given' : `${milliseconds / 1000} s`;
  return new Problem('timed-out', `${origin} did not answer within ${time}.`, {
    hint: 'Try again later, or allow more time with --timeout SECONDS.',
  });
}

function abortProblem(reason: unknown, origin: string): Problem {
  if (reason instanceof Problem) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') return timeoutProblem(origin);
  return new Problem('interrupted', 'Interrupted before the server answered.', {
    hint: 'Check whether the change was made before you repeat the command.',
  });
}
