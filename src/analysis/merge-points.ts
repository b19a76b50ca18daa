import type { CommunityMember } from './communities.ts';
import type { Linked } from './neighbors.ts';

interface Pair<T> {
  readonly one: T;
  readonly other: T;
  readonly similarity: number;
}

/**
 * Merges the most similar neighbors of the same community, the smaller into the larger, until `wanted` points are left. A
 * point that stands for others is not merged: each point goes into one that is similar to it, never along a chain.
 * Returns the target of each merged point, and the similarity of the last two (1 if none were merged).
 */
export function mergePoints<T extends Linked & CommunityMember>(
  points: readonly T[],
  wanted: number,
): { targets: ReadonlyMap<T, T>; similarity: number } {
  const targets = new Map<T, T>();
  const standing = new Set<T>();
  let lastSimilarity = 1;
  for (const { one, other, similarity } of points.length > wanted ? similarPairs(points) : []) {
    if (points.length - targets.size <= wanted) break;
    if (targets.has(one) || targets.has(other) || (standing.has(one) && standing.has(other))) continue;
    const isOtherMerged = standing.has(one) || (!standing.has(other) && one.size >= other.size);
    const [merged, target] = isOtherMerged ? [other, one] : [one, other];
    targets.set(merged, target);
    standing.add(target);
    lastSimilarity = similarity;
  }
  return { targets, similarity: lastSimilarity };
}

/** Returns the pairs of neighbors of one community, the most similar first, then in the order of the points. */
function similarPairs<T extends Linked & CommunityMember>(points: readonly T[]): Pair<T>[] {
  const pairs = points.flatMap((one) =>
    one.neighbors
      .toSorted((first, second) => first.index - second.index)
      .flatMap(({ index, similarity }): Pair<T>[] => {
        const other = points[index];
        return other?.community === one.community ? [{ one, other, similarity }] : [];
      }),
  );
  return pairs.sort((first, second) => second.similarity - first.similarity);
}
