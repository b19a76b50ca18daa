import { describe, expect, it } from 'vitest';
import { consolidate, isConsolidationDue, nextMoves } from '../../src/analysis/consolidate.ts';
import { placeIssues, withdrawIssues } from '../../src/analysis/place-issues.ts';
import { emptyModel } from '../../src/analysis/state.ts';
import { utterances } from '../samples/utterances.ts';
import { agreement } from '../support/agreement.ts';
import { MemoryState, Organization } from '../support/analysis-organization.ts';

const pairs = Object.entries(utterances).flatMap(([topic, texts]) => texts.map((text) => ({ topic, text })));
// Shuffled, but the same in every run.
const mixed = pairs.map((_, at) => pairs[(at * 23) % pairs.length]!);
const texts = mixed.map(({ text }) => text);
const topics = mixed.map(({ topic }) => topic);

/** Clusters as sets of texts, so that their IDs do not matter. */
function asSets(issues: readonly string[], clusters: readonly string[]): string[][] {
  const sets = new Map<string, string[]>();
  issues.forEach((text, at) => sets.set(clusters[at]!, [...(sets.get(clusters[at]!) ?? []), text]));
  return [...sets.values()]
    .map((set) => set.toSorted())
    .toSorted((one, other) => (one[0]! < other[0]! ? -1 : 1));
}

