import { describe, expect, it } from 'vitest';
import {
  findNearest,
  findNeighbors,
  keepStrongLinks,
  markFrequent,
  type Neighbor,
} from '../../src/analysis/neighbors.ts';
import { contextEnd, restLength, vectorSize, type Embedded } from '../../src/analysis/text-vectors.ts';
import { dotProduct } from '../../src/analysis/vector-math.ts';

const strongLinks = (near: readonly (readonly Neighbor[])[], frequent: readonly number[]) =>
  keepStrongLinks(near.map((neighbors, index) => ({ neighbors, isFrequent: frequent.includes(index) }))).map(
    ({ neighbors }) => neighbors,
  );

describe('linking points', () => {
  it('does not link points with a low similarity', () => {
    const near = [
      [
        { index: 1, similarity: 0.5 },
        { index: 2, similarity: 0.1 },
      ],
      [{ index: 0, similarity: 0.5 }],
      [{ index: 0, similarity: 0.1 }],
    ];
    expect(strongLinks(near, [])).toEqual([
      [{ index: 1, similarity: 0.5 }],
      [{ index: 0, similarity: 0.5 }],
      [],
    ]);
  });

  it('links a frequent point only to very similar points, in both directions', () => {
    const near = [
      [
        { index: 1, similarity: 0.6 },
        { index: 2, similarity: 0.5 },
      ],
      [{ index: 0, similarity: 0.6 }],
      [
        { index: 0, similarity: 0.5 },
        { index: 1, similarity: 0.8 },
      ],
    ];
    expect(strongLinks(near, [1])).toEqual([
      [{ index: 2, similarity: 0.5 }],
      [],
      [
        { index: 0, similarity: 0.5 },
        { index: 1, similarity: 0.8 },
      ],
    ]);
  });

  it('treats five equal issues as frequent, and only outliers once points were merged', () => {
    const frequentOf = (sizes: readonly number[], isMerged: boolean) =>
      markFrequent(
        sizes.map((size) => ({ size })),
        isMerged,
      ).flatMap(({ size, isFrequent }) => (isFrequent ? [size] : []));
    expect(frequentOf([1, 4, 5, 900], false)).toEqual([5, 900]);
    expect(frequentOf([100, 100, 100], false)).toEqual([100, 100, 100]);
    expect(frequentOf([3, 29, 3, 30, 2], true)).toEqual([30]);
    expect(frequentOf([], true)).toEqual([]);
  });
});

describe('the most similar points', () => {
  /** Vectors of length one whose parts have different weights, the same in every run. */
  function vectorsOf(count: number): Embedded[] {
    let state = 7;
    const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5;
    return Array.from({ length: count }, (_, index) => {
      const heavy = index % 3;
      const vector = Float32Array.from({ length: vectorSize }, (__, at) => {
        const part = at < contextEnd ? 0 : 1 + Number(at >= vectorSize - 64);
        return random() * (part === heavy ? 3 : 0.2);
      });
      const length = Math.sqrt(dotProduct(vector, vector, 0, vectorSize));
      return { vector: vector.map((value) => value / length) };
    });
  }
  const items = vectorsOf(130);
  const similarityOf = (one: Embedded, other: Embedded) =>
    dotProduct(one.vector, other.vector, 0, vectorSize);

  it.each([1, 3, 10])('are the %i that a comparison of all pairs finds', async (max) => {
    let pauses = 0;
    const found = await findNeighbors(items, max, async () => void pauses++);
    expect(pauses).toBe(3);
    for (const [index, item] of items.entries()) {
      const expected = items
        .map((other, at) => ({ index: at, similarity: similarityOf(item, other) }))
        .filter((other) => other.index !== index && other.similarity > 0)
        .sort((one, other) => other.similarity - one.similarity)
        .slice(0, max);
      expect(found[index]?.neighbors.map((neighbor) => neighbor.index)).toEqual(
        expected.map((neighbor) => neighbor.index),
      );
    }
  });

  it('are found for a single vector', () => {
    const measured = ({ vector }: Embedded) => ({ values: vector, rest: restLength(vector, contextEnd) });
    const [first, ...others] = items;
    if (first === undefined) throw new Error('There are vectors.');
    for (const max of [1, 5]) {
      const expected = others
        .toSorted((one, other) => similarityOf(first, other) - similarityOf(first, one))
        .slice(0, max);
      expect(findNearest(measured(first), others, measured, max).map(({ item }) => item)).toEqual(expected);
    }
  });
});
