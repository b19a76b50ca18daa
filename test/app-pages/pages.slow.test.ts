import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/contract/values.ts';
import { createSitesServer } from '../../src/server/sites-app.ts';
import { createChangeRequest, mergeChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { inputOf } from '../security/bodies.ts';
import { furnish, paramsOf, type Ids } from '../security/furnished.ts';
import { allOperations, outcomeOf } from '../security/operations.ts';
import { serve, type Serving } from '../server/serving.ts';
import { Browser, origin, signedIn } from './browser.ts';

let serving: Serving;
let ids: Ids;
/** The addresses in the field urls.app of all responses, with the operation that returned them. */
let addresses: ReadonlyMap<string, string>;

beforeAll(async () => {
  serving = await serve();
  const { world } = serving;
  const operations = await allOperations();
  ids = await furnish(world, operations, 'admin', world.org);
  const found = new Map<string, string>();
  for (const [id, { operation }] of operations) {
    if (!operation.safe || operation.returns.file === true || id === hypothetical) continue;
    const given = { params: paramsOf(operation, ids), ...inputOf(operation, ids) };
    const { answer } = await outcomeOf(world.as('admin'), operation, given);
    for (const url of appUrlsIn(answer)) if (!found.has(url)) found.set(url, id);
  }
  addresses = found;
});

/** The response contains the pages as they would be, and stores none. */
const hypothetical = 'spaces.content.compute';

function appUrlsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(appUrlsIn);
  if (!isRecord(value)) return [];
  const { app } = isRecord(value['urls']) ? value['urls'] : {};
  return [...(typeof app === 'string' ? [app] : []), ...Object.values(value).flatMap(appUrlsIn)];
}

const kindOf = (url: string): string =>
  url
    .slice(origin.length)
    .replace(/\/(?:[a-z]+_\w+|page-of[\w-]*|secret-of[\w-]*)/g, '/:id')
    .replace(/\/changes\/\d+/, '/changes/:n');

