import { beforeEach, describe, expect, it } from 'vitest';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { createSpec, replaceSpec } from '../../../src/resources/openapi/contract.ts';
import { findBrokenLinks } from '../../../src/resources/organizations/contract.ts';
import { setPermissions as setSitePermissions } from '../../../src/resources/permissions/site/contract.ts';
import { setPermissions as setSpacePermissions } from '../../../src/resources/permissions/space/contract.ts';
import { createSiteRedirect, listSiteRedirects } from '../../../src/resources/site-redirects/contract.ts';
import {
  addSection,
  deleteSection,
  listSiteSections,
  updateSection,
} from '../../../src/resources/site-sections/contract.ts';
import {
  addSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  updateSiteSpace,
} from '../../../src/resources/site-spaces/contract.ts';
import { unpublishSite, updateSite } from '../../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from '../../publishing/published-site.ts';

let site: PublishedSite;
beforeEach(async () => {
  site = await publishedSite([
    { title: 'Welcome', text: 'Hello.' },
    { title: 'Guides', text: 'All guides.' },
    { title: 'Setup', text: 'Install it.', git: { path: 'setup.md' } },
  ]);
  await site.change(site.spaceId, [
    { operation: 'insert_page', title: 'Keys', into: id('Guides'), document: { markdown: 'Make a key.' } },
  ]);
});
const id = (title: string): string => site.pages.get(title) ?? title;

type Moved = {
  readonly action: string;
  readonly source: string;
  readonly target?: string;
  readonly done: boolean;
};
const inShort = (redirects: readonly Moved[] | undefined) =>
  redirects?.map(
    ({ action, source, target = '', done }) => `${action} ${source} ${target}${done ? '' : ' ?'}`,
  );

/** Merges changes, and returns the redirects that the merge creates or proposes. */
let latest = '';
async function merge(changes: readonly object[], body: object = { redirects: true }, spaceId = site.spaceId) {
  const changeRequestId = (await site.call(createChangeRequest, { spaceId }, { body: {} })).id;
  latest = changeRequestId;
  const at = { spaceId, changeRequestId };
  const planned = { spaces: [{ space: spaceId, changes }] };
  const organizationId = site.world.org;
  const before = await site.call(findBrokenLinks, { organizationId }, { body: planned });
  await site.call(batchContent, at, { body: { changes } });
  const { redirects } = await site.call(mergeChangeRequest, at, { body });
  const withoutIds = (list: typeof redirects) =>
    list?.map((one) => ({ ...one, id: undefined, done: undefined }));
  // The redirects predicted before the merge are those of the merge, except that new pages have other IDs.
  if (!changes.some((change) => 'document' in change && 'title' in change))
    expect(withoutIds(before.redirects)).toEqual(withoutIds(redirects) ?? []);
  return inShort(redirects);
}
/** Merges the latest change request of the space again, and returns the redirects that this creates. */
async function mergeAgain(body: object = { redirects: true }) {
  const at = { spaceId: site.spaceId, changeRequestId: latest };
  const { revision, result, redirects } = await site.call(mergeChangeRequest, at, { body });
  return { revision, result, redirects: inShort(redirects) };
}
const rename = (title: string, slug: string) => ({ operation: 'update_page', page: id(title), slug });
const leads = async (path: string) => {
  const { statusCode, headers } = await site.visit(path);
  return statusCode === 307 ? headers.location?.replace('/sites/acme/docs/', '/') : statusCode;
};
const sources = async () =>
  (await site.call(listSiteRedirects, site.site, { query: { orderBy: 'source' } })).items.map(
    ({ source }) => source,
  );

