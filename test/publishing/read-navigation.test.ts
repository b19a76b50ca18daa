import { beforeAll, expect, it, vi } from 'vitest';
import { ReferenceResolver } from '../../src/content/links/reference-resolver.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { listPages } from '../../src/resources/content/space-pages/contract.ts';
import { listSpaceLinks } from '../../src/resources/spaces/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;
let other: string;

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Text' },
    { title: 'Setup', text: '## Linux\n\nText', into: undefined },
    { title: 'Beta', text: 'Text', condition: 'visitor.claims.beta' },
  ]);
  other = await site.addSpace('Other', [
    { title: 'First', text: 'Text' },
    { title: 'Second', text: 'Text' },
  ]);
  await site.call(addSiteSpace, site.site, { body: { spaceId: other } });
  const link = (title: string, href: string) => ({
    operation: 'insert_page',
    type: 'link',
    title,
    href,
    document: {},
  });
  const id = (title: string) => site.pages.get(title) ?? '';
  await site.change(site.spaceId, [
    { operation: 'insert_page', title: 'Below', into: id('Setup'), document: { markdown: 'Text' } },
    { ...link('By path', 'setup#linux'), into: id('Setup') },
    link('By ID', `/pages/${id('Setup')}`),
    link('Elsewhere', `https://app.gitbook.com/s/${other}/${id('Second')}`),
    link('Web', 'https://web.test/'),
    link('Hidden', `/pages/${id('Beta')}`),
    link('Script', 'javascript:alert(1)'),
    link('Missing', 'gone.md'),
    link('Here', '#linux'),
  ]);
});

it('links in a table of contents lead to pages, anchors and other spaces; broken ones are omitted', async () => {
  const { body } = await site.visit('');
  const [, contents = ''] = /<nav[^>]*class="[^"]*contents[^"]*"[^>]*>(.*?)<\/nav>/s.exec(body) ?? [];
  const links = [...contents.matchAll(/<a[^>]* href="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]+)/g)].map(
    ([, href, title]) => `${title} ${href}`,
  );
  expect(links).toEqual([
    'Start /sites/acme/docs/',
    'Setup /sites/acme/docs/setup',
    'Below /sites/acme/docs/setup/below',
    'By path /sites/acme/docs/setup#linux',
    'By ID /sites/acme/docs/setup',
    'Elsewhere /sites/acme/docs/other/second',
    'Web https://web.test/',
  ]);
});

it('links to pages of the space are resolved once for each content', async () => {
  await site.visit('');
  const resolve = vi.spyOn(ReferenceResolver.prototype, 'resolve');
  const { body } = await site.visit('/no-such-page');
  const hrefs = resolve.mock.calls.map(([, href]) => href);
  resolve.mockRestore();
  expect(body).toContain('By path');
  expect(hrefs).toEqual([
    expect.stringContaining(`/s/${other}/`),
    'https://web.test/',
    'javascript:alert(1)',
    'gone.md',
  ]);
});

it('the API returns the targets of links in a table of contents', async () => {
  const { pages } = await site.call(listPages, { spaceId: site.spaceId });
  const all = pages.flatMap((page) => [page, ...(page.pages ?? [])]);
  const targets = all.flatMap(({ title, target }) => (target === undefined ? [] : [[title, target]]));
  const setup = site.pages.get('Setup');
  expect(Object.fromEntries(targets)).toMatchObject({
    'By path': { kind: 'anchor', page: setup, anchor: 'linux' },
    'By ID': { kind: 'page', page: setup },
    Elsewhere: { kind: 'page', page: site.pages.get('Second'), space: other },
    Web: { kind: 'url', url: 'https://web.test/' },
    Missing: { kind: 'url', url: 'gone.md' },
  });
});

it('the links of a space include those of its table of contents', async () => {
  const { items } = await site.call(
    listSpaceLinks,
    { spaceId: site.spaceId },
    { query: { status: 'broken', anchors: true } },
  );
  expect(items.map(({ source, href }) => `${source?.title} ${href}`).sort()).toEqual([
    'Here #linux',
    'Missing gone.md',
    'Script javascript:alert(1)',
  ]);
});
