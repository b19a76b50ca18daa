import type { Api, CallOptions } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';

export interface RetryOptions {
  readonly clock: () => number;
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Told once for each wait, of all calls together. */
  readonly onWait: (seconds: number) => void;
}

/** Seconds that are waited for a server that says when to come back, and how often one call does. */
const most = { seconds: 120, waits: 10 };

/** Milliseconds that all calls together wait without one of them being taken. */
const inVain = 5 * 60 * 1000;

/** An Api for thousands of calls: where the server says "not so fast", all of them wait until it takes calls again. */
export function retryingApi(api: Api, { clock, wait, onWait }: RetryOptions): Api {
  let until = 0;
  let waited = 0;
  const call: Api['call'] = async (operation, input, options: CallOptions = {}) => {
    for (let waits = 0; ; waits++) {
      while (until > clock()) await wait(until - clock(), options.signal);
      try {
        const answer = await api.call(operation, input, options);
        waited = 0;
        return answer;
      } catch (error) {
        const seconds =
          error instanceof Problem && error.reason === 'rate-limited' ? error.retryAfter : undefined;
        if (seconds === undefined || seconds > most.seconds || waits >= most.waits) throw error;
        const now = clock();
        const ends = now + seconds * 1000;
        const more = Math.max(0, ends - Math.max(until, now));
        if (waited + more > inVain) throw givenUp(error as Problem, waited);
        waited += more;
        // Those that were refused at the same time wait for the same.
        if (until <= now) onWait(seconds);
        until = Math.max(until, ends);
      }
    }
  };
  return { ...api, call };
}

function givenUp({ message, retryAfter, requestId }: Problem, waited: number): Problem {
  return new Problem(
    'rate-limited',
    `${message} No call was taken while docsctl waited ${Math.round(waited / 1000)} s.`,
    {
      hint: 'Run this again later, or with fewer calls at once (--jobs): what was done is found again.',
      retryAfter,
      requestId,
    },
  );
}
