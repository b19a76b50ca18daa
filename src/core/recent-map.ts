interface Entry<V> {
  readonly key: string;
  value: V;
  weight: number;
  /** Whether the value was used since the hand passed it. */
  isUsed: boolean;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;
}

/**
 * A map that keeps recently used values, up to a total weight. Each value weighs 1, unless `weightOf` is given. It works like the
 * cache SIEVE (Zhang et al., NSDI 2024): a hand moves from old to new entries, and removes those that were not used since it last
 * passed them. Reads only mark an entry, because moving it to the end of a large Map takes microseconds.
 */
export class RecentMap<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maxWeight: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;
  #oldest: Entry<V> | undefined;
  #newest: Entry<V> | undefined;
  /** The entry that is examined next; undefined: the oldest one. */
  #hand: Entry<V> | undefined;

  constructor(maxWeight: number, weightOf: (value: V) => number = () => 1) {
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  /** The total weight. */
  get weight(): number {
    return this.#weight;
  }

  /** Returns the value of a key, and marks it as used; undefined if it is not kept. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** Keeps a value, and removes others if necessary. The new value is kept even if it is too heavy. */
  set(key: string, value: V): void {
    const weight = this.#weightOf(value);
    let entry = this.#entries.get(key);
    if (entry === undefined) entry = this.#add(key, value, weight);
    else {
      this.#weight -= entry.weight;
      Object.assign(entry, { value, weight, isUsed: true });
    }
    this.#weight += weight;
    while (this.#weight > this.#maxWeight && this.#entries.size > 1) this.#examineNext(entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(entry);
  }

  #add(key: string, value: V, weight: number): Entry<V> {
    const entry: Entry<V> = { key, value, weight, isUsed: false, older: this.#newest, newer: undefined };
    this.#entries.set(key, entry);
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
    return entry;
  }

  /** Moves the hand. Removes the entry that it passes, unless the entry was used or is the new one. */
  #examineNext(added: Entry<V>): void {
    const entry = this.#hand ?? this.#oldest;
    this.#hand = entry?.newer;
    if (entry === undefined || entry === added) return;
    if (entry.isUsed) entry.isUsed = false;
    else this.#remove(entry);
  }

  #remove(entry: Entry<V>): void {
    const { key, weight, older, newer } = entry;
    this.#entries.delete(key);
    this.#weight -= weight;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    if (this.#hand === entry) this.#hand = newer;
  }
}
