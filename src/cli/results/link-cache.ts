import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import { isRecord } from '../../contract/values.ts';

/** The most addresses that are kept, and the largest file that is read. */
const maxAddresses = 50_000;
const maxBytes = 32 * 1024 * 1024;

/**
 * When addresses were last found to be good, in milliseconds since 1970, kept in a file of the settings folder. Only good
 * addresses are kept, so that a broken one is checked again on every run.
 */
export class LinkCache {
  readonly #path: string;
  readonly #checked: Map<string, number>;

  private constructor(path: string, checked: Map<string, number>) {
    this.#path = path;
    this.#checked = checked;
  }

  /** Reads the cache; a file that cannot be read counts as empty. */
  static read(settingsFolder: string): LinkCache {
    const path = join(settingsFolder, 'checked-links.json');
    const checked = new Map<string, number>();
    try {
      const stored: unknown = statSync(path).size > maxBytes ? {} : JSON.parse(readFileSync(path, 'utf8'));
      if (isRecord(stored))
        for (const [url, at] of Object.entries(stored)) if (typeof at === 'number') checked.set(url, at);
    } catch {
      // Without it, all addresses are checked.
    }
    return new LinkCache(path, checked);
  }

  /** Whether an address was good at a time or later. */
  isGood(url: string, since: number): boolean {
    return (this.#checked.get(url) ?? -Infinity) >= since;
  }

  /** Keeps that an address is good now, or forgets it. */
  put(url: string, isGood: boolean, now: number): void {
    this.#checked.delete(url);
    if (isGood) this.#checked.set(url, now);
  }

  /** Writes the cache, readable only by its owner, without entries from before a time. A failure only costs time later. */
  write(since: number, randomBytes: (count: number) => Uint8Array): void {
    const kept = [...this.#checked].filter(([, at]) => at >= since).slice(-maxAddresses);
    const temporary = `${this.#path}.${Buffer.from(randomBytes(6)).toString('hex')}.new`;
    try {
      makeFolders(dirname(this.#path), 0o700);
      writeFileSync(temporary, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.#path);
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}
