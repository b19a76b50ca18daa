import type { Api, CallOptions } from '../contract/api.ts';
import { isProblem, Problem } from '../errors/problem.ts';

interface RetryOptions {
  readonly clock: () => number;
  /** Maximum seconds that the server may ask to wait (default: 120). */
  readonly maxWait?: number | undefined;
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Called once for each wait, which all calls share. */
  readonly onWait: (seconds: number) => void;
}

const defaultMaxWait = 120;

/** Maximum number of retries of one call. */
const maxRetries = 10;

/** Maximum number of milliseconds that all calls together wait without any answer. */
const maxIdle = 5 * 60 * 1000;

/** Wraps an Api for thousands of calls. When the server limits the rate, all calls wait for the time that it asks for. */
export function retryingApi(api: Api, { clock, maxWait = defaultMaxWait, wait, onWait }: RetryOptions): Api {
  let until = 0;
  let waited = 0;
  const call: Api['call'] = async (operation, input, options: CallOptions = {}) => {
    for (let retries = 0; ; retries++) {
      while (until > clock()) await wait(until - clock(), options.signal);
      try {
        const answer = await api.call(operation, input, options);
        waited = 0;
        return answer;
      } catch (error) {
        if (!isProblem(error, 'rate-limited')) throw error;
        const { message, retryAfter, requestId } = error;
        if (retryAfter === undefined || retryAfter > maxWait || retries >= maxRetries) throw error;
        const now = clock();
        const end = now + retryAfter * 1000;
        const delay = Math.max(0, end - Math.max(until, now));
        if (waited + delay > maxIdle)
          throw new Problem(
            'rate-limited',
            `${message} The server accepted no request for ${Math.round(waited / 1000)} seconds.`,
            {
              hint: 'Run the command again later, or with a lower --concurrency. Finished work is not repeated.',
              retryAfter,
              requestId,
            },
          );
        waited += delay;
        // Calls that are refused at the same time share one wait.
        if (until <= now) onWait(retryAfter);
        until = Math.max(until, end);
      }
    }
  };
  return { ...api, call };
}
