import { beforeAll, expect, it } from 'vitest';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import {
  getPublishingAuth,
  updatePublishingAuth,
} from '../../src/resources/site-publishing-auth/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const base = '/sites/acme/docs/';
let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Start', text: 'Text' }], { visibility: 'visitor-auth' });
});

it('signing out redirects to the logout URL and deletes the cookies of the visitor', async () => {
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

it('signing out redirects to the site if there is no logout URL', async () => {
  await site.call(updatePublishingAuth, site.site, { body: { logoutURL: null } });
  expect((await site.visit('~gitbook/auth/logout')).headers.location).toBe(base);
});

const token = async (): Promise<string> => {
  const { privateKey } = await site.call(getPublishingAuth, site.site);
  return signVisitorToken({}, privateKey, Math.floor(site.core.clock() / 1000) + 3600);
};
const link = '<a class="sign-out" href="/sites/acme/docs/~gitbook/auth/logout" rel="nofollow">Sign out</a>';

it('pages have sign-out links in the header and the menu for visitors with a token in a cookie', async () => {
  const jwt = await token();
  const signedIn = await site.visit('', { cookie: `gitbook-visitor-token=${jwt}` });
  expect(signedIn.statusCode).toBe(200);
  const [header = '', rest = ''] = signedIn.body.split('</header>');
  expect([header, rest].map((part) => part.split(link).length - 1)).toEqual([1, 1]);
  expect((await site.visit('nothing', { cookie: `gitbook-visitor-token=${jwt}` })).body).toContain(link);
  // A program that sends its token with each request cannot sign out. It has the same claims.
  const agent = await site.visit('', { authorization: `Bearer ${jwt}` });
  expect(agent.statusCode).toBe(200);
  expect(agent.body).not.toContain('auth/logout');
  expect(agent.headers.etag).toBe(undefined);
  expect(signedIn.headers['cache-control']).toBe('private, no-store');
});

it('a public site with adaptive content shows the sign-out link only to signed-in readers', async () => {
  await site.call(updateSite, site.site, {
    body: { visibility: 'public', adaptiveContent: { enabled: true } },
  });
  const cookie = `gitbook-visitor-token=${await token()}`;
  for (const [headers, expected] of [
    [{}, false],
    [{ cookie }, true],
    [{}, false],
    [{ cookie: 'gitbook-visitor-token=expired' }, false],
  ] as const) {
    const { body, statusCode } = await site.visit('', headers);
    expect([statusCode, body.includes('auth/logout')], JSON.stringify(headers)).toEqual([200, expected]);
  }
});

it('the sign-out link is in the language of the page', async () => {
  await site.call(updateSpace, { spaceId: site.spaceId }, { body: { language: 'de' } });
  const { body } = await site.visit('', { cookie: `gitbook-visitor-token=${await token()}` });
  expect(body).toContain('>Abmelden</a>');
});

it('signing out of a share link deletes the claims that were stored for it', async () => {
  await site.call(updateSite, site.site, { body: { visibility: 'share-link' } });
  const { urls } = await site.call(createShareLink, site.site, { body: { name: 'Friends' } });
  const at = urls.published?.split(base)[1] ?? '';
  const { statusCode, headers } = await site.visit(`${at}~gitbook/auth/logout`);
  expect([statusCode, headers.location]).toEqual([307, base + at]);
  expect([headers['set-cookie']].flat().map(String).join()).toContain(
    `gitbook-visitor-public=; Path=${base}${at}; Max-Age=0;`,
  );
  expect((await site.visit(at)).body).not.toContain('auth/logout');
});
