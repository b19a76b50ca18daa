import type { Neighbour } from './neighbours.ts';
import { productOf, vectorSize } from './vector.ts';

/** With less than this share of the likeness to its neighbours inside its community, a point is held there loosely. */
const loose = 0.4;
const rounds = 2;

interface Sum {
  readonly vector: Float32Array;
  /** The square of its length. */
  readonly square: number;
}

/**
 * Moves the points that their neighbours hold loosely to the community that as a whole is most like them. A short text
 * has neighbours that share a word of every day with it; what all of a community have in common is what it is about. A
 * point counts as often as the issues that it stands for.
 */
export function settle(
  neighbours: readonly (readonly Neighbour[])[],
  community: readonly number[],
  vectors: readonly Float32Array[],
  sizes: readonly number[],
): number[] {
  let settled = [...community];
  for (let round = 0; round < rounds; round++) {
    const sums = sumsOf(settled, vectors, sizes);
    const before = settled;
    settled = before.map((own, at) =>
      isLoose(neighbours[at]!, before, own) ? mostAlike(vectors[at]!, sizes[at]!, own, sums) : own,
    );
  }
  return settled;
}

/** One without neighbours is not loose: it is like nothing. */
function isLoose(near: readonly Neighbour[], community: readonly number[], own: number): boolean {
  let all = 0;
  let inside = 0;
  for (const { at, likeness } of near) {
    all += likeness;
    if (community[at] === own) inside += likeness;
  }
  return inside < loose * all;
}

/** The community whose middle is most like a vector of `own`, which does not count in its own middle with its size. */
function mostAlike(vector: Float32Array, size: number, own: number, sums: ReadonlyMap<number, Sum>): number {
  const square = productOf(vector, vector, 0, vectorSize);
  const likenessTo = (sum: Sum, without: number): number => {
    const product = productOf(vector, sum.vector, 0, vectorSize);
    const length = Math.sqrt(Math.max(0, sum.square - without * (2 * product - without * square)));
    return length > 1e-6 ? (product - without * square) / length : 0;
  };
  let best = { community: own, likeness: likenessTo(sums.get(own)!, size) };
  for (const [community, sum] of sums) {
    const likeness = community === own ? 0 : likenessTo(sum, 0);
    if (likeness > best.likeness) best = { community, likeness };
  }
  return best.community;
}

function sumsOf(
  community: readonly number[],
  vectors: readonly Float32Array[],
  sizes: readonly number[],
): Map<number, Sum> {
  const sums = new Map<number, Float32Array>();
  community.forEach((name, at) => {
    const sum = sums.get(name) ?? new Float32Array(vectorSize);
    sums.set(name, sum);
    vectors[at]!.forEach((value, index) => (sum[index]! += sizes[at]! * value));
  });
  return new Map(
    [...sums].map(([name, vector]) => [name, { vector, square: productOf(vector, vector, 0, vectorSize) }]),
  );
}
