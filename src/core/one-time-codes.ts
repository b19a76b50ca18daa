import { createHash } from 'node:crypto';
import { createSecret } from './secrets.ts';

/**
 * Codes that can be used once. A browser exchanges the code in a URL for a session ID, which it keeps in a cookie. So a URL in a
 * history or log cannot be used again. Codes and sessions are kept in memory.
 */
export class OneTimeCodes {
  readonly #randomBytes: (count: number) => Uint8Array;
  readonly #codes = new Set<string>();
  readonly #sessions = new Set<string>();

  constructor(randomBytes: (count: number) => Uint8Array) {
    this.#randomBytes = randomBytes;
  }

  issue(): string {
    return this.#make(this.#codes);
  }

  /** Exchanges a code for a session; undefined for a code that was used or never issued. */
  redeem(code: string): string | undefined {
    return this.#codes.delete(hash(code)) ? this.#make(this.#sessions) : undefined;
  }

  /** Whether a session was made here. */
  isSession(session: string): boolean {
    return this.#sessions.has(hash(session));
  }

  #make(kept: Set<string>): string {
    const secret = createSecret(this.#randomBytes);
    kept.add(hash(secret));
    return secret;
  }
}

/** Secrets are looked up by their hashes, so that the duration of a look-up reveals nothing about them. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
