import { expect, it } from 'vitest';
import { addSection, listSiteSections, updateSection } from '../../src/resources/site-sections/contract.ts';
import { siteWithCoveredPages } from '../static-site/built-site.ts';

const agents = ['llms.txt', 'llms-full.txt', '~gitbook/site-index'];

it('pages at the path of a section are in no list, because visitors cannot open them', async () => {
  const { call, site, visit } = await siteWithCoveredPages();
  const linksOn = async (path: string) =>
    [...(await visit(path)).body.matchAll(/ href="\/sites\/acme\/docs\/([^"#~]*)"/g)].map(([, at]) => at);
  const found = async () => {
    const { body } = await visit('~gitbook/search?q=covered', { accept: 'application/json' });
    return (JSON.parse(body) as { items: { href: string }[] }).items.map(({ href }) => href);
  };
  expect(new Set(await linksOn(''))).toEqual(new Set(['', 'api/', 'index.md']));
  for (const path of agents) expect((await visit(path)).body).not.toMatch(/Covered|Old reference|api\/more/);
  expect(await found()).toEqual([]);
  expect((await visit('api.md')).statusCode).toBe(404);

  // Visitors who cannot open the section get the pages.
  const { items } = await call(listSiteSections, site);
  const siteSectionId = items.find((item) => item.path === 'api')?.id ?? '';
  const condition = 'visitor.claims.unsigned.plan == "pro"';
  await call(updateSection, { ...site, siteSectionId }, { body: { condition } });
  expect(await linksOn('')).toEqual(expect.arrayContaining(['api', 'api/users', 'api/more']));
  expect(await found()).toHaveLength(3);
  for (const path of [...agents, 'api.md']) expect((await visit(path)).body).toContain('Old reference');
});

it('the first page of a space, and links in its table of contents, are always listed', async () => {
  const { addSpace, call, change, pages, site, spaceId, visit } = await siteWithCoveredPages();
  const link = { type: 'link', title: 'More', slug: 'api', href: 'https://example.com/', document: {} };
  await change(spaceId, [
    { operation: 'delete_page', page: pages.get('Old reference') },
    { operation: 'insert_page', ...link },
  ]);
  expect((await visit('')).body).toContain('href="https://example.com/"');
  const first = { spaceId: await addSpace('Other', [{ title: 'Welcome', text: 'Text.' }]), title: 'Welcome' };
  await call(addSection, site, { body: first });
  expect((await visit('llms.txt')).body).toContain('[Welcome](https://docs.test/sites/acme/docs/index.md)');
});