describe('moved pages', () => {
  it('get their redirects later by repeating a merge, to their current paths', async () => {
    expect(await merge([rename('Guides', 'how-to')], {})).toHaveLength(2);
    const forgotten = latest;
    await merge([rename('Keys', 'secrets')], {});
    expect((await mergeAgain()).redirects).toEqual(['create /how-to/keys /how-to/secrets']);
    latest = forgotten;
    await expect(mergeAgain({})).rejects.toThrow('is already merged');
    const resolutions = [{ page: 'how-to', take: 'ours' }];
    await expect(mergeAgain({ redirects: true, resolutions })).rejects.toThrow('no conflicts to resolve');
    const again = { revision: expect.stringMatching(/^rev_/), result: 'merge' };
    const redirects = ['create /guides /how-to', 'create /guides/keys /how-to/secrets'];
    expect(await mergeAgain()).toEqual({ ...again, redirects });
    expect(await leads('guides/keys')).toBe('/how-to/secrets');
    expect(await mergeAgain()).toEqual({ ...again, redirects: [] });
  });

  it('are redirected from their old path, with the pages below them', async () => {
    expect(await merge([rename('Guides', 'how-to')])).toEqual([
      'create /guides /how-to',
      'create /guides/keys /how-to/keys',
    ]);
    expect([await leads('guides'), await leads('Guides/Keys?x=1')]).toEqual(['/how-to', '/how-to/keys?x=1']);
    // A later move needs a redirect only from the path that it leaves, because the older redirect leads to the page.
    expect(await merge([{ operation: 'update_page', page: id('Keys'), into: null }])).toEqual([
      'create /how-to/keys /keys',
    ]);
    expect([await leads('guides/keys'), await leads('how-to/keys')]).toEqual(['/keys', '/keys']);
  });

  it('are only proposed for redirects by default, and later merges do not propose them again', async () => {
    expect(await merge([rename('Setup', 'install')], {})).toEqual(['create /setup /install ?']);
    expect([await leads('setup'), await sources()]).toEqual([404, []]);
    const text = { operation: 'update_page', page: id('Setup'), document: { markdown: 'Other.' } };
    expect(await merge([text])).toEqual([]);
  });

  it('get redirects if they are recreated from the same file or text, but deleted pages do not', async () => {
    const changes = [
      { operation: 'delete_page', page: id('Setup') },
      { operation: 'delete_page', page: id('Keys') },
      {
        operation: 'insert_page',
        title: 'Install',
        document: { markdown: 'New text.' },
        git: { path: 'setup.md' },
      },
      {
        operation: 'insert_page',
        title: 'API keys',
        into: id('Guides'),
        document: { markdown: 'Make a key.' },
      },
      { operation: 'delete_page', page: id('Welcome') },
    ];
    expect(await merge(changes)).toEqual(['create /guides/keys /guides/api-keys', 'create /setup /install']);
    expect(await leads('setup')).toBe('/install');
  });

  it('have no redirect from a path that another page takes or that a page takes back', async () => {
    const swapped = [rename('Setup', 'setup-old'), rename('Guides', 'setup')];
    expect(await merge(swapped)).toEqual(['create /guides /setup', 'create /guides/keys /setup/keys']);
    expect(await leads('setup')).toBe(200);
    expect(await merge([rename('Guides', 'guides')])).toEqual([
      'delete /guides ',
      'delete /guides/keys ',
      'create /setup /guides',
      'create /setup/keys /guides/keys',
    ]);
    expect(await sources()).toEqual(['/setup', '/setup/keys']);
  });

  it('keep the redirects of users, repair broken ones and shorten chains', async () => {
    const to = (url: string) => ({ kind: 'external', url });
    const create = async (source: string, destination: object) =>
      (await site.call(createSiteRedirect, site.site, { body: { source, destination } })).id;
    await create('/setup', to('https://example.com/'));
    await create('/begin', to('http://localhost:8080/sites/acme/docs/guides/keys'));
    const siteSpaceId = (await site.call(listSiteSpaces, site.site)).items[0]!.id;
    await create('/guides/keys', { kind: 'site-page', siteSpaceId, pageId: id('Welcome') });
    expect(await merge([rename('Setup', 'install')])).toEqual([]);
    expect(await leads('setup')).toBe('https://example.com/');
    // The page of the redirect is deleted, so the redirect is broken.
    expect(await merge([{ operation: 'delete_page', page: id('Welcome') }])).toEqual([]);
    expect(await merge([rename('Keys', 'secrets')])).toEqual([
      'replace /begin /guides/secrets',
      'replace /guides/keys /guides/secrets',
    ]);
    expect([await leads('begin'), await leads('guides/keys')]).toEqual([
      '/guides/secrets',
      '/guides/secrets',
    ]);
  });

  it('repair a redirect to a deleted section', async () => {
    const spaceId = await site.addSpace('News', [{ title: 'One', text: 'x' }]);
    const section = await site.call(addSection, site.site, { body: { spaceId, title: 'News' } });
    const destination = { kind: 'site-section', siteSectionId: section.id };
    const redirect = (source: string) =>
      site.call(createSiteRedirect, site.site, { body: { source, destination } });
    await redirect('/setup');
    expect(await merge([rename('Setup', 'install')])).toEqual([]);
    await redirect('/install');
    await site.call(deleteSection, { ...site.site, siteSectionId: section.id });
    expect(await merge([rename('Setup', 'end')])).toEqual(['replace /install /end']);
  });

  it('need no redirects on unpublished sites and in spaces without a site', async () => {
    const other = await site.addSpace('Other', [{ title: 'One', text: 'x' }]);
    expect(await merge([{ operation: 'update_page', page: id('One'), slug: 'two' }], {}, other)).toBe(
      undefined,
    );
    await site.call(unpublishSite, site.site);
    expect(await merge([rename('Setup', 'install')], {})).toBe(undefined);
  });

  it('are redirected only by administrators of the site, and hidden sites are not mentioned', async () => {
    const { world, spaceId } = site;
    const { id: changeRequestId } = await site.call(createChangeRequest, { spaceId }, { body: {} });
    const params = { spaceId, changeRequestId };
    await site.call(batchContent, params, { body: { changes: [rename('Setup', 'install')] } });
    const merging = world.as('review').call(mergeChangeRequest, { params, body: { redirects: true } });
    await expect(merging).rejects.toMatchObject({
      reason: 'forbidden',
      message:
        'To change the redirects of a site, you need the admin role on the site "Docs"; you have the review role.',
    });
    expect([await leads('setup'), await sources()]).toEqual([200, []]);
    const users = [world.user('review')];
    await site.call(setSpacePermissions, { spaceId }, { body: { users, role: 'review' } });
    await site.call(setSitePermissions, site.site, { body: { users, role: null } });
    expect(await world.as('review').call(mergeChangeRequest, { params, body: {} })).not.toHaveProperty(
      'redirects',
    );
    expect(await leads('setup')).toBe(404);
  });

  it('get redirects whose sources are URL-encoded', async () => {
    await merge([rename('Setup', 'größe-(1)')]);
    expect(await merge([rename('Setup', 'ende')])).toEqual(['create /gr%C3%B6%C3%9Fe-%281%29 /ende']);
    expect(await leads('gr%C3%B6%C3%9Fe-(1)')).toBe('/ende');
  });
});

