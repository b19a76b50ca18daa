import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { clusters } from '../../../src/resources/conversation-issues/rows.ts';
import { getCluster, listClusters } from '../../../src/resources/conversation-clusters/contract.ts';
import { getIssue, listIssues } from '../../../src/resources/conversation-issues/contract.ts';
import { ingestBatch } from '../../../src/resources/conversations/contract.ts';
import { planted, secretsIn } from '../../support/planted-conversations.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';
import { asked, work } from '../conversations/analysis-support.ts';

let world: World;
const { call } = callsIn(() => world);
const org = { organizationId: 'org_acme' };

/** The texts of a cluster, without IDs and times, which can contain the same digits by chance. */
const textsOf = ({ label, summary }: OutputOf<typeof getCluster>): string =>
  JSON.stringify({ label, summary });

describe('private data in clusters', () => {
  it('appears in no cluster, and in no redacted issue', async () => {
    await fc.assert(
      fc.asyncProperty(planted, async (plan) => {
        world = await createWorld();
        await call(ingestBatch, org, { body: { conversations: [...plan.conversations] } });
        await work(world);
        const { items } = await call(listClusters, org, { query: { limit: 100 } });
        expect(items.length).toBeGreaterThan(0);
        expect(secretsIn(JSON.stringify(items.map(textsOf)), plan)).toEqual([]);
        for (const { id } of items)
          expect(secretsIn(JSON.stringify(await call(getCluster, { ...org, clusterId: id })), plan)).toEqual(
            [],
          );
        const redacted = await call(listIssues, org, { query: { limit: 100, redact: true } });
        expect(
          secretsIn(JSON.stringify(redacted.items.map(({ issue }) => issue.title + issue.summary)), plan),
        ).toEqual([]);
        // Ensures that the issues contain private data at all.
        const whole = await call(listIssues, org, { query: { limit: 100 } });
        expect(secretsIn(JSON.stringify(whole.items.map(({ issue }) => issue.title)), plan)).not.toEqual([]);
        await world.core.store.close();
      }),
      { numRuns: 12 },
    );
  });

  it('is replaced in a single issue on request', async () => {
    world = await createWorld();
    const body = 'My export fails. Regards, Zdenka Quorn';
    await call(ingestBatch, org, {
      body: { conversations: [asked('one', body, { subject: 'Why does the export of Zdenka fail?' })] },
    });
    await work(world);
    const { items } = await call(listIssues, org, { query: {} });
    const issueId = items[0]!.issue.id;
    const whole = await call(getIssue, { ...org, issueId });
    expect(whole.conversation.subject).toContain('Zdenka');
    expect(whole.issue.title).toBe('Why does the export of Zdenka fail?');
    const redacted = await call(getIssue, { ...org, issueId }, { query: { redact: true } });
    expect(redacted.issue.title).toBe('Why does the export of [name] fail?');
    expect(redacted.conversation.subject).toBe('Why does the export of [name] fail?');
    expect(JSON.stringify(redacted)).not.toMatch(/zdenka|quorn/i);
    await world.core.store.close();
  });

  it('is replaced in clusters that an earlier version stored', async () => {
    world = await createWorld();
    await call(ingestBatch, org, { body: { conversations: [asked('one', 'The export fails again')] } });
    await work(world);
    const { items } = await call(listClusters, org, { query: {} });
    const { id, summary } = items[0]!;
    const old = JSON.parse(
      JSON.stringify(summary).replaceAll('export', 'export, my password is hunter2, it'),
    );
    await world.core.store.write((tx) =>
      tx.update(clusters, id, { label: 'My name is Ana Lopez', summary: old }),
    );
    const shown = await call(getCluster, { ...org, clusterId: id });
    expect(shown.label).toBe('My name');
    expect(JSON.stringify(shown.summary)).toContain('my password is [password]');
    expect(JSON.stringify(shown)).not.toMatch(/Lopez|hunter2/);
    await world.core.store.close();
  });

  it('never becomes a label, even if many conversations contain it', async () => {
    world = await createWorld();
    const conversations = Array.from({ length: 30 }, (_, at) => ({
      id: `c-${at}`,
      parts: [
        {
          type: 'message' as const,
          role: 'user' as const,
          body: `Zdenka told me that the export is ready, number ${at}`,
        },
        ...(at % 3 === 0
          ? [
              {
                type: 'message' as const,
                role: 'team-member' as const,
                body: 'Done.\n\nKind regards,\nZdenka',
              },
            ]
          : []),
      ],
    }));
    await call(ingestBatch, org, { body: { conversations } });
    await work(world);
    const { items } = await call(listClusters, org, { query: {} });
    expect(JSON.stringify(items)).not.toMatch(/zdenka/i);
    expect(items[0]!.label).toMatch(/export/i);
    await world.core.store.close();
  });
});