/** The text of a page without its markup. */
const textOf = (page: string): string => page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('addresses in urls.app', () => {
  it('are of all expected kinds', () => {
    const kinds = new Set([...addresses.keys()].map(kindOf));
    for (const kind of [
      '/o/:id',
      '/o/:id/s/:id',
      '/o/:id/s/:id/:id',
      '/o/:id/s/:id/~/changes/:n',
      '/o/:id/s/:id/~/revisions/:id',
      '/o/:id/sites/:id',
      '/o/:id/c/:id',
      '/o/:id/conversations/clusters/:id',
    ])
      expect([...kinds], kind).toContain(kind);
    expect([...kinds].some((kind) => kind.includes('/openapi/'))).toBe(true);
    expect([...kinds].some((kind) => kind.startsWith('/integrations/'))).toBe(true);
    expect([...kinds].some((kind) => kind.startsWith('/o/:id/integrations/'))).toBe(true);
  });

  it('all open for a member, without any scripts', async () => {
    const browser = await signedIn(serving, 'admin');
    for (const [url, id] of addresses) {
      const answer = await browser.open(url);
      expect(answer.statusCode, `${url} of ${id}`).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('script-src');
      expect(answer.payload).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
    }
  });

  it('are compressed for browsers that ask for it', async () => {
    const browser = await signedIn(serving, 'admin');
    const page = `/o/${serving.world.org}`;
    const plain = await browser.send('GET', page);
    for (const encoding of ['br', 'gzip']) {
      const { headers, rawPayload } = await browser.send('GET', page, {
        headers: { 'accept-encoding': encoding },
      });
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding, cookie']);
      const text = encoding === 'br' ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload);
      expect(text.toString()).toBe(plain.body);
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    }
  });

  it('open pages whose links all open', async () => {
    const browser = await signedIn(serving, 'admin');
    const seen = new Set<string>(addresses.keys());
    const queue = [...seen];
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const answer = await browser.open(url);
      expect([200, 303], url).toContain(answer.statusCode);
      if (!String(answer.headers['content-type']).startsWith('text/html')) continue;
      for (const [, href = ''] of answer.payload.matchAll(/<a [^>]*href="([^"#]+)/g)) {
        const link = href.replaceAll('&amp;', '&');
        if (!link.startsWith('/') || seen.has(origin + link)) continue;
        seen.add(origin + link);
        queue.push(origin + link);
      }
    }
    expect(seen.size).toBeGreaterThan(addresses.size + 10);
  });

  it('ask to sign in, with the same page for existing and missing resources', async () => {
    const pages = new Set<string>();
    for (const url of [
      ...addresses.keys(),
      `${origin}/o/org_none`,
      `${origin}/o/org_acme/s/spc_none/x`,
      `${origin}/o/`,
      `${origin}/integrations/none`,
    ]) {
      const browser = new Browser(serving.server);
      const answer = await browser.open(url);
      expect(answer.statusCode, url).toBe(401);
      expect(browser.cookies).toEqual([]);
      pages.add(answer.payload);
    }
    expect(pages.size).toBe(1);
    expect(textOf([...pages][0]!)).toContain('docsctl open');
  });

  it('return 404 to members of another organization', async () => {
    const browser = await signedIn(serving, 'outsider');
    const missing = await browser.open('/o/org_acme/none');
    expect(missing.statusCode).toBe(404);
    for (const url of addresses.keys()) {
      // The integration of the furnished organization is public.
      if (url.startsWith(`${origin}/integrations/`)) continue;
      const answer = await browser.open(url);
      expect([answer.statusCode, answer.payload], url).toEqual([404, missing.payload]);
    }
    expect((await browser.open('/o/org_other')).statusCode).toBe(200);
  });

  it('return 404 below another organization', async () => {
    const browser = await signedIn(serving, 'outsider');
    for (const url of addresses.keys()) {
      if (!url.startsWith(`${origin}/o/org_acme/`) || url.includes('/integrations/')) continue;
      const moved = url.replace('/o/org_acme/', '/o/org_other/');
      expect((await browser.open(moved)).statusCode, moved).toBe(404);
    }
    const own = await signedIn(serving, 'admin');
    const second = `${origin}/o/${ids['secondOrganizationId']}`;
    for (const path of [`/s/${ids['spaceId']}`, `/c/${ids['collectionId']}`, `/sites/${ids['siteId']}`])
      expect((await own.open(second + path)).statusCode, path).toBe(404);
  });

  it('are listed for each organization of a member', async () => {
    const { statusCode, payload } = await (await signedIn(serving, 'read')).open('/o/');
    expect(statusCode).toBe(200);
    expect(payload).toContain('href="/o/org_acme"');
    expect(payload).not.toContain('org_other');
  });

  it('show guests only what they may see', async () => {
    const browser = await signedIn(serving, 'guest');
    const page = await browser.open('/o/org_acme');
    expect(page.statusCode).toBe(200);
    expect(page.payload).not.toContain('Secret of');
    expect((await browser.open(`/o/org_acme/s/${ids['spaceId']}`)).statusCode).toBe(404);
  });
});

