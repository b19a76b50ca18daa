import { expect, test } from 'vitest';
import { getSpace, listSpaces } from '../../../src/resources/spaces/contract.ts';
import { createShareLink } from '../../../src/resources/site-share-links/contract.ts';
import { listSiteSpaces } from '../../../src/resources/site-spaces/contract.ts';
import { getPublishedSite, publishSite, updateSite } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld } from './support.ts';

// A list loads the sites of all spaces at once, unless the organization has too many sites.
test.each([0, 20])(
  'listed spaces have the same visibility and URLs as single ones, with %i more sites',
  async (more) => {
    const world = await createSitesWorld();
    const [guide, api, draft] = [
      await world.space('Guide'),
      await world.space('API'),
      await world.space('Draft'),
    ];
    const hidden = await world.site('Hidden', guide);
    const open = await world.site('Open', guide);
    const shared = await world.site('Shared', api);
    await world.site('Closed', draft);
    await world.call(updateSite, { siteId: hidden }, { visibility: 'unlisted' });
    await world.call(updateSite, { siteId: shared }, { visibility: 'share-link' });
    for (const siteId of [hidden, open, shared]) await world.call(publishSite, { siteId });
    for (let number = 0; number < more; number++) await world.site(`More ${number}`, draft);
    const { items } = await world.call(listSpaces, { organizationId: world.org });
    expect(items.map(({ title, visibility }) => [title, visibility])).toEqual([
      ['Guide', 'public'],
      ['API', 'share-link'],
      ['Draft', 'private'],
    ]);
    for (const item of items) {
      const { urls, visibility } = await world.call(getSpace, { spaceId: item.id });
      expect({ urls: item.urls, visibility: item.visibility }).toEqual({ urls, visibility });
    }
    expect(items[0]?.urls.public).toContain('/open/');
  },
);

test('with the key of a share link, all URLs of the site and its spaces contain the key', async () => {
  const world = await createSitesWorld();
  const spaceId = await world.space('Guide');
  const siteId = await world.site('Docs', spaceId);
  await world.call(updateSite, { siteId }, { visibility: 'share-link' });
  await world.call(publishSite, { siteId });
  const link = await world.call(createShareLink, { siteId }, { name: 'Partners' });
  const address = link.urls.published!;
  const query = { shareKey: address.split('/').at(-2)! };
  const published = await world.call(getPublishedSite, { siteId }, undefined, query);
  expect(published.site.urls.published).toBe(address);
  const space = await world.call(getSpace, { spaceId }, undefined, query);
  expect(space.urls.published).toBe(address);
  const { items } = await world.call(listSiteSpaces, { siteId }, undefined, query);
  for (const item of [...items, ...published.structure.structure])
    expect(item).toMatchObject({ urls: { published: address }, space: { urls: space.urls } });
});
