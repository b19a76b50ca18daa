/**
 * The pages under one parent while changes are planned. Says where a page must be put so that it comes right behind the
 * page before it; pages that are in order already are not moved. Everything costs at most the logarithm of the count.
 */
export class SiblingOrder {
  readonly #rank: ReadonlyMap<string, number>;
  /** Fenwick tree over ranks: how many of the pages that were there at the start still are where they were. */
  readonly #counts: number[];
  readonly #gone = new Set<string>();
  #total: number;
  #kept: ReadonlySet<string> = new Set();
  #placed = 0;
  #behind = 0;

  constructor(ids: readonly string[]) {
    this.#rank = new Map(ids.map((id, index) => [id, index]));
    this.#total = ids.length;
    this.#counts = ids.map((_, index) => (index + 1) & -(index + 1));
  }

  /** Tells which pages are to follow each other, before they are placed one by one. */
  expect(ids: readonly string[]): void {
    this.#kept = longestRising(
      ids.flatMap((id) =>
        this.#rank.has(id) && !this.#gone.has(id) ? [{ id, rank: this.#rank.get(id)! }] : [],
      ),
    );
  }

  /** Places the next page; gives the place to move it to, undefined where it stays. */
  place(id: string): { readonly at: number; readonly isLast: boolean } | undefined {
    if (this.#kept.has(id)) {
      this.#behind = this.#rank.get(id)! + 1;
      return undefined;
    }
    this.leave(id);
    const at = this.#countBefore(this.#behind) + this.#placed;
    const isLast = at === this.#total + this.#placed;
    this.#placed++;
    return { at, isLast };
  }

  /** Notes that a page is no longer where it was. */
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

/** A longest run of pages whose ranks rise, so that the fewest have to be moved. */
function longestRising(pages: readonly { readonly id: string; readonly rank: number }[]): Set<string> {
  /** For each length, the page with the lowest rank that a run of it ends with. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, { rank }] of pages.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pages[ends[middle]!]!.rank < rank) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = index;
  }
  const kept = new Set<string>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) kept.add(pages[at]!.id);
  return kept;
}