describe('a change of the site structure', () => {
  const section = async (path: string) => ({
    ...site.site,
    siteSectionId: (await site.call(listSiteSections, site.site)).items.find((one) => one.path === path)!.id,
  });
  const move = async (from: string, to: string, redirects = true) =>
    inShort(
      (await site.call(updateSection, await section(from), { body: { path: to, redirects } })).redirects,
    );
  beforeEach(async () => {
    const spaceId = await site.addSpace('API', [
      { title: 'Calls', text: 'How to call.' },
      { title: 'Errors', text: 'What fails.' },
    ]);
    await site.call(addSection, site.site, { body: { spaceId, title: 'API' } });
    const old = await site.addSpace('API 1', [
      { title: 'Old calls', text: 'How to call.' },
      { title: 'Old errors', text: 'What failed.' },
    ]);
    const { siteSectionId } = await section('api');
    await site.call(addSiteSpace, site.site, { body: { spaceId: old, sectionId: siteSectionId } });
  });

  it('redirects a whole section with its spaces, also after later moves', async () => {
    expect(await move('api', 'reference')).toEqual([
      'create /api /reference/',
      'create /api/* /reference/',
      'create /api/api-1 /reference/api-1/',
      'create /api/api-1/* /reference/api-1/',
    ]);
    expect([await leads('api'), await leads('api/errors'), await leads('api/api-1/old-errors')]).toEqual([
      '/reference/',
      '/reference/errors',
      '/reference/api-1/old-errors',
    ]);
    expect(await move('reference', 'v2')).toHaveLength(4);
    expect([await leads('api/errors'), await leads('reference/errors')]).toEqual([
      '/v2/errors',
      '/v2/errors',
    ]);
    // A page that moves is redirected in one step from all its former addresses.
    const { items } = await site.call(listSiteSections, site.site);
    const spaceId = items[1]!.siteSpaces[0]!.space.id;
    const renamed = await merge([rename('Errors', 'faults')], { redirects: true }, spaceId);
    expect(renamed).toEqual([
      'create /api/errors /v2/faults',
      'create /reference/errors /v2/faults',
      'create /v2/errors /v2/faults',
    ]);
    expect(await leads('api/errors')).toBe('/v2/faults');
    expect(await move('v2', 'api')).toEqual([
      'delete /api ',
      'delete /api/* ',
      'delete /api/api-1 ',
      'delete /api/api-1/* ',
      'create /v2 /api/',
      'create /v2/* /api/',
      'create /v2/api-1 /api/api-1/',
      'create /v2/api-1/* /api/api-1/',
    ]);
    expect([await leads('api/errors'), await leads('api/gone'), await leads('v2/faults')]).toEqual([
      '/api/faults',
      404,
      '/api/faults',
    ]);
  });

  it('redirects a space in a section, page by page if another space takes its path', async () => {
    const { items } = await site.call(listSiteSections, site.site);
    const [newest, older] = items[1]!.siteSpaces.map(({ id: siteSpaceId }) => siteSpaceId);
    const update = async (siteSpaceId: string, body: object) =>
      inShort((await site.call(updateSiteSpace, { ...site.site, siteSpaceId }, { body })).redirects);
    expect(await update(older!, { path: 'v1', redirects: true })).toEqual([
      'create /api/api-1 /api/v1/',
      'create /api/api-1/* /api/v1/',
    ]);
    // The first space of the section has the path of the section, independent of its own path.
    expect(await update(newest!, { path: 'v2', redirects: true })).toEqual([]);
    const body = { defaultSiteSpace: older!, redirects: true };
    const changed = await site.call(updateSection, await section('api'), { body });
    expect(inShort(changed.redirects)).toEqual([
      'create /api/calls /api/v2/calls',
      'create /api/errors /api/v2/errors',
      'create /api/v1 /api/',
      'create /api/v1/* /api/',
    ]);
    expect([await leads('api/errors'), await leads('api/v1/old-errors')]).toEqual([
      '/api/v2/errors',
      '/api/old-errors',
    ]);
  });

  it('redirects page by page if another section takes the path, so that sections can swap paths', async () => {
    const section = async (title: string) => {
      const spaceId = await site.addSpace(title, [
        { title: 'Start', text: 'Text.' },
        { title, text: 'Text.' },
      ]);
      return (await site.call(addSection, site.site, { body: { spaceId, title } })).id;
    };
    const [one, two] = [await section('One'), await section('Two')];
    const move = async (siteSectionId: string, path: string) => {
      const body = { path, redirects: true };
      return inShort((await site.call(updateSection, { ...site.site, siteSectionId }, { body })).redirects);
    };
    await move(one, 'three');
    expect(await move(two, 'one')).toEqual([
      'delete /one ',
      'delete /one/* ',
      'create /one/one /three/one',
      'create /two /one/',
      'create /two/* /one/',
    ]);
    await move(one, 'two');
    expect(await Promise.all(['one/one', 'two/two', 'three/one', 'one/none', 'two/none'].map(leads))).toEqual(
      ['/two/one', '/one/two', '/two/one', 404, 404],
    );
  });

  const spacesOf = async (path: string) => {
    const { siteSectionId } = await section(path);
    const { items } = await site.call(listSiteSpaces, site.site);
    return items.filter((one) => one.section === siteSectionId);
  };

  it('redirects a removed space to its other place on the site', async () => {
    const [, old] = await spacesOf('api');
    const body = { spaceId: old!.space.id, title: 'Archive' };
    await site.call(addSection, site.site, { body });
    const at = { ...site.site, siteSpaceId: old!.id };
    await site.call(deleteSiteSpace, at, { query: { redirects: true } });
    expect(await sources()).toEqual(['/api/api-1', '/api/api-1/*']);
    expect(await leads('api/api-1/old-errors')).toBe('/archive/old-errors');
  });

  it('redirects the space that becomes the default because the previous one is removed', async () => {
    const [calls] = await spacesOf('api');
    await site.call(
      deleteSiteSpace,
      { ...site.site, siteSpaceId: calls!.id },
      { query: { redirects: true } },
    );
    expect([await leads('api/api-1/old-errors'), await leads('api/errors')]).toEqual([
      '/api/old-errors',
      404,
    ]);
  });

  it('redirects the pages of a space whose path a new section takes', async () => {
    const { items } = await site.call(listSiteSections, site.site);
    const sectionId = items.find((one) => one.default)!.id;
    const spaceId = await site.addSpace('News', [
      { title: 'All', text: 'x' },
      { title: 'May', text: 'x' },
    ]);
    await site.call(addSiteSpace, site.site, { body: { spaceId, sectionId } });
    const other = await site.addSpace('News of others', [{ title: 'June', text: 'x' }]);
    const body = { spaceId: other, title: 'News' };
    const { redirects } = await site.call(addSection, site.site, { body: { ...body, redirects: true } });
    expect(inShort(redirects)).toEqual([
      'create /news/all /guide/news/all',
      'create /news/may /guide/news/may',
    ]);
    expect(await leads('news/may')).toBe('/guide/news/may');
  });

  it('only proposes redirects by default', async () => {
    expect(await move('api', 'reference', false)).toEqual([
      'create /api /reference/ ?',
      'create /api/* /reference/ ?',
      'create /api/api-1 /reference/api-1/ ?',
      'create /api/api-1/* /reference/api-1/ ?',
    ]);
    expect([await sources(), await leads('api/errors')]).toEqual([[], 404]);
  });
});

