import { expect, it } from 'vitest';
import { ChainVerifier, type ChainedEvent } from '../../../src/resources/audit/chain.ts';
import { listAuditEvents } from '../../../src/resources/audit/contract.ts';
import { createCollection } from '../../../src/resources/collections/contract.ts';
import { createComment, updateComment } from '../../../src/resources/comments/space/contract.ts';
import { addSection, updateSection } from '../../../src/resources/site-sections/contract.ts';
import { createSite } from '../../../src/resources/sites/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
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
