import { getOrInsert } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';

/** The remaining requests of a client in the current minute. */
export interface Allowance {
  readonly remaining: number;
  /** The start of the client's next minute, as Unix time in seconds. */
  readonly reset: number;
  /** Seconds until then. */
  readonly seconds: number;
  readonly problem?: Problem;
}

interface Minute {
  readonly ends: number;
  count: number;
}

/** Maximum number of clients in memory. Beyond it, the oldest are removed. */
const maxClients = 10_000;
const minute = 60_000;

/** Counts the requests of clients per minute. */
interface RateLimit {
  /**
   * Counts a request. The allowance contains a Problem if the client has reached the limit.
   *
   * @throws LeaseNeeded in a server of several processes; see `whenGranted`
   */
  take(client: string): Allowance;
  /** Whether a request of the client was counted before. */
  knows(client: string): boolean;
}

/** Limits the requests of each client to `limit` per minute. The minute starts with the first request. */
interface LimitOptions {
  /** The name of the limit, unique in its listener. */
  readonly name: string;
  readonly limit: number;
  /** The refused things, for the message (default: requests). */
  readonly what?: string;
}

export type CreateLimit = (options: LimitOptions) => RateLimit;

/** Creates a limit for one process. */
export function createRateLimit({ limit, what }: Omit<LimitOptions, 'name'>, clock: () => number): RateLimit {
  const minutes = new RecentClients<Minute>();
  const take = (client: string): Allowance => {
    const now = clock();
    const current = minutes.current(client, now) ?? minutes.begin(client, { ends: now + minute, count: 0 });
    current.count++;
    return allowanceOf({
      limit,
      left: limit - current.count,
      ends: current.ends,
      now,
      ...(what && { what }),
    });
  };
  return { take, knows: (client) => minutes.has(client) };
}

/** The current minutes of the last clients. */
class RecentClients<T extends { readonly ends: number }> {
  readonly #minutes = new Map<string, T>();

  has(client: string): boolean {
    return this.#minutes.has(client);
  }

  /** Returns the minute of a client, if it has not ended. A minute far ahead began before the clock was set back. */
  current(client: string, now: number): T | undefined {
    const found = this.#minutes.get(client);
    return found !== undefined && found.ends > now && found.ends < now + 2 * minute ? found : undefined;
  }

  begin(client: string, value: T): T {
    this.#minutes.delete(client);
    const [oldest] = this.#minutes.keys();
    if (oldest !== undefined && this.#minutes.size >= maxClients) this.#minutes.delete(oldest);
    this.#minutes.set(client, value);
    return value;
  }
}

/** Returns the allowance of a client. A negative number refuses the request. */
function allowanceOf({
  limit,
  left,
  ends,
  now,
  what = 'requests',
}: {
  limit: number;
  left: number;
  ends: number;
  now: number;
  what?: string;
}): Allowance {
  const retryAfter = Math.max(1, Math.ceil((ends - now) / 1000));
  const allowance = { remaining: Math.max(0, left), reset: Math.ceil(ends / 1000), seconds: retryAfter };
  if (left >= 0) return allowance;
  return {
    ...allowance,
    problem: new Problem('rate-limited', `Too many ${what}: the limit is ${limit} per minute.`, {
      retryAfter,
      hint: `Try again in ${retryAfter} s.`,
    }),
  };
}

/** A share of the requests of a client, which one process may answer. */
export interface Lease {
  readonly ends: number;
  /** The number of requests; 0 if the limit is reached. */
  readonly amount: number;
  /** The number of requests that no process has leased yet. */
  readonly rest: number;
}

/**
 * The rest of a minute is divided into this many leases per process. So less than a hundredth of the limit can remain unused in
 * other processes.
 */
const leasesPerProcess = 100;

/** Counts the requests of clients for several processes. They request leases, whose sum never exceeds the limit. */
export class LimitLedger {
  readonly #clock: () => number;
  readonly #processes: number;
  readonly #limits = new Map<string, RecentClients<Minute>>();

  constructor(clock: () => number, processes: number) {
    this.#clock = clock;
    this.#processes = processes;
  }

  lease(name: string, limit: number, client: string): Lease {
    const minutes = getOrInsert(this.#limits, name, () => new RecentClients());
    const now = this.#clock();
    const current = minutes.current(client, now) ?? minutes.begin(client, { ends: now + minute, count: 0 });
    const left = limit - current.count;
    const amount = Math.min(left, Math.max(1, Math.floor(left / (leasesPerProcess * this.#processes))));
    current.count += amount;
    return { ends: current.ends, amount, rest: left - amount };
  }
}

/** Thrown by limits that must request a lease first. */
export class LeaseNeeded extends Error {
  readonly granted: Promise<void>;

  constructor(granted: Promise<void>) {
    super('A lease of requests is needed.');
    this.granted = granted;
  }
}

/** Creates a limit for one of several processes. `ask` requests a lease from the ledger. */
export function createLeasedLimit(
  { limit, what }: Omit<LimitOptions, 'name'>,
  clock: () => number,
  ask: (client: string) => Promise<Lease>,
): RateLimit {
  const leases = new RecentClients<{ readonly ends: number; readonly rest: number; left: number }>();
  const asked = new Map<string, Promise<void>>();
  const need = (client: string): LeaseNeeded => {
    let granted = asked.get(client);
    if (granted === undefined) {
      granted = ask(client)
        .then(({ ends, amount, rest }) => void leases.begin(client, { ends, rest, left: amount }))
        .finally(() => asked.delete(client));
      asked.set(client, granted);
    }
    return new LeaseNeeded(granted);
  };
  const take = (client: string): Allowance => {
    const now = clock();
    const current = leases.current(client, now);
    if (current === undefined || (current.left === 0 && current.rest > 0)) throw need(client);
    const { ends, rest } = current;
    const left = current.left === 0 ? -1 : --current.left + rest;
    return allowanceOf({ limit, left, ends, now, ...(what && { what }) });
  };
  return { take, knows: (client) => leases.has(client) };
}

/** Runs work, and repeats it after each lease that it needed. The work must not change anything before it calls the limit. */
export async function whenGranted<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LeaseNeeded)) throw error;
      await error.granted;
    }
  }
}
