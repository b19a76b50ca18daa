import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import * as clusters from '../../src/resources/conversation-clusters/contract.ts';
import * as issues from '../../src/resources/conversation-issues/contract.ts';
import * as conversations from '../../src/resources/conversations/contract.ts';
import type { IngestedConversation } from '../../src/resources/conversations/rules.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { asked, work } from '../resources/conversations/analysis-support.ts';
import type { Bench, Try } from './bench.ts';

const december = '2025-12-20T00:00:00.000Z';
const january = '2026-01-04T00:00:00.000Z';
const cards = [
  'My card is declined at the shop, can you help?',
  'Why is the card declined at the shop?',
  'The card was declined when I paid at the shop',
  'Card payment declined again at the shop',
].map((text, index) => asked(`card-${index}`, text, { metadata: { createdAt: december } }));
const passwords = [
  'How do I reset my password?',
  'I forgot my password and need to reset it',
  'Can you tell me how to reset my password?',
  'Where can I reset the password of my account?',
].map((text, index) =>
  asked(`password-${index}`, text, { source: 'chat', metadata: { createdAt: december } }),
);
const outage = asked('outage', 'My card is declined at the shop. All my data is lost, everything is down!', {
  source: 'chat',
  metadata: { createdAt: january },
});

const ingest = ({ call, org }: Bench, given: readonly IngestedConversation[]) =>
  call(conversations.ingestBatch, org, { body: { conversations: [...given] } });

