import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import * as redirects from '../../src/resources/site-redirects/contract.ts';
import { addSection, listSiteSections, updateSection } from '../../src/resources/site-sections/contract.ts';
import { addSiteSpace, listSiteSpaces, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import type { Bench, Try } from './bench.ts';

const to = (url: string) => ({ kind: 'external', url });

/** A space with the page "One", which a published site shows. */
async function publishedSpace({ call, org }: Bench) {
  const spaceId = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
  const merge = async (change: object, body: object = {}) => {
    const changeRequestId = (await call(changeRequests.createChangeRequest, { spaceId }, { body: {} })).id;
    const at = { spaceId, changeRequestId };
    const { pages } = await call(batchContent, at, { body: { changes: [change] } });
    return { pages, ...(await call(changeRequests.mergeChangeRequest, at, { body })) };
  };
  const page = { operation: 'insert_page', title: 'One', document: { markdown: 'x' } };
  const { pages } = await merge(page);
  const site = { ...org, siteId: (await call(sites.createSite, org, { body: { title: 'Docs' } })).id };
  await call(addSiteSpace, site, { body: { spaceId } });
  await call(sites.publishSite, site);
  const [siteSpace] = (await call(listSiteSpaces, site)).items;
  const pageId = pages[0]!.id;
  const rename = (slug: string, body?: object) =>
    merge({ operation: 'update_page', page: pageId, slug }, body);
  return { site, spaceId, pageId, rename, merge, siteSpaceId: siteSpace!.id };
}

export const tries: readonly Try[] = [
  {
    of: 'moved-redirect',
    fields: [
      'site.id',
      'site.title',
      'action',
      'source',
      'captureWildcard',
      'destination.kind',
      'destination.siteSpaceId',
      'destination.pageId',
      'target',
      'space',
      'pagePath',
      'done',
      'id',
    ],
    run: async (bench) => {
      const { site, spaceId, pageId, rename, siteSpaceId } = await publishedSpace(bench);
      const left = {
        object: 'moved-redirect',
        site: { id: site.siteId, title: 'Docs' },
        action: 'create',
        source: '/one',
        captureWildcard: false,
        destination: { kind: 'site-page', siteSpaceId, pageId },
        target: '/two',
        space: spaceId,
        pagePath: 'two',
        done: false,
      };
      expect((await rename('two')).redirects).toEqual([left]);
      expect((await bench.call(redirects.listSiteRedirects, site)).count).toBe(0);
      await bench.call(sites.updateSite, site, { body: { title: 'Manual' } });
      const [made] = (await rename('three', { redirects: true })).redirects ?? [];
      expect(made).toMatchObject({ source: '/two', done: true, site: { title: 'Manual' } });
      const { items } = await bench.call(redirects.listSiteRedirects, site);
      expect(items).toMatchObject([{ id: made?.id, source: '/two', destination: made?.destination }]);
    },
  },
  {
    of: 'moved-redirect',
    fields: ['destination.url', 'destination.siteSectionId'],
    run: async (bench) => {
      const { site, spaceId, rename } = await publishedSpace(bench);
      await bench.call(addSection, site, { body: { spaceId, title: 'Again' } });
      const { items } = await bench.call(listSiteSections, site);
      const section = { kind: 'site-section', siteSectionId: items[1]!.id };
      const create = (source: string, destination: object) =>
        bench.call(redirects.createSiteRedirect, site, { body: { source, destination } });
      await create('/two', to('https://example.com/'));
      await create('/again/two', section);
      // The page moves to the path at which the redirects start.
      const found = (await rename('two', { redirects: true })).redirects ?? [];
      expect(found.filter(({ action }) => action === 'delete').map(({ destination }) => destination)).toEqual(
        [section, to('https://example.com/')],
      );
      const { items: left } = await bench.call(redirects.listSiteRedirects, site);
      expect(left.map(({ source }) => source).sort()).toEqual(['/again/one', '/one']);
    },
  },
  {
    of: 'change-requests.merge',
    fields: ['redirects'],
    run: async (bench) => {
      const { site, rename } = await publishedSpace(bench);
      expect((await rename('two', { redirects: true })).redirects).toMatchObject([{ source: '/one' }]);
      const { target } = await bench.call(redirects.resolveSiteRedirect, site, { query: { source: '/one' } });
      expect(target).toMatch(/\/two$/);
      await bench.call(sites.unpublishSite, site);
      expect(await rename('three')).not.toHaveProperty('redirects');
    },
  },
  {
    of: 'site',
    fields: ['redirects'],
    run: async (bench) => {
      const { site } = await publishedSpace(bench);
      const spaceId = (await bench.call(createSpace, bench.org, { body: { title: 'API' } })).id;
      const { id } = await bench.call(addSection, site, { body: { spaceId, title: 'Reference' } });
      const renamed = await bench.call(sites.updateSite, site, { body: { title: 'Docs' } });
      expect(renamed).not.toHaveProperty('redirects');
      const moved = await bench.call(sites.updateSite, site, {
        body: { defaultSiteSection: id, redirects: true },
      });
      expect(moved.redirects).toContainEqual(expect.objectContaining({ source: '/one', done: true }));
      const query = { source: '/one' };
      expect((await bench.call(redirects.resolveSiteRedirect, site, { query })).target).toMatch(/\/one$/);
    },
  },
  {
    of: 'site-section',
    fields: ['redirects'],
    run: async (bench) => {
      const { site, spaceId } = await publishedSpace(bench);
      const { id: siteSectionId, path } = await bench.call(addSection, site, {
        body: { spaceId, title: 'Again' },
      });
      const at = { ...site, siteSectionId };
      const moved = await bench.call(updateSection, at, { body: { path: 'more', redirects: true } });
      expect(moved.redirects).toMatchObject([{ source: `/${path}` }, { source: `/${path}/*` }]);
      const query = { source: `/${path}/one` };
      expect((await bench.call(redirects.resolveSiteRedirect, site, { query })).target).toMatch(
        /\/more\/one$/,
      );
    },
  },
  {
    of: 'site-space',
    fields: ['redirects'],
    run: async (bench) => {
      const { site } = await publishedSpace(bench);
      const other = (await bench.call(createSpace, bench.org, { body: { title: 'Other' } })).id;
      const { id: siteSpaceId } = await bench.call(addSiteSpace, site, { body: { spaceId: other } });
      const at = { ...site, siteSpaceId };
      const moved = await bench.call(updateSiteSpace, at, { body: { path: 'more', redirects: true } });
      expect(moved.redirects).toMatchObject([{ source: '/other' }, { source: '/other/*' }]);
      const query = { source: '/other/page' };
      expect((await bench.call(redirects.resolveSiteRedirect, site, { query })).target).toMatch(
        /\/more\/page$/,
      );
    },
  },
  {
    of: 'site-redirect',
    fields: ['unused'],
    run: async (bench) => {
      const { site, rename } = await publishedSpace(bench);
      const body = { source: '/one', destination: to('https://example.com/') };
      const made = await bench.call(redirects.createSiteRedirect, site, { body });
      expect(made.unused).toBe(true);
      await rename('two');
      const at = { ...site, siteRedirectId: made.id };
      expect(await bench.call(redirects.updateSiteRedirect, at, { body: {} })).not.toHaveProperty('unused');
    },
  },
  {
    of: 'sites.redirects.upsert',
    fields: ['results.unused'],
    run: async (bench) => {
      const { site, rename } = await publishedSpace(bench);
      const body = { redirects: [{ source: '/one', destination: to('https://example.com/') }] };
      expect((await bench.call(redirects.upsertSiteRedirects, site, { body })).results).toMatchObject([
        { status: 'created', unused: true },
      ]);
      await rename('two');
      const [again] = (await bench.call(redirects.upsertSiteRedirects, site, { body })).results;
      expect(again).toMatchObject({ status: 'updated' });
      expect(again).not.toHaveProperty('unused');
    },
  },
];
