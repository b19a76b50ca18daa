import type { CommunityMember } from './communities.ts';
import type { Linked } from './neighbors.ts';

export interface MergedPoints<T> {
  /** The point that now stands for each merged point. */
  readonly targets: ReadonlyMap<T, T>;
  /** The similarity of the last two points that were merged; 1 if none were. */
  readonly similarity: number;
}

/**
 * Merges the most similar neighbors of the same community, the smaller into the larger, until `wanted` points are left. A
 * point that stands for others is not merged: each point goes into one that is similar to it, never along a chain.
 */
export function mergePoints<T extends Linked & CommunityMember>(
  points: readonly T[],
  wanted: number,
): MergedPoints<T> {
  const targets = new Map<T, T>();
  const standing = new Set<T>();
  let lastSimilarity = 1;
  for (const { one, other, similarity } of points.length > wanted ? similarPairs(points) : []) {
    if (points.length - targets.size <= wanted) break;
    if (targets.has(one) || targets.has(other) || (standing.has(one) && standing.has(other))) continue;
    const isOtherSmaller = standing.has(one) || (!standing.has(other) && one.size >= other.size);
    const [merged, target] = isOtherSmaller ? [other, one] : [one, other];
    targets.set(merged, target);
    standing.add(target);
    lastSimilarity = similarity;
  }
  return { targets, similarity: lastSimilarity };
}

interface Pair<T> {
  readonly one: T;
  readonly other: T;
  readonly similarity: number;
  readonly indexes: readonly [one: number, other: number];
}

/** All pairs of neighbors of one community, the most similar first, of equals in the order of the points. */
function similarPairs<T extends Linked & CommunityMember>(points: readonly T[]): Pair<T>[] {
  const pairs = points.flatMap((one, oneIndex) =>
    one.neighbors.flatMap(({ index, similarity }): Pair<T>[] => {
      const other = points[index];
      if (other?.community !== one.community) return [];
      return [{ one, other, similarity, indexes: [oneIndex, index] }];
    }),
  );
  return pairs.sort(
    ({ similarity: first, indexes: [a, b] }, { similarity: second, indexes: [c, d] }) =>
      second - first || a - c || b - d,
  );
}
