/**
 * The order of the pages under one parent while changes are planned. Finds the index for a page directly after the previous one.
 * Pages that are already in order are not moved. Each step takes at most logarithmic time.
 */
export class SiblingOrder {
  readonly #rank: ReadonlyMap<string, number>;
  /** A Fenwick tree over ranks. It counts the original pages that are still at their place. */
  readonly #counts: number[];
  readonly #gone = new Set<string>();
  #total: number;
  /** The ranks of the pages that are not moved. */
  #kept: ReadonlyMap<string, number> = new Map();
  #placed = 0;
  #nextRank = 0;

  constructor(ids: readonly string[]) {
    this.#rank = new Map(ids.map((id, index) => [id, index]));
    this.#total = ids.length;
    this.#counts = ids.map((_, index) => (index + 1) & -(index + 1));
  }

  /** Sets the final order of pages before they are placed one by one. */
  expect(ids: readonly string[]): void {
    this.#kept = longestIncreasing(
      ids.flatMap((id) => {
        const rank = this.#gone.has(id) ? undefined : this.#rank.get(id);
        return rank === undefined ? [] : [{ id, rank }];
      }),
    );
  }

  /** Places the next page. Returns the index to move it to; undefined if it need not be moved. */
  place(id: string): { readonly at: number; readonly isLast: boolean } | undefined {
    const kept = this.#kept.get(id);
    if (kept !== undefined) {
      this.#nextRank = kept + 1;
      return undefined;
    }
    this.leave(id);
    const at = this.#countBefore(this.#nextRank) + this.#placed;
    const isLast = at === this.#total + this.#placed;
    this.#placed++;
    return { at, isLast };
  }

  /** Removes a page from its original place. */
  leave(id: string): void {
    const rank = this.#rank.get(id);
    if (rank === undefined || this.#gone.has(id)) return;
    this.#gone.add(id);
    this.#total--;
    for (let at = rank + 1; at <= this.#counts.length; at += at & -at) this.#counts[at - 1]!--;
  }

  #countBefore(rank: number): number {
    let count = 0;
    for (let at = rank; at > 0; at -= at & -at) count += this.#counts[at - 1]!;
    return count;
  }
}

/** The last page of an increasing sequence of ranks, linked to the page before it. */
interface SequenceEnd {
  readonly id: string;
  readonly rank: number;
  readonly previous: SequenceEnd | undefined;
}

/** Returns a longest increasing subsequence of ranks by id, so that the fewest pages are moved. */
function longestIncreasing(
  pages: readonly { readonly id: string; readonly rank: number }[],
): Map<string, number> {
  /** For each length, the sequence whose last rank is lowest. */
  const ends: SequenceEnd[] = [];
  for (const { id, rank } of pages) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]!.rank < rank) low = middle + 1;
      else high = middle;
    }
    ends[low] = { id, rank, previous: ends[low - 1] };
  }
  const kept = new Map<string, number>();
  for (let end = ends.at(-1); end !== undefined; end = end.previous) kept.set(end.id, end.rank);
  return kept;
}
