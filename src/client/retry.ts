import type { Problem } from '../errors/problem.ts';

/** Response headers by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Failure {
  readonly problem: Problem;
  /** The base of the pause before the next attempt, in milliseconds; absent if a retry cannot help. */
  readonly retryBase?: number;
  /** The wait that the server requested, in milliseconds. */
  readonly requestedWait?: number;
}

/** The bases of pauses, in milliseconds. Connections are retried sooner than requests to an overloaded server. */
export const connectionRetryBase = 50;
export const serverRetryBase = 1000;
/** Maximum pause before a retry, in milliseconds, unless --retry-max-wait sets another. */
export const maxWait = 20_000;

/** Returns a random pause with full jitter, whose upper bound doubles with each attempt. */
export function pauseBefore(
  attempt: number,
  base: number,
  random: () => number,
  max: number = maxWait,
): number {
  return Math.min(max, random() * base * 2 ** (attempt - 1));
}

/** Returns the wait in milliseconds that Retry-After or an exhausted X-RateLimit requests; undefined if there is neither. */
export function requestedWait(headers: Headers, now: number): number | undefined {
  // Dates are compared with the clock of the server, because the local clock may be wrong.
  const date = Date.parse(firstHeader(headers, 'date') ?? '');
  const serverTime = Number.isNaN(date) ? now : date;
  const after = firstHeader(headers, 'retry-after')?.trim();
  if (after !== undefined && after !== '') {
    if (/^\d+$/.test(after)) return Math.min(Number(after) * 1000, Number.MAX_SAFE_INTEGER);
    const until = /^[A-Z][a-z]{2},? /.test(after) ? Date.parse(after) : Number.NaN;
    if (!Number.isNaN(until)) return Math.max(0, until - serverTime);
  }
  const reset = firstHeader(headers, 'x-ratelimit-reset') ?? '';
  if (firstHeader(headers, 'x-ratelimit-remaining') !== '0' || !/^\d+$/.test(reset)) return undefined;
  return Math.max(0, Math.min(Number(reset) * 1000, Number.MAX_SAFE_INTEGER) - serverTime);
}

/** Returns the first value of a header; undefined if it is missing. */
export function firstHeader(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Creates a limit for retries, so that an overloaded server is not flooded. Each success allows one more. */
export function createQuota(size: number): { take(): boolean; refill(): void } {
  let left = size;
  return {
    take: () => left > 0 && left-- > 0,
    refill: () => void (left = Math.min(size, left + 1)),
  };
}
