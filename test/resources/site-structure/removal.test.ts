import { beforeEach, describe, expect, it } from 'vitest';
import { createCollection, transferCollection } from '../../../src/resources/collections/contract.ts';
import { getSite, publishSite } from '../../../src/resources/sites/contract.ts';
import {
  deleteSpace,
  moveSpace,
  restoreSpace,
  transferSpace,
} from '../../../src/resources/spaces/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
beforeEach(async () => {
  world = await createSitesWorld();
});

const toOther = () => ({ organization: world.otherOrg });

describe('a removed space', () => {
  it.each(['deleted', 'transferred', 'transferred with its collection'])(
    'is removed from the sites that show it when %s',
    async (way) => {
      const guide = await world.space('Guide');
      const api = await world.space('API');
      const docs = await world.site('Docs', guide, api);
      const other = await world.site('Other', guide);
      expect(await world.sketch(docs)).toBe('Guide* API');
      if (way === 'deleted') await world.call(deleteSpace, { spaceId: guide });
      else if (way === 'transferred')
        await world.call(transferSpace, { spaceId: guide }, toOther(), undefined, 'owner');
      else {
        const { id: collectionId } = await world.call(createCollection, { organizationId: world.org }, {});
        await world.call(moveSpace, { spaceId: guide }, { parent: collectionId });
        await world.call(transferCollection, { collectionId }, toOther(), undefined, 'owner');
      }
      expect(await world.sketch(docs)).toBe('API*');
      expect(await world.sketch(other)).toBe('');
      expect(await world.call(getSite, { organizationId: world.org, siteId: docs })).toMatchObject({
        siteSpaces: 1,
      });
      expect(await world.call(getSite, { organizationId: world.org, siteId: other })).toMatchObject({
        siteSpaces: 0,
      });
    },
  );

  it('removes a section that shows nothing else, and the next section becomes the default', async () => {
    const guide = await world.space('Guide');
    const docs = await world.site('Docs', guide);
    await world.section(docs, 'API');
    const group = await world.group(docs, 'More');
    await world.section(docs, 'SDK', { siteSectionGroupId: group });
    expect(await world.sketch(docs)).toBe('Guide*[Guide*] API[API*] (More: SDK[SDK*])');
    await world.call(deleteSpace, { spaceId: guide });
    expect(await world.sketch(docs)).toBe('API*[API*] (More: SDK[SDK*])');
  });

  it('leaves an empty site that can be filled again, and is not added again when restored', async () => {
    const guide = await world.space('Guide');
    const docs = await world.site('Docs', guide);
    const params = { organizationId: world.org, siteId: docs };
    await world.call(publishSite, params);
    await world.call(deleteSpace, { spaceId: guide });
    await world.call(restoreSpace, { spaceId: guide });
    expect(await world.sketch(docs)).toBe('');
    expect(await world.call(getSite, params)).toMatchObject({ published: true, siteSpaces: 0 });
    await world.siteSpace(docs, 'API');
    expect(await world.sketch(docs)).toBe('API*');
  });
});
