/** A map that keeps what was used last, up to a weight: a number of values, unless `weightOf` gives another unit. */
export class RecentMap<V> {
  /** In the order of last use. The weight is the one that the value had when it was set. */
  readonly #kept = new Map<string, { readonly value: V; readonly weight: number }>();
  readonly #maxWeight: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;

  constructor(maxWeight: number, weightOf: (value: V) => number = () => 1) {
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  /** The weight of all values that are kept. */
  get weight(): number {
    return this.#weight;
  }

  /** The value of a key; undefined if it is not kept. It is then the one that was used last. */
  get(key: string): V | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  /** Keeps a value, and forgets those that were not used for longest. The value itself is kept whatever it weighs. */
  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.#weightOf(value);
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#maxWeight || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
