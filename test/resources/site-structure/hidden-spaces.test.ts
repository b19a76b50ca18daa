import { beforeEach, expect, it } from 'vitest';
import type { InputOf, Operation } from '../../../src/contract/operation.ts';
import { setPermissions } from '../../../src/resources/permissions/space/contract.ts';
import { setPermissions as setSitePermissions } from '../../../src/resources/permissions/site/contract.ts';
import {
  getPublishingAuth,
  regeneratePublishingAuth,
  updatePublishingAuth,
} from '../../../src/resources/site-publishing-auth/contract.ts';
import {
  createShareLink,
  listShareLinks,
  updateShareLink,
} from '../../../src/resources/site-share-links/contract.ts';
import {
  createSiteRedirect,
  deleteSiteRedirect,
  listSiteRedirects,
  resolveSiteRedirect,
  updateSiteRedirect,
  upsertSiteRedirects,
} from '../../../src/resources/site-redirects/contract.ts';
import { addSection, updateSection } from '../../../src/resources/site-sections/contract.ts';
import {
  addSiteSpace,
  deleteSiteSpace,
  duplicateSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../../src/resources/site-spaces/contract.ts';
import {
  getSite,
  listSites,
  publishSite,
  sortSiteStructure,
  unpublishSite,
  updateSite,
} from '../../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from '../../publishing/published-site.ts';

/** An unpublished site with the spaces Guide and Secret. A guest who administers the site cannot open Secret. */
let site: PublishedSite;
let secret: string;
let hidden: string;

beforeEach(async () => {
  site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  const { call, world } = site;
  secret = await site.addSpace('Secret', [{ title: 'Plan', text: 'Canary.' }]);
  hidden = (await call(addSiteSpace, site.site, { body: { spaceId: secret } })).id;
  const users = [world.user('guest')];
  await call(setPermissions, { spaceId: secret }, { body: { role: null, users } });
  await call(setSitePermissions, site.site, { body: { role: 'admin', users } });
  await call(unpublishSite, site.site);
});

/** Calls an operation as the guest. */
const call = <O extends Operation>(
  operation: O,
  params: Readonly<Record<string, string>> = {},
  input: object = {},
) =>
  site.world
    .as('guest')
    .call(operation, { params: { ...site.site, ...params }, query: {}, ...input } as unknown as InputOf<O>);

const visible = async (): Promise<string> => {
  const { items } = await call(listSiteSpaces);
  return items[0]?.id ?? '';
};

const notFound = { reason: 'not-found' };

it('site spaces are not found if the caller cannot open their space', async () => {
  const at = { siteSpaceId: hidden };
  const item = { type: 'site-space', id: hidden };
  const before = { before: { type: 'site-space', id: hidden } };
  const other = await visible();
  for (const attempt of [
    () => call(updateSiteSpace, at, { body: { hidden: true } }),
    () => call(moveSiteSpace, at, { body: {} }),
    () => call(duplicateSiteSpace, at),
    () => call(deleteSiteSpace, at),
    () => call(sortSiteStructure, {}, { body: { item, position: {} } }),
    () => call(sortSiteStructure, {}, { body: { item: { ...item, id: other }, position: before } }),
    () => call(updateSite, {}, { body: { defaultSiteSpace: hidden } }),
  ])
    await expect(attempt()).rejects.toMatchObject(notFound);
  await expect(call(updateSiteSpace, { siteSpaceId: other }, { body: { path: 'secret' } })).rejects.toThrow(
    'A site space that you cannot see already has this path.',
  );
  const { items } = await call(listSites, {}, { query: { space: secret } });
  expect(items).toEqual([]);
});

it('a section is not named after a space that the caller cannot open', async () => {
  await site.call(updateSite, site.site, { body: { defaultSiteSpace: hidden } });
  const mine = (await call(listSiteSpaces)).items[0]!.space.id;
  const { id } = await call(addSection, {}, { body: { spaceId: mine, title: 'New' } });
  expect(JSON.stringify(await call(listSiteSpaces))).not.toContain('Secret');
  const change = call(updateSection, { siteSectionId: id }, { body: { defaultSiteSpace: hidden } });
  await expect(change).rejects.toMatchObject(notFound);
});

it('a redirect into a space that the caller cannot open is refused', async () => {
  const pageId = site.pages.get('Plan');
  const own = await call(
    createSiteRedirect,
    {},
    {
      body: { source: '/own', destination: { kind: 'external', url: 'https://example.com/' } },
    },
  );
  for (const destination of [
    { kind: 'path', spaceId: secret, path: 'plan' },
    { kind: 'site-space', siteSpaceId: hidden },
    { kind: 'site-page', siteSpaceId: hidden, pageId },
  ]) {
    const create = call(createSiteRedirect, {}, { body: { source: '/old', destination } });
    await expect(create).rejects.toMatchObject(notFound);
    const update = call(updateSiteRedirect, { siteRedirectId: own.id }, { body: { destination } });
    await expect(update).rejects.toMatchObject(notFound);
    const body = { redirects: [{ source: '/old', destination }] };
    const { results } = await call(upsertSiteRedirects, {}, { body });
    expect(results).toMatchObject([{ status: 'error' }]);
    expect(JSON.stringify(results)).not.toContain('Secret');
  }
});

it('a redirect into a space that the caller cannot open is neither changed nor deleted, and its target is not revealed', async () => {
  const destination = { kind: 'site-page', siteSpaceId: hidden, pageId: site.pages.get('Plan') };
  const live = await site.call(createSiteRedirect, site.site, { body: { source: '/plan', destination } });
  const body = { source: '/draft', destination, draft: true };
  await site.call(createSiteRedirect, site.site, { body });
  const to = { kind: 'external', url: 'https://example.com/' };
  await call(createSiteRedirect, {}, { body: { source: '/draft', destination: to } });
  const own = await call(createSiteRedirect, {}, { body: { source: '/own', destination: to } });
  const message = 'The source "/plan" already has a redirect into a space that you cannot open.';
  for (const attempt of [
    () => call(createSiteRedirect, {}, { body: { source: '/Plan', destination: to } }),
    () => call(createSiteRedirect, {}, { body: { source: '/draft', destination: to, draft: true } }),
    () => call(updateSiteRedirect, { siteRedirectId: own.id }, { body: { source: '/plan' } }),
  ])
    await expect(attempt()).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringMatching(new RegExp(message.replace('plan', '(?:plan|draft)'), 'i')),
      hint: expect.not.stringContaining(live.id),
    });
  const siteRedirectId = live.id;
  await expect(
    call(updateSiteRedirect, { siteRedirectId }, { body: { permanent: true } }),
  ).rejects.toMatchObject(notFound);
  await expect(call(deleteSiteRedirect, { siteRedirectId })).rejects.toMatchObject(notFound);
  const redirects = [
    { source: '/plan', destination: to },
    { source: '/plan', destination: null },
    { source: '/draft', intent: 'publish' },
  ];
  const { results } = await call(upsertSiteRedirects, {}, { body: { redirects } });
  expect(results.map(({ error }) => error)).toEqual([message, message, message.replace('plan', 'draft')]);
  const { items } = await site.call(listSiteRedirects, site.site, { query: { orderBy: 'source' } });
  expect(items.map(({ source }) => source)).toEqual(['/draft', '/own', '/plan']);
  expect(items[2]).toEqual(live);
});

