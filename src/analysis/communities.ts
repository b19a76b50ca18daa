import { consensusCommunities } from './consensus.ts';
import type { WeightedLink } from './louvain.ts';
import type { Linked } from './neighbors.ts';
import type { Embedded } from './text-vectors.ts';
import { addScaled, dotProduct } from './vector-math.ts';

/** A point is loose if the similarity to neighbors in its own community is less than this share of the total. */
const looseBelow = 0.4;
const rounds = 2;

export interface CommunityMember {
  readonly community: number;
  /** Number of issues that the point stands for. */
  readonly size: number;
}

type ClusteredPoint = Linked & CommunityMember & Embedded;

/** Assigns each point to a community of the neighbor graph. A point without neighbors gets its own community. */
export async function findCommunities<T extends Linked>(
  points: readonly T[],
  seed: number,
  pause: () => Promise<void>,
): Promise<(T & { community: number })[]> {
  const communities = await consensusCommunities(points.length, linksOf(points), seed, pause);
  return points.map((point, index) => ({ ...point, community: communities[index] ?? index }));
}

/** Returns one link for each pair of neighbors. If both points have each other as neighbors, the link counts twice. */
function linksOf(points: readonly Linked[]): WeightedLink[] {
  const links: WeightedLink[] = [];
  for (const [from, { neighbors }] of points.entries())
    for (const { index: to, similarity } of neighbors) {
      const mutual = points[to]?.neighbors.find((neighbor) => neighbor.index === from);
      if (mutual === undefined || from < to)
        links.push({ from, to, weight: similarity + (mutual?.similarity ?? 0) });
    }
  return links;
}

/**
 * Moves loose points to the community with the most similar center. A short text often has neighbors that share only an everyday
 * word with it, while the texts of a whole community share a topic.
 */
export function reassignLoosePoints<T extends ClusteredPoint>(points: readonly T[]): T[] {
  let current = [...points];
  for (let round = 0; round < rounds; round++) {
    const before = current;
    const sums = sumByCommunity(before);
    current = before.map((point) =>
      isLoose(point, before) ? { ...point, community: mostSimilarCommunity(point, sums) } : point,
    );
  }
  return current;
}

/** Whether a point is loose. A point without neighbors is not, because no other community is similar to it. */
function isLoose({ neighbors, community }: ClusteredPoint, points: readonly CommunityMember[]): boolean {
  let all = 0;
  let inside = 0;
  for (const { index, similarity } of neighbors) {
    all += similarity;
    if (points[index]?.community === community) inside += similarity;
  }
  return inside < looseBelow * all;
}

interface CommunitySum extends Embedded {
  /** The square of the vector's length. */
  readonly square: number;
}

/** Returns the sum of the vectors of each community. A point counts once for each of its issues. */
function sumByCommunity(points: readonly ClusteredPoint[]): Map<number, CommunitySum> {
  const sums = new Map<number, Float32Array>();
  for (const { community, vector, size } of points) {
    const sum = sums.get(community) ?? new Float32Array(vector.length);
    sums.set(community, sum);
    addScaled(sum, vector, size);
  }
  return new Map(
    Array.from(sums, ([community, vector]) => [
      community,
      { vector, square: dotProduct(vector, vector, 0, vector.length) },
    ]),
  );
}

/** Returns the community with the most similar center. The center of the point's own community is computed without it. */
function mostSimilarCommunity(
  { vector, size, community: own }: ClusteredPoint,
  sums: ReadonlyMap<number, CommunitySum>,
): number {
  const square = dotProduct(vector, vector, 0, vector.length);
  const similarityTo = (sum: CommunitySum, without: number): number => {
    const product = dotProduct(vector, sum.vector, 0, vector.length);
    const length = Math.sqrt(Math.max(0, sum.square - without * (2 * product - without * square)));
    return length > 1e-6 ? (product - without * square) / length : 0;
  };
  const ownSum = sums.get(own);
  let best = own;
  let highest = ownSum === undefined ? 0 : similarityTo(ownSum, size);
  for (const [community, sum] of sums) {
    const similarity = community === own ? 0 : similarityTo(sum, 0);
    if (similarity > highest) [best, highest] = [community, similarity];
  }
  return best;
}

/**
 * Names each community after the cluster of most of its issues. The community with the largest share chooses first. A community
 * whose choice is taken gets a new ID.
 */
export function nameCommunities(
  points: readonly (CommunityMember & { cluster: string })[],
  newId: () => string,
): Map<number, string> {
  const shares = new Map<string, { cluster: string; community: number; size: number }>();
  for (const { cluster, community, size } of points) {
    const key = `${community} ${cluster}`;
    shares.set(key, { cluster, community, size: (shares.get(key)?.size ?? 0) + size });
  }
  const bySize = [...shares.values()].sort(
    (one, other) =>
      other.size - one.size || (one.cluster < other.cluster ? -1 : 1) || one.community - other.community,
  );
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const { cluster, community } of bySize) {
    if (names.has(community) || taken.has(cluster)) continue;
    names.set(community, cluster);
    taken.add(cluster);
  }
  for (const { community } of points) if (!names.has(community)) names.set(community, newId());
  return names;
}
