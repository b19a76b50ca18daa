import { beforeEach, describe, expect, test } from 'vitest';
import type { Static } from '../../../src/contract/schema.ts';
import {
  createSiteRedirect,
  deleteSiteRedirect,
  listSiteRedirects,
  resolveSiteRedirect,
  updateSiteRedirect,
  upsertSiteRedirects,
  type SiteRedirect,
} from '../../../src/resources/site-redirects/contract.ts';
import { siteRedirects } from '../../../src/resources/site-redirects/rows.ts';
import { listSiteSections } from '../../../src/resources/site-sections/contract.ts';
import { updateSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { createShareLink } from '../../../src/resources/site-share-links/contract.ts';
import { deleteSite, updateSite } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs');
});

const address = 'http://localhost:8080/sites/acme/docs/';
const to = (url: string) => ({ kind: 'external', url });
const create = (
  source: string,
  destination: object,
  more: object = {},
): Promise<Static<typeof SiteRedirect>> =>
  world.call(createSiteRedirect, { siteId: site }, { source, destination, ...more });
const refuse = (source: string, destination: object, more: object = {}) =>
  world.refusal(createSiteRedirect, { siteId: site }, { source, destination, ...more });
const list = async (query: object = {}) =>
  (await world.call(listSiteRedirects, { siteId: site }, undefined, query)).items.map(({ source }) => source);
const resolve = async (source: string) =>
  (await world.call(resolveSiteRedirect, { siteId: site }, undefined, { source })).target;
const unresolved = (source: string) =>
  world.refusal(resolveSiteRedirect, { siteId: site }, undefined, { source });
const upsert = async (...redirects: object[]) =>
  (await world.call(upsertSiteRedirects, { siteId: site }, { redirects })).results;

describe('creating a redirect', () => {
  test('makes it live, temporary and without a wildcard capture by default', async () => {
    expect(await create('/old', to('https://example.com/'))).toMatchObject({
      object: 'site-redirect',
      source: '/old',
      draft: false,
      captureWildcard: false,
      permanent: false,
      destination: to('https://example.com/'),
    });
    const more = { draft: true, permanent: true, captureWildcard: true };
    expect(await create('/b/*', to('https://example.com/'), more)).toMatchObject(more);
  });

  test.each(['old', '/', '/*', '/a//b', '/a/', '/a*b', '/a/*/b', '/a b', '/a?b', `/${'a'.repeat(512)}`])(
    'refuses the source %j',
    async (source) => {
      expect(await refuse(source, to('https://example.com/'))).toMatchObject({
        reason: 'invalid-input',
        paths: ['/body/source'],
      });
    },
  );

  test.each(['/a/../b', '/./b', '/a/..', '/a/%2E%2e/b', '/a/.%2e/*'])(
    'refuses the source %j, because browsers never request it',
    async (source) => {
      expect(await refuse(source, to('https://example.com/'))).toMatchObject({
        reason: 'invalid-input',
        paths: ['/body/source'],
      });
      expect(await create('/a/...', to('https://example.com/'))).toBeDefined();
    },
  );

  test.each(['/llms.txt', '/Robots.txt', '/sitemap.xml', '/sitemap-pages-2.xml', '/~gitbook/*', '/~files/a'])(
    'refuses the source %j, because the site itself answers there',
    async (source) => {
      expect(await refuse(source, to('https://example.com/'))).toMatchObject({
        reason: 'invalid-input',
        message: `The site itself answers at "${source}", so a redirect from there would have no effect.`,
        paths: ['/body/source'],
      });
    },
  );

  test('refuses paths of files of a space only where the site has a space', async () => {
    await world.siteSpace(site, 'Start');
    const siteSpaceId = await world.siteSpace(site, 'Guide');
    await world.call(updateSiteSpace, { siteId: site, siteSpaceId }, { path: 'guides' });
    expect(await refuse('/guides/~gitbook/pdf', to('https://example.com/'))).toMatchObject({
      reason: 'invalid-input',
    });
    for (const source of ['/old/~gitbook/pdf', '/old/llms.txt', '/~user/page', '/guides/llms.txt'])
      expect(await create(source, to('https://example.com/'))).toBeDefined();
  });

  test('refuses the same path in another case or encoding, except for drafts', async () => {
    await create('/Old/%C3%A4', to('https://example.com/'));
    for (const source of ['/old/%C3%A4', '/OLD/%c3%a4', '/old/%C3%84'])
      expect(await refuse(source, to('https://example.com/'))).toMatchObject({ reason: 'conflict' });
    expect(await create('/old/%C3%A4', to('https://example.com/'), { draft: true })).toBeDefined();
    expect(await create('/old/%2F', to('https://example.com/'))).toBeDefined();
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    'https://user:pw@example.com/',
  ])('refuses the URL %j', async (url) => {
    expect(await refuse('/old', to(url))).toMatchObject({
      reason: 'invalid-input',
      paths: ['/body/destination/url'],
    });
  });

  test('refuses destinations that are not parts of the site', async () => {
    const other = await world.site('Other', await world.space('Elsewhere'));
    const siteSpaceId = await world.siteSpace(other, 'There');
    expect(await refuse('/old', { kind: 'site-space', siteSpaceId })).toMatchObject({
      reason: 'not-found',
    });
    expect(await refuse('/old', { kind: 'site-section', siteSectionId: 'sitesc_1' })).toMatchObject({
      reason: 'not-found',
    });
    expect(await refuse('/old', { kind: 'path', spaceId: 'spc_9', path: 'x' })).toMatchObject({
      reason: 'not-found',
    });
  });

  test('refuses captureWildcard without a star in the source', async () => {
    expect(await refuse('/old', to('https://example.com/'), { captureWildcard: true })).toMatchObject({
      reason: 'invalid-input',
      paths: ['/body/captureWildcard'],
    });
  });
});

