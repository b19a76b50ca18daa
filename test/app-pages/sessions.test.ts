import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../src/core/embedded.ts';
import { appSessions, signInLinks } from '../../src/core/rows/app-sessions.ts';
import { members, tokens } from '../../src/core/rows/organizations.ts';
import { listAuditEvents } from '../../src/resources/audit/contract.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { setCustomHostname } from '../../src/resources/custom-hostnames/contract.ts';
import { createSite } from '../../src/resources/sites/contract.ts';
import { createSignInLink } from '../../src/resources/users/contract.ts';
import { inputOf } from '../security/bodies.ts';
import { furnish, paramsOf } from '../security/furnished.ts';
import { allOperations, forgetful, outcomeOf } from '../security/operations.ts';
import { serve, type Serving } from '../server/serving.ts';
import { Browser, linkFor, origin, signedIn } from './browser.ts';

let serving: Serving;
beforeEach(async () => {
  serving = await serve();
});
const pass = (milliseconds: number) => serving.world.pass(milliseconds);
const statusOf = async (browser: Browser) => (await browser.open('/o/org_acme')).statusCode;

describe('the root address of the server', () => {
  it('redirects browsers to the pages, and is not a path of the API', async () => {
    const browser = new Browser(serving.server);
    const { statusCode, headers } = await browser.send('GET', '/', { headers: { accept: 'text/html,*/*' } });
    expect([statusCode, headers.location]).toEqual([303, '/o/']);
    const answer = await browser.send('GET', '/');
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: { reason: 'not-found' } }]);
  });
});

describe('a link of `docsctl open`', () => {
  it('opens its page once, and sets a cookie for these pages only', async () => {
    const { world, server } = serving;
    const link = await linkFor(world, 'read', '/o/org_acme?spaces=#x');
    const browser = new Browser(server);
    const answer = await browser.send('GET', link);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/o/org_acme?spaces=#x']);
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    });
    const value = browser.cookies[0]!.value;
    expect(answer.headers['set-cookie']).toEqual([
      `docsctl-session-8080=${value}; Path=/o; Max-Age=28799; HttpOnly; SameSite=Lax`,
      `docsctl-session-8080=${value}; Path=/integrations; Max-Age=28799; HttpOnly; SameSite=Lax`,
    ]);
    expect(await statusOf(browser)).toBe(200);
    const again = new Browser(server);
    expect((await again.open(link)).statusCode).toBe(401);
    expect(again.cookies).toEqual([]);
    expect(await statusOf(browser)).toBe(200);
  });

  it('works for only one of two browsers that open it at the same time', async () => {
    const link = await linkFor(serving.world, 'read');
    const answers = await Promise.all([1, 2].map(() => new Browser(serving.server).send('GET', link)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 401]);
  });

  it('expires after two minutes', async () => {
    const link = await linkFor(serving.world, 'read');
    pass(2 * 60_000);
    expect((await new Browser(serving.server).open(link)).statusCode).toBe(401);
  });

  it('stays usable after a HEAD request or a prefetch', async () => {
    const browser = new Browser(serving.server);
    const link = await linkFor(serving.world, 'read');
    expect((await browser.send('HEAD', link)).statusCode).toBe(401);
    for (const headers of [{ 'sec-purpose': 'prefetch' }, { purpose: 'prefetch' }])
      expect((await browser.send('GET', link, { headers })).statusCode).toBe(401);
    expect(browser.cookies).toEqual([]);
    expect((await browser.open(link)).statusCode).toBe(200);
  });

  it('stops working when its token is removed', async () => {
    const link = await linkFor(serving.world, 'read');
    await serving.world.core.store.write((tx) => tx.remove(tokens, 'tok_read'));
    expect((await new Browser(serving.server).open(link)).statusCode).toBe(401);
  });

  it('can open pages of this server only', async () => {
    const { world } = serving;
    const refused = (url: string) =>
      outcomeOf(world.as('read'), createSignInLink, { params: {}, body: { url } });
    for (const url of [
      'https://evil.example/o/org_acme',
      `${origin}/v1/orgs`,
      `${origin}/other`,
      `${origin}/o/../v1/orgs`,
      `${origin}.evil.example/o/x`,
      `http://localhost:8080@evil.example/o/x`,
      'javascript:alert(1)//o/',
    ])
      expect(await refused(url), url).toMatchObject({ reason: 'invalid-input' });
    expect(
      await outcomeOf(world.as('owner'), createSignInLink, { params: {}, body: { url: `${origin}/o/x` } }),
    ).toMatchObject({
      reason: 'conflict',
    });
  });

  it('is stored as a digest, like its session, and expired ones are removed', async () => {
    const { world } = serving;
    const link = await linkFor(world, 'read');
    const code = new URL(link).searchParams.get('code')!;
    const rowsOf = () =>
      world.core.store.read(async (view) => [
        ...(await view.find(signInLinks, { index: 'byExpiry', equals: [], limit: 9 })),
        ...(await view.find(appSessions, { index: 'byExpiry', equals: [], limit: 9 })),
      ]);
    expect(JSON.stringify(await rowsOf())).not.toContain(code);
    const browser = await signedIn(serving, 'read');
    expect(JSON.stringify(await rowsOf())).not.toContain(browser.cookies[0]!.value);
    expect(JSON.stringify(serving.logged)).not.toContain(code);
    pass(9 * 60 * 60_000);
    await signedIn(serving, 'read');
    expect(await rowsOf()).toHaveLength(1);
  });

  it('is recorded in an audit event with the user, the address and the token', async () => {
    await signedIn(serving, 'edit');
    const { items } = await serving.world
      .as('admin')
      .call(listAuditEvents, { params: { organizationId: 'org_acme' }, query: { details: true } });
    expect(items[0]).toMatchObject({
      action: 'users.start-session',
      source: 'ui',
      actor: { type: 'user', id: 'usr_edit' },
      payload: { origin: { kind: 'remote', address: '127.0.0.1', token: 'tok_edit' } },
    });
  });
});

