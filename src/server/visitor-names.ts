import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';

const dayLength = 24 * 60 * 60 * 1000;

/** A secret, and the day that it is used on, in days since 1970. */
export interface DailyKey {
  readonly key: string;
  readonly day: number;
}

/** Creates the key of today. */
export function createDailyKey(clock: Clock): DailyKey {
  return { key: randomBytes(32).toString('base64'), day: dayOf(clock) };
}

/** Returns the key of today, made of an earlier one. The earlier one cannot be found from it. */
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
 * Names visitors of sites for a day, so that their events can be counted together without a cookie. A name is a digest with
 * a key that is never stored and changes every day, so the address cannot be found and the visitor cannot be recognized the
 * next day.
 */
export class VisitorNames {
  readonly #clock: Clock;
  #key: DailyKey;

  /** The processes of one server have the same key, so that they give a visitor the same name. */
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
