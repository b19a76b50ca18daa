import { expect, it } from 'vitest';
import type { Api } from '../../src/contract/api.ts';
import { clusterPage } from '../../src/app-pages/cluster-page.ts';
import type { PageContext, PageView } from '../../src/app-pages/page-view.ts';
import { markup } from '../../src/render/markup.ts';
import { getCluster } from '../../src/resources/conversation-clusters/contract.ts';
import { listIssues } from '../../src/resources/conversation-issues/contract.ts';
import { createWorld } from '../support/world.ts';

it.each([
  [{ weeklyPulse: [0, 1], latestPulse: [2, 1] }, '0 1 (oldest first)'],
  [{ weeklyPulse: [0, 0], latestPulse: [2, 1] }, '2 1 (oldest first, up to February 3, 2026, 04:05 UTC)'],
  [{ weeklyPulse: [0, 0] }, '0 0 (oldest first)'],
])('the page of a cluster with %j shows the weeks that have issues', async (pulses, expected) => {
  const world = await createWorld();
  const api = world.as('read');
  const time = '2026-02-03T04:05:00.000Z';
  const summary = { object: 'document', data: {}, nodes: [] };
  const cluster = { label: 'x', summary, stats: {}, sources: {}, updatedAt: time, lastIssueAt: time };
  const call = (operation: unknown, ...input: readonly unknown[]) => {
    if (operation === getCluster) return { ...cluster, ...pulses };
    if (operation === listIssues) return { items: [], count: 0 };
    return (api.call as (...given: readonly unknown[]) => unknown)(operation, ...input);
  };
  const context = { api: { ...api, call } as Api, query: new URLSearchParams(), path: '/o/acme' };
  const given = { organizationId: world.org, clusterId: 'clu_a' };
  const view = (await clusterPage({ ...context, href: (path) => path } as PageContext, given)) as PageView;
  const [, shown = ''] = /<dt>Per week<\/dt><dd>(.*?)<\/dd>/s.exec(markup`${view.body}`.text) ?? [];
  expect(shown.replaceAll(/<[^>]*>/g, '')).toBe(expected);
});