describe('a change of the default section', () => {
  const addSections = async () => {
    const api = await site.addSpace('API', [
      { title: 'Calls', text: 'How to call.' },
      { title: 'Errors', text: 'What fails.' },
    ]);
    const added = await site.call(addSection, site.site, { body: { spaceId: api, title: 'API' } });
    const { items } = await site.call(listSiteSections, site.site);
    const [first] = items.filter((one) => one.default === true);
    return { api, added, first };
  };

  it('redirects the pages of both sections', async () => {
    const { added } = await addSections();
    const structure = [{ id: added.id, default: true as const }];
    const organizationId = site.world.org;
    const planned = await site.call(findBrokenLinks, { organizationId }, { body: { spaces: [], structure } });
    const proposed = await site.call(updateSite, site.site, { body: { title: 'Docs' } });
    expect(proposed.redirects).toBeUndefined();
    const { redirects } = await site.call(updateSite, site.site, {
      body: { defaultSiteSection: added.id, redirects: true },
    });
    expect(inShort(redirects)).toEqual([
      'create /api /',
      'create /api/* /',
      'create /guides /guide/guides',
      'create /guides/keys /guide/guides/keys',
      'create /setup /guide/setup',
      'create /welcome /guide/welcome',
    ]);
    expect(inShort(planned.redirects)?.map((one) => one.replace(' ?', ''))).toEqual(inShort(redirects));
    expect([await leads('setup'), await leads('api/errors')]).toEqual(['/guide/setup', '/errors']);
    expect((await site.visit('guide/setup')).statusCode).toBe(200);
    expect((await site.visit('errors')).statusCode).toBe(200);
  });

  it('redirects the path of a space to this space, even if a page has the same path', async () => {
    const { added } = await addSections();
    const spaceId = await site.addSpace('Setup', [{ title: 'Start', text: 'Text.' }]);
    await site.call(addSiteSpace, site.site, { body: { spaceId } });
    await site.call(updateSite, site.site, { body: { defaultSiteSection: added.id, redirects: true } });
    expect([await leads('setup'), await leads('setup/more')]).toEqual(['/guide/setup/', '/guide/setup/more']);
  });

  it('creates no redirects by default or if nothing moves', async () => {
    const { added, first } = await addSections();
    const body = { defaultSiteSection: first!.id, redirects: true };
    expect(inShort((await site.call(updateSite, site.site, { body })).redirects)).toEqual([]);
    const { redirects } = await site.call(updateSite, site.site, {
      body: { defaultSiteSection: added.id },
    });
    expect([inShort(redirects)?.length, await sources()]).toEqual([6, []]);
  });

  it('redirects the pages of a deleted section, default or not, if the site still shows them', async () => {
    const { api, added, first } = await addSections();
    const again = await site.call(addSection, site.site, { body: { spaceId: api, title: 'Reference' } });
    const at = (siteSectionId: string) => ({ ...site.site, siteSectionId });
    await site.call(deleteSection, at(again.id), { query: { redirects: true } });
    expect(await sources()).toEqual(['/reference', '/reference/*']);
    expect(await leads('reference/errors')).toBe('/api/errors');
    // The pages of the default section are gone, and the other section is now at the root.
    await site.call(deleteSection, at(first!.id), { query: { redirects: true } });
    expect(await sources()).toEqual(['/api', '/api/*', '/reference', '/reference/*']);
    expect([await leads('api/errors'), await leads('reference/errors'), await leads('setup')]).toEqual([
      '/errors',
      '/errors',
      404,
    ]);
    expect(added.id).not.toBe(again.id);
  });

  it('is not needed to redirect a deleted section to another one with the same space', async () => {
    const { api } = await addSections();
    const { id: siteSectionId, siteSpaces } = await site.call(addSection, site.site, {
      body: { spaceId: api, title: 'Reference' },
    });
    const siteSpaceId = siteSpaces[0]?.id ?? '';
    const body = { source: '/calling', destination: { kind: 'site-space', siteSpaceId } };
    await site.call(createSiteRedirect, site.site, { body });
    await merge([rename('Errors', 'failures')], { redirects: true }, api);
    expect(await leads('reference/errors')).toBe('/reference/failures');
    await site.call(deleteSection, { ...site.site, siteSectionId }, { query: { redirects: true } });
    expect(await Promise.all(['reference/errors', 'reference/failures', 'calling'].map(leads))).toEqual([
      '/api/failures',
      '/api/failures',
      '/api/',
    ]);
  });
});

