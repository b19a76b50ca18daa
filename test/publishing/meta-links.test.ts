import { beforeAll, expect, it } from 'vitest';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const origin = 'https://docs.test/sites/acme/docs/';
let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Text' },
    { title: 'Setup', text: 'Text' },
    { title: 'Copy', text: 'Text' },
    { title: 'Hidden copy', text: 'Text' },
    { title: 'Hostile', text: 'Text' },
    { title: 'Beta', text: 'Text', condition: 'visitor.claims.beta' },
  ]);
  const german = await site.addSpace('Handbuch', [
    { title: 'Anfang', text: 'Text' },
    { title: 'Einrichten', text: 'Text' },
    { title: 'Vorher', slug: 'setup', text: 'Text' },
  ]);
  await site.call(updateSpace, { spaceId: site.spaceId }, { body: { language: 'en' } });
  await site.call(updateSpace, { spaceId: german }, { body: { language: 'de' } });
  await site.call(addSiteSpace, site.site, { body: { spaceId: german } });
  const page = (title: string, space = site.spaceId) => ({
    kind: 'page',
    space,
    page: site.pages.get(title) ?? '',
  });
  const set = (title: string, metaLinks: object) => ({
    operation: 'update_page',
    page: site.pages.get(title) ?? '',
    metaLinks,
  });
  await site.change(site.spaceId, [
    set('Setup', {
      alternates: [page('Einrichten', german), { kind: 'url', url: 'https://old.test/setup' }],
    }),
    set('Copy', { canonical: page('Setup') }),
    set('Hostile', {
      canonical: { kind: 'url', url: 'javascript:alert(1)' },
      alternates: [{ kind: 'url', url: 'javascript:alert(2)' }],
    }),
    set('Hidden copy', { canonical: page('Beta') }),
    set('Start', { canonical: { kind: 'url', url: 'https://other.test/start' } }),
  ]);
});

const read = async (path: string): Promise<string> => (await site.visit(path)).body;

it('the canonical address of a page is the one in its metaLinks', async () => {
  expect(await read('copy')).toContain(`<link rel="canonical" href="${origin}setup">`);
  expect(await read('')).toContain('<link rel="canonical" href="https://other.test/start">');
  expect(await read('setup')).toContain(`<link rel="canonical" href="${origin}setup">`);
});

it('the Markdown of a page names its canonical address in a header', async () => {
  const linkOf = async (path: string) =>
    (await site.visit(path, { accept: 'text/markdown' })).headers['link'];
  for (const path of ['copy', 'copy.md', 'setup'])
    expect([path, await linkOf(path)]).toEqual([path, `<${origin}setup>; rel="canonical"`]);
  expect(await linkOf('index.md')).toBe('<https://other.test/start>; rel="canonical"');
  expect(await linkOf('hidden-copy.md')).toBe(`<${origin}hidden-copy>; rel="canonical"`);
});

it('metaLinks to a page that the visitor cannot open have no effect', async () => {
  expect(await read('hidden-copy')).toContain(`<link rel="canonical" href="${origin}hidden-copy">`);
});

it('metaLinks to an address that could run a script have no effect', async () => {
  const html = await read('hostile');
  expect(html).toContain(`<link rel="canonical" href="${origin}hostile">`);
  expect(html).not.toContain('alert(');
});

it('a page lists the alternates of its metaLinks, and the language menu links to them', async () => {
  const html = await read('setup');
  expect(html).toContain(`<link rel="alternate" hreflang="de" href="${origin}handbuch/einrichten">`);
  expect(html).toContain('<link rel="alternate" href="https://old.test/setup">');
  expect(html.match(/hreflang="de"/g)).toHaveLength(3);
  expect(html).toContain('<a href="/sites/acme/docs/handbuch/einrichten" lang="de"');
  expect(await read('copy')).toContain('<a href="/sites/acme/docs/handbuch/copy?fallback=true" lang="de"');
});

it('a page with the same path is not an alternate of a page that names another one', async () => {
  expect(await read('handbuch/setup')).not.toContain('hreflang="en" href="https:');
});
