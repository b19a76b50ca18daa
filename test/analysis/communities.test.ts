import { describe, expect, it } from 'vitest';
import { reassignLoosePoints } from '../../src/analysis/communities.ts';
import type { Neighbor } from '../../src/analysis/neighbors.ts';
import { vectorSize } from '../../src/analysis/text-vectors.ts';

/** A vector of length one in the given directions. */
function towards(...directions: readonly number[]): Float32Array {
  const vector = new Float32Array(vectorSize);
  for (const direction of directions) vector[direction]! += 1 / Math.sqrt(directions.length);
  return vector;
}

const near = (...points: readonly number[]) => points.map((index) => ({ index, similarity: 0.5 }));

const reassigned = (
  near: readonly (readonly Neighbor[])[],
  communities: readonly number[],
  vectors: readonly Float32Array[],
  sizes: readonly number[],
) =>
  reassignLoosePoints(
    near.map((neighbors, at) => ({
      neighbors,
      community: communities[at]!,
      vector: vectors[at]!,
      size: sizes[at]!,
    })),
  ).map((point) => point.community);

// Two communities about 0 and 1. The last point is about 1, but was assigned to the community about 0.
const vectors = [towards(0), towards(0), towards(1), towards(1), towards(1, 2)];
const community = [7, 7, 3, 3, 7];
const held = [near(1), near(0), near(3), near(2)];
const even = [1, 1, 1, 1, 1];

describe('reassigning loose points', () => {
  it('moves a loosely held point to the community that it is most similar to', () => {
    expect(reassigned([...held, near(0, 2, 3)], community, vectors, even)).toEqual([7, 7, 3, 3, 3]);
  });

  it('keeps a point that two of its five neighbors hold, and a point without neighbors', () => {
    expect(reassigned([...held, near(0, 1, 2, 3, 3)], community, vectors, even)).toEqual(community);
    expect(reassigned([...held, []], community, vectors, even)).toEqual(community);
  });

  it('does not count a point for the center of its own community', () => {
    const alone = [towards(0), towards(0), towards(0, 1)];
    expect(reassigned([near(1), near(0), near(0, 1)], [1, 1, 2], alone, [1, 1, 3])).toEqual([1, 1, 1]);
  });

  it('keeps a point that is not more similar to another community than to its own', () => {
    expect(
      reassigned([...held, near(2, 3)], community, [...vectors.slice(0, 4), towards(0, 0, 2)], even),
    ).toEqual(community);
    expect(
      reassigned(
        [...held, near(2, 3)],
        community,
        [...vectors.slice(0, 4), new Float32Array(vectorSize)],
        even,
      ),
    ).toEqual(community);
  });

  it('weighs a point by the number of its issues', () => {
    const torn = [towards(0), towards(1), towards(2), towards(2), towards(1, 1, 1, 1, 2, 2, 2)];
    const settled = (sizes: readonly number[]) =>
      reassigned([near(1), near(0), near(3), near(2), near(0, 2)], [7, 7, 3, 3, 5], torn, sizes)[4];
    expect([settled([1, 1, 1, 1, 1]), settled([1, 9, 1, 1, 1])]).toEqual([3, 7]);
  });
});
