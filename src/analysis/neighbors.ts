import type { MeasuredVector } from './packed-vectors.ts';
import { contextEnd, type Embedded, restLength, topicEnd, vectorSize } from './text-vectors.ts';
import { dotProduct } from './vector-math.ts';

export interface Neighbor {
  /** Index in the list of points. */
  readonly index: number;
  readonly similarity: number;
}

export interface Linked {
  readonly neighbors: readonly Neighbor[];
}

/** Points that are less similar are never linked. */
const minSimilarity = 0.15;
/** Frequent points need more to be linked: a text that many people send is a topic of its own. */
const minFrequentSimilarity = 0.65;
/** Issues that make a point frequent; once points were merged, this many times the median. */
const frequent = { issues: 5, timesMedian: 10 };

export function markFrequent<T extends { readonly size: number }>(
  points: readonly T[],
  isMerged: boolean,
): (T & { readonly isFrequent: boolean })[] {
  const median = points.map(({ size }) => size).sort((one, other) => one - other)[points.length >> 1] ?? 0;
  const minSize = isMerged ? frequent.timesMedian * median : frequent.issues;
  return points.map((point) => ({ ...point, isFrequent: point.size >= minSize }));
}

/** Removes the neighbors that are not similar enough to be linked. */
export function keepStrongLinks<T extends Linked & { readonly isFrequent: boolean }>(
  points: readonly T[],
): T[] {
  return points.map((point) => ({
    ...point,
    neighbors: point.neighbors.filter(({ index, similarity }) => {
      const isFrequent = point.isFrequent || points[index]?.isFrequent;
      return similarity >= (isFrequent ? minFrequentSimilarity : minSimilarity);
    }),
  }));
}

/** Returns the `max` items that are most similar to a vector, best first; of equals the first. */
export function findNearest<T>(
  { values, rest }: MeasuredVector,
  items: Iterable<T>,
  vectorOf: (item: T) => MeasuredVector,
  max: number,
): { item: T; similarity: number }[] {
  const best: { item: T; similarity: number }[] = [];
  let threshold = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const other = vectorOf(item);
    let similarity = dotProduct(values, other.values, 0, contextEnd);
    if (similarity + rest * other.rest <= threshold) continue;
    similarity += dotProduct(values, other.values, contextEnd, vectorSize);
    if (similarity > threshold) threshold = insert(best, { item, similarity }, max) ?? threshold;
  }
  return best;
}

/** Adds to each item its `max` most similar others with a similarity above 0, best first. Awaits `pause` now and then. */
export async function findNeighbors<T extends Embedded>(
  items: readonly T[],
  max: number,
  pause: () => Promise<void>,
): Promise<(T & Linked)[]> {
  const productsOf = contextProducts(items);
  const compared: Candidate[] = [];
  for (const [index, { vector }] of items.entries()) {
    if (index % 64 === 0) await pause();
    const candidate = new Candidate(index, vector, max);
    compare(candidate, compared, productsOf(index));
    compared.push(candidate);
  }
  return items.map((item, index) => ({ ...item, neighbors: compared[index]?.neighbors ?? [] }));
}

class Candidate {
  readonly index: number;
  readonly vector: Float32Array;
  /** Lengths of what follows the context and the topic. */
  readonly afterContext: number;
  readonly afterTopic: number;
  readonly neighbors: Neighbor[] = [];
  readonly #max: number;
  /** Only neighbors above this are added. */
  threshold = 0;

  constructor(index: number, vector: Float32Array, max: number) {
    this.index = index;
    this.vector = vector;
    this.afterContext = restLength(vector, contextEnd);
    this.afterTopic = restLength(vector, topicEnd);
    this.#max = max;
  }

  add({ index }: Candidate, similarity: number): void {
    if (similarity > this.threshold)
      this.threshold = insert(this.neighbors, { index, similarity }, this.#max) ?? 0;
  }
}

/**
 * Compares a candidate with others part by part, and stops when the rest cannot lift the similarity above what both have
 * already: it adds at most the product of its lengths.
 */
function compare(one: Candidate, others: readonly Candidate[], products: Float64Array): void {
  let at = 0;
  for (const other of others) {
    const threshold = Math.min(one.threshold, other.threshold);
    let similarity = products[at++]!;
    if (similarity + one.afterContext * other.afterContext <= threshold) continue;
    similarity += dotProduct(one.vector, other.vector, contextEnd, topicEnd);
    if (similarity + one.afterTopic * other.afterTopic <= threshold) continue;
    similarity += dotProduct(one.vector, other.vector, topicEnd, vectorSize);
    one.add(other, similarity);
    other.add(one, similarity);
  }
}

/**
 * Returns a function from an index to the products of that item's context with all before it; the array is reused. Most
 * comparisons end here, so contexts lie side by side as doubles, and four products are computed at a time.
 */
function contextProducts(items: readonly Embedded[]): (index: number) => Float64Array {
  const width = contextEnd;
  // The last group of four may reach three rows past the end.
  const contexts = new Float64Array((items.length + 3) * width);
  const products = new Float64Array(items.length + 3);
  for (const [index, { vector }] of items.entries()) contexts.set(vector.subarray(0, width), index * width);
  return (index) => {
    const own = contexts.slice(index * width, (index + 1) * width);
    for (let other = 0; other < index; other += 4) {
      const a = other * width;
      const b = a + width;
      const c = b + width;
      const d = c + width;
      let first = 0;
      let second = 0;
      let third = 0;
      let fourth = 0;
      for (let at = 0; at < width; at++) {
        const value = own[at]!;
        first += value * contexts[a + at]!;
        second += value * contexts[b + at]!;
        third += value * contexts[c + at]!;
        fourth += value * contexts[d + at]!;
      }
      products[other] = first;
      products[other + 1] = second;
      products[other + 2] = third;
      products[other + 3] = fourth;
    }
    return products;
  };
}

/**
 * Inserts an item into a list of the `max` most similar ones, best first and after its equals. Returns the similarity that
 * further items must exceed; undefined until the list is full.
 */
function insert<T extends { readonly similarity: number }>(
  best: T[],
  item: T,
  max: number,
): number | undefined {
  best.splice(best.findLastIndex(({ similarity }) => similarity >= item.similarity) + 1, 0, item);
  if (best.length > max) best.pop();
  return best[max - 1]?.similarity;
}
