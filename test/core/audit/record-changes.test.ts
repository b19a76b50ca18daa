import { expect, it } from 'vitest';
import { ChainVerifier, type ChainedEvent } from '../../../src/resources/audit/chain.ts';
import { listAuditEvents } from '../../../src/resources/audit/contract.ts';
import { createCollection } from '../../../src/resources/collections/contract.ts';
import { createWorld } from '../../support/world.ts';

it('lists events in the order of their numbers, also if a clock is behind that of the event before', async () => {
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
