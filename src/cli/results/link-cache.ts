import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import { isRecord } from '../../contract/values.ts';

/** Maximum number of cached addresses. */
const maxAddresses = 50_000;
const maxBytes = 32 * 1024 * 1024;

/**
 * Caches when addresses were last checked successfully, in milliseconds since 1970, in a file of the settings folder. Only good
 * addresses are cached, so that broken ones are checked in every run.
 */
export class LinkCache {
  readonly #path: string;
  readonly #checked: Map<string, number>;

  private constructor(path: string, checked: Map<string, number>) {
    this.#path = path;
    this.#checked = checked;
  }

  /** Reads the cache. A file that cannot be read counts as empty. */
  static read(settingsFolder: string): LinkCache {
    const path = join(settingsFolder, 'checked-links.json');
    const checked = new Map<string, number>();
    try {
      const stored: unknown = statSync(path).size > maxBytes ? {} : JSON.parse(readFileSync(path, 'utf8'));
      if (isRecord(stored))
        for (const [url, at] of Object.entries(stored)) if (typeof at === 'number') checked.set(url, at);
    } catch {
      // Without the cache, all addresses are checked.
    }
    return new LinkCache(path, checked);
  }

  /** Whether an address was good at or after a time. */
  isGood(url: string, since: number): boolean {
    return (this.#checked.get(url) ?? -Infinity) >= since;
  }

  /** Records that an address is good now, or removes it. */
  put(url: string, isGood: boolean, now: number): void {
    this.#checked.delete(url);
    if (isGood) this.#checked.set(url, now);
  }

  /**
   * Writes the cache, readable only by its owner, without entries from before a time. If this fails, the next run only takes
   * longer.
   */
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
