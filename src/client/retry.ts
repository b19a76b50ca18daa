import type { Problem } from '../errors/problem.ts';

/** Response headers by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A try that went wrong. */
export interface Failure {
  readonly problem: Problem;
  /** Base of the pause before the next try, in milliseconds; absent when another try cannot help. */
  readonly base?: number;
  /** Milliseconds the server asked to wait. */
  readonly asked?: number;
}

/** Bases of full jitter: a broken connection is cheap to try again, a server in trouble is not. */
export const CONNECTION_BASE = 50;
export const SERVER_BASE = 1000;
/** The longest wait a server is granted. */
export const LONGEST_WAIT = 20_000;

/** Full jitter: anything from nothing to twice as much with each try. */
export function pauseBefore(attempt: number, base: number, random: () => number): number {
  return Math.min(LONGEST_WAIT, random() * base * 2 ** (attempt - 1));
}

/** Milliseconds the server asks to wait, by Retry-After or an exhausted X-RateLimit; undefined when it does not say. */
export function askedWait(headers: Headers, now: number): number | undefined {
  // Dates are judged by the server's own clock, so that a wrong one here does not matter.
  const date = Date.parse(header(headers, 'date') ?? '');
  const here = Number.isNaN(date) ? now : date;
  const after = header(headers, 'retry-after')?.trim();
  if (after !== undefined && after !== '') {
    if (/^\d+$/.test(after)) return Math.min(Number(after) * 1000, Number.MAX_SAFE_INTEGER);
    const until = /^[A-Z][a-z]{2},? /.test(after) ? Date.parse(after) : Number.NaN;
    if (!Number.isNaN(until)) return Math.max(0, until - here);
  }
  const reset = header(headers, 'x-ratelimit-reset') ?? '';
  if (header(headers, 'x-ratelimit-remaining') !== '0' || !/^\d+$/.test(reset)) return undefined;
  return Math.max(0, Math.min(Number(reset) * 1000, Number.MAX_SAFE_INTEGER) - here);
}

/** The first value of a header. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** How many retries may still be spent; successes earn them back, so a server in trouble is not stormed. */
export function createQuota(size: number): { take(): boolean; refill(): void } {
  let left = size;
  return {
    take: () => left > 0 && left-- > 0,
    refill: () => void (left = Math.min(size, left + 1)),
  };
}