describe('resolving a redirect', () => {
  test('prefers the exact path, then the longest prefix; "/*" requires a further path segment', async () => {
    for (const source of ['/a/*', '/a/b/*', '/a/b', '/a*', '/a/b/c*', '/z', '/ab/*', '/a/bb/*'])
      await create(source, to(`https://example.com${source.replace('*', '+')}`));
    const found = async (source: string) => (await resolve(source)).slice('https://example.com'.length);
    expect(await found('/a/b')).toBe('/a/b');
    expect(await found('/A/B')).toBe('/a/b');
    expect(await found('/a/b/x/y')).toBe('/a/b/+');
    expect(await found('/a/b/c')).toBe('/a/b/c+');
    expect(await found('/a/b/cc/d')).toBe('/a/b/c+');
    expect(await found('/a/q')).toBe('/a/+');
    expect(await found('/a')).toBe('/a+');
    expect(await found('/az')).toBe('/a+');
    expect(await found('/a/*')).toBe('/a/+');
    expect(await unresolved('/b')).toMatchObject({ reason: 'not-found' });
    expect(await unresolved('/zz')).toMatchObject({ reason: 'not-found' });
  });

  test('appends the captured part to the path of the destination', async () => {
    await create('/blog/*', to('https://example.com/posts/?a=1#top'), { captureWildcard: true });
    await create('/v1*', to('https://example.com/v1'), { captureWildcard: true });
    expect(await resolve('/blog/2024/Caf%C3%A9')).toBe('https://example.com/posts/2024/Caf%C3%A9?a=1#top');
    expect(await resolve('/v1/start')).toBe('https://example.com/v1/start');
    expect(await resolve('/v1')).toBe('https://example.com/v1');
  });

  test('returns the current address of sections after it changed', async () => {
    const guides = await world.section(site, 'Guides');
    const section = await world.section(site, 'Reference');
    await create('/ref', { kind: 'site-section', siteSectionId: section });
    await create('/start', { kind: 'site-section', siteSectionId: guides });
    expect(await resolve('/ref')).toBe(`${address}reference/`);
    expect(await resolve('/start')).toBe(address);
    await world.call(updateSite, { siteId: site }, { defaultSiteSection: section, basename: 'help' });
    expect(await resolve('/ref')).toBe('http://localhost:8080/sites/acme/help/');
    expect(await resolve('/start')).toBe('http://localhost:8080/sites/acme/help/guides/');
  });

  test('ignores drafts', async () => {
    await create('/old', to('https://example.com/'), { draft: true });
    expect(await unresolved('/old')).toMatchObject({ reason: 'not-found' });
  });

  test('keeps the key of a share link in the target', async () => {
    await create('/old', { kind: 'site-section', siteSectionId: await world.section(site, 'Guides') });
    await world.call(updateSite, { siteId: site }, { visibility: 'share-link' });
    const { urls } = await world.call(createShareLink, { siteId: site }, { name: 'Partners' });
    const shareKey = urls.published!.split('/').at(-2)!;
    const query = { source: '/old', shareKey };
    expect(await world.call(resolveSiteRedirect, { siteId: site }, undefined, query)).toMatchObject({
      target: urls.published,
    });
    expect(
      await world.refusal(resolveSiteRedirect, { siteId: site }, undefined, { ...query, shareKey: 'x' }),
    ).toMatchObject({ reason: 'not-found' });
  });
});

