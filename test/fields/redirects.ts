import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import * as redirects from '../../src/resources/site-redirects/contract.ts';
import { addSection, listSiteSections } from '../../src/resources/site-sections/contract.ts';
import { listSiteSpaces } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import type { Bench, Try } from './bench.ts';

const to = (url: string) => ({ kind: 'external', url });
const newSite = async ({ call, org }: Bench) => ({
  ...org,
  siteId: (await call(sites.createSite, org, { body: { title: 'Docs' } })).id,
});
const resolving = (bench: Bench, site: Record<string, string>) => ({
  resolve: (source: string) => bench.call(redirects.resolveSiteRedirect, site, { query: { source } }),
  refused: (source: string) => bench.reason(redirects.resolveSiteRedirect, site, { query: { source } }),
});

export const tries: readonly Try[] = [
  {
    of: 'site-redirect',
    fields: [
      'source',
      'draft',
      'captureWildcard',
      'permanent',
      'destination.kind',
      'destination.url',
      'updatedAt',
    ],
    run: async (bench) => {
      const site = await newSite(bench);
      const { resolve, refused } = resolving(bench, site);
      const body = { source: '/old/*', destination: to('https://example.com/new') };
      const { id } = await bench.call(redirects.createSiteRedirect, site, { body });
      const update = (change: object) =>
        bench.call(redirects.updateSiteRedirect, { ...site, siteRedirectId: id }, { body: change });
      const made = await resolve('/old/page');
      expect(made.target).toBe('https://example.com/new');
      expect(made.redirect).toMatchObject({
        ...body,
        permanent: false,
        captureWildcard: false,
        draft: false,
      });
      expect(made.redirect).not.toHaveProperty('updatedAt');
      await update({ captureWildcard: true, permanent: true });
      expect(await resolve('/old/page')).toMatchObject({
        redirect: { captureWildcard: true, permanent: true, updatedAt: expect.any(String) },
        target: 'https://example.com/new/page',
      });
      await update({ source: '/older/*', destination: to('https://example.org/') });
      expect(await refused('/old/page')).toBe('not-found');
      expect((await resolve('/older/page')).target).toBe('https://example.org/page');
      await update({ draft: true });
      expect(await refused('/older/page')).toBe('not-found');
      const { items } = await bench.call(redirects.listSiteRedirects, site, { query: { draft: true } });
      expect(items).toMatchObject([{ id, draft: true, source: '/older/*' }]);
    },
  },
  {
    of: 'site-redirect',
    fields: ['destination.siteSectionId', 'destination.siteSpaceId', 'destination.pageId'],
    run: async (bench) => {
      const { call, org } = bench;
      const site = await newSite(bench);
      const { resolve } = resolving(bench, site);
      const spaceId = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
      const changeRequestId = (await call(changeRequests.createChangeRequest, { spaceId }, { body: {} })).id;
      const at = { spaceId, changeRequestId };
      const { pages } = await call(batchContent, at, {
        body: {
          changes: ['One', 'Two'].map((title) => ({
            operation: 'insert_page',
            title,
            document: { markdown: 'x' },
          })),
        },
      });
      await call(changeRequests.mergeChangeRequest, at, { body: {} });
      await call(addSection, site, { body: { spaceId, title: 'Guide' } });
      const [section] = (await call(listSiteSections, site)).items;
      const [siteSpace] = (await call(listSiteSpaces, site)).items;
      const address = (await call(sites.publishSite, site)).urls.published ?? '';
      const targets: string[] = [];
      for (const [source, destination] of Object.entries({
        '/a': { kind: 'site-section', siteSectionId: section?.id },
        '/b': { kind: 'site-space', siteSpaceId: siteSpace?.id },
        '/c': { kind: 'site-page', siteSpaceId: siteSpace?.id, pageId: pages[1]?.id },
      })) {
        await call(redirects.createSiteRedirect, site, { body: { source, destination } });
        const found = await resolve(source);
        expect(found.redirect.destination).toEqual(destination);
        targets.push(found.target.slice(address.length));
      }
      expect(targets).toEqual(['', '', 'two']);
    },
  },
  {
    of: 'sites.redirects.upsert',
    fields: ['results.status', 'results.source', 'results.draft', 'results.id', 'results.error'],
    run: async (bench) => {
      const site = await newSite(bench);
      const { resolve, refused } = resolving(bench, site);
      const upsert = async (...items: object[]) =>
        (await bench.call(redirects.upsertSiteRedirects, site, { body: { redirects: items } })).results;
      const source = '/old';
      const made = await upsert(
        { source, intent: 'draft', destination: to('https://example.com/a') },
        { source: '/none', destination: null },
      );
      expect(made).toMatchObject([
        { status: 'created', source, draft: true, id: expect.any(String) },
        { status: 'error', source: '/none', draft: false, error: expect.stringContaining('/none') },
      ]);
      expect(await refused(source)).toBe('not-found');
      const [published] = await upsert({ source, intent: 'publish' });
      expect(published).toMatchObject({ status: 'published', draft: false });
      expect(await resolve(source)).toMatchObject({
        redirect: { id: published?.id },
        target: 'https://example.com/a',
      });
      expect(await upsert({ source, destination: to('https://example.com/b') })).toMatchObject([
        { status: 'updated', id: published?.id },
      ]);
      expect((await resolve(source)).target).toBe('https://example.com/b');
      expect(await upsert({ source, destination: null })).toMatchObject([{ status: 'deleted', source }]);
      expect(await refused(source)).toBe('not-found');
    },
  },
  {
    of: 'sites.redirects.resolve',
    fields: ['redirect', 'target'],
    run: async (bench) => {
      const site = await newSite(bench);
      const { resolve } = resolving(bench, site);
      const long = { source: '/old/*', destination: to('https://example.com/all') };
      const exact = { source: '/old/page', destination: to('https://example.com/one') };
      await bench.call(redirects.createSiteRedirect, site, { body: long });
      expect(await resolve('/old/page')).toMatchObject({ redirect: long, target: long.destination.url });
      await bench.call(redirects.createSiteRedirect, site, { body: exact });
      expect(await resolve('/old/page')).toMatchObject({ redirect: exact, target: exact.destination.url });
    },
  },
];
