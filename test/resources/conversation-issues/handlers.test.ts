import { beforeAll, describe, expect, it } from 'vitest';
import { analyze } from '../../../src/analysis/analyze.ts';
import { icons } from '../../../src/analysis/icons.ts';
import {
  createChangeRequest,
  getChangeRequest,
  listChangeRequests,
  mergeChangeRequest,
  updateChangeRequest,
} from '../../../src/resources/change-requests/contract.ts';
import {
  getCluster,
  listClusters,
  updateCluster,
} from '../../../src/resources/conversation-clusters/contract.ts';
import { getIssue, listIssues } from '../../../src/resources/conversation-issues/contract.ts';
import { ingestBatch } from '../../../src/resources/conversations/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn, everybody } from '../calls.ts';
import { asked, conversationAt, work } from '../conversations/analysis-support.ts';
import { MemoryState } from '../../support/analysis-organization.ts';

let world: World;
const { call, refusal, reason } = callsIn(() => world);
const org = { organizationId: 'org_acme' };
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
const all = async (query: object = {}) =>
  (await call(listClusters, org, { query: { limit: 1000, ...query } })).items;
const said =
  'Hello! My card was declined at the airport. <b>I am stuck</b> here.\n\n> quoted\n\nCan you unlock it?';

beforeAll(async () => {
  world = await createWorld();
  const long = asked('c-long', said, {
    subject: 'Card declined',
    metadata: { createdAt: '2025-12-31T10:00:00Z', url: 'https://desk.test/1' },
  });
  await call(ingestBatch, org, {
    body: { conversations: [...Array.from({ length: 80 }, (_, at) => conversationAt(at)), long] },
  });
  await work(world);
});

describe('issues', () => {
  it('are the results of the analysis, with their conversation', async () => {
    const { items, count } = await call(listIssues, org, { query: { conversation: 'c-long' } });
    expect(count).toBe(1);
    const { issue, conversation } = items[0]!;
    const found = (
      await analyze(
        new MemoryState(),
        [{ subject: 'Card declined', parts: [{ role: 'user', body: said }] }],
        {
          newId: () => 'x',
        },
      )
    ).issues[0]![0]!;
    expect(issue).toMatchObject({
      title: found.title,
      details: found.details,
      conversation: 'c-long',
      createdAt: '2025-12-31T10:00:00Z',
      ingestedAt: expect.stringMatching(/^2026-01-05/),
    });
    expect(issue.summary).toContain('My card was declined at the airport.');
    expect(conversation).toMatchObject({
      id: 'c-long',
      subject: 'Card declined',
      processedAt: expect.any(String),
    });
    expect(await call(getIssue, { ...org, issueId: issue.id })).toEqual(items[0]);
    expect(await refusal(getIssue, { ...org, issueId: 'iss_absent' })).toMatchObject({ reason: 'not-found' });
  });

  it('are listed by cluster and by conversation, newest first, in pages', async () => {
    const [cluster] = await all({ orderBy: 'issues' });
    const its = (await call(listIssues, org, { query: { cluster: cluster!.id, limit: 1000 } })).items;
    expect(its.length).toBe(cluster!.stats.issues);
    expect(new Set(its.map(({ conversation }) => conversation.id)).size).toBe(cluster!.stats.conversations);
    const issueIds = ids(its.map(({ issue }) => issue));
    const dates = its.map(({ issue }) => issue.createdAt);
    expect(dates).toEqual([...dates].sort().reverse());
    const first = await call(listIssues, org, { query: { cluster: cluster!.id, limit: 2 } });
    const second = await call(listIssues, org, {
      query: { cluster: cluster!.id, limit: 2, page: first.next!.page },
    });
    expect(ids([...first.items, ...second.items].map(({ issue }) => issue))).toEqual(issueIds.slice(0, 4));
    const both = { cluster: cluster!.id, conversation: its[0]!.conversation.id };
    expect((await call(listIssues, org, { query: both })).items.map(({ issue }) => issue.cluster)).toEqual([
      cluster!.id,
    ]);
    expect((await call(listIssues, org, { query: { ...both, cluster: 'clu_absent' } })).count).toBe(0);
    expect(
      (await call(listIssues, { organizationId: world.otherOrg }, { query: both }, 'outsider')).count,
    ).toBe(0);
  });
});

