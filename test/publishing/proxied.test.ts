import { beforeAll, describe, expect, it } from 'vitest';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { regeneratePublishingAuth } from '../../src/resources/site-publishing-auth/contract.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { getSite, updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

// A proxy at https://www.example.com/guide forwards requests to the address of the site on this server.
let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite(
    [
      { title: 'Start', text: '# Start\n\nWelcome.\n' },
      { title: 'Second', text: 'Second page.' },
    ],
    { proxy: 'www.example.com/guide' },
  );
  await site.call(createSiteRedirect, site.site, {
    body: { source: '/old', destination: { kind: 'path', spaceId: site.spaceId, path: 'second' } },
  });
});

/** Every address in a text that is on the site, or should be. */
const addressesIn = (text: string): string[] =>
  [...text.matchAll(/(?:\s(?:href|src|action|data-\w+)="|<loc>|\]\(|Sitemap: )([^"<>)\s]+)/g)]
    .map(([, address = '']) => address)
    .filter((address) => /^\/|^https?:/.test(address));

describe('a site behind a proxy', () => {
  it.each([
    '',
    'second',
    'llms.txt',
    'sitemap.xml',
    'sitemap-pages.xml',
    'robots.txt',
    'index.md',
    'nowhere',
  ])('contains only addresses of the proxy: "%s"', async (path) => {
    const { body } = await site.visit(path);
    const addresses = addressesIn(body);
    expect(path === 'index.md' || addresses.length > 0).toBe(true);
    for (const address of addresses) expect(address).toMatch(/^(?:https:\/\/www\.example\.com)?\/guide\//);
    expect(body).not.toContain('/sites/acme');
  });

  it('loads its files and finds its pages at these addresses', async () => {
    const { body } = await site.visit('');
    const files = addressesIn(body).filter((address) => address.includes('~assets/'));
    expect(files).not.toEqual([]);
    for (const address of files) {
      const { statusCode } = await site.visit(address.replace('/guide/', ''));
      expect([address, statusCode]).toEqual([address, 200]);
    }
    const found = await site.visit('~gitbook/search?q=second', { accept: 'application/json' });
    expect(found.body).toContain('"/guide/second"');
  });

  it('redirects to addresses of the proxy', async () => {
    for (const [path, target] of [
      ['old', '/guide/second'],
      ['second/', '/guide/second'],
      ['SECOND', '/guide/second'],
    ] as const) {
      const { headers } = await site.visit(path);
      expect([path, headers.location]).toEqual([path, target]);
    }
  });

  it('accepts forms of its own pages, but not of other sites', async () => {
    const send = async (origin: string) =>
      (
        await site.server.inject({
          method: 'POST',
          url: '/sites/acme/docs/~gitbook/mcp',
          headers: {
            origin,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          payload: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        })
      ).statusCode;
    expect(await send('https://www.example.com')).toBe(200);
    expect(await send('https://evil.example')).toBe(403);
  });

  it('sets cookies at its path, and keeps the key of a share link in addresses', async () => {
    await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
    const { privateKey } = await site.call(regeneratePublishingAuth, site.site);
    const refused = await site.visit('second');
    expect(refused.statusCode).toBe(401);
    const files = addressesIn(refused.body);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect((await site.visit(file.replace('/guide/', ''))).statusCode).toBe(200);
    const token = await signVisitorToken({}, privateKey, Math.floor(site.world.core.clock() / 1000) + 600);
    const { headers } = await site.visit(`second?jwt_token=${token}`);
    expect(headers.location).toBe('/guide/second');
    expect(String(headers['set-cookie'])).toMatch(/; Path=\/guide\/;.*; Secure$/);
    const cookie = String(headers['set-cookie']).replace(/;.*/, '');
    expect((await site.visit('second', { cookie })).statusCode).toBe(200);
    await site.call(updateSite, site.site, { body: { visibility: 'share-link' } });
    const { urls } = await site.call(createShareLink, site.site, { body: { name: 'Partners' } });
    const [, key = ''] = /^https:\/\/www\.example\.com\/guide\/([^/]+)\/$/.exec(urls.published ?? '') ?? [];
    const shared = await site.visit(`${key}/second`);
    const addresses = addressesIn(shared.body);
    expect(addresses).not.toEqual([]);
    expect(addresses.filter((address) => !address.includes(`/guide/${key}/`))).toEqual([]);
    expect((await site.visit('second')).statusCode).toBe(404);
    await site.call(updateSite, site.site, { body: { visibility: 'public' } });
  });

  it('has its own address again after the proxy was removed', async () => {
    await site.call(updateSite, site.site, { body: { proxy: null } });
    expect((await site.visit('second')).body).toContain('href="/sites/acme/docs/"');
    expect((await site.call(getSite, site.site)).urls.published).toMatch(/\/sites\/acme\/docs\/$/);
  });
});
