import { RecentMap } from '../core/recent-map.ts';

/** The most bytes of texts that are kept, unless another number is given. */
const defaultBytes = 24 * 1024 * 1024;

/** Keeps the texts of whole sites that were made last. Its keys name everything that a text is made of. */
export class FullTextCache {
  readonly #maxBytes: number;
  readonly #kept: RecentMap<Buffer>;
  readonly #making = new Map<string, Promise<Buffer>>();

  constructor(maxBytes = defaultBytes) {
    this.#maxBytes = maxBytes;
    this.#kept = new RecentMap(maxBytes, ({ length }) => length);
  }

  /** The bytes of the texts that are kept. */
  get size(): number {
    return this.#kept.weight;
  }

  /** Returns a text, which is made if it is not kept. Those who ask for it at the same time get the same one. */
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
