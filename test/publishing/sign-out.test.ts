import { beforeAll, expect, it } from 'vitest';
import { updatePublishingAuth } from '../../src/resources/site-publishing-auth/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const base = '/sites/acme/docs/';
let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Start', text: 'Text' }], { visibility: 'visitor-auth' });
});

it('a visitor who signs out is sent to the logout URL, and the browser forgets the token', async () => {
  const logoutURL = 'https://login.example.com/logout';
  await site.call(updatePublishingAuth, site.site, { body: { logoutURL } });
  const { statusCode, headers } = await site.visit('~gitbook/auth/logout');
  expect([statusCode, headers.location]).toEqual([307, logoutURL]);
  const cookies = [headers['set-cookie']].flat().map(String);
  for (const name of ['gitbook-visitor-token~', 'gitbook-visitor-token=', 'gitbook-visitor-public='])
    expect(
      cookies.find((cookie) => cookie.startsWith(name)),
      name,
    ).toContain(`=; Path=${base}; Max-Age=0;`);
  expect(headers['cache-control']).toContain('no-store');
});

it('without a logout URL, it is the site', async () => {
  await site.call(updatePublishingAuth, site.site, { body: { logoutURL: null } });
  expect((await site.visit('~gitbook/auth/logout')).headers.location).toBe(base);
});