describe('a session of a browser', () => {
  it('ends after eight hours, or when its token is removed', async () => {
    const browser = await signedIn(serving, 'read');
    pass(7.9 * 60 * 60_000);
    expect(await statusOf(browser)).toBe(200);
    pass(0.1 * 60 * 60_000);
    expect(await statusOf(browser)).toBe(401);
    expect(browser.cookies).toEqual([]);
    const other = await signedIn(serving, 'read');
    await serving.world.core.store.write((tx) => tx.remove(tokens, 'tok_read'));
    expect(await statusOf(other)).toBe(401);
  });

  it('ends when its token expires', async () => {
    const { core } = serving.world;
    const expiresAt = new Date(core.clock() + 60 * 60_000).toISOString();
    await core.store.write((tx) => tx.update(tokens, 'tok_read', { expiresAt }));
    const browser = await signedIn(serving, 'read');
    pass(59 * 60_000);
    expect(await statusOf(browser)).toBe(200);
    pass(60_000);
    expect(await statusOf(browser)).toBe(401);
  });

  it('shows nothing to a disabled member', async () => {
    const browser = await signedIn(serving, 'read');
    await serving.world.core.store.write((tx) => tx.update(members, 'org_acme.usr_read', { disabled: true }));
    expect(await statusOf(browser)).toBe(404);
  });

  it('is refused if the organization requires single sign-on', async () => {
    const browser = await signedIn(serving, 'read');
    const params = { organizationId: 'org_acme' };
    await serving.world.as('admin').call(updateOrganization, { params, body: { sso: true } });
    const answer = await browser.open('/o/org_acme');
    expect(answer.statusCode).toBe(403);
    expect(answer.payload).toContain('requires single sign-on');
    expect(answer.payload).not.toContain('Spaces');
  });

  it('has a new value after each sign-in, so that a planted value is not accepted', async () => {
    const { server, world } = serving;
    const browser = new Browser(server);
    const planted = 'A'.repeat(32);
    browser.cookies = [{ name: 'docsctl-session-8080', value: planted, path: '/o' }];
    expect(await statusOf(browser)).toBe(401);
    browser.cookies = [{ name: 'docsctl-session-8080', value: planted, path: '/o' }];
    await browser.open(await linkFor(world, 'read'));
    expect(browser.cookies.map(({ value }) => value)).not.toContain(planted);
    const attacker = new Browser(server);
    attacker.cookies = [{ name: 'docsctl-session-8080', value: planted, path: '/o' }];
    expect(await statusOf(attacker)).toBe(401);
    // Two cookies with this name, of which one may be planted, are ignored.
    const [own] = browser.cookies;
    const cookie = `${own!.name}=${planted}; ${own!.name}=${own!.value}`;
    expect(
      (await server.inject({ url: '/o/org_acme', headers: { host: 'localhost:8080', cookie } })).statusCode,
    ).toBe(401);
  });

  it('is not accepted by the API', async () => {
    const browser = await signedIn(serving, 'admin');
    const [{ name, value }] = browser.cookies as unknown as [{ name: string; value: string }];
    const headers = { cookie: `${name}=${value}`, 'content-type': 'application/json' };
    const payload = '{"title":"Changed"}';
    for (const answer of [
      await browser.send('GET', '/v1/orgs/org_acme', { headers }),
      await browser.send('PATCH', '/v1/orgs/org_acme', { headers, payload }),
      await browser.send('DELETE', '/v1/orgs/org_acme/teams/x', { headers: { cookie: headers.cookie } }),
    ])
      expect(answer.statusCode).toBe(401);
    for (const authorization of [`Bearer ${value}`, `Basic ${value}`])
      expect((await browser.send('GET', '/v1/user', { headers: { authorization } })).statusCode).toBe(401);
    for (const method of ['POST', 'PATCH', 'DELETE'] as const)
      expect((await browser.send(method, '/o/org_acme')).statusCode, method).not.toBe(200);
  });

  it('cannot be used for any operation that changes something', async () => {
    const { world } = serving;
    const operations = await allOperations();
    const ids = await furnish(world, operations, 'admin', world.org);
    const [{ value }] = (await signedIn(serving, 'admin')).cookies as unknown as [{ value: string }];
    const api = embeddedApi(forgetful(world.core), { kind: 'session', session: value });
    let count = 0;
    for (const [id, { operation }] of operations) {
      if (operation.safe) continue;
      count++;
      const outcome = await outcomeOf(api, operation, {
        params: paramsOf(operation, ids),
        ...inputOf(operation, ids),
      });
      expect(outcome, id).toMatchObject({
        reason: 'forbidden',
        message: expect.stringContaining('is read-only'),
      });
    }
    expect(count).toBeGreaterThan(100);
  });

  it('can be ended only by its own page', async () => {
    const { world, server } = serving;
    const browser = await signedIn(serving, 'read');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const signOut = (headers: Record<string, string>) =>
      browser.send('POST', '/o/~sign-out', { headers: { ...form, ...headers }, payload: '' });
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin },
      { 'sec-fetch-site': 'same-site', origin },
    ])
      expect((await signOut(headers)).statusCode).toBe(403);
    expect((await browser.send('GET', '/o/~sign-out')).statusCode).toBe(403);
    expect(await statusOf(browser)).toBe(200);
    const stolen = new Browser(server);
    stolen.cookies = browser.cookies;
    expect((await signOut({ 'sec-fetch-site': 'same-origin', origin })).statusCode).toBe(200);
    expect(browser.cookies).toEqual([]);
    expect(await statusOf(stolen)).toBe(401);
    expect(
      await world.core.store.read((view) =>
        view.find(appSessions, { index: 'byExpiry', equals: [], limit: 1 }),
      ),
    ).toEqual([]);
  });

  it('is limited to https and to the path of the server address', async () => {
    const secure = await serve({ change: (core) => ({ ...core, publicUrl: 'https://docs.test/admin' }) });
    const { url } = await secure.server
      .inject({
        method: 'POST',
        url: '/v1/user/sign-in-links',
        headers: { ...secure.bearer('read'), 'content-type': 'application/json' },
        payload: { url: 'https://docs.test/admin/o/org_acme' },
      })
      .then((answer) => answer.json());
    expect(url).toMatch(/^https:\/\/docs\.test\/admin\/o\/~session\?code=/);
    const answer = await secure.server.inject({
      url: url.replace('https://docs.test/admin', ''),
      headers: { host: 'docs.test' },
    });
    expect(answer.headers.location).toBe('/admin/o/org_acme');
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^__Secure-docsctl-session=[\w-]{32}; Path=\/admin\/o; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
  });
});

