import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePoints } from '../../src/analysis/merge-points.ts';
import type { Neighbor } from '../../src/analysis/neighbors.ts';
import type { PointText } from '../../src/analysis/state.ts';
import { utterances } from '../samples/utterances.ts';
import { Organization } from '../support/analysis-organization.ts';

/** Returns for each point the index of the point it was merged into, and the last similarity. */
function merged(
  near: readonly (readonly Neighbor[])[],
  communities: readonly number[],
  sizes: readonly number[],
  wanted: number,
) {
  const points = near.map((neighbors, at) => ({ neighbors, community: communities[at]!, size: sizes[at]! }));
  const { targets, similarity } = mergePoints(points, wanted);
  return { stand: points.map((point) => points.indexOf(targets.get(point) ?? point)), similarity };
}

describe('merging points', () => {
  it('merges the smaller point into the larger, most similar pairs first, and returns the last similarity', () => {
    const near = [
      [{ index: 1, similarity: 0.9 }],
      [{ index: 2, similarity: 0.8 }],
      [],
      [{ index: 0, similarity: 0.7 }],
    ];
    expect(merged(near, [0, 0, 0, 0], [1, 5, 1, 1], 3)).toEqual({ stand: [1, 1, 2, 3], similarity: 0.9 });
    expect(merged(near, [0, 0, 0, 0], [1, 5, 1, 1], 1)).toEqual({ stand: [1, 1, 1, 3], similarity: 0.8 });
    expect(merged(near, [0, 1, 1, 0], [1, 5, 1, 1], 1)).toEqual({ stand: [3, 1, 1, 3], similarity: 0.7 });
  });

  it('merges a point only into a similar one of the same community, and never along a chain', () => {
    const graph = fc.array(
      fc.tuple(
        fc.nat({ max: 2 }),
        fc.array(fc.tuple(fc.nat({ max: 11 }), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 4 }),
      ),
      {
        minLength: 12,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(graph, fc.nat({ max: 12 }), (given, wanted) => {
        const near = given.map(([, pairs], one) =>
          pairs.filter(([at]) => at !== one).map(([at, similarity]) => ({ index: at, similarity })),
        );
        const community = given.map(([name]) => name);
        const { stand } = merged(
          near,
          community,
          given.map(() => 1),
          wanted,
        );
        expect(new Set(stand).size).toBeGreaterThanOrEqual(wanted);
        stand.forEach((other, at) => {
          expect([stand[other], community[other]]).toEqual([other, community[at]]);
          if (other !== at)
            expect([
              ...near[at]!.map((one) => one.index),
              ...near.flatMap((each, one) => (each.some((pair) => pair.index === at) ? [one] : [])),
            ]).toContain(other);
        });
      }),
    );
  });

  it('lowers the similarity that is required each time there are too many points, and keeps a few merged texts', async () => {
    const texts = Object.values(utterances).flat();
    const world = new Organization(20);
    await world.stream(texts, 10);
    await world.consolidate();
    const { alike } = world.state.model;
    expect(alike).toBeGreaterThanOrEqual(0.6);
    expect(alike).toBeLessThan(1);
    const kept = [...world.state.rows]
      .filter(([key]) => key.startsWith('point.'))
      .map(([, row]) => (JSON.parse(row) as PointText).others?.length ?? 0);
    expect(Math.max(...kept)).toBeGreaterThan(0);
    expect(Math.max(...kept)).toBeLessThanOrEqual(3);
  });
});
