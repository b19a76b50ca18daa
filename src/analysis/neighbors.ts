import {
  contextEnd,
  dotProduct,
  type MeasuredVector,
  restLength,
  topicEnd,
  vectorSize,
} from './text-vectors.ts';

/** A similar point, by its index in the list of points. */
export interface Neighbor {
  readonly index: number;
  /** At most 1. */
  readonly similarity: number;
}

export interface Linked {
  readonly neighbors: readonly Neighbor[];
}

/** What is less similar is never linked. */
const minSimilarity = 0.15;
/** What frequent points must exceed to be linked: a text that many people send is a topic of its own. */
const minFrequentSimilarity = 0.65;
/** Issues from which a point counts as frequent; once points were merged, this many times the median. */
const frequent = { issues: 5, timesMedian: 10 };

/** Returns the number of issues from which a point is frequent, given the numbers of all points. */
export function minFrequentSize(sizes: readonly number[], isMerged: boolean): number {
  if (!isMerged) return frequent.issues;
  return frequent.timesMedian * (sizes.toSorted((one, other) => one - other)[sizes.length >> 1] ?? 0);
}

/** Returns the points with only those of their neighbors that are similar enough to be linked. */
export function keepStrongLinks<T extends Linked & { readonly isFrequent: boolean }>(
  points: readonly T[],
): T[] {
  return points.map((point) => ({
    ...point,
    neighbors: point.neighbors.filter(
      ({ index, similarity }) =>
        similarity >= (point.isFrequent || points[index]?.isFrequent ? minFrequentSimilarity : minSimilarity),
    ),
  }));
}

/** Returns up to `max` most similar items for a vector, best first; of equals the first. */
export function findNearest<T>(
  { values, rest }: MeasuredVector,
  items: Iterable<T>,
  vectorOf: (item: T) => MeasuredVector,
  max: number,
): { item: T; similarity: number }[] {
  const best = new TopList<{ item: T; similarity: number }>(max, Number.NEGATIVE_INFINITY);
  for (const item of items) {
    const other = vectorOf(item);
    let similarity = dotProduct(values, other.values, 0, contextEnd);
    if (similarity + rest * other.rest <= best.threshold) continue;
    similarity += dotProduct(values, other.values, contextEnd, vectorSize);
    if (similarity > best.threshold) best.add({ item, similarity });
  }
  return best.items;
}

/** Returns each item with its `max` most similar others that have a similarity above 0, best first. Awaits `pause` now and then. */
export async function findNeighbors<T extends { readonly vector: Float32Array }>(
  items: readonly T[],
  max: number,
  pause: () => Promise<void>,
): Promise<(T & Linked)[]> {
  const contexts = new ContextProducts(items);
  const earlier: Candidate[] = [];
  for (const [index, { vector }] of items.entries()) {
    if (index % 64 === 0) await pause();
    compareWithAll(new Candidate(index, vector, max), earlier, contexts.withEarlier(index));
  }
  return items.map((item, index) => ({ ...item, neighbors: earlier[index]?.best.items ?? [] }));
}

class Candidate {
  readonly index: number;
  readonly vector: Float32Array;
  /** Lengths of the parts after the context, and of those after the topic. */
  readonly afterContext: number;
  readonly afterTopic: number;
  readonly best: TopList<Neighbor>;

  constructor(index: number, vector: Float32Array, max: number) {
    this.index = index;
    this.vector = vector;
    this.afterContext = restLength(vector, contextEnd);
    this.afterTopic = restLength(vector, topicEnd);
    this.best = new TopList(max, 0);
  }
}

/**
 * Compares a candidate with all earlier ones, part by part, and stops where the remaining parts cannot lift the
 * similarity above what both have already: the product of their lengths is the most that they can add.
 */
function compareWithAll(one: Candidate, earlier: Candidate[], products: Float64Array): void {
  let at = 0;
  for (const other of earlier) {
    const threshold = Math.min(one.best.threshold, other.best.threshold);
    let similarity = products[at++]!;
    if (similarity + one.afterContext * other.afterContext <= threshold) continue;
    similarity += dotProduct(one.vector, other.vector, contextEnd, topicEnd);
    if (similarity + one.afterTopic * other.afterTopic <= threshold) continue;
    similarity += dotProduct(one.vector, other.vector, topicEnd, vectorSize);
    if (similarity > one.best.threshold) one.best.add({ index: other.index, similarity });
    if (similarity > other.best.threshold) other.best.add({ index: one.index, similarity });
  }
  earlier.push(one);
}

/** The dot products of the context parts, where most comparisons end. They lie side by side, as numbers that need no conversion. */
class ContextProducts {
  readonly #parts: Float64Array;
  readonly #products: Float64Array;

  constructor(items: readonly { readonly vector: Float32Array }[]) {
    // Room for three more, as four are worked out at a time.
    this.#parts = new Float64Array((items.length + 3) * contextEnd);
    this.#products = new Float64Array(items.length + 3);
    for (const [index, { vector }] of items.entries())
      this.#parts.set(vector.subarray(0, contextEnd), index * contextEnd);
  }

  /** Returns the products of one vector with those before it. Valid until the next call. */
  withEarlier(index: number): Float64Array {
    const parts = this.#parts;
    const products = this.#products;
    const own = parts.slice(index * contextEnd, (index + 1) * contextEnd);
    for (let other = 0; other < index; other += 4) {
      const a = other * contextEnd;
      const b = a + contextEnd;
      const c = b + contextEnd;
      const d = c + contextEnd;
      let first = 0;
      let second = 0;
      let third = 0;
      let fourth = 0;
      for (let at = 0; at < contextEnd; at++) {
        const value = own[at]!;
        first += value * parts[a + at]!;
        second += value * parts[b + at]!;
        third += value * parts[c + at]!;
        fourth += value * parts[d + at]!;
      }
      products[other] = first;
      products[other + 1] = second;
      products[other + 2] = third;
      products[other + 3] = fourth;
    }
    return products;
  }
}

/** The most similar items so far, best first; of equals the first. */
class TopList<T extends { readonly similarity: number }> {
  readonly items: T[] = [];
  /** The similarity that an item must exceed to be added. */
  threshold: number;
  readonly #max: number;

  constructor(max: number, threshold: number) {
    this.#max = max;
    this.threshold = threshold;
  }

  add(item: T): void {
    this.items.splice(
      this.items.findLastIndex(({ similarity }) => similarity >= item.similarity) + 1,
      0,
      item,
    );
    if (this.items.length > this.#max) this.items.pop();
    if (this.items.length === this.#max) this.threshold = this.items.at(-1)?.similarity ?? this.threshold;
  }
}
