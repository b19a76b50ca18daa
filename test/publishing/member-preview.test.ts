import { beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../src/core/callers.ts';
import { embeddedApi } from '../../src/core/embedded.ts';
import { changeRequests } from '../../src/core/rows/change-requests.ts';
import { tokens } from '../../src/core/rows/organizations.ts';
import { findOne, getExisting } from '../../src/core/store.ts';
import { createChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createPreviewLink } from '../../src/resources/site-previews/contract.ts';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { setPermissions } from '../../src/resources/permissions/space/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { unpublishSite } from '../../src/resources/sites/contract.ts';
import { getSpace } from '../../src/resources/spaces/contract.ts';
import { createServer } from '../../src/server/index.ts';
import { Browser, linkFor as linkToApp, signedIn } from '../app-pages/browser.ts';
import type { Who } from '../support/world.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;
let number: number;
let before: string;

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Welcome', text: 'Hello.' },
    { title: 'Setup', text: 'Run it.' },
  ]);
  const { call, spaceId } = site;
  before = (await call(getSpace, { spaceId })).revision;
  await site.change(spaceId, [{ operation: 'insert_page', title: 'Live', document: { markdown: 'Live.' } }]);
  const made = await call(createChangeRequest, { spaceId }, { body: { subject: 'News' } });
  number = made.number;
  await call(
    batchContent,
    { spaceId, changeRequestId: made.id },
    {
      body: {
        changes: [{ operation: 'insert_page', title: 'News', document: { markdown: 'Something new.' } }],
      },
    },
  );
  const secret = await site.addSpace('Secret', [{ title: 'Hidden plan', text: 'Nobody knows.' }]);
  await call(addSiteSpace, site.site, { body: { spaceId: secret } });
  const none = { role: null, users: [site.world.user('read')] };
  await call(setPermissions, { spaceId: secret }, { body: none });
});

/** Creates a link as a member. */
async function linkFor(who: Who, body: object, more: object = { sitesUrl: 'https://docs.test' }) {
  const api = embeddedApi({ ...site.world.core, ...more }, site.world.credential(who));
  return api.call(createPreviewLink, { params: site.site, body: { space: site.spaceId, ...body } });
}

/** Opens a link like a browser, and returns its target and functions that send requests with the cookie. */
async function open(url: string) {
  const answer = await site.server.inject(url.replace('https://docs.test', ''));
  expect(answer.statusCode).toBe(303);
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(
    /^__Secure-docsctl-preview=[\w-]{32}; Path=\/sites\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
  );
  const base = String(answer.headers.location);
  const [own = ''] = cookie.split(';');
  const get = (path: string, headers = {}) =>
    site.server.inject({ url: path, headers: { cookie: own, ...headers } });
  return { base, own, get, show: (path: string, headers = {}) => get(base + path, headers) };
}