describe('redirect loops', () => {
  test('are refused, directly and through other redirects; drafts only when they are published', async () => {
    const loop = { reason: 'invalid-input', paths: ['/body/destination'] };
    expect(await refuse('/a', to(`${address}a`))).toMatchObject(loop);
    expect(await refuse('/a', to(`${address}A/?x=1#y`))).toMatchObject(loop);
    expect(await refuse('/a/*', to(`${address}a/b`), { captureWildcard: true })).toMatchObject(loop);
    await create('/a', to(`${address}b`));
    await create('/b', to(`${address}c`));
    expect(await refuse('/s/*', to(`${address}s`), { captureWildcard: true })).toMatchObject(loop);
    const siteSectionId = await world.section(site, 'Guides');
    await world.section(site, 'More');
    const [, more] = (await world.call(listSiteSections, { siteId: site })).items;
    const section = { kind: 'site-section', siteSectionId: more!.id };
    expect(await refuse('/more/*', section, { captureWildcard: true })).toMatchObject(loop);
    expect(await create('/less/*', section, { captureWildcard: true })).toBeDefined();
    // The start page of a site is not a loop, because every path without a redirect belongs to the site.
    expect(await create('/start', { kind: 'site-section', siteSectionId })).toBeDefined();
    for (const other of [address.replace('http:', 'https:'), address.replace('/docs/', `/${site}/`)])
      expect(await refuse('/own', to(`${other}own`))).toMatchObject(loop);
    const refusal = await refuse('/c', to(`${address}a`));
    expect(refusal).toMatchObject(loop);
    expect(refusal.message).toContain('/c → /a → /b → /c');
    const draft = await create('/c', to(`${address}a`), { draft: true });
    const at = { siteId: site, siteRedirectId: draft.id };
    expect(await world.refusal(updateSiteRedirect, at, { draft: false })).toMatchObject(loop);
    expect(await upsert({ source: '/c', intent: 'publish' })).toMatchObject([{ status: 'error' }]);
    expect(await create('/d', to(`${address}a`))).toBeDefined();
  });
});

describe('changing redirects', () => {
  test('changes only the given fields, and refuses a source that is taken', async () => {
    const { id } = await create('/old/*', to('https://example.com/'), { captureWildcard: true });
    await create('/taken', to('https://example.com/'));
    const at = { siteId: site, siteRedirectId: id };
    const changed = await world.call(updateSiteRedirect, at, { permanent: true });
    expect(changed).toMatchObject({ source: '/old/*', permanent: true, captureWildcard: true });
    expect(changed.updatedAt).toBeDefined();
    expect(await world.refusal(updateSiteRedirect, at, { source: '/taken' })).toMatchObject({
      reason: 'invalid-input',
    });
    expect(
      await world.refusal(updateSiteRedirect, at, { source: '/taken', captureWildcard: false }),
    ).toMatchObject({ reason: 'conflict' });
    await world.call(updateSiteRedirect, at, { source: '/new', captureWildcard: false });
    expect(await resolve('/new')).toBe('https://example.com/');
    expect(await unresolved('/old/x')).toMatchObject({ reason: 'not-found' });
  });

  test('deletes one alone, or all with their site', async () => {
    const { id } = await create('/old', to('https://example.com/'));
    await create('/other', to('https://example.com/'), { draft: true });
    const at = { siteId: site, siteRedirectId: id };
    await world.call(deleteSiteRedirect, at);
    expect(await world.refusal(deleteSiteRedirect, at)).toMatchObject({ reason: 'not-found' });
    await world.call(deleteSite, { siteId: site });
    expect(await world.core.store.read((view) => view.count(siteRedirects, 'bySite', [site]))).toBe(0);
  });

  test('is forbidden for readers, and not found from other sites and organizations', async () => {
    const { id } = await create('/old', to('https://example.com/'));
    const at = { siteId: site, siteRedirectId: id };
    const other = await world.site('Other');
    expect(await world.refusal(updateSiteRedirect, { ...at, siteId: other }, {})).toMatchObject({
      reason: 'not-found',
    });
    expect(await world.refusal(updateSiteRedirect, at, {}, undefined, 'outsider')).toMatchObject({
      reason: 'not-found',
    });
    expect(await world.refusal(updateSiteRedirect, at, {}, undefined, 'create')).toMatchObject({
      reason: 'forbidden',
    });
    expect(await world.call(listSiteRedirects, { siteId: site }, undefined, {}, 'read')).toMatchObject({
      count: 1,
    });
  });
});