describe('clusters', () => {
  it('are sorted by the field of orderBy', async () => {
    for (const orderBy of ['updatedAt', 'issues', 'conversations'] as const) {
      const key = (one: Awaited<ReturnType<typeof all>>[number]) =>
        orderBy === 'updatedAt' ? one.updatedAt : one.stats[orderBy];
      const sorted = (await all()).map(key).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
      expect((await all({ orderBy, order: 'asc' })).map(key)).toEqual(sorted);
      expect((await all({ orderBy })).map(key)).toEqual(sorted.reverse());
    }
    const first = await call(listClusters, org, { query: { limit: 1 } });
    expect(first.count).toBe((await all()).length);
    expect(
      (await call(listClusters, org, { query: { limit: 1, page: first.next!.page } })).items[0]!.id,
    ).not.toBe(first.items[0]!.id);
  });

  it('are returned with their icon, sources, weekly counts and URLs', async () => {
    const [cluster] = await all({ orderBy: 'issues' });
    expect(await call(getCluster, { ...org, clusterId: cluster!.id })).toEqual(cluster);
    expect(icons).toContain(cluster!.icon);
    expect(cluster!.sources).toEqual({ email: cluster!.stats.issues });
    expect(cluster!.weeklyPulse.reduce((sum, week) => sum + week)).toBeGreaterThan(0);
    expect(cluster!.urls).toEqual({
      location: `http://localhost:8080/v1/orgs/org_acme/conversations-clusters/${cluster!.id}`,
      app: `http://localhost:8080/o/org_acme/conversations/clusters/${cluster!.id}`,
    });
    expect(await reason(getCluster, { ...org, clusterId: 'clu_absent' })).toBe('not-found');
    expect(
      await reason(getCluster, { organizationId: world.otherOrg, clusterId: cluster!.id }, {}, 'outsider'),
    ).toBe('not-found');
  });

  it('can be muted, and refuse change requests while they are muted', async () => {
    const [cluster] = await all();
    const clusterId = cluster!.id;
    const space = await call(createSpace, org, { body: { title: 'Guide' } });
    const create = { body: { subject: 'Help', conversationsIssuesCluster: clusterId } };
    const muted = await call(updateCluster, { ...org, clusterId }, { body: { muted: true } });
    expect([muted.muted, muted.updatedAt > cluster!.updatedAt]).toEqual([true, true]);
    expect(await call(updateCluster, { ...org, clusterId }, { body: { muted: true } })).toEqual(muted);
    expect(await refusal(createChangeRequest, { spaceId: space.id }, create)).toMatchObject({
      reason: 'conflict',
      hint: expect.stringContaining('--no-muted'),
    });
    expect((await call(updateCluster, { ...org, clusterId }, { body: { muted: false } })).muted).toBe(false);
    expect(await reason(updateCluster, { ...org, clusterId }, { body: { label: 'Mine' } })).toBe(
      'invalid-input',
    );
    expect(await reason(createChangeRequest, { spaceId: space.id }, create)).toBe('done');
  });

  it('count their change requests by status', async () => {
    const clusterId = (await all({ orderBy: 'issues' }))[0]!.id;
    const { id: spaceId } = await call(createSpace, org, { body: { title: 'Handbook' } });
    const create = () =>
      call(createChangeRequest, { spaceId }, { body: { conversationsIssuesCluster: clusterId } });
    const before = (await call(getCluster, { ...org, clusterId })).stats;
    const [draft, open, archived, merged] = [await create(), await create(), await create(), await create()];
    await call(updateChangeRequest, { spaceId, changeRequestId: open.id }, { body: { status: 'open' } });
    await call(
      updateChangeRequest,
      { spaceId, changeRequestId: archived.id },
      { body: { status: 'archived' } },
    );
    await call(mergeChangeRequest, { spaceId, changeRequestId: merged.id });
    expect((await call(getCluster, { ...org, clusterId })).stats).toEqual({
      ...before,
      tasksTotal: before.tasksTotal + 4,
      tasksBacklog: before.tasksBacklog + 1,
      tasksStarted: before.tasksStarted + 1,
      tasksCompleted: before.tasksCompleted + 1,
      tasksCancelled: before.tasksCancelled + 1,
    });
    expect(
      (await call(getChangeRequest, { spaceId, changeRequestId: draft.id })).conversationsIssuesCluster,
    ).toBe(clusterId);
    const listed = async (conversationsIssuesCluster: string) =>
      ids((await call(listChangeRequests, { spaceId }, { query: { conversationsIssuesCluster } })).items);
    expect([await listed(clusterId), await listed('clu_other')]).toEqual([[open.id], []]);
    expect(
      await reason(createChangeRequest, { spaceId }, { body: { conversationsIssuesCluster: 'clu_absent' } }),
    ).toBe('not-found');
  });

  it('check the role of the caller, and are not found by outsiders', async () => {
    const clusterId = (await all())[0]!.id;
    const issueId = (await call(listIssues, org)).items[0]!.issue.id;
    const table = [];
    for (const who of everybody) {
      table.push([
        who,
        await reason(listClusters, org, {}, who),
        await reason(getCluster, { ...org, clusterId }, {}, who),
        await reason(updateCluster, { ...org, clusterId }, { body: {} }, who),
        await reason(listIssues, org, {}, who),
        await reason(getIssue, { ...org, issueId }, {}, who),
      ]);
    }
    expect(table).toEqual([
      ...['admin', 'create'].map((who) => [who, ...Array.from({ length: 5 }, () => 'done')]),
      ...['review', 'edit', 'comment', 'read'].map((who) => [
        who,
        'done',
        'done',
        'forbidden',
        'done',
        'done',
      ]),
      ['guest', ...Array.from({ length: 5 }, () => 'forbidden')],
      ['outsider', ...Array.from({ length: 5 }, () => 'not-found')],
      ['nobody', ...Array.from({ length: 5 }, () => 'unauthenticated')],
    ]);
  });
});

describe('a cluster of 50 equal conversations', () => {
  it('contains only these, and its label and summary contain their words', async () => {
    const own = await createWorld();
    const calls = callsIn(() => own);
    const text = 'the same text about login failing in the app';
    const equal = Array.from({ length: 50 }, (_, at) => asked(`equal-${at}`, text));
    await calls.call(ingestBatch, org, {
      body: { conversations: [...Array.from({ length: 80 }, (_, at) => conversationAt(at)), ...equal] },
    });
    await work(own);
    const { items } = await calls.call(listIssues, org, { query: { conversation: 'equal-7' } });
    const cluster = await calls.call(getCluster, { ...org, clusterId: items[0]!.issue.cluster! });
    expect(cluster.stats).toMatchObject({ issues: 50, conversations: 50 });
    expect(cluster.label.toLowerCase()).toContain('login');
    expect(JSON.stringify(cluster.summary)).toContain('same text about login failing');
  });
});