describe('a preview link', () => {
  it('shows a change request only in the browser that opened it', async () => {
    const link = await linkFor('read', { changeRequest: String(number) });
    expect(link.url).toMatch(/^https:\/\/docs\.test\/sites\/~session\?code=/);
    const { base, own, get, show } = await open(link.url);
    expect(`https://docs.test${base}`).toBe(link.address);
    const page = await show('news');
    expect(page.body).toContain('<p>Something new.</p>');
    expect(page.body).toContain(`href="${base}setup"`);
    expect(page.headers['cache-control']).toBe('private, no-store');
    // By its number, as people write it.
    expect((await get(`/sites/acme/docs/~/changes/${number}/news`)).statusCode).toBe(200);
    // The published site does not have the page.
    expect((await get('/sites/acme/docs/news')).statusCode).toBe(404);
    for (const cookie of [
      '',
      '__Secure-docsctl-preview=x',
      '__Secure-docsctl-preview=',
      own.replace('__Secure-', ''),
      `${own}; __Secure-docsctl-preview=x`,
      `__Secure-docsctl-preview=x; ${own}`,
    ])
      expect([cookie, (await get(`${base}news`, { cookie })).statusCode]).toEqual([cookie, 404]);
    expect((await site.server.inject(link.url.replace('https://docs.test', ''))).statusCode).toBe(404);
  });

  it('resolves links on pages whose revision has no index of links', async () => {
    const { call, spaceId } = site;
    const made = await call(createChangeRequest, { spaceId }, { body: { subject: 'Links' } });
    const markdown = 'To [Setup](setup.md), the [sequel](sequel.md#more) and [nothing](nope.md).';
    const changes = [
      { operation: 'insert_page', title: 'Linked', document: { markdown } },
      { operation: 'insert_page', title: 'Sequel', document: { markdown: '## More' } },
    ];
    await call(batchContent, { spaceId, changeRequestId: made.id }, { body: { changes } });
    const draft = await open((await linkFor('read', { changeRequest: String(made.number) })).url);
    const { body } = await draft.show('linked');
    expect(body).toContain(`<a href="${draft.base}setup">Setup</a>`);
    expect(body).toContain(`<a href="${draft.base}sequel#more">sequel</a>`);
    expect(body).not.toContain('nope.md"');
    const { revision } = await site.world.core.store.read((view) =>
      getExisting(view, changeRequests, made.id),
    );
    const same = await open((await linkFor('read', { revision })).url);
    expect((await same.show('linked')).body).toContain(`<a href="${same.base}setup">Setup</a>`);
  });

  it('stays usable after a prefetch or a HEAD request', async () => {
    const { url } = await linkFor('read', { changeRequest: String(number) });
    const path = url.replace('https://docs.test', '');
    for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }])
      expect((await site.server.inject({ url: path, headers })).statusCode).toBe(404);
    expect((await site.server.inject({ url: path, method: 'HEAD' })).statusCode).toBe(404);
    await open(url);
  });

  it('shows an earlier revision', async () => {
    const { show } = await open((await linkFor('admin', { revision: before })).url);
    expect((await show('setup')).statusCode).toBe(200);
    expect((await show('live')).statusCode).toBe(404);
  });

  it('shows only spaces that its creator can read', async () => {
    const admin = await open((await linkFor('admin', { revision: before })).url);
    expect((await admin.show('secret/')).body).toContain('Nobody knows.');
    const reader = await open((await linkFor('read', { revision: before })).url);
    expect((await reader.show('secret/')).statusCode).toBe(404);
    expect((await reader.show('')).body).not.toContain('Secret');
    expect((await reader.show('~gitbook/search?q=knows')).body).not.toContain('Hidden plan');
  });

  it('is refused for unknown resources, and if the server does not show sites', async () => {
    await expect(linkFor('admin', {})).rejects.toThrow(
      'Exactly one of changeRequest and revision is needed.',
    );
    await expect(linkFor('admin', { changeRequest: '99' })).rejects.toMatchObject({ reason: 'not-found' });
    await expect(linkFor('admin', { revision: 'rev_x' })).rejects.toMatchObject({ reason: 'not-found' });
    await expect(linkFor('admin', { space: 'spc_x', revision: before })).rejects.toMatchObject({
      reason: 'not-found',
      message: 'The site shows no space "spc_x" that you can see.',
    });
    await expect(linkFor('admin', { revision: before }, { sitesUrl: undefined })).rejects.toThrow(
      'This server does not show sites.',
    );
    await expect(linkFor('owner', { revision: before })).rejects.toThrow(
      'a command on an embedded store has no token',
    );
    await expect(linkFor('outsider', { revision: before })).rejects.toMatchObject({ reason: 'not-found' });
  });

  it('shows no feedback form, because a preview cannot accept feedback', async () => {
    const { show } = await open((await linkFor('read', { changeRequest: String(number) })).url);
    await site.call(updateSiteCustomization, site.site, { body: { feedback: { enabled: true } } });
    expect((await site.visit('setup')).body).toContain('<form class="feedback"');
    expect((await show('setup')).body).not.toContain('<form class="feedback"');
  });

  it('shows no other organizations, sites or change requests', async () => {
    const { get } = await open((await linkFor('read', { changeRequest: String(number) })).url);
    for (const path of [
      '/sites/acme/docs/~/changes/99/',
      '/sites/acme/docs/~/revisions/rev_x/',
      '/sites/other/docs/~/changes/1/',
      '/sites/acme/nothing/~/changes/1/',
      '/sites/acme/docs/~/',
    ])
      expect([path, (await get(path)).statusCode]).toEqual([path, 404]);
  });

  it('cannot open pages for members, and links for members cannot open previews', async () => {
    const api = await createServer({ core: site.world.core, version: '1.2.3', newRequestId: () => 'req_1' });
    const link = await linkFor('admin', { changeRequest: String(number) });
    const browser = new Browser(api);
    const answer = await browser.open(`/o/~session${new URL(link.url).search}`);
    expect([answer.statusCode, browser.cookies]).toEqual([401, []]);
    // The failed attempt did not use up the link.
    const { own, show } = await open(link.url);
    expect((await show('news')).statusCode).toBe(200);
    const [, value = ''] = own.split('=');
    const cookieFor = (session: string) => ({ cookie: `docsctl-session-8080=${session}` });
    const asMember = await browser.send('GET', '/o/org_acme', { headers: cookieFor(value) });
    expect(asMember.statusCode).toBe(401);

    const memberLink = await linkToApp(site.world, 'admin');
    const refused = await site.server.inject(`/sites/~session${new URL(memberLink).search}`);
    expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([404, undefined]);
    const member = await signedIn({ world: site.world, server: api }, 'admin');
    const session = member.cookies[0]?.value ?? '';
    expect((await browser.send('GET', '/o/org_acme', { headers: cookieFor(session) })).statusCode).toBe(200);
    const cookie = `__Secure-docsctl-preview=${session}`;
    expect((await show('news', { cookie })).statusCode).toBe(404);
  });

  it('opens an unpublished site, and stops working when the token is removed', async () => {
    const { show } = await open((await linkFor('read', { changeRequest: String(number) })).url);
    await site.call(unpublishSite, site.site);
    expect((await show('news')).statusCode).toBe(200);
    expect((await site.visit('')).statusCode).toBe(404);
    await site.world.core.store.write(async (tx) => {
      const token = await findOne(tx, tokens, 'byHash', [hashToken(site.world.token('read'))]);
      await tx.remove(tokens, token?.id ?? '');
    });
    expect((await show('news')).statusCode).toBe(404);
  });
});
