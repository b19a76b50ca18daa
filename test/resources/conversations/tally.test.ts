import { expect, it } from 'vitest';
import { weekOf } from '../../../src/analysis/sparkline.ts';
import { getCluster } from '../../../src/resources/conversation-clusters/contract.ts';
import { clusters, issues } from '../../../src/resources/conversation-issues/rows.ts';
import { Tally } from '../../../src/resources/conversations/tally.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';

const now = '2026-11-28T10:00:00.000Z';
const week = (time: string): string => String(weekOf(time));

async function openCluster(world: World) {
  await world.core.store.write(async (tx) => {
    await tx.insert(clusters, {
      id: 'clu_a',
      organization: 'org_acme',
      label: 'Refunds',
      icon: 'bolt',
      summary: { object: 'document', data: { schemaVersion: 2 }, nodes: [] },
      muted: false,
      impact: 'low',
      issues: 0,
      conversations: 0,
      sources: {},
      impacts: { low: 0, medium: 0, high: 0 },
      weeks: {},
      createdAt: now,
      updatedAt: now,
    });
  });
  const count = (createdAt: string, by: 1 | -1 = 1) =>
    world.core.store.write(async (tx) => {
      const tally = new Tally();
      tally.countIssue('clu_a', { source: 'email', impact: 'low', createdAt }, by);
      await tally.save(tx, now);
      const id = `iss_${createdAt}`;
      if (by === -1) await tx.remove(issues, id);
      else
        await tx.insert(issues, {
          id,
          organization: 'org_acme',
          conversation: 'c',
          cluster: 'clu_a',
          point: id,
          title: id,
          text: id,
          impact: 'low',
          source: 'email',
          createdAt,
          ingestedAt: now,
        });
    });
  const weeks = async () =>
    Object.keys((await world.core.store.read((view) => view.get(clusters, 'clu_a')))?.weeks ?? {});
  return { count, weeks };
}

it('a cluster keeps weekly counts up to half a year before its newest issue', async () => {
  const world = await createWorld();
  const { call } = callsIn(() => world);
  const { count, weeks } = await openCluster(world);
  const pulse = async () => {
    const { weeklyPulse, latestPulse } = await call(getCluster, {
      organizationId: 'org_acme',
      clusterId: 'clu_a',
    });
    return { weeklyPulse, latestPulse };
  };
  const none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  await count('2025-03-03T12:00:00.000Z');
  await count('2025-03-17T12:00:00.000Z');
  expect(await pulse()).toEqual({ weeklyPulse: none, latestPulse: [...none.slice(3), 1, 0, 1] });
  await count('2025-05-05T12:00:00.000Z');
  await count('2025-05-05T12:00:00.000Z', -1);
  expect(await pulse()).toMatchObject({ latestPulse: [...none.slice(3), 1, 0, 1] });
  await count('2025-09-01T12:00:00.000Z');
  expect(await weeks()).toEqual(['2025-03-17', '2025-09-01'].map(week));
  expect(await pulse()).toEqual({ weeklyPulse: none, latestPulse: [...none.slice(1), 1] });
});
