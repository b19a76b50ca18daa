import { Problem } from '../errors/problem.ts';

/** Beyond it a timer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A signal that fires when the time is over or the caller gives up; its reason is the Problem to throw. */
export function startDeadline(
  milliseconds: number,
  outer: AbortSignal | undefined,
  origin: string,
): { readonly signal: AbortSignal; clear(): void } {
  const inner = new AbortController();
  const timer = setTimeout(
    () => inner.abort(lateness(origin, milliseconds)),
    Math.min(milliseconds, LONGEST_TIMER),
  );
  const onAbort = () => inner.abort(givenUp(outer?.reason, origin));
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

function lateness(origin: string, milliseconds?: number): Problem {
  const time = milliseconds === undefined ? 'the time given' : `${milliseconds / 1000} s`;
  return new Problem('timed-out', `${origin} did not answer within ${time}.`, {
    hint: 'Try again later, or allow more time.',
  });
}

function givenUp(reason: unknown, origin: string): Problem {
  if (reason instanceof Problem) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') return lateness(origin);
  return new Problem('interrupted', 'Interrupted before the server had answered.', {
    hint: 'A write may have been done; look before you repeat it.',
  });
}
