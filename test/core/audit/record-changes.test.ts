import { expect, it } from 'vitest';
import { ChainVerifier, type ChainedEvent } from '../../../src/resources/audit/chain.ts';
import { listAuditEvents } from '../../../src/resources/audit/contract.ts';
import { createCollection } from '../../../src/resources/collections/contract.ts';
import { createComment, updateComment } from '../../../src/resources/comments/space/contract.ts';
import { addSection, updateSection } from '../../../src/resources/site-sections/contract.ts';
import { createSite } from '../../../src/resources/sites/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { recordChanges } from '../../../src/core/audit/record-changes.ts';
import { auditEvents } from '../../../src/core/rows/audit-events.ts';
import { organizations, users } from '../../../src/core/rows/organizations.ts';
import type { WriteTransaction } from '../../../src/core/store.ts';
import { createWorld } from '../../support/world.ts';

it('events are listed by number, even if the clock goes backwards', async () => {
  const world = await createWorld();
  const params = { organizationId: 'org_acme' };
  for (const title of ['A', 'B', 'C']) {
    await world.as('admin').call(createCollection, { params, body: { title } });
    world.pass(-60_000);
  }
  const { items } = await world.as('admin').call(listAuditEvents, { params, query: { details: true } });
  const events = items as ChainedEvent[];
  expect(events.map(({ target }) => target.label)).toEqual(['C', 'B', 'A']);
  const verifier = new ChainVerifier();
  for (const event of events) verifier.add(event);
  expect(verifier.end()).toMatchObject({ events: 3, first: 1, last: 3 });
});

it('events show the length of descriptions, and the reactions to comments', async () => {
  const world = await createWorld();
  const admin = world.as('admin');
  const params = { organizationId: 'org_acme' };
  const { id: spaceId } = await admin.call(createSpace, { params, body: {} });
  const { id: siteId } = await admin.call(createSite, { params, body: {} });
  const site = { ...params, siteId };
  const { id: siteSectionId } = await admin.call(addSection, { params: site, body: { spaceId } });
  const change = { description: 'Private text' };
  await admin.call(updateSection, { params: { ...site, siteSectionId }, body: change });
  const body = { body: { markdown: 'Hi' } };
  const { id: commentId } = await admin.call(createComment, { params: { spaceId }, body });
  const reaction = { addedReactions: ['1f600'] };
  await admin.call(updateComment, { params: { spaceId, commentId }, body: reaction });
  const { items } = await admin.call(listAuditEvents, { params, query: { details: true } });
  const [reacted, , described] = (items as ChainedEvent[]).map(({ payload }) => payload);
  expect(reacted?.after).toEqual({ reactions: [expect.objectContaining({ emoji: '1f600' })] });
  expect(described?.after).toEqual({ description: { characters: 12 } });
});

it('changes are recorded only in the organizations of the rows, or else in the one of the call', async () => {
  const world = await createWorld();
  const { core, org, otherOrg } = world;
  const record = (organization: string | undefined, work: (tx: WriteTransaction) => Promise<unknown>) =>
    core.store.write((tx) =>
      recordChanges(tx, work, () => ({
        action: 'test',
        actor: { type: 'system', id: 'system' },
        source: 'api',
        origin: { kind: 'local' },
        now: new Date(0).toISOString(),
        organization,
      })),
    );
  const eventsOf = (organization: string) =>
    core.store.read((view) => view.count(auditEvents, 'byAction', [organization, 'test']));
  const rename = (displayName: string) => (tx: WriteTransaction) =>
    tx.update(users, world.user('read'), { displayName });
  const retitle = (tx: WriteTransaction) => tx.update(organizations, org, { title: 'New' });
  const seen = async () => [await eventsOf(org), await eventsOf(otherOrg)];
  await record(undefined, rename('One'));
  expect(await seen()).toEqual([0, 0]);
  await record(org, rename('Two'));
  expect(await seen()).toEqual([1, 0]);
  await record(otherOrg, retitle);
  expect(await seen()).toEqual([2, 0]);
});
