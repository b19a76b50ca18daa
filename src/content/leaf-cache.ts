import { RecentMap } from '../core/recent-map.ts';

/** What a cache keeps: weights are counts in a unit of its owner. */
interface LeafCacheLimits<T> {
  readonly weightOf: (entry: T) => number;
  /** Lighter leaves are not kept, because reading them again is cheap. */
  readonly minWeight: number;
  /** The most weight of all leaves together; a leaf that is heavier is not kept. */
  readonly maxWeight: number;
}

/**
 * Keeps the entries of large leaves of tries after they were parsed, the last used ones first. It is never out of date: a
 * leaf is stored under the hash of its entries, so every transaction and every store has the same entries under it.
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

  /** Keeps the entries of a leaf if it is large, and forgets the leaves that were not used for longest. */
  keep(hash: string, entries: readonly T[]): void {
    if (this.#leaves.get(hash) !== undefined) return;
    const { weightOf, minWeight, maxWeight } = this.#limits;
    const weight = entries.reduce((sum, entry) => sum + weightOf(entry), 0);
    if (weight < minWeight || weight > maxWeight) return;
    this.#leaves.set(hash, { entries, weight });
  }
}
