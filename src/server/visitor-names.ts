import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * Names visitors of sites for a day, so that their events can be counted together without a cookie. A name is a digest with
 * a key that is never stored and changes every day, so the address cannot be found and the visitor cannot be recognized the
 * next day.
 */
export class VisitorNames {
  readonly #clock: Clock;
  #key = randomBytes(32);
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the name of the visitor at a network address with a user agent. */
  nameOf(address: string, userAgent = ''): string {
    const now = this.#clock();
    if (now >= this.#until) {
      this.#key = randomBytes(32);
      this.#until = (Math.floor(now / day) + 1) * day;
    }
    return createHmac('sha256', this.#key)
      .update(`${address}\n${userAgent}`)
      .digest('base64url')
      .slice(0, 22);
  }
}
