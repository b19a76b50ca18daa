import { RecentMap } from '../core/recent-map.ts';

/** The limits of a cache. Weights are in a unit that its owner chooses. */
interface LeafCacheLimits<T> {
  readonly weightOf: (entry: T) => number;
  /** Minimum weight of a cached leaf. Lighter ones are cheap to read again. */
  readonly minWeight: number;
  /** Maximum weight of all cached leaves together. A heavier leaf is not cached. */
  readonly maxWeight: number;
}

/**
 * Caches the parsed entries of large trie leaves. It is never outdated: a leaf is stored under the hash of its entries, so the
 * entries are the same in every transaction and every store.
 */
export class LeafCache<T> {
  readonly #limits: LeafCacheLimits<T>;
  readonly #leaves: RecentMap<{ readonly entries: readonly T[]; readonly weight: number }>;

  constructor(limits: LeafCacheLimits<T>) {
    this.#limits = limits;
    this.#leaves = new RecentMap(limits.maxWeight, ({ weight }) => weight);
  }

  get(hash: string): readonly T[] | undefined {
    return this.#leaves.get(hash)?.entries;
  }

  /** Caches the entries of a leaf if it is large, and removes others that were not used lately if necessary. */
  keep(hash: string, entries: readonly T[]): void {
    if (this.#leaves.get(hash) !== undefined) return;
    const { weightOf, minWeight, maxWeight } = this.#limits;
    const weight = entries.reduce((sum, entry) => sum + weightOf(entry), 0);
    if (weight < minWeight || weight > maxWeight) return;
    this.#leaves.set(hash, { entries, weight });
  }
}
