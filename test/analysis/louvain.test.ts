import { describe, expect, it } from 'vitest';
import { adjustedRandIndex, consensusCommunities } from '../../src/analysis/consensus.ts';
import { seededRandom } from '../../src/analysis/hash.ts';
import { linkGraph, louvain, type WeightedLink } from '../../src/analysis/louvain.ts';

/** Groups of ten nodes that are all linked, each with one weak link to the next group. */
function ring(groups: number): WeightedLink[] {
  const links: WeightedLink[] = [];
  for (let group = 0; group < groups; group++) {
    for (let from = 0; from < 10; from++)
      for (let to = from + 1; to < 10; to++)
        links.push({ from: group * 10 + from, to: group * 10 + to, weight: 1 });
    links.push({ from: group * 10, to: ((group + 1) % groups) * 10 + 1, weight: 0.1 });
  }
  return links;
}
const expected = (groups: number) =>
  Int32Array.from({ length: groups * 10 }, (_, node) => Math.floor(node / 10));
const noPause = async () => {};

describe('Louvain communities', () => {
  it('are the groups of a ring', () => {
    const found = louvain(linkGraph(80, ring(8)), 1, seededRandom(1));
    expect(adjustedRandIndex(found, expected(8))).toBe(1);
    expect(Math.max(...found)).toBe(7);
  });

  it('are larger at a low resolution, and smaller at a high one', () => {
    const graph = linkGraph(300, ring(30));
    const count = (resolution: number) => new Set(louvain(graph, resolution, seededRandom(1))).size;
    expect(count(0.01)).toBeLessThan(30);
    expect(count(1)).toBe(30);
    expect(count(100)).toBeGreaterThan(30);
  });

  it('leave nodes without links separate', () => {
    const found = louvain(linkGraph(3, [{ from: 0, to: 2, weight: 1 }]), 1, seededRandom(1));
    expect(found[0]).toBe(found[2]);
    expect(found[1]).not.toBe(found[0]);
    expect([...louvain(linkGraph(2, []), 1, seededRandom(1))]).toEqual([0, 1]);
    expect(louvain(linkGraph(0, []), 1, seededRandom(1))).toHaveLength(0);
  });
});

describe('consensus communities', () => {
  it('are the groups of a ring, the same for the same seed', async () => {
    const found = await consensusCommunities(200, ring(20), 1, noPause);
    expect(adjustedRandIndex(found, expected(20))).toBeGreaterThan(0.9);
    expect(await consensusCommunities(200, ring(20), 1, noPause)).toEqual(found);
  });

  it('are the groups of a few nodes, which high resolutions would separate', async () => {
    const pairs = [0, 4].flatMap((start) =>
      [0, 1, 2, 3].flatMap((from) =>
        [0, 1, 2, 3]
          .filter((to) => to > from)
          .map((to) => ({ from: start + from, to: start + to, weight: 1 })),
      ),
    );
    expect([...(await consensusCommunities(8, pairs, 1, noPause))]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it('exist without links and without nodes', async () => {
    expect([...(await consensusCommunities(3, [], 1, noPause))]).toEqual([0, 1, 2]);
    expect(await consensusCommunities(0, [], 1, noPause)).toHaveLength(0);
  });

  it('pause so that other work can run', async () => {
    let pauses = 0;
    await consensusCommunities(40, ring(4), 1, async () => {
      pauses++;
    });
    expect(pauses).toBeGreaterThan(20);
  });
});

describe('the adjusted Rand index', () => {
  it('is 1 for equal groups with any numbers, and about 0 for random groups', () => {
    expect(adjustedRandIndex(Int32Array.of(0, 0, 1, 1), Int32Array.of(5, 5, 2, 2))).toBe(1);
    const random = seededRandom(1);
    const byChance = () => Int32Array.from({ length: 2000 }, () => Math.floor(random() * 10));
    expect(Math.abs(adjustedRandIndex(byChance(), byChance()))).toBeLessThan(0.02);
  });

  it('is 0 if every point is separate or all points are together in both', () => {
    expect(adjustedRandIndex(Int32Array.of(0, 1, 2), Int32Array.of(0, 1, 2))).toBe(0);
    expect(adjustedRandIndex(Int32Array.of(0, 0, 0), Int32Array.of(1, 1, 1))).toBe(0);
  });
});
