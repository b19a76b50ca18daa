import { beforeAll, describe, expect, it } from 'vitest';
import { customHostnames } from '../../src/core/rows/custom-hostnames.ts';
import { sites } from '../../src/core/rows/sites.ts';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const hostname = 'docs.example.com';
let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Text' },
    { title: 'Setup', text: 'Text', slug: 'Set-üp' },
    { title: 'Unlisted', text: 'Text', noRobotsIndex: true },
    { title: 'Excluded', text: 'Text', noIndex: true },
    { title: 'Hidden', text: 'Text', hidden: true },
    { title: 'Members', text: 'Text', condition: 'visitor.claims.beta' },
    // The site has something else at these paths.
    { title: 'Reference', text: 'Text' },
    { title: 'Robots', text: 'Text', slug: 'robots.txt' },
    { title: 'Old', text: 'Text' },
    { title: 'Elsewhere', text: 'Text' },
    { title: 'Itself', text: 'Text' },
  ]);
  const { addSpace, call } = site;
  const german = await addSpace('Handbuch', [
    { title: 'Anfang', text: 'Text' },
    { title: 'Einrichten', text: 'Text', slug: 'Set-üp' },
  ]);
  const reference = await addSpace('Reference', [
    { title: 'Start', text: 'Text' },
    { title: 'API', text: 'Text' },
  ]);
  const older = await addSpace('Version 1', [{ title: 'API', text: 'Text' }]);
  const secret = await addSpace('Secret', [{ title: 'API', text: 'Text' }]);
  await call(updateSpace, { spaceId: site.spaceId }, { body: { language: 'en' } });
  await call(updateSpace, { spaceId: german }, { body: { language: 'de' } });
  const { id } = await call(addSection, site.site, { body: { spaceId: reference, title: 'Reference' } });
  await call(addSiteSpace, site.site, { body: { spaceId: german } });
  await call(addSiteSpace, site.site, { body: { spaceId: older, sectionId: id } });
  const hidden = await call(addSiteSpace, site.site, { body: { spaceId: secret, sectionId: id } });
  await call(updateSiteSpace, { ...site.site, siteSpaceId: hidden.id }, { body: { hidden: true } });
  // A redirect from a page has no effect.
  await call(createSiteRedirect, site.site, {
    body: { source: '/itself', destination: { kind: 'external', url: 'https://example.com/' } },
  });
  const page = (title: string) => site.pages.get(title) ?? '';
  const canonical = (title: string, target: object) => ({
    operation: 'update_page',
    page: page(title),
    metaLinks: { canonical: target },
  });
  await site.change(site.spaceId, [
    canonical('Old', { kind: 'page', space: site.spaceId, page: page('Setup') }),
    canonical('Elsewhere', { kind: 'url', url: 'https://other.test/elsewhere' }),
    canonical('Itself', { kind: 'page', space: site.spaceId, page: page('Itself') }),
  ]);
});

/** The addresses in the sitemaps of the site. Each sitemap is requested as the index names it. */
async function sitemapOf(origin: string, base: string): Promise<string[]> {
  const locationsIn = (xml: string): string[] =>
    [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
  const index = await ask(`${origin}${base}sitemap.xml`);
  const found: string[] = [];
  for (const address of locationsIn(index.body)) {
    const { statusCode, body } = await ask(address);
    expect(statusCode, address).toBe(200);
    found.push(...locationsIn(body));
  }
  return found;
}

function ask(address: string): ReturnType<PublishedSite['visit']> {
  const { host, pathname, search } = new URL(address);
  return site.server.inject({ url: pathname + search, headers: { host } });
}

describe.each([
  ['below the address of the server', 'https://docs.test', '/sites/acme/docs/'],
  ['at a hostname of the site', `https://${hostname}`, '/'],
])('%s', (_, origin, base) => {
  beforeAll(async () => {
    if (base !== '/') return;
    const { siteId, organizationId: organization } = site.site;
    await site.world.core.store.write(async (tx) => {
      await tx.insert(customHostnames, { id: hostname, organization, site: siteId, createdAt: '' });
      await tx.update(sites, siteId, { hostname });
    });
  });

  it('every address in the sitemap is an indexable page with this canonical address', async () => {
    const addresses = await sitemapOf(origin, base);
    for (const address of addresses) {
      const { statusCode, body } = await ask(address);
      expect(statusCode, address).toBe(200);
      expect(body, address).toContain(`<link rel="canonical" href="${address}">`);
      expect(body, address).not.toContain('<meta name="robots"');
    }
    expect(addresses.map((address) => address.slice((origin + base).length))).toEqual([
      '',
      'Set-%C3%BCp',
      'itself',
      'handbuch/',
      'handbuch/Set-%C3%BCp',
      'reference/',
      'reference/api',
      'reference/version-1/',
    ]);
  });

  it('a space that is hidden from the menus of the site has no sitemap', async () => {
    expect((await ask(`${origin}${base}reference/secret/`)).statusCode).toBe(200);
    expect((await ask(`${origin}${base}reference/secret/sitemap-pages.xml`)).statusCode).toBe(404);
  });

  it('the alternates of a page are canonical addresses of pages', async () => {
    const { body } = await ask(`${origin}${base}Set-%C3%BCp`);
    const own = `<link rel="alternate" hreflang="en" href="${origin}${base}Set-%C3%BCp">`;
    const other = `<link rel="alternate" hreflang="de" href="${origin}${base}handbuch/Set-%C3%BCp">`;
    expect(body).toContain(own + other);
    // For a language without the page, the menu leads to its first page.
    const { body: single } = await ask(`${origin}${base}itself`);
    expect(single).not.toContain('<link rel="alternate" hreflang="de"');
    expect(single).toContain(`<a href="${base}handbuch/itself?fallback=true"`);
  });
});
