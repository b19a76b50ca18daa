import { beforeAll, expect, it } from 'vitest';
import { defined } from '../../../src/contract/values.ts';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { setPermissions } from '../../../src/resources/permissions/space/contract.ts';
import { setPermissions as setSitePermissions } from '../../../src/resources/permissions/site/contract.ts';
import { getSiteSpaceCustomization } from '../../../src/resources/site-customization/contract.ts';
import { listSitePaths, readSitePaths } from '../../../src/resources/site-paths/contract.ts';
import { createSiteRedirect, resolveSiteRedirect } from '../../../src/resources/site-redirects/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { publishSite, unpublishSite, updateSite } from '../../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from '../../publishing/published-site.ts';
import type { Who } from '../../support/world.ts';

let site: PublishedSite;
let secretSiteSpace: string;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  const { call, world } = site;
  const secret = await site.addSpace('Secret', [{ title: 'Hidden plan', text: 'Canary.' }]);
  secretSiteSpace = (await call(addSiteSpace, site.site, { body: { spaceId: secret } })).id;
  const users = [world.user('read')];
  await call(setPermissions, { spaceId: secret }, { body: { role: null, users } });
  await call(setSitePermissions, site.site, { body: { role: 'edit', users } });
  const destination = { kind: 'site-space', siteSpaceId: secretSiteSpace };
  await call(createSiteRedirect, site.site, { body: { source: '/plan', destination } });
  await call(unpublishSite, site.site);
});

const apiOf = (who: Who) => embeddedApi(site.world.core, site.world.credential(who));

/** Returns whether a member finds the space Secret in the list of paths and in the answers. */
async function found(who: Who, claims?: string): Promise<boolean[]> {
  const query = defined({ claims });
  const { paths } = await apiOf(who).call(listSitePaths, { params: site.site, query });
  const asked = JSON.stringify(['secret/hidden-plan.md', 'secret/', 'llms-full.txt', 'sitemap.xml']);
  const given = { params: site.site, query: { ...query, paths: asked } };
  const { answers } = await apiOf(who).call(readSitePaths, given);
  return [
    paths.some(({ path }) => path.startsWith('secret/')),
    /Canary|Hidden plan|\/secret\//.test(JSON.stringify(answers.map(({ text }) => text))),
  ];
}

it('the paths of a site omit spaces that the member cannot open, until everyone can read the site', async () => {
  expect(await found('admin')).toEqual([true, true]);
  expect(await found('read')).toEqual([false, false]);
  await site.call(publishSite, site.site);
  for (const visibility of ['unlisted', 'public'] as const) {
    await site.call(updateSite, site.site, { body: { visibility } });
    expect([visibility, await found('read')]).toEqual([visibility, [true, true]]);
  }
  await site.call(unpublishSite, site.site);
});

it('the paths of a site omit spaces that the member cannot open, even with claims that match', async () => {
  const siteSpaceId = secretSiteSpace;
  const condition = 'visitor.claims.plan == "pro"';
  await site.call(publishSite, site.site);
  await site.call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
  await site.call(updateSiteSpace, { ...site.site, siteSpaceId }, { body: { condition } });
  expect(await found('admin', '{}')).toEqual([false, false]);
  expect(await found('admin', '{"plan":"pro"}')).toEqual([true, true]);
  expect(await found('read', '{"plan":"pro"}')).toEqual([false, false]);
  await site.call(updateSiteSpace, { ...site.site, siteSpaceId }, { body: { condition: null } });
  await site.call(updateSite, site.site, { body: { adaptiveContent: { enabled: false } } });
  await site.call(unpublishSite, site.site);
});

it('the customization of a site space is not found by members who cannot open its space', async () => {
  const params = { ...site.site, siteSpaceId: secretSiteSpace };
  const get = (who: Who) => apiOf(who).call(getSiteSpaceCustomization, { params });
  expect(await get('admin')).toMatchObject({ hasOverrides: false });
  await expect(get('read')).rejects.toMatchObject({ reason: 'not-found' });
});

it('redirects of an unpublished site do not resolve into a space that the member cannot open', async () => {
  const resolve = (who: Who) =>
    apiOf(who).call(resolveSiteRedirect, { params: site.site, query: { source: '/plan' } });
  expect((await resolve('admin')).target).toMatch(/\/secret\/$/);
  await expect(resolve('read')).rejects.toMatchObject({ reason: 'not-found' });
});
