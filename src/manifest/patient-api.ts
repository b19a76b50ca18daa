import type { Api, CallOptions } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';

export interface Patience {
  readonly clock: () => number;
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Told once for each wait, of all calls together. */
  readonly onWait: (seconds: number) => void;
}

/** Seconds that are waited for a server that says when to come back, and how often one call does. */
const most = { seconds: 120, waits: 10 };

/** An Api for thousands of calls: where the server says "not so fast", all of them wait until it takes calls again. */
export function patientApi(api: Api, { clock, wait, onWait }: Patience): Api {
  let until = 0;
  const call: Api['call'] = async (operation, input, options: CallOptions = {}) => {
    for (let waits = 0; ; waits++) {
      while (until > clock()) await wait(until - clock(), options.signal);
      try {
        return await api.call(operation, input, options);
      } catch (error) {
        const seconds = error instanceof Problem && error.reason === 'rate-limited' ? error.retryAfter : undefined;
        if (seconds === undefined || seconds > most.seconds || waits >= most.waits) throw error;
        const ends = clock() + seconds * 1000;
        // Those that were refused at the same time wait for the same.
        if (until <= clock()) onWait(seconds);
        until = Math.max(until, ends);
      }
    }
  };
  return { ...api, call };
}
