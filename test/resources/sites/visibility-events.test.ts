import { beforeEach, expect, test } from 'vitest';
import { createCollection, transferCollection } from '../../../src/resources/collections/contract.ts';
import { deleteSpace, moveSpace, transferSpace } from '../../../src/resources/spaces/contract.ts';
import { listEvents } from '../../../src/resources/integration-events/contract.ts';
import { updateInstallation } from '../../../src/resources/integration-installations/contract.ts';
import { addSection, deleteSection } from '../../../src/resources/site-sections/contract.ts';
import {
  addSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  updateSiteSpace,
} from '../../../src/resources/site-spaces/contract.ts';
import { deleteSite, publishSite, unpublishSite, updateSite } from '../../../src/resources/sites/contract.ts';
import { install, publish } from '../integrations/support.ts';
import { createSitesWorld, type SitesWorld } from './support.ts';

let world: SitesWorld;
let seen = 0;
beforeEach(async () => {
  world = await createSitesWorld();
  seen = 0;
});

const bot = { integrationName: 'bot' };
async function installBot(scope: 'space:metadata:read' | 'space:content:read'): Promise<void> {
  await publish(world, 'bot', { scopes: [scope] });
  await install(world);
}

/** Returns the events since the previous call: the space, and its visibility before and after. */
async function changes(): Promise<unknown[]> {
  const { items } = await world.as('admin').call(listEvents, { params: bot });
  const found = items
    .filter(({ payload }) => payload.type === 'space_visibility_updated')
    .toReversed()
    .map(({ payload }) => {
      const { spaceId, previousVisibility, visibility } = payload as Record<string, unknown>;
      return [spaceId, previousVisibility, visibility];
    });
  const news = found.slice(seen);
  seen = found.length;
  return news;
}
test('an event reports a change of the visibility of a space', async () => {
  await installBot('space:metadata:read');
  const space = await world.space('Guide');
  const [open, closed] = [await world.site('Open', space), await world.site('Closed', space)];
  expect(await changes()).toEqual([]);
  await world.call(updateSite, { siteId: closed }, { visibility: 'share-link' });
  expect(await changes()).toEqual([]);
  await world.call(publishSite, { siteId: closed });
  expect(await changes()).toEqual([[space, 'private', 'share-link']]);
  await world.call(publishSite, { siteId: open });
  expect(await changes()).toEqual([[space, 'share-link', 'public']]);
  await world.call(publishSite, { siteId: open });
  await world.call(updateSite, { siteId: closed }, { visibility: 'visitor-auth', title: 'Members' });
  expect(await changes()).toEqual([]);
  await world.call(unpublishSite, { siteId: open });
  expect(await changes()).toEqual([[space, 'public', 'visitor-auth']]);
  await world.call(deleteSite, { siteId: closed });
  expect(await changes()).toEqual([[space, 'visitor-auth', 'private']]);
});

test('an event is sent for each space that a published site adds or removes', async () => {
  await installBot('space:metadata:read');
  const [first, second, third] = [
    await world.space('One'),
    await world.space('Two'),
    await world.space('Three'),
  ];
  const siteId = await world.site('Docs', first);
  await world.call(publishSite, { siteId });
  await changes();
  const { id } = await world.call(addSiteSpace, { siteId }, { spaceId: second });
  expect(await changes()).toEqual([[second, 'private', 'public']]);
  await world.call(updateSiteSpace, { siteId, siteSpaceId: id }, { spaceId: third });
  expect(await changes()).toEqual([
    [second, 'public', 'private'],
    [third, 'private', 'public'],
  ]);
  await world.call(deleteSiteSpace, { siteId, siteSpaceId: id });
  expect(await changes()).toEqual([[third, 'public', 'private']]);
  const section = await world.call(addSection, { siteId }, { spaceId: third, title: 'API' });
  expect(await changes()).toEqual([[third, 'private', 'public']]);
  await world.call(deleteSection, { siteId, siteSectionId: section.id });
  expect(await changes()).toEqual([[third, 'public', 'private']]);
  const { items } = await world.call(listSiteSpaces, { siteId });
  expect(items.map(({ space }) => space.id)).toEqual([first]);
});

test('events are sent only to integrations that may read the metadata of this space', async () => {
  await installBot('space:content:read');
  const siteId = await world.site('Docs', await world.space('One'));
  await world.call(publishSite, { siteId });
  expect(await changes()).toEqual([]);
  await publish(world, 'bot', { scopes: ['space:metadata:read'] });
  const { items } = await world.as('admin').call(listEvents, { params: bot });
  const installationId = items[0]?.installationId ?? '';
  const params = { ...bot, installationId };
  await world.as('admin').call(updateInstallation, { params, body: { space_selection: 'selected' } });
  await world.call(unpublishSite, { siteId });
  expect(await changes()).toEqual([]);
  await world.as('admin').call(updateInstallation, { params, body: { space_selection: 'all' } });
  await world.call(publishSite, { siteId });
  expect(await changes()).toHaveLength(1);
});

test.each([
  ['deleted', undefined],
  ['deleted at once', { now: true }],
  ['transferred', undefined],
  ['transferred with its collection', undefined],
])('an event is sent when a space on published sites is %s', async (how, query) => {
  await installBot('space:metadata:read');
  const space = await world.space('Guide');
  const [site, other] = [await world.site('Docs', space), await world.site('More', space)];
  await world.call(updateSite, { siteId: other }, { visibility: 'unlisted' });
  for (const siteId of [site, other]) await world.call(publishSite, { siteId });
  await changes();
  const body = { organization: world.otherOrg };
  if (how === 'transferred') await world.call(transferSpace, { spaceId: space }, body, undefined, 'owner');
  else if (how === 'transferred with its collection') {
    const { id } = await world.call(createCollection, {}, { title: 'Both' });
    await world.call(moveSpace, { spaceId: space }, { parent: id });
    await world.call(transferCollection, { collectionId: id }, body, undefined, 'owner');
  } else await world.call(deleteSpace, { spaceId: space }, undefined, query);
  expect(await changes()).toEqual([[space, 'public', 'private']]);
});

test('no event is sent for a deleted space that no published site shows', async () => {
  await installBot('space:metadata:read');
  const space = await world.space('Guide');
  await world.site('Docs', space);
  await world.call(deleteSpace, { spaceId: space });
  expect(await changes()).toEqual([]);
});