it('creating a redirect does not reveal pages that the caller cannot open', async () => {
  const body = { source: '/secret/plan', destination: { kind: 'external', url: 'https://example.com/' } };
  expect(await call(createSiteRedirect, {}, { body })).not.toHaveProperty('unused');
  const draft = { body: { ...body, draft: true } };
  expect(await site.call(createSiteRedirect, site.site, draft)).toMatchObject({ unused: true });
});

it('redirects into a space that the caller cannot open resolve only if everyone can read the site', async () => {
  const destination = { kind: 'site-space', siteSpaceId: hidden };
  await site.call(createSiteRedirect, site.site, { body: { source: '/plan', destination } });
  const follow = () => call(resolveSiteRedirect, {}, { query: { source: '/plan' } });
  await site.call(publishSite, site.site);
  expect((await follow()).target).toMatch(/\/secret\/$/);
  await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
  await expect(follow()).rejects.toMatchObject({
    ...notFound,
    message: 'The redirect "/plan" leads into a space that you cannot open.',
    hint: expect.not.stringContaining('delete'),
  });
});

it('a caller who cannot open all spaces of a site cannot open the site to more people', async () => {
  const refusal = { reason: 'forbidden', message: 'The site "Docs" shows spaces that you cannot open.' };
  await expect(call(publishSite)).rejects.toMatchObject(refusal);
  await call(updateSite, {}, { body: { visibility: 'visitor-auth' } });
  await site.call(publishSite, site.site);
  for (const visibility of ['public', 'share-link'])
    await expect(call(updateSite, {}, { body: { visibility } })).rejects.toMatchObject(refusal);
  await site.call(updateSite, site.site, { body: { visibility: 'public' } });
  // Allowed: fewer people, and a site that everyone can already read.
  await call(updateSite, {}, { body: { visibility: 'unlisted' } });
  await call(updateSite, {}, { body: { visibility: 'share-link' } });
  await call(unpublishSite);
  expect(await call(getSite)).toMatchObject({ published: false });
});

it('keys of a site and conditions of a section require access to the spaces that they open', async () => {
  const mine = (await call(listSiteSpaces)).items[0]!.space.id;
  const { id: siteSectionId } = await site.call(addSection, site.site, {
    body: { spaceId: secret, title: 'Pro' },
  });
  const only = { body: { condition: 'visitor.claims.pro' } };
  await site.call(updateSection, { ...site.site, siteSectionId }, only);
  const { id: shareLinkId } = await site.call(createShareLink, site.site, { body: { name: 'All' } });
  await site.call(regeneratePublishingAuth, site.site);
  await site.call(publishSite, site.site);
  const update = () => call(updateSection, { siteSectionId }, { body: { condition: null } });
  const attempts = [
    () => call(createShareLink, {}, { body: { name: 'Mine' } }),
    () => call(listShareLinks),
    () => call(updateShareLink, { shareLinkId }, { body: { active: true } }),
    () => call(getPublishingAuth),
    () => call(updatePublishingAuth, {}, { body: {} }),
    () => call(regeneratePublishingAuth),
    () => call(updateSite, {}, { body: { adaptiveContent: { enabled: true } } }),
    update,
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ reason: 'forbidden' });
  const own = await call(addSection, {}, { body: { spaceId: mine, title: 'Own' } });
  await call(updateSection, { siteSectionId: own.id }, only);
  const users = [site.world.user('guest')];
  await site.call(setPermissions, { spaceId: secret }, { body: { role: 'read', users } });
  for (const attempt of attempts) await attempt();
});
