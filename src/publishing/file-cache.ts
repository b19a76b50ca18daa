import { RecentMap } from '../core/recent-map.ts';

/** The most bytes of files that are kept when nobody receives them. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Keeps the files of sites that were sent last, by their hashes. Readers who receive the same file at the same time get the same
 * bytes, however slowly they receive them.
 */
export class FileCache {
  readonly #kept = new RecentMap<Buffer>(maxBytes, ({ length }) => length);
  readonly #sent = new Map<string, WeakRef<Buffer>>();
  readonly #forget = new FinalizationRegistry<string>((hash) => {
    if (this.#sent.get(hash)?.deref() === undefined) this.#sent.delete(hash);
  });
  readonly #reading = new Map<string, Promise<Buffer>>();

  /** The bytes of the files that are kept. */
  get size(): number {
    return this.#kept.weight;
  }

  /** Returns the file with a hash, which is read if nobody has it. */
  async get(hash: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.#kept.get(hash) ?? this.#sent.get(hash)?.deref();
    if (known !== undefined) return known;
    // The read of another request fails with its transaction, which says nothing about the file.
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
