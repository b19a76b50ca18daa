import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import * as contract from '../../../src/resources/conversation-clusters/contract.ts';
import { listIssues } from '../../../src/resources/conversation-issues/contract.ts';
import { ingestBatch } from '../../../src/resources/conversations/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';
import {
  clusters,
  issues,
  type ClusterRow,
  type IssueRow,
} from '../../../src/resources/conversation-issues/rows.ts';

let world: World;
const { call } = callsIn(() => world);
const org = { organizationId: 'org_acme' };
const time = '2026-01-05T10:00:00.000Z';

const cluster = (id: string): ClusterRow => ({
  id,
  organization: 'org_acme',
  label: id,
  icon: 'bolt',
  summary: { object: 'document', data: { schemaVersion: 2 }, nodes: [] },
  muted: false,
  impact: 'low',
  issues: 3,
  conversations: 3,
  sources: {},
  impacts: { low: 3, medium: 0, high: 0 },
  weeks: {},
  createdAt: time,
  updatedAt: time,
});
const issue = (id: string, of: string, createdAt: string): IssueRow => ({
  id,
  organization: 'org_acme',
  conversation: 'c',
  cluster: of,
  point: id,
  title: id,
  text: id,
  impact: 'low',
  source: 'email',
  createdAt,
  ingestedAt: time,
});

beforeEach(async () => {
  world = await createWorld();
  await call(ingestBatch, org, { body: { conversations: [{ id: 'c', parts: [] }] } });
  await world.core.store.write(async (tx) => {
    for (const id of ['clu_a', 'clu_b']) await tx.insert(clusters, cluster(id));
    await tx.insert(issues, issue('iss_1', 'clu_a', '2025-03-01T00:00:00.000Z'));
    await tx.insert(issues, issue('iss_2', 'clu_a', '2025-09-01T00:00:00.000Z'));
    await tx.insert(issues, issue('iss_3', 'clu_a', '2025-06-01T00:00:00.000Z'));
  });
});

describe('a cluster', () => {
  it('has the date of its newest issue, or no date without issues', async () => {
    const { items } = await call(contract.listClusters, org, { query: { order: 'asc' } });
    expect(items.map(({ id, lastIssueAt }) => [id, lastIssueAt])).toEqual([
      ['clu_a', '2025-09-01T00:00:00.000Z'],
      ['clu_b', undefined],
    ]);
    expect(items.flatMap((item) => violationsOf(contract.getCluster.returns.schema, item, ''))).toEqual([]);
    expect(items[0]!.weeklyPulse.every((count) => count === 0)).toBe(true);
  });

  it('lists its issues newest first, in pages', async () => {
    const seen: string[] = [];
    for (let page: string | undefined, more = true; more;) {
      const { items, next, count } = await call(listIssues, org, {
        query: { cluster: 'clu_a', limit: 2, ...(page === undefined ? {} : { page }) },
      });
      expect(count).toBe(3);
      seen.push(...items.map((item) => item.issue.id));
      page = next?.page;
      more = page !== undefined;
    }
    expect(seen).toEqual(['iss_2', 'iss_3', 'iss_1']);
    const all = await call(listIssues, org);
    expect(all.items.map((item) => item.issue.id)).toEqual(['iss_3', 'iss_2', 'iss_1']);
  });
});
