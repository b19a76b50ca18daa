import { Problem } from '../errors/problem.ts';

/** The remaining requests of a client in the current minute. */
interface Allowance {
  readonly remaining: number;
  /** When the next minute of this client begins, in seconds since 1970. */
  readonly reset: number;
  readonly problem?: Problem;
}

interface Minute {
  readonly ends: number;
  count: number;
}

/** Clients remembered; beyond that the ones that came first are forgotten. */
const maxClients = 10_000;
const minute = 60_000;

export interface RateLimit {
  /** Counts a request of a client; with a Problem once its minute is used up. */
  take(client: string): Allowance;
  /** Whether a client was counted before. */
  knows(client: string): boolean;
}

/** Counts requests by client and minute. */
export function createRateLimit(limit: number, clock: () => number): RateLimit {
  const minutes = new Map<string, Minute>();
  const take = (client: string): Allowance => {
    const now = clock();
    let current = minutes.get(client);
    if (current === undefined || current.ends <= now) {
      minutes.delete(client);
      if (minutes.size >= maxClients) minutes.delete(minutes.keys().next().value!);
      current = { ends: now + minute, count: 0 };
      minutes.set(client, current);
    }
    current.count++;
    const allowance = {
      remaining: Math.max(0, limit - current.count),
      reset: Math.ceil(current.ends / 1000),
    };
    if (current.count <= limit) return allowance;
    const retryAfter = Math.max(1, Math.ceil((current.ends - now) / 1000));
    return {
      ...allowance,
      problem: new Problem('rate-limited', `More than ${limit} requests in a minute.`, {
        retryAfter,
        hint: `Wait ${retryAfter} s.`,
      }),
    };
  };
  return { take, knows: (client) => minutes.has(client) };
}