describe('redirects upsert', () => {
  test('applies each change independently', async () => {
    const destination = to('https://example.com/');
    expect(
      await upsert(
        { source: '/a', destination },
        { source: '/b', destination: to('javascript:x') },
        { source: '/A', destination, permanent: true },
        { source: '/c', destination, intent: 'draft' },
        { source: '/c', intent: 'publish' },
        { source: '/d', destination: null },
        { source: '/a', destination: null },
        { source: '/e' },
      ),
    ).toMatchObject([
      { status: 'created', source: '/a', draft: false },
      { status: 'error', source: '/b', error: expect.stringMatching(/^\/redirects\/1\/destination\/url: /) },
      { status: 'updated', source: '/A' },
      { status: 'created', source: '/c', draft: true },
      { status: 'published', source: '/c', draft: false },
      { status: 'error', source: '/d' },
      { status: 'deleted', source: '/a' },
      { status: 'error', source: '/e' },
    ]);
    expect(await list()).toEqual(['/c']);
    expect(await list({ draft: true })).toEqual([]);
  });

  test('replaces the live redirect by the published draft, but keeps its ID', async () => {
    const live = await create('/a', to('https://example.com/1'));
    await create('/a', to('https://example.com/2'), { draft: true, permanent: true });
    expect(await upsert({ source: '/a', intent: 'publish' })).toEqual([
      { status: 'published', source: '/a', draft: false, id: live.id },
    ]);
    expect(await resolve('/a')).toBe('https://example.com/2');
    expect(await list({ draft: true })).toEqual([]);
  });

  test('publishes a draft with the given fields', async () => {
    await create('/a', to('https://example.com/1'), { draft: true });
    await create('/b', to('https://example.com/1'));
    await create('/b', to('https://example.com/2'), { draft: true });
    expect(
      await upsert(
        { source: '/a', intent: 'publish', destination: to('https://example.com/3'), permanent: true },
        { source: '/b', intent: 'publish', destination: to('https://example.com/3') },
      ),
    ).toMatchObject([{ status: 'published' }, { status: 'published' }]);
    for (const source of ['/a', '/b']) expect(await resolve(source)).toBe('https://example.com/3');
    await create('/c', to('https://example.com/1'), { draft: true });
    expect(await upsert({ source: '/c', intent: 'publish', destination: null })).toMatchObject([
      { status: 'error', error: expect.stringMatching(/^\/redirects\/0\/destination: /) },
    ]);
    expect(await list({ draft: true })).toEqual(['/c']);
  });

  test('10,000 redirects are counted, listed in pages and resolved', async () => {
    for (let from = 0; from < 10_000; from += 500)
      await upsert(
        ...Array.from({ length: 500 }, (_, index) => ({
          source: `/old/page-${from + index}${index % 5 === 0 ? '/*' : ''}`,
          destination: to(`https://example.com/${from + index}`),
        })),
      );
    const first = await world.call(listSiteRedirects, { siteId: site }, undefined, {
      orderBy: 'source',
      limit: 2,
    });
    expect(first).toMatchObject({
      count: 10_000,
      items: [{ source: '/old/page-0/*' }, { source: '/old/page-1' }],
    });
    expect(await list({ search: 'PAGE-777' })).toHaveLength(11);
    expect(await resolve('/old/page-7777')).toBe('https://example.com/7777');
    expect(await resolve('/old/page-5555/x')).toBe('https://example.com/5555');
    expect(await unresolved('/old/page-5554/x')).toMatchObject({ reason: 'not-found' });
  });
});