/** Returns the texts of a document in order. */
const textIn = (document: unknown) =>
  [...JSON.stringify(document).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join(' ');

/** Returns the cluster of the issue of a conversation. */
async function clusterOf({ call, org }: Bench, conversation: string) {
  const { items } = await call(issues.listIssues, org, { query: { conversation } });
  return call(clusters.getCluster, { ...org, clusterId: items[0]?.issue.cluster ?? '' });
}

async function analyzed(bench: Bench) {
  await ingest(bench, [...cards, ...passwords]);
  await work(bench.world);
  return { card: await clusterOf(bench, 'card-0'), password: await clusterOf(bench, 'password-0') };
}

export const tries: readonly Try[] = [
  {
    of: 'conversation',
    fields: ['processedAt', 'impact'],
    run: async (bench) => {
      const { call, org } = bench;
      await ingest(bench, [...passwords, outage]);
      const look = async () => {
        const { items } = await call(conversations.listConversations, org);
        const find = (id: string) => items.find((item) => item.id === id);
        return { low: find('password-0'), high: find('outage') };
      };
      const before = await look();
      expect(before.high).not.toHaveProperty('processedAt');
      expect(before.high).not.toHaveProperty('impact');
      const { batches } = await call(conversations.getAnalysis, org);
      await work(bench.world);
      expect([batches, (await call(conversations.getAnalysis, org)).batches]).toEqual([1, 0]);
      const after = await look();
      expect([after.low?.impact, after.high?.impact]).toEqual(['low', 'high']);
      expect((after.high?.processedAt ?? '') > december).toBe(true);
    },
  },
  {
    of: 'conversations.get',
    fields: [
      'conversation',
      'parts.type',
      'parts.role',
      'parts.body',
      'metadata.url',
      'metadata.attributes',
      'metadata.createdAt',
    ],
    run: async (bench) => {
      const { call, org } = bench;
      const metadata = {
        url: 'https://support.test/1',
        attributes: { plan: 'pro' },
        createdAt: january,
      };
      const parts = [
        { type: 'message' as const, role: 'user' as const, body: 'How do I export my invoices?' },
        { type: 'message' as const, role: 'team-member' as const, body: 'Open the page Billing.' },
      ];
      await ingest(bench, [{ id: 'a', subject: 'Invoices', parts, metadata }]);
      const { items } = await call(conversations.listConversations, org);
      expect(items).toMatchObject([{ subject: 'Invoices', createdAt: january }]);
      expect(await call(conversations.getConversation, { ...org, conversationId: 'a' })).toEqual({
        conversation: items[0],
        parts,
        metadata,
      });
      // Messages of the team are ignored: the analysis finds only an issue of the user.
      await work(bench.world);
      const found = await call(issues.listIssues, org);
      expect(found.items.map(({ issue }) => issue.summary)).toEqual([parts[0]?.body]);
    },
  },
  {
    of: 'conversation-issue',
    fields: [
      'id',
      'title',
      'details',
      'summary',
      'impact',
      'createdAt',
      'ingestedAt',
      'conversation',
      'cluster',
    ],
    run: async (bench) => {
      const { call, org } = bench;
      const listed = async (query: object) => (await call(issues.listIssues, org, { query })).items;
      expect(await listed({})).toEqual([]);
      const { card, password } = await analyzed(bench);
      expect(card.id).not.toBe(password.id);
      const ofCluster = await listed({ cluster: card.id });
      expect(ofCluster.map(({ issue }) => issue.conversation).sort()).toEqual(cards.map(({ id }) => id));
      const [first] = await listed({ conversation: 'password-0' });
      expect(first?.issue).toMatchObject({
        title: 'How do I reset my password?',
        summary: 'How do I reset my password?',
        impact: 'low',
        createdAt: december,
        conversation: 'password-0',
        cluster: password.id,
      });
      expect(textIn(first?.issue.details)).toBe('How do I reset my password?');
      const at = { ...org, issueId: first?.issue.id ?? '' };
      expect(await call(issues.getIssue, at)).toEqual(first);
      // New content replaces the issue by a different one.
      const other = asked('password-0', 'Everything is down and all my data is lost!', {
        metadata: { createdAt: january },
      });
      await ingest(bench, [other]);
      await work(bench.world);
      const [second] = await listed({ conversation: 'password-0' });
      expect(second?.issue).toMatchObject({ impact: 'high', createdAt: january });
      expect(second?.issue.ingestedAt).toBe(first?.issue.ingestedAt);
      expect(await bench.reason(issues.getIssue, at)).toBe('not-found');
    },
  },
  {
    of: 'conversations.issues.list',
    fields: ['issue', 'conversation'],
    run: async (bench) => {
      const { call, org } = bench;
      await analyzed(bench);
      const { items } = await call(issues.listIssues, org);
      const { items: known } = await call(conversations.listConversations, org);
      expect(items).toHaveLength(8);
      for (const { issue, conversation } of items)
        expect(known.find(({ id }) => id === issue.conversation)).toEqual(conversation);
    },
  },
  {
    of: 'conversations.issues.get',
    fields: ['issue', 'conversation'],
    run: async (bench) => {
      const { call, org } = bench;
      await ingest(bench, [asked('a', 'How do I reset the password of ann@example.com?')]);
      await work(bench.world);
      const [item] = (await call(issues.listIssues, org)).items;
      const at = { ...org, issueId: item?.issue.id ?? '' };
      expect(await call(issues.getIssue, at)).toEqual(item);
      expect(item?.conversation.id).toBe('a');
      const redacted = await call(issues.getIssue, at, { query: { redact: true } });
      expect(JSON.stringify(item)).toContain('ann@example.com');
      expect(JSON.stringify(redacted)).not.toContain('ann@example.com');
      await ingest(bench, [asked('a', 'How do I reset my password?', { subject: 'Password' })]);
      await work(bench.world);
      const [after] = (await call(issues.listIssues, org)).items;
      const changed = await call(issues.getIssue, { ...org, issueId: after?.issue.id ?? '' });
      expect(changed).toMatchObject({
        issue: { title: 'How do I reset my password?' },
        conversation: { subject: 'Password' },
      });
    },
  },
  {
    of: 'issues-cluster',
    fields: [
      'id',
      'label',
      'createdAt',
      'updatedAt',
      'icon',
      'summary',
      'impact',
      'weeklyPulse',
      'lastIssueAt',
      'latestPulse',
      'sources',
      'stats.issues',
      'stats.conversations',
    ],
    run: async (bench) => {
      const { call, org } = bench;
      const { card, password } = await analyzed(bench);
      expect([card.label, password.label]).toMatchObject([/card/i, /password/i].map(matching));
      expect([card.icon, password.icon]).toEqual(['credit-card', 'key']);
      expect(textIn(card.summary)).toContain('4 issues in 4 conversations');
      expect(textIn(card.summary)).toContain('card');
      expect([card.impact, password.impact]).toEqual(['medium', 'low']);
      const stats = { issues: 4, conversations: 4 };
      expect(card).toMatchObject({ stats, sources: { email: 4 }, lastIssueAt: december });
      expect(password).toMatchObject({ stats, sources: { chat: 4 }, lastIssueAt: december });
      expect(card.weeklyPulse).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0]);
      expect(card.latestPulse).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
      await ingest(bench, [
        outage,
        asked('twice', 'The card is declined at the shop. Why is the card declined at the shop today?', {
          metadata: { createdAt: january },
        }),
      ]);
      await work(bench.world);
      const [first, second] = (await call(clusters.listClusters, org)).items;
      const issuesNow = (await call(issues.listIssues, org, { query: { cluster: card.id } })).items;
      expect([first?.id, second?.id]).toEqual([card.id, password.id]);
      expect(first).toMatchObject({
        createdAt: card.createdAt,
        lastIssueAt: january,
        stats: {
          issues: issuesNow.length,
          conversations: new Set(issuesNow.map(({ conversation }) => conversation.id)).size,
        },
      });
      expect(issuesNow.length).toBeGreaterThan(5);
      expect(first?.sources).toEqual({
        chat: 1,
        email: issuesNow.filter(({ conversation }) => conversation.source === 'email').length,
      });
      expect(first?.weeklyPulse.slice(9)).toEqual([4, 0, issuesNow.length - 4, 0]);
      expect((first?.updatedAt ?? '') > card.updatedAt).toBe(true);
      expect(second).toEqual(password);
    },
  },
  {
    of: 'issues-cluster',
    fields: [
      'muted',
      'stats.tasksTotal',
      'stats.tasksBacklog',
      'stats.tasksStarted',
      'stats.tasksCompleted',
      'stats.tasksCancelled',
    ],
    run: async (bench) => {
      const { call, org } = bench;
      const { card } = await analyzed(bench);
      const spaceId = (await call(createSpace, org, { body: {} })).id;
      const look = async () => clusterOf(bench, 'card-0');
      const body = { conversationsIssuesCluster: card.id };
      const start = () => call(changeRequests.createChangeRequest, { spaceId }, { body });
      const tasks = (backlog: number, started: number, completed: number, cancelled: number) => ({
        stats: {
          tasksTotal: backlog + started + completed + cancelled,
          tasksBacklog: backlog,
          tasksStarted: started,
          tasksCompleted: completed,
          tasksCancelled: cancelled,
        },
      });
      expect(await look()).toMatchObject(tasks(0, 0, 0, 0));
      const [one, two, three] = [await start(), await start(), await start()];
      await start();
      expect(await look()).toMatchObject(tasks(4, 0, 0, 0));
      for (const [request, status] of [
        [one, 'open'],
        [two, 'archived'],
      ] as const)
        await call(
          changeRequests.updateChangeRequest,
          { spaceId, changeRequestId: request.id },
          { body: { status } },
        );
      await call(changeRequests.mergeChangeRequest, { spaceId, changeRequestId: three.id }, { body: {} });
      expect(await look()).toMatchObject({ muted: false, ...tasks(1, 1, 1, 1) });
      const at = { ...org, clusterId: card.id };
      await call(clusters.updateCluster, at, { body: { muted: true } });
      expect((await look()).muted).toBe(true);
      const refused = await bench.reason(changeRequests.createChangeRequest, { spaceId }, { body });
      expect(refused).toBe('conflict');
      await call(clusters.updateCluster, at, { body: { muted: false } });
      expect((await start()).conversationsIssuesCluster).toBe(card.id);
      expect(await look()).toMatchObject(tasks(2, 1, 1, 1));
    },
  },
];

function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