describe('generated pages', () => {
  const petshop = (titles: Readonly<Record<string, string>>) => ({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    tags: Object.entries(titles).map(([name, title]) => ({ name, 'x-page-title': title })),
    paths: Object.fromEntries(
      Object.keys(titles).map((tag) => [
        `/${tag}`,
        { get: { tags: [tag], responses: { 200: { description: tag } } } },
      ]),
    ),
  });
  const organization = () => ({ organizationId: site.world.org });
  const runJobs = () => runDueJobs(site.world.core, { signal: new AbortController().signal });
  beforeEach(async () => {
    const source = { text: JSON.stringify(petshop({ cats: 'Cats', dogs: 'Dogs' })) };
    await site.call(createSpec, organization(), { body: { slug: 'pets', source } });
    await runJobs();
    const computed = {
      type: 'builtin:openapi',
      props: { models: false },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
    };
    const change = { operation: 'insert_page', title: 'API', type: 'computed', computed, document: {} };
    await site.change(site.spaceId, [{ ...change, into: id('Guides') }]);
  });

  it('are redirected if a page above them or their source moves', async () => {
    expect((await site.visit('guides/cats')).statusCode).toBe(200);
    expect(await merge([rename('Guides', 'how-to')])).toEqual([
      'create /guides /how-to',
      'create /guides/cats /how-to/cats',
      'create /guides/dogs /how-to/dogs',
      'create /guides/keys /how-to/keys',
    ]);
    expect([await leads('guides/cats'), await leads('guides/dogs')]).toEqual([
      '/how-to/cats',
      '/how-to/dogs',
    ]);
    expect(await merge([{ operation: 'update_page', page: id('API'), into: null }])).toEqual([
      'create /how-to/cats /cats',
      'create /how-to/dogs /dogs',
    ]);
    expect([await leads('guides/cats'), await leads('how-to/dogs')]).toEqual(['/cats', '/dogs']);
    // When the pages return to their paths, their old redirects are deleted.
    expect(await merge([{ operation: 'update_page', page: id('API'), into: id('Guides') }])).toEqual([
      'create /cats /how-to/cats',
      'create /dogs /how-to/dogs',
      'delete /how-to/cats ',
      'delete /how-to/dogs ',
    ]);
  });

  it('can be destinations of redirects, by path or ID, and follow a new title', async () => {
    const destination = { kind: 'path', spaceId: site.spaceId, path: 'guides/dogs' };
    const made = await site.call(createSiteRedirect, site.site, { body: { source: '/hounds', destination } });
    expect(made.destination).toMatchObject({
      kind: 'site-page',
      pageId: expect.stringMatching(/-[\da-f]{12}$/),
    });
    expect(await leads('hounds')).toBe('/guides/dogs');
    const source = { text: JSON.stringify(petshop({ cats: 'Cats', dogs: 'Hounds' })) };
    await site.call(replaceSpec, { ...organization(), specSlug: 'pets' }, { body: { source } });
    await runJobs();
    expect(await leads('hounds')).toBe('/guides/hounds');
    const gone = { kind: 'path', spaceId: site.spaceId, path: 'guides/dogs' };
    await expect(
      site.call(createSiteRedirect, site.site, { body: { source: '/x', destination: gone } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    // A tag with another name has another page.
    const other = { text: JSON.stringify(petshop({ cats: 'Cats', birds: 'Hounds' })) };
    await site.call(replaceSpec, { ...organization(), specSlug: 'pets' }, { body: { source: other } });
    await runJobs();
    expect(await leads('hounds')).toBe(404);
  });

  it('take precedence over redirects from their path', async () => {
    await site.call(createSiteRedirect, site.site, {
      body: { source: '/guides/cats', destination: { kind: 'external', url: 'https://example.com/' } },
    });
    expect((await site.visit('guides/cats')).statusCode).toBe(200);
    const { items } = await site.call(listSiteRedirects, site.site, {});
    expect(items).toMatchObject([{ source: '/guides/cats' }]);
  });
});
