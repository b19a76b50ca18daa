import { RecentMap } from '../core/recent-map.ts';

/** Maximum size of cached files that are not being sent, in bytes. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Caches the files of sites that were sent last, by their hashes. Readers who receive the same file at the same time share its
 * bytes, even if they receive them slowly.
 */
export class FileCache {
  readonly #kept = new RecentMap<Buffer>(maxBytes, ({ length }) => length);
  readonly #sent = new Map<string, WeakRef<Buffer>>();
  readonly #forget = new FinalizationRegistry<string>((hash) => {
    if (this.#sent.get(hash)?.deref() === undefined) this.#sent.delete(hash);
  });
  readonly #reading = new Map<string, Promise<Buffer>>();

  /** The size of the cached files in bytes. */
  get size(): number {
    return this.#kept.weight;
  }

  /** Returns the file with a hash. It is read only if it is not in memory. */
  async get(hash: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.#kept.get(hash) ?? this.#sent.get(hash)?.deref();
    if (known !== undefined) return known;
    // If the read of another request fails with its transaction, the file may still be readable.
    const other = this.#reading.get(hash)?.catch(() => undefined);
    const found = other && (await other);
    if (found !== undefined) return found;
    const reading = read();
    this.#reading.set(hash, reading);
    try {
      const bytes = await reading;
      this.#sent.set(hash, new WeakRef(bytes));
      this.#forget.register(bytes, hash);
      this.#kept.set(hash, bytes);
      return bytes;
    } finally {
      if (this.#reading.get(hash) === reading) this.#reading.delete(hash);
    }
  }
}
