import { expect, it } from 'vitest';
import { listSitePaths } from '../../src/resources/site-paths/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { publishedSite } from './published-site.ts';

it('a space with more than 10,000 pages has several sitemaps', async () => {
  const { addSpace, call, visit, ...other } = await publishedSite([
    { title: 'Page', text: 'Text', slug: 'sitemap-pages-2.xml' },
  ]);
  const pages = Array.from({ length: 10_000 }, (_, at) => ({ title: `Page ${at}`, text: '' }));
  const large = await addSpace('Large', pages);
  await other.change(large, [{ operation: 'insert_page', title: 'Last', document: { markdown: 'Text' } }]);
  await call(addSiteSpace, other.site, { body: { spaceId: large } });
  const locations = async (path: string): Promise<string[]> => {
    const { statusCode, body } = await visit(path);
    expect(statusCode, path).toBe(200);
    return [...body.matchAll(/<loc>https:\/\/docs\.test\/sites\/acme\/docs\/(.*?)<\/loc>/g)].map(
      ([, found = '']) => found,
    );
  };
  expect(await locations('sitemap.xml')).toEqual([
    'sitemap-pages.xml',
    'large/sitemap-pages.xml',
    'large/sitemap-pages-2.xml',
  ]);
  const first = await locations('large/sitemap-pages.xml');
  expect([first.length, first.at(-1)]).toEqual([10_000, 'large/page-9999']);
  expect(await locations('large/sitemap-pages-2.xml')).toEqual(['large/last']);
  expect((await visit('large/sitemap-pages-3.xml')).statusCode).toBe(404);
  // Small spaces have no second sitemap, and can have a page at its path.
  expect((await visit('sitemap-pages-2.xml')).statusCode).toBe(308);
  const { paths } = await call(listSitePaths, other.site);
  expect(paths.map(({ path }) => path)).toContain('large/sitemap-pages-2.xml');
});
