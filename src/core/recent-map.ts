/** A map that keeps the most recently used values, up to a total weight. Each value weighs 1, unless `weightOf` is given. */
export class RecentMap<V> {
  /** In the order of their last use. `weight` is the weight of the value when it was set. */
  readonly #kept = new Map<string, { readonly value: V; readonly weight: number }>();
  readonly #maxWeight: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;

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
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  /** Keeps a value, and removes the least recently used ones if necessary. The new value is kept even if it is too heavy. */
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
