import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Neighbor } from '../../src/analysis/neighbors.ts';
import { reassignByWords } from '../../src/analysis/reassign-by-words.ts';

const point = (community: number, stems: string, neighbors: readonly number[], others?: string[][]) => ({
  community,
  stems: stems.split(' '),
  neighbors: neighbors.map((index): Neighbor => ({ index, similarity: 0.5 })),
  size: 1,
  ...(others !== undefined && { others }),
});

/** Two communities, 7 on refunds and 3 on flights. */
const communities = [
  point(7, 'refund card payment', [1, 2]),
  point(7, 'refund order', [0, 2]),
  point(7, 'refund payment late', [0, 1]),
  point(3, 'flight seat', [4, 5]),
  point(3, 'flight book', [3, 5]),
  point(3, 'flight cancel', [3, 4]),
];
const lastOf = (...more: readonly ReturnType<typeof point>[]) =>
  reassignByWords([...communities, ...more]).at(-1)?.community;

describe('reassigning points by their words', () => {
  it('moves a point to the community of neighbors with the same words', () => {
    expect(lastOf(point(3, 'refund payment', [0, 3]))).toBe(7);
    expect(lastOf(point(7, 'flight seat late', [0, 3]))).toBe(3);
  });

  it('moves a point to the community of most neighbors if its words fit both', () => {
    expect(lastOf(point(3, 'hello', [0, 1, 2, 3]))).toBe(7);
    expect(lastOf(point(3, 'hello', [0, 3, 4, 5]))).toBe(3);
  });

  it('counts the texts that were merged into a point', () => {
    expect(lastOf(point(3, 'flight', [0, 3], [['refund'], ['refund', 'payment']]))).toBe(7);
    expect(lastOf(point(3, 'flight', [0, 3]))).toBe(3);
  });

  it('does not count the point for its own community', () => {
    const alone = point(9, 'refund payment', [0, 1]);
    expect(lastOf(alone)).toBe(7);
    expect(
      lastOf(point(9, 'refund payment', []), { ...alone, neighbors: [{ index: 6, similarity: 0.5 }] }),
    ).toBe(9);
  });

  it('keeps a point without neighbors, and moves one without words to its neighbors', () => {
    expect(lastOf(point(3, 'refund payment', []))).toBe(3);
    expect(lastOf({ ...point(3, '', [0, 3, 4]), stems: [] })).toBe(3);
    expect(reassignByWords([])).toEqual([]);
  });

  it('keeps the order of points, uses only existing communities, and returns the same result again', () => {
    const word = fc.constantFrom('refund', 'payment', 'flight', 'seat', 'late', 'book');
    const given = fc.array(
      fc.record({
        community: fc.nat({ max: 4 }),
        stems: fc.array(word, { maxLength: 5 }),
        others: fc.option(fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 2 }), { nil: undefined }),
        near: fc.uniqueArray(fc.tuple(fc.nat({ max: 14 }), fc.double({ min: 0.15, max: 1, noNaN: true })), {
          maxLength: 4,
          selector: ([index]) => index,
        }),
      }),
      { minLength: 15, maxLength: 15 },
    );
    fc.assert(
      fc.property(given, (drawn) => {
        const points = drawn.map(({ near, others, ...rest }, at) => ({
          ...rest,
          ...(others !== undefined && { others }),
          neighbors: near
            .filter(([index]) => index !== at)
            .map(([index, similarity]) => ({ index, similarity })),
          size: at + 1,
        }));
        const moved = reassignByWords(points);
        expect(moved).toEqual(points.map((one, at) => ({ ...one, community: moved[at]!.community })));
        const known = new Set(points.map(({ community }) => community));
        for (const { community } of moved) expect(known).toContain(community);
        expect(reassignByWords(points)).toEqual(moved);
      }),
    );
  });
});