describe('files', () => {
  const downloads = () => [
    `/v1/spaces/${ids['spaceId']}/content/files/${ids['fileId']}/download`,
    `/v1/spaces/${ids['spaceId']}/pdf/download`,
  ];

  it('open in a browser at the addresses of the API, with a session', async () => {
    const browser = await signedIn(serving, 'read');
    for (const url of downloads()) {
      const answer = await browser.open(url, { 'sec-fetch-mode': 'navigate' });
      expect(answer.statusCode, url).toBe(200);
      expect(answer.headers['content-disposition']).toMatch(/^inline; /);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('are returned in parts, as video players request them', async () => {
    const browser = await signedIn(serving, 'read');
    const [file = '', pdf = ''] = downloads().map((url) => url.replace('/v1/', '/o/~download/'));
    const part = await browser.open(file, { range: 'bytes=0-1' });
    expect([part.statusCode, part.headers['content-length']]).toEqual([206, '2']);
    expect((await browser.open(pdf, { range: 'bytes=0-1' })).statusCode).toBe(200);
  });

  it('need a session in a browser, and a token everywhere else', async () => {
    for (const url of downloads()) {
      const stranger = new Browser(serving.server);
      expect((await stranger.open(url, { 'sec-fetch-mode': 'navigate' })).statusCode).toBe(401);
      const browser = await signedIn(serving, 'read');
      const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      for (const headers of [
        { cookie },
        { cookie, 'sec-fetch-mode': 'cors' },
        { cookie, 'sec-fetch-mode': 'no-cors' },
      ]) {
        const answer = await browser.send('GET', url, { headers });
        expect([answer.statusCode, answer.json().error.reason]).toEqual([401, 'unauthenticated']);
      }
      expect(
        (await (await signedIn(serving, 'outsider')).open(url, { 'sec-fetch-mode': 'navigate' })).statusCode,
      ).toBe(404);
    }
  });

  it('are returned only at the paths of file operations', async () => {
    const browser = await signedIn(serving, 'admin');
    for (const path of [
      '/orgs/org_acme',
      '/user',
      `/spaces/${ids['spaceId']}`,
      '',
      '/',
      '/orgs/org_acme/tokens',
    ])
      expect((await browser.open(`/o/~download${path}`)).statusCode, path).toBe(404);
  });
});

it('the text of a page links to pages of its space, of other spaces and elsewhere', async () => {
  const { world } = serving;
  const api = world.as('admin');
  const { id: spaceId } = await api.call(createSpace, {
    params: { organizationId: world.org },
    body: { title: 'Linked' },
  });
  const { id: changeRequestId } = await api.call(createChangeRequest, { params: { spaceId }, body: {} });
  const params = { spaceId, changeRequestId };
  await api.call(batchContent, {
    params,
    body: {
      changes: [
        { operation: 'insert_page', title: 'Target', slug: 'target', document: { markdown: 'x' } },
        {
          operation: 'insert_page',
          title: 'Source',
          slug: 'source',
          document: { markdown: '[one](target.md#part) [gone](no-such.md) [two](https://example.com/two)' },
        },
      ],
    },
  });
  const { payload } = await (
    await signedIn(serving, 'admin')
  ).open(`/o/${world.org}/s/${spaceId}/~/changes/1/source`);
  const links = [...payload.matchAll(/<a[^>]*href="([^"]*)"[^>]*>(?:one|two|gone)</g)].map(
    ([, href]) => href,
  );
  expect(links).toEqual([`/o/${world.org}/s/${spaceId}/~/changes/1/target#part`, 'https://example.com/two']);
});

it.each([
  ['live', 'in change requests'],
  ['locked', 'locked'],
] as const)('the page of a %s space says how its content is edited', async (editMode, words) => {
  const { world } = serving;
  const { id } = await world.as('admin').call(createSpace, {
    params: { organizationId: world.org },
    body: { title: 'Rules', editMode },
  });
  const { payload } = await (await signedIn(serving, 'admin')).open(`/o/${world.org}/s/${id}`);
  expect(textOf(payload)).toContain(`Editing ${words} `);
});

it('the Markdown of a page contains the current fields of the page', async () => {
  const { world } = serving;
  const api = world.as('admin');
  const { id: spaceId } = await api.call(createSpace, {
    params: { organizationId: world.org },
    body: { title: 'Fields' },
  });
  const { id: changeRequestId } = await api.call(createChangeRequest, { params: { spaceId }, body: {} });
  const params = { spaceId, changeRequestId };
  const document = { markdown: '---\ndescription: Old\nicon: bolt\n---\nText\n' };
  const { pages } = await api.call(batchContent, {
    params,
    body: { changes: [{ operation: 'insert_page', title: 'Plan', slug: 'plan', document }] },
  });
  const page = pages[0]?.id ?? '';
  await api.call(batchContent, {
    params,
    body: { changes: [{ operation: 'update_page', page, description: '' }] },
  });
  const browser = await signedIn(serving, 'admin');
  const { payload } = await browser.open(`/o/${world.org}/s/${spaceId}/~/changes/1/plan.md`);
  expect(payload).toBe('---\nicon: bolt\n---\nText\n');
});

describe('text that members write', () => {
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>'javascript:alert(1)`;

  it('is escaped on every page', async () => {
    const { world } = serving;
    const operations = await allOperations();
    const api = world.as('admin');
    const call = async (id: string, params: Ids, body: unknown): Promise<Record<string, unknown>> => {
      const outcome = await outcomeOf(api, operations.get(id)!.operation, {
        params: { ...ids, ...params },
        body,
      });
      expect(outcome, id).toMatchObject({ reason: 'done' });
      return outcome.answer as Record<string, unknown>;
    };
    const organizationId = 'org_acme';
    const short = attack.slice(0, 50);
    await call('orgs.update', { organizationId }, { title: short });
    await call('users.update', { userId: 'usr_admin' }, { displayName: attack.slice(0, 64) });
    const spaceId = String((await call('spaces.create', { organizationId }, { title: short }))['id']);
    const first = await call('change-requests.create', { spaceId }, { subject: attack });
    const insert = {
      operation: 'insert_page',
      title: attack,
      slug: 'attack',
      description: attack,
      document: {
        markdown: `# ${attack}\n\n${attack}\n\n[x](javascript:alert(1))\n\n<script>alert(1)</script>\n\n![x](javascript:alert(1))`,
      },
    };
    const bytes = Buffer.from('<script>alert(1)</script>').toString('base64');
    const files = [
      { name: `${short.replaceAll('/', '')}.html`, base64: bytes, contentType: 'text/html' },
      { name: 'x.svg', base64: bytes, contentType: 'image/svg+xml' },
    ];
    const made = await call(
      'change-requests.content.batch',
      { spaceId, changeRequestId: String(first['id']) },
      { changes: [insert, { operation: 'insert_files', files }] },
    );
    const comment = await call(
      'change-requests.comments.create',
      { spaceId, changeRequestId: String(first['id']) },
      { body: { markdown: attack } },
    );
    await call(
      'change-requests.comments.replies.create',
      { spaceId, changeRequestId: String(first['id']), commentId: String(comment['id']) },
      { body: { markdown: `[x](javascript:alert(1)) ${attack}` } },
    );
    const siteId = String((await call('sites.create', { organizationId }, { title: short }))['id']);
    await call('sites.sections.add', { organizationId, siteId }, { spaceId, title: short });
    const collectionId = String(
      (await call('collections.create', { organizationId }, { title: short }))['id'],
    );
    const browser = await signedIn(serving, 'admin');
    const root = `/o/org_acme/s/${spaceId}`;
    const paths = [
      '/o/org_acme',
      root,
      `${root}/~/changes/1`,
      `${root}/~/changes/1/attack`,
      `/o/org_acme/sites/${siteId}`,
      `/o/org_acme/c/${collectionId}`,
    ];
    for (const path of paths) {
      const { statusCode, payload } = await browser.open(path);
      expect(statusCode, path).toBe(200);
      expect(payload, path).not.toMatch(/<script|<img[^>]*onerror|href="\s*javascript:|src="\s*javascript:/i);
      expect(payload, path).toContain('&lt;script&gt;');
    }
    const markdown = await browser.open(`${root}/~/changes/1/attack.md`);
    expect(markdown.headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const { id, type } of (made['insertedFiles'] as { id: string }[]).map(({ id }, at) => ({
      id,
      type: at,
    }))) {
      const file = await browser.open(
        `/o/~download/spaces/${spaceId}/change-requests/${String(first['id'])}/content/files/${id}/download`,
      );
      expect(file.statusCode).toBe(200);
      expect(file.headers['content-security-policy']).toContain('sandbox');
      expect(file.headers['content-security-policy']).not.toContain('allow-scripts');
      expect(file.headers['x-content-type-options']).toBe('nosniff');
      if (type === 0) {
        expect(file.headers['content-type']).toBe('application/octet-stream');
        expect(file.headers['content-disposition']).toMatch(/^attachment; /);
      }
    }
  });

  it('is not repeated if it is in an address', async () => {
    const browser = await signedIn(serving, 'admin');
    // The frame of a page contains the names of the member and of the organization.
    const repeats = (payload: string) => payload.split('&lt;script&gt;alert').length;
    const own = repeats((await browser.open('/o/org_acme/none')).payload);
    for (const path of [
      `/o/${encodeURIComponent(attack)}`,
      `/o/org_acme?spaces=${encodeURIComponent(attack)}`,
      `/o/org_acme/s/${encodeURIComponent(attack)}`,
      '/o/%zz',
      `/o/~session?code=${encodeURIComponent(attack)}`,
      '/o/~constructor',
      '/o/~toString/x',
      '/o/~assets/../x',
    ]) {
      const { statusCode, payload } = await browser.open(path);
      expect(statusCode, path).toBeGreaterThanOrEqual(400);
      expect(statusCode, path).toBeLessThan(500);
      expect(payload, path).not.toContain('<script>alert');
      expect(repeats(payload), path).toBeLessThanOrEqual(own);
    }
  });
});

describe('a large space', () => {
  it('is shown with its highest level only, and with its files page by page', async () => {
    const { world } = serving;
    const api = world.as('admin');
    const space = await api.call(createSpace, {
      params: { organizationId: 'org_acme' },
      body: { title: 'Large' },
    });
    const request = await api.call(createChangeRequest, { params: { spaceId: space.id }, body: {} });
    const params = { spaceId: space.id, changeRequestId: request.id };
    const pages = Array.from({ length: 410 }, (_, at) => ({
      operation: 'insert_page' as const,
      title: `Page ${at}`,
      document: { markdown: 'x' },
    }));
    await api.call(batchContent, { params, body: { changes: pages } });
    for (let at = 0; at < 60; at += 20) {
      const files = Array.from({ length: 20 }, (_, more) => ({
        name: `f${at + more}.txt`,
        base64: 'eA==',
        contentType: 'text/plain',
      }));
      const changes = [{ operation: 'insert_files' as const, files }];
      await api.call(batchContent, { params, body: { changes } });
    }
    const browser = await signedIn(serving, 'read');
    const { payload } = await browser.open(`/o/org_acme/s/${space.id}/~/changes/1`);
    expect(payload.match(/class="change"/g)).toHaveLength(50);
    expect(textOf(payload)).toContain('420 more changed pages and files');
    const { payload: page } = await browser.open(`/o/org_acme/s/${space.id}/~/changes/1/page-7`);
    expect(textOf(page)).toContain('330 more pages');
    await api.call(mergeChangeRequest, { params });
    const root = await browser.open(`/o/org_acme/s/${space.id}`);
    expect(root.payload.match(/download">f\d+\.txt/g)).toHaveLength(50);
    expect(textOf(root.payload)).toContain('1 to 100 of 410 pages');
    const [, found = ''] = /<form class="find" role="search" action="([^"]*)"/.exec(root.payload) ?? [];
    expect(textOf((await browser.open(`${found}?find=age 409`)).payload)).toContain('Page 409');
    const [, next = ''] = /<a href="([^"]*\?files=[^"]*)" rel="next"/.exec(root.payload) ?? [];
    const rest = await browser.open(next.replaceAll('&amp;', '&'));
    expect(rest.payload.match(/download">f\d+\.txt/g)).toHaveLength(10);
  });
});

describe('the server of sites', () => {
  it('ignores the session', async () => {
    const { world } = serving;
    const sites = await createSitesServer({ core: world.core, newRequestId: () => 'req', log: undefined });
    const browser = await signedIn(serving, 'admin');
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const url of addresses.keys()) {
      const answer = await sites.inject({ url: url.slice(origin.length), headers: { cookie } });
      expect(answer.statusCode, url).toBe(404);
      expect(answer.payload).not.toContain('Secret of');
    }
  });
});
