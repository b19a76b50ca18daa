import { Problem } from '../errors/problem.ts';

/** The remaining requests of a client in the current minute. */
export interface Allowance {
  readonly remaining: number;
  /** When the next minute of the client begins, as Unix time in seconds. */
  readonly reset: number;
  /** Seconds until then. */
  readonly seconds: number;
  readonly problem?: Problem;
}

interface Minute {
  readonly ends: number;
  count: number;
}

/** Maximum number of clients that are remembered. Above it, the oldest are forgotten. */
const maxClients = 10_000;
const minute = 60_000;

/** Counts the requests of clients per minute. */
export interface RateLimit {
  /** Counts a request. The allowance contains a Problem if the minute of the client is used up. */
  take(client: string): Allowance;
  /** Whether a client was counted before. */
  knows(client: string): boolean;
}

/**
 * Creates a limit of `limit` requests per minute for each client. The minute starts with the first request. `what` is refused,
 * for the message.
 */
export function createRateLimit(limit: number, clock: () => number, what = 'requests'): RateLimit {
  const minutes = new Map<string, Minute>();
  const take = (client: string): Allowance => {
    const now = clock();
    let current = minutes.get(client);
    if (current === undefined || current.ends <= now) {
      minutes.delete(client);
      const [oldest] = minutes.keys();
      if (oldest !== undefined && minutes.size >= maxClients) minutes.delete(oldest);
      current = { ends: now + minute, count: 0 };
      minutes.set(client, current);
    }
    current.count++;
    const retryAfter = Math.max(1, Math.ceil((current.ends - now) / 1000));
    const allowance = {
      remaining: Math.max(0, limit - current.count),
      reset: Math.ceil(current.ends / 1000),
      seconds: retryAfter,
    };
    if (current.count <= limit) return allowance;
    return {
      ...allowance,
      problem: new Problem('rate-limited', `Too many ${what}: the limit is ${limit} per minute.`, {
        retryAfter,
        hint: `Try again in ${retryAfter} s.`,
      }),
    };
  };
  return { take, knows: (client) => minutes.has(client) };
}