describe('a request for another hostname', () => {
  it('is refused with 421, signed in or not', async () => {
    const browser = await signedIn(serving, 'read');
    for (const host of [
      'evil.example',
      'evil.example:8080',
      'localhost.evil.example:8080',
      '127.0.0.1.evil.example',
      '10.0.0.1:8080',
    ]) {
      const answer = await browser.open('/o/org_acme', { host });
      expect(answer.statusCode, host).toBe(421);
      expect(answer.payload).not.toContain('Acme');
    }
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
      expect((await browser.open('/o/org_acme', { host })).statusCode, host).toBe(200);
  });
});

describe('a path without a page', () => {
  it('shows the name of the member, a way to sign out, and links back', async () => {
    const browser = await signedIn(serving, 'read');
    for (const [path, organization] of [
      ['/o/org_acme/nothing', true],
      ['/o/org_acme/s/spc_none', true],
      ['/o/org_other/sites/site_none', false],
      ['/integrations/none', false],
    ] as const) {
      const { statusCode, body } = await browser.open(path);
      expect([path, statusCode]).toEqual([path, 404]);
      expect([path, body.includes('<li><a href="/o/org_acme">Acme</a></li>')]).toEqual([path, organization]);
      expect(body).toContain('<a href="/o/">Organizations</a>');
      expect(body).toContain('Sign out</button>');
      expect(body).not.toContain('Other');
    }
  });
});

describe('the page of a site', () => {
  it('shows that a hostname does not point to the site yet', async () => {
    const { world } = serving;
    const params = { organizationId: world.org };
    const { id } = await world.as('admin').call(createSite, { params, body: { title: 'Docs' } });
    const site = { ...params, siteId: id };
    await world.as('admin').call(setCustomHostname, { params: site, body: { hostname: 'docs.globex.test' } });
    const browser = await signedIn(serving, 'admin');
    const { body } = await browser.open(`/o/org_acme/sites/${id}`);
    expect(body).toMatch(/docs\.globex\.test <span class="tag">pending<\/span>/);
    expect(body).toContain('The site is not shown there yet.');
  });
});
