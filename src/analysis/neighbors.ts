import type { MeasuredVector } from './packed-vectors.ts';
import { contextEnd, type Embedded, restLength, topicEnd } from './text-vectors.ts';
import { dotProduct } from './vector-math.ts';

export interface Neighbor {
  readonly index: number;
  readonly similarity: number;
}

export interface Linked {
  readonly neighbors: readonly Neighbor[];
}

/** Points that are less similar are never linked. */
const minSimilarity = 0.15;
/** Minimum similarity for links of frequent points. It is higher, because a text from many people is a topic of its own. */
const minFrequentSimilarity = 0.65;
/** Minimum number of issues of a frequent point. After points were merged: this multiple of the median. */
const frequent = { issues: 5, timesMedian: 10 };

/** Adds to each point whether it represents unusually many issues. */
export function markFrequent<T extends { size: number }>(
  points: readonly T[],
  isMerged: boolean,
): (T & { isFrequent: boolean })[] {
  const median = points.map(({ size }) => size).sort((one, other) => one - other)[points.length >> 1] ?? 0;
  const minSize = isMerged ? frequent.timesMedian * median : frequent.issues;
  return points.map((point) => ({ ...point, isFrequent: point.size >= minSize }));
}

/** Removes the neighbors that are not similar enough to be linked. */
export function keepStrongLinks<T extends Linked & { isFrequent: boolean }>(points: readonly T[]): T[] {
  return points.map((point) => ({
    ...point,
    neighbors: point.neighbors.filter(({ index, similarity }) => {
      const isFrequent = point.isFrequent || points[index]?.isFrequent;
      return similarity >= (isFrequent ? minFrequentSimilarity : minSimilarity);
    }),
  }));
}

/** Returns the `max` items that are most similar to a vector, best first. Of equal items, the first ones are returned. */
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
    similarity += dotProduct(values, other.values, contextEnd, values.length);
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
  const compare = comparer(items, max);
  const compared: Candidate[] = [];
  for (const [index, { vector }] of items.entries()) {
    if (index % 64 === 0) await pause();
    const candidate = { index, vector, afterTopic: restLength(vector, topicEnd), neighbors: [] };
    compare(candidate, compared);
    compared.push(candidate);
  }
  return items.map((item, index) => ({ ...item, neighbors: compared[index]?.neighbors ?? [] }));
}

interface Candidate extends Embedded {
  readonly index: number;
  /** Length of what follows the topic. */
  readonly afterTopic: number;
  readonly neighbors: Neighbor[];
}

/**
 * Returns a function that compares a candidate with all before it. It compares part by part, and stops when the rest cannot
 * lift the similarity above what both have already: the rest adds at most the product of its lengths.
 */
function comparer(
  items: readonly Embedded[],
  max: number,
): (one: Candidate, others: readonly Candidate[]) => void {
  const productsOf = contextProducts(items);
  // Most comparisons only read numbers that are adjacent in memory.
  const afterContext = Float64Array.from(items, ({ vector }) => restLength(vector, contextEnd));
  const end = items[0]?.vector.length ?? 0;
  /** Only neighbors above this are added. */
  const thresholds = new Float64Array(items.length);
  const add = (to: Candidate, { index }: Candidate, similarity: number): void => {
    if (similarity > thresholds[to.index]!)
      thresholds[to.index] = insert(to.neighbors, { index, similarity }, max) ?? 0;
  };
  return (one, others) => {
    const { index, vector, afterTopic } = one;
    const products = productsOf(index);
    const rest = afterContext[index]!;
    let at = 0;
    for (const other of others) {
      const threshold = Math.min(thresholds[index]!, thresholds[at]!);
      const product = products[at]!;
      if (product + rest * afterContext[at++]! <= threshold) continue;
      const withTopic = product + dotProduct(vector, other.vector, contextEnd, topicEnd);
      if (withTopic + afterTopic * other.afterTopic <= threshold) continue;
      const similarity = withTopic + dotProduct(vector, other.vector, topicEnd, end);
      add(one, other, similarity);
      add(other, one, similarity);
    }
  };
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
function insert<T extends { similarity: number }>(best: T[], item: T, max: number): number | undefined {
  let at = Math.min(best.length, max - 1);
  for (; at > 0; at--) {
    const before = best[at - 1];
    if (before === undefined || before.similarity >= item.similarity) break;
    best[at] = before;
  }
  best[at] = item;
  return best[max - 1]?.similarity;
}
