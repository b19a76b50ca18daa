import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { condense } from '../../src/analysis/condense.ts';
import type { PointText } from '../../src/analysis/state.ts';
import { utterances } from '../samples/utterances.ts';
import { Organization } from './state.ts';

describe('condensing points', () => {
  it('joins the smaller to the larger, the most alike first, and says how alike the last two were', () => {
    const near = [[{ at: 1, likeness: 0.9 }], [{ at: 2, likeness: 0.8 }], [], [{ at: 0, likeness: 0.7 }]];
    expect(condense(near, [0, 0, 0, 0], [1, 5, 1, 1], 3)).toEqual({ stand: [1, 1, 2, 3], alike: 0.9 });
    expect(condense(near, [0, 0, 0, 0], [1, 5, 1, 1], 1)).toEqual({ stand: [1, 1, 1, 3], alike: 0.8 });
    expect(condense(near, [0, 1, 1, 0], [1, 5, 1, 1], 1)).toEqual({ stand: [3, 1, 1, 3], alike: 0.7 });
  });

  it('joins each to what it is like, never along a chain, and no two of different communities', () => {
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
          pairs.filter(([at]) => at !== one).map(([at, likeness]) => ({ at, likeness })),
        );
        const community = given.map(([name]) => name);
        const { stand } = condense(
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
              ...near[at]!.map((one) => one.at),
              ...near.flatMap((each, one) => (each.some((pair) => pair.at === at) ? [one] : [])),
            ]).toContain(other);
        });
      }),
    );
  });

  it('takes less for the same each time there are too many, and keeps a few of the texts that joined', async () => {
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
