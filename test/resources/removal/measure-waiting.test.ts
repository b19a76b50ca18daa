import { afterEach, expect, it } from 'vitest';
import { requestRemoval } from '../../../src/core/removal.ts';
import { blobs } from '../../../src/content/rows.ts';
import { measureWaiting } from '../../../src/resources/removal/measure-waiting.ts';
import { measureRemoval } from '../../../src/resources/jobs/contract.ts';
import {
  createSpace,
  deleteSpace,
  duplicateSpace,
  restoreSpace,
} from '../../../src/resources/spaces/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { openDesk, page, reason } from '../content-support.ts';

let world: World;
afterEach(() => world.core.store.close());

const signal = new AbortController().signal;
const measure = (organization?: string) =>
  measureWaiting((work) => world.core.store.read(work), { organization, signal });

/** Runs the job until there is nothing left to remove. */
async function remove(): Promise<void> {
  const now = new Date(world.core.clock()).toISOString();
  await world.core.store.write((tx) => requestRemoval(tx, now, now));
  await world.as('owner').work?.({ kind: 'removal', signal });
}

it('measures what only deleted spaces use, until the job has removed it', async () => {
  world = await createWorld();
  await remove();
  expect(await measure()).toBe(0);
  const desk = await openDesk(world);
  const text = 'A text of its own. '.repeat(5000);
  await desk.publish(page('Start', { document: { markdown: text } }));
  await remove();
  expect(await measure()).toBe(0);
  const params = { spaceId: desk.spaceId };
  await world.as('owner').call(deleteSpace, { params });
  const whole = await measure();
  expect(whole).toBeGreaterThan(text.length);
  expect(whole).toBeLessThan(text.length * 3);
  await world.as('owner').call(restoreSpace, { params });
  expect(await measure()).toBe(0);
  // A copy shares the text, so only the rows and the search index of the deleted space are counted.
  const { id: spaceId } = await world.as('owner').call(duplicateSpace, { params });
  await world.as('owner').call(deleteSpace, { params });
  const shared = await measure();
  expect(shared).toBeGreaterThan(0);
  expect(shared).toBeLessThan(whole - text.length / 2);
  await world.as('owner').call(deleteSpace, { params: { spaceId }, query: { now: true } });
  expect(await measure()).toBeGreaterThanOrEqual(whole);
  await world.as('owner').call(deleteSpace, { params, query: { now: true } });
  await remove();
  expect(await measure()).toBe(0);
});

it('measures content that nothing refers to', async () => {
  world = await createWorld();
  await remove();
  await world.core.store.write((tx) =>
    tx.insert(blobs, { id: 'f'.repeat(64), text: 'x'.repeat(10_000) } as never),
  );
  expect(await measure()).toBeGreaterThan(10_000);
  expect(await measure()).toBeLessThan(10_200);
});

it('returns the size in the store to operators, and in their organization to other administrators', async () => {
  world = await createWorld();
  await remove();
  const shown = async (who: Who, organizationId = world.org) =>
    world.as(who).call(measureRemoval, { params: { organizationId } });
  const other = { organizationId: world.otherOrg };
  await world.as('outsider').call(createSpace, { params: other, body: { title: 'Alone' } });
  const desk = await openDesk(world);
  const text = 'A text of its own. '.repeat(5000);
  await desk.publish(page('Start', { document: { markdown: text } }));
  await remove();
  await world.as('admin').call(deleteSpace, { params: { spaceId: desk.spaceId } });
  const whole = { object: 'removal', scope: 'store', bytes: await measure() };
  expect(whole.bytes).toBeGreaterThan(text.length);
  expect(await shown('admin')).toEqual(whole);
  expect(await shown('owner')).toEqual(whole);
  expect(await shown('outsider', world.otherOrg)).toEqual({
    object: 'removal',
    scope: 'organization',
    bytes: 0,
  });
  expect(await measure(world.org)).toBe(whole.bytes);
  expect(await reason(shown('outsider'))).toBe('not-found');
  expect(await reason(shown('create'))).toBe('forbidden');
  expect(await reason(shown('nobody'))).toBe('unauthenticated');
});
