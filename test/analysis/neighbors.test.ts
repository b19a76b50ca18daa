import { describe, expect, it } from 'vitest';
import { keepStrongLinks, markFrequent, type Neighbor } from '../../src/analysis/neighbors.ts';

const strongLinks = (near: readonly (readonly Neighbor[])[], frequent: readonly number[]) =>
  keepStrongLinks(near.map((neighbors, index) => ({ neighbors, isFrequent: frequent.includes(index) }))).map(
    ({ neighbors }) => neighbors,
  );

describe('linking points', () => {
  it('does not link points that are hardly similar', () => {
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

  it('links a frequent point only to what is really similar, in both directions', () => {
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

  it('takes five equal issues as frequent, and once points were merged, what stands out', () => {
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
