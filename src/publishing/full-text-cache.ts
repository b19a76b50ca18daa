import { RecentMap } from '../core/recent-map.ts';

/** Default size of the cached texts, in bytes. */
const defaultBytes = 24 * 1024 * 1024;

/** Caches the last texts of whole sites. The keys identify everything that a text depends on. */
export class FullTextCache {
  readonly #maxBytes: number;
  readonly #kept: RecentMap<Buffer>;
  readonly #making = new Map<string, Promise<Buffer>>();

  constructor(maxBytes = defaultBytes) {
    this.#maxBytes = maxBytes;
    this.#kept = new RecentMap(maxBytes, ({ length }) => length);
  }

  /** The size of the cached texts in bytes. */
  get size(): number {
    return this.#kept.weight;
  }

  /** Returns a text. It is made if it is not cached. Concurrent requests for the same text share the work. */
  async get(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.#kept.get(key) ?? this.#making.get(key);
    if (kept !== undefined) return kept;
    const making = make();
    this.#making.set(key, making);
    try {
      const text = await making;
      if (text.length <= this.#maxBytes) this.#kept.set(key, text);
      return text;
    } finally {
      this.#making.delete(key);
    }
  }
}
