import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';

const dayLength = 24 * 60 * 60 * 1000;

/** A secret key, and the day on which it is used, in days since 1970. */
export interface DailyKey {
  readonly key: string;
  readonly day: number;
}

/** Creates the key of today. */
export function createDailyKey(clock: Clock): DailyKey {
  return { key: randomBytes(32).toString('base64'), day: dayOf(clock) };
}

/** Derives the key of today from an earlier key. The earlier key cannot be derived from it. */
export function keyOfToday({ key, day }: DailyKey, clock: Clock): DailyKey {
  let current = key;
  const today = dayOf(clock);
  for (let at = day; at < today; at++) current = createHash('sha256').update(current).digest('base64');
  return { key: current, day: Math.max(day, today) };
}

function dayOf(clock: Clock): number {
  return Math.floor(clock() / dayLength);
}

/**
 * Gives visitors of sites a pseudonym for a day, so that their events can be counted without a cookie. A pseudonym is a digest
 * with a key that is never stored and changes every day, so it cannot be traced to an address, and the visitor is not recognized
 * the next day.
 */
export class VisitorNames {
  readonly #clock: Clock;
  #key: DailyKey;

  /** The processes of one server use the same key, so that a visitor has the same pseudonym in all of them. */
  constructor(clock: Clock, key: DailyKey = createDailyKey(clock)) {
    this.#clock = clock;
    this.#key = key;
  }

  nameOf(address: string, userAgent = ''): string {
    this.#key = keyOfToday(this.#key, this.#clock);
    return createHmac('sha256', this.#key.key)
      .update(`${address}\n${userAgent}`)
      .digest('base64url')
      .slice(0, 22);
  }
}