describe('clusters', () => {
  it('match the topics of the texts', async () => {
    const world = new Organization();
    await world.place(texts);
    await world.consolidate();
    const { ami, clusters, singletons } = agreement(topics, world.clusters);
    expect(ami).toBeGreaterThan(0.5);
    expect(singletons).toBeLessThan(0.05);
    expect(clusters).toBeLessThanOrEqual(14);
  });

  it('match topics of a handful of issues, in any order', async () => {
    const few = {
      password: [
        'How do I reset my password?',
        'I forgot my password and need to reset it',
        'Reset my password please',
      ],
      refund: [
        'I want a refund for my last invoice',
        'When will I get my refund?',
        'Please refund my subscription',
      ],
      pdf: [
        'How do I export a page to PDF?',
        'The PDF export is missing images',
        'Export to PDF does not work',
      ],
    };
    const expected = Object.values(few).map((set) => set.toSorted());
    for (const step of [1, 2, 4, 5, 7, 8]) {
      const all = Object.values(few).flat();
      const issues = all.map((_, at) => all[(at * step) % all.length]!);
      const world = new Organization();
      await world.stream(issues, 9);
      expect(asSets(issues, world.clusters)).toEqual(
        expected.toSorted((one, other) => (one[0]! < other[0]! ? -1 : 1)),
      );
    }
  });

  it('are the same after consolidation for any order and any batches', async () => {
    const [one, other] = [new Organization(), new Organization()];
    await one.place(texts);
    await one.consolidate();
    const turned = texts.toReversed();
    await other.stream(turned, 7);
    await other.consolidate();
    expect(asSets(turned, other.clusters)).toEqual(asSets(texts, one.clusters));
  });

  it('include a new issue without a new consolidation, and with few rows read and written', async () => {
    const world = new Organization();
    await world.place(texts);
    await world.consolidate();
    world.state.reads = world.state.written = 0;
    await world.place(['I cannot reset my password with the link from the mail']);
    const near = world.clusters.slice(0, -1).filter((_, at) => topics[at] === 'password');
    expect(near).toContain(world.clusters.at(-1));
    expect(world.state.reads).toBeLessThan(20);
    expect(world.state.written).toBeLessThanOrEqual(3);
  });

  it('treat equal texts as one point, in any case and punctuation', async () => {
    const world = new Organization();
    await world.place(['Reset my password!', 'reset my PASSWORD', 'Export a PDF']);
    expect(world.issues[0]).toEqual(world.issues[1]);
    expect(world.state.model).toMatchObject({ issues: 3, points: 2 });
  });

  it('separate many equal issues from issues that are not similar', async () => {
    const others = pairs
      .filter(({ topic }) => topic !== 'password')
      .flatMap(({ text }) =>
        ['', ' on staging', ' since yesterday', ' again'].map((tail) => `${text}${tail}`),
      );
    expect(others).toHaveLength(200);
    for (const [equal, times] of [
      ['password reset email never arrives', 50],
      ['the same text about login failing', 300],
    ] as const) {
      const world = new Organization();
      const all = [...others, ...Array.from({ length: times }, () => equal)];
      await world.stream(all, 500);
      await world.consolidate();
      const own = world.clusters.at(-1)!;
      expect(all.filter((_, at) => world.clusters[at] === own)).toEqual(
        Array.from({ length: times }, () => equal),
      );
    }
  });

  it('keep many equal issues together with issues that are similar to them', async () => {
    const world = new Organization();
    const like = 'Please send me a new password reset link';
    await world.place([...texts, ...Array.from({ length: 50 }, () => like)]);
    await world.consolidate();
    const own = world.clusters.at(-1)!;
    const beside = texts.filter((text, at) => world.clusters[at] === own && text !== like);
    expect(beside.length).toBeGreaterThan(2);
    expect(new Set(beside.map((text) => topics[texts.indexOf(text)]))).toEqual(new Set(['password']));
  });

  it('keep their IDs as they grow', async () => {
    const world = new Organization();
    await world.place(texts);
    await world.consolidate();
    const before = [...world.clusters];
    await world.place(['How do I reset my password when I have no mail?', 'The PDF export has no images']);
    await world.consolidate();
    const kept = before.filter((cluster, at) => cluster === world.clusters[at]).length;
    expect(kept).toBeGreaterThan(before.length * 0.7);
  });

  it('stay the same if they are consolidated again without a change', async () => {
    const world = new Organization();
    await world.place(texts);
    await world.consolidate();
    const before = [...world.clusters];
    await world.consolidate();
    expect(world.clusters).toEqual(before);
    const held = [...world.state.rows].filter(([key]) => key.startsWith('cluster.'));
    expect(new Set(held.map(([key]) => key.slice(8)))).toEqual(new Set(before));
  });

  it('report created and removed clusters, so that applying the changes gives the stored clusters', async () => {
    const state = new MemoryState();
    const alive = new Set<string>();
    const issues: { point: string; cluster: string }[] = [];
    let count = 0;
    const newId = () => `c${++count}`;
    for (let start = 0; start < texts.length; start += 20) {
      const batch = texts.slice(start, start + 20).map((text) => ({ text }));
      const { placed, writes } = await placeIssues(state, batch, { newId });
      state.apply(writes);
      for (const { cluster, isNewCluster } of placed) if (isNewCluster) alive.add(cluster);
      issues.push(...placed);
      const done = await consolidate(state, { newId });
      state.apply(done.writes);
      for (const cluster of done.created) alive.add(cluster);
      for (let next = await nextMoves(state); next !== undefined; next = await nextMoves(state)) {
        for (const { point, cluster } of next.moves)
          for (const issue of issues) if (issue.point === point) issue.cluster = cluster;
        state.apply(next.writes);
      }
      for (const cluster of done.removed) alive.delete(cluster);
      expect(new Set(issues.map(({ cluster }) => cluster))).toEqual(alive);
    }
    expect([...state.rows.keys()].filter((key) => key.startsWith('moves.'))).toEqual([]);
  });

  it('merge points if there are too many, and lose no issue', async () => {
    const world = new Organization(20);
    await world.stream([...texts, ...texts], 10);
    await world.consolidate();
    expect(world.state.model).toMatchObject({ issues: 120 });
    expect(world.state.model.points).toBeLessThanOrEqual(20);
    const sizes = [...world.state.rows]
      .filter(([key]) => key.startsWith('cluster.'))
      .flatMap(([, row]) => (JSON.parse(row) as { id: string; size: number }[]).map(({ size }) => size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(120);
    const points = new Set(
      [...world.state.rows.keys()].filter((key) => key.startsWith('point.')).map((key) => key.slice(6)),
    );
    expect(world.issues.every(({ point }) => points.has(point))).toBe(true);
  });

  it('drop withdrawn issues', async () => {
    const world = new Organization();
    await world.place(['Reset my password', 'Reset my password', 'Export a PDF']);
    const [first, , last] = world.issues;
    const once = await withdrawIssues(world.state, [first!.point]);
    world.state.apply(once.writes);
    expect([once.removed, world.state.model]).toMatchObject([[], { issues: 2, points: 2 }]);
    const all = await withdrawIssues(world.state, [first!.point, last!.point, 'unknown']);
    world.state.apply(all.writes);
    expect(new Set(all.removed)).toEqual(new Set([first!.cluster, last!.cluster]));
    expect([...world.state.rows.keys()].toSorted()).toEqual(['centres', 'model']);
    expect(world.state.model).toMatchObject({ points: 0 });
  });

  it('can be consolidated without any known texts', async () => {
    const world = new Organization();
    await world.place([]);
    await world.consolidate();
    expect(await nextMoves(world.state)).toBeUndefined();
    await world.place(['']);
    await world.place(['🙂']);
    await world.consolidate();
    expect(world.issues).toHaveLength(2);
  });

  it('are unchanged if a consolidation is stopped', async () => {
    const world = new Organization();
    await world.place(texts);
    const before = new Map(world.state.rows);
    const stop = async () => Promise.reject(new Error('stopped'));
    await expect(consolidate(world.state, { newId: world.newId, pause: stop })).rejects.toThrow('stopped');
    expect(world.state.rows).toEqual(before);
  });

  it('are due after a fifth of new issues, or three times as many while more are waiting, but not during moves', () => {
    const model = { ...emptyModel, issuesThen: 1000, fresh: 200 };
    expect(isConsolidationDue(model, false)).toBe(true);
    expect(isConsolidationDue({ ...model, fresh: 199 }, false)).toBe(false);
    expect(isConsolidationDue(model, true)).toBe(false);
    expect(isConsolidationDue({ ...model, fresh: 3000 }, true)).toBe(true);
    expect(isConsolidationDue({ ...model, movesEnd: 1 }, false)).toBe(false);
    expect(isConsolidationDue({ ...emptyModel, fresh: 4 }, false)).toBe(false);
    expect(isConsolidationDue({ ...emptyModel, fresh: 5 }, false)).toBe(true);
    expect(isConsolidationDue({ ...emptyModel, fresh: 24 }, true)).toBe(false);
    expect(isConsolidationDue({ ...emptyModel, fresh: 25 }, true)).toBe(true);
    expect(isConsolidationDue({ ...model, fresh: 2999 }, true)).toBe(false);
    expect(isConsolidationDue({ ...model, issuesThen: 1e6, fresh: 10_000 }, false)).toBe(true);
    expect(isConsolidationDue({ ...model, issuesThen: 1e6, fresh: 50_000 }, true)).toBe(true);
  });

  it('are due with more than 4,000 points, at least 1,000 of them new', () => {
    const isDue = (points: number, pointsThen: number): boolean =>
      isConsolidationDue({ ...emptyModel, issuesThen: 1e6, points, pointsThen }, false);
    expect([isDue(4001, 3001), isDue(4001, 3002), isDue(4000, 3000)]).toEqual([true, false, false]);
  });
});
