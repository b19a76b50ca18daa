import fc from 'fast-check';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/server/log.ts';
import { createServerMetrics } from '../../src/server/server-metrics.ts';
import { servicesOf, type Core } from '../../src/core/embedded.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { siteEvents } from '../../src/resources/site-insights/rows.ts';
import { recordEvents } from '../../src/publishing/visitor-event.ts';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { publishSite, unpublishSite, updateSite } from '../../src/resources/sites/contract.ts';
import { tables } from '../../src/resources/tables.ts';
import { openStore } from '../../src/stores/index.ts';
import { publishedSite, type PublishedSite } from '../publishing/published-site.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { emptyPostgres } from '../support/postgres.ts';
import { startReader, type Answer, type Reader } from './site-reader.ts';

const text = 'Much to read, so that it is worth to compress it. '.repeat(60);
const pages = [
  { title: 'Start', text },
  { title: 'Setup', text: `Set it up. ${text}` },
];

afterEach(() => vi.restoreAllMocks());

/** The stores that can tell whether something has changed, and PostgreSQL if it is installed. */
const [files, servers] = [['store.db', 'store.json'], hasPostgres() ? ['postgres'] : []];

/** A published site in a store in PostgreSQL or in a file, which is removed after the test. */
async function siteIn(
  name: string,
): Promise<PublishedSite & { readonly url: string; readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-kept-'));
  const path = join(folder, name);
  const url =
    name === 'postgres' ? await emptyPostgres() : `${name.endsWith('.json') ? 'json' : 'sqlite'}:${path}`;
  const site = await publishedSite(pages, {}, url);
  onTestFinished(async () => {
    await site.core.store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...site, url, path };
}

/** The same store, opened again like by another process. */
async function reopened(core: Core, url: string): Promise<Core> {
  const store = await openStore(url, { tables });
  onTestFinished(() => store.close());
  return { ...core, store };
}

describe('cached responses', () => {
  it('equal those of a server without a cache, and need no transaction', async () => {
    const site = await publishedSite(pages);
    const [file = ''] = await site.change(site.spaceId, [
      {
        operation: 'insert_files',
        files: [{ name: 'notes.txt', contentType: 'text/plain', base64: btoa(text) }],
      },
    ]);
    const [reader, other] = [await startReader(site.core), await startReader(site.core, { keeps: false })];
    const page = await other.ask('setup');
    const theme = /~assets\/theme-[^"]+/.exec(page.body)?.[0] ?? '';
    const etag = String(page.headers['etag']);
    const asked: readonly Parameters<Reader['ask']>[] = [
      ['setup'],
      ['setup', { 'accept-encoding': 'gzip, br' }],
      ['setup', { 'accept-encoding': 'gzip' }],
      ['setup', {}, 'HEAD'],
      ['setup', { 'accept-encoding': 'br' }, 'HEAD'],
      ['setup', { 'if-none-match': etag }],
      ['setup', { 'if-none-match': `W/${etag}, "other"`, 'accept-encoding': 'br' }],
      ['setup', { 'if-none-match': etag.replace(/"$/, '-br"'), 'accept-encoding': 'br' }],
      ['setup', { 'if-none-match': '"other"' }],
      ['setup', { accept: 'text/markdown' }],
      ['setup.md', { 'accept-encoding': 'br' }],
      ['setup', { cookie: '_ga=1; theme=dark' }],
      ['', { accept: 'text/html' }],
      ['sitemap.xml'],
      ['sitemap-pages.xml'],
      ['llms.txt'],
      [theme],
      [`~files/${file}`],
      [`~files/${file}`, { 'accept-encoding': 'br' }],
    ];
    for (const one of asked) {
      const first = await reader.ask(...one);
      reader.reads();
      expect([one, await reader.ask(...one)], JSON.stringify(one)).toEqual([one, first]);
      expect(reader.reads(), JSON.stringify(one)).toBe(0);
      expect(first, JSON.stringify(one)).toEqual(await other.ask(...one));
    }
    expect(other.reads()).toBeGreaterThan(asked.length - 1);
  });
});

describe.each(['memory:', ...servers])('cached responses of a site in %s', (name) => {
  it('are dropped after every change', async () => {
    const site = name === 'memory:' ? await publishedSite(pages) : await siteIn(name);
    const { call, spaceId } = site;
    const [reader, other] = [await startReader(site.core), await startReader(site.core, { keeps: false })];
    const update = (body: object) => () => call(updateSite, site.site, { body });
    const merge =
      (...changes: object[]) =>
      () =>
        site.change(spaceId, changes);
    const setup = site.pages.get('Setup');
    const customization = { feedback: { enabled: true }, pdf: { enabled: true } };
    const destination = { kind: 'path', spaceId, path: 'setup' };
    const org = { organizationId: site.site.organizationId };
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      text: merge({ operation: 'update_page', page: setup, document: { markdown: `New. ${text}` } }),
      title: merge({ operation: 'update_page', page: site.pages.get('Start'), title: 'Home' }),
      page: merge({ operation: 'insert_page', title: 'Third', document: { markdown: text } }),
      name: update({ title: 'Handbook' }),
      look: () => call(replaceSiteCustomization, site.site, { body: customization }),
      redirect: () => call(createSiteRedirect, site.site, { body: { source: '/old', destination } }),
      organization: () => call(updateOrganization, org, { body: { title: 'New' } }),
      unlisted: update({ visibility: 'unlisted' }),
      signIn: update({ visibility: 'visitor-auth' }),
      links: update({ visibility: 'share-link' }),
      open: update({ visibility: 'public' }),
      hidden: () => call(unpublishSite, site.site),
      back: () => call(publishSite, site.site),
      moved: update({ basename: 'elsewhere' }),
      movedBack: update({ basename: 'docs' }),
    };
    const paths = ['', 'setup', 'setup.md', 'sitemap.xml', 'sitemap-pages.xml', 'llms.txt'];
    const unseen: string[] = [];
    const askAll = async ({ ask }: Reader) => {
      const answers: Answer[] = [];
      for (const path of paths) answers.push(await ask(path, { 'accept-encoding': 'br' }));
      return answers;
    };
    for (const [name, change] of Object.entries(changes)) {
      await askAll(reader);
      const before = await askAll(reader);
      await change();
      const after = await askAll(reader);
      expect(after, name).toEqual(await askAll(other));
      if (JSON.stringify(before) === JSON.stringify(after)) unseen.push(name);
    }
    // These changes are visible on none of the pages.
    expect(unseen).toEqual(['redirect', 'organization']);
  });
});

describe('the response cache of sites', () => {
  it('is not used for visitors who may be known, and for anything but a whole page', async () => {
    const { core } = await publishedSite(pages);
    const reader = await startReader(core);
    const asked: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['setup', { authorization: 'Bearer x' }],
      ['setup', { cookie: 'a=b; gitbook-visitor-token=x' }],
      ['setup', { cookie: 'gitbook%2Dvisitor-public=%7B%7D' }],
      ['setup', { cookie: 'docsctl-preview=x' }],
      ['setup?a=b', {}],
      ['gone', {}],
      ['Setup', {}],
      ['~gitbook/search', {}],
      ['~gitbook/visitor', {}],
    ];
    for (const [path, headers] of asked) {
      const first = await reader.ask(path, headers);
      reader.reads();
      expect(await reader.ask(path, headers)).toEqual(first);
      expect(reader.reads(), `${path} ${JSON.stringify(headers)}`).toBeGreaterThan(0);
    }
  });

  it.each(['share-link', 'visitor-auth'])(
    'is not used for sites with the visibility %s',
    async (visibility) => {
      const { core } = await publishedSite(pages, { visibility });
      const reader = await startReader(core);
      const first = await reader.ask('setup');
      reader.reads();
      expect(await reader.ask('setup')).toEqual(first);
      expect(first.status).not.toBe(200);
      expect(reader.reads()).toBeGreaterThan(0);
    },
  );

  it('is not used if the store cannot tell whether something has changed', async () => {
    const { core } = await publishedSite(pages);
    const reader = await startReader(core, { keeps: false });
    await reader.ask('setup');
    reader.reads();
    await reader.ask('setup');
    expect(reader.reads()).toBeGreaterThan(0);
  });

  it.each([{}, { limits: { rateLimit: 100 } }])(
    'counts hits, misses and its size, and its responses count as requests, with %j',
    async (more) => {
      const { core } = await publishedSite(pages);
      const kept: string[] = [];
      const metrics = createServerMetrics('1.2.3', undefined);
      const reader = await startReader(core, {
        ...more,
        countKept: (result) => void kept.push(result),
        metrics: metrics.requests('sites'),
      });
      metrics.watchSites(reader);
      const sizes = () => Object.values(reader.cached());
      const before = sizes();
      for (const path of ['setup', 'setup', '/~gitbook/readyz', 'setup', 'none']) await reader.ask(path);
      expect(sizes().map((size, at) => size > (before[at] ?? 0))).toEqual([true, true]);
      // Responses to requests with a query are not cached, so they are neither hits nor misses.
      await reader.ask('setup?a=b');
      expect(kept).toEqual(['miss', 'hit', 'hit', 'miss']);
      const text = await metrics.text();
      for (const [kind, size] of Object.entries(reader.cached()))
        expect(text).toContain(`docsctl_sites_cache_bytes{kind="${kind}"} ${size}\n`);
      expect(text).toContain('{listener="sites",method="GET",route="/*",status="2xx"} 4');
      expect(text).toContain('{listener="sites",method="GET",route="/*",status="4xx"} 1');
      expect(text).toContain('{listener="sites",method="GET",route="/~gitbook/readyz",status="2xx"} 1');
    },
  );

  it('is used while the server drains, with headers that close the connection', async () => {
    const { core } = await publishedSite(pages);
    const reader = await startReader(core);
    await reader.ask('setup');
    expect((await reader.ask('setup')).headers['connection']).toBe('keep-alive');
    reader.drain();
    for (const path of ['setup', '/~gitbook/healthz']) {
      const { status, headers } = await reader.ask(path);
      expect([path, status, headers['connection']]).toEqual([path, 200, 'close']);
    }
    expect((await reader.ask('/~gitbook/readyz')).status).toBe(503);
  });

  it('adds the headers of the rate limit, and writes to the log', async () => {
    const { core } = await publishedSite(pages);
    const logged: object[] = [];
    const reader = await startReader(core, {
      limits: { rateLimit: 3 },
      log: createLog({ level: 'info', clock: () => 0, write: (line) => void logged.push(JSON.parse(line)) }),
    });
    const remaining = [];
    for (let turn = 0; turn < 4; turn++) {
      const { status, headers } = await reader.ask('setup');
      remaining.push([status, headers['x-ratelimit-remaining']]);
    }
    expect(remaining).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    expect(reader.reads()).toBe(1);
    expect(logged).toHaveLength(4);
  });

  it('keeps responses separately for each host that a trusted proxy names', async () => {
    const { core } = await publishedSite(pages);
    const reader = await startReader(core, { proxies: ['127.0.0.1'] });
    const plain = { 'x-forwarded-proto': 'http' };
    const secure = { 'x-forwarded-proto': 'https' };
    for (const headers of [plain, secure, { ...secure, 'x-forwarded-host': 'unknown.test' }]) {
      await reader.ask('setup', headers);
      expect(reader.reads()).toBe(1);
      await reader.ask('setup', headers);
      expect(reader.reads()).toBe(0);
    }
  });
});

describe.each(['memory:', ...files])('cached responses of a site in %s', (name) => {
  it('stay valid when page views are stored', async () => {
    const site = name === 'memory:' ? await publishedSite(pages) : await siteIn(name);
    const reader = await startReader(site.core, { countViews: true });
    await reader.ask('setup');
    await reader.ask('setup.md');
    reader.reads();
    // One write stores a hundred views.
    for (let turn = 0; turn < 150; turn++) await reader.ask(turn % 2 === 0 ? 'setup' : 'setup.md');
    const stored = () => site.core.store.read((view) => view.count(siteEvents, 'bySite', [site.site.siteId]));
    await expect.poll(stored).toBe(100);
    await reader.ask('setup');
    expect(reader.reads()).toBe(0);
  });
});

describe.each([...files, ...servers])('cached responses of a site in %s', (name) => {
  it('are never older than an acknowledged write of another process', async () => {
    const site = await siteIn(name);
    const second = await reopened(site.core, site.url);
    const readers = [await startReader(site.core), await startReader(second)];
    const [page = ''] = [site.pages.get('Setup')];
    const shown = ({ body }: Answer): number => Number(/version-(\d+)-of/.exec(body)?.[1] ?? -1);
    let version = 0;
    const merge = async (): Promise<void> => {
      const next = version + 1;
      await site.change(site.spaceId, [
        { operation: 'update_page', page, document: { markdown: `It is version-${next}-of it.` } },
      ]);
      version = next;
    };
    await merge();
    const cores = [site.core, second];
    const view = (process: number): Promise<void> => {
      const core = cores[process] ?? site.core;
      const location = { url: 'https://docs.example.test/', space: site.spaceId, page, revision: null };
      const none = { siteSection: null, siteSpace: null, siteShareKey: null };
      const session = {
        visitorId: 'v',
        sessionId: 's',
        cookies: {},
        userAgent: '',
        language: null,
        referrer: null,
      };
      const event = { type: 'page_view' as const, session, location: { ...location, ...none } };
      return recordEvents(servicesOf(core), site.site.siteId, [event]);
    };
    const step = fc.oneof(
      fc.constant('merge' as const),
      fc.constantFrom('view by 0' as const, 'view by 1' as const),
      fc.record({ reader: fc.nat(1), path: fc.constantFrom('setup', 'setup.md') }),
      fc.array(fc.record({ reader: fc.nat(1), path: fc.constantFrom('setup', 'setup.md') }), {
        minLength: 1,
        maxLength: 4,
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const look = async ({ reader, path }: { readonly reader: number; readonly path: string }) => {
          const least = version;
          const answer = await readers[reader]?.ask(path);
          const found = answer === undefined ? -1 : shown(answer);
          // A write that is not acknowledged yet may be visible or not.
          expect([least, least + 1]).toContain(found);
          if (version === least && found > least) expect(found).toBe(version + 1);
        };
        for (const one of steps) {
          if (one === 'merge') await merge();
          else if (typeof one === 'string') await view(Number(one.at(-1)));
          else if (Array.isArray(one)) await Promise.all([merge(), view(0), view(1), ...one.map(look)]);
          else await look(one);
        }
      }),
      { numRuns: 25, seed: 16 },
    );
    expect(readers.map(({ reads }) => reads() > 0)).toEqual([true, true]);
  }, 60_000);
});

describe.each(files)('cached responses of a site in %s', (name) => {
  it('are dropped when the store file is replaced', async () => {
    const site = await siteIn(name);
    copyFileSync(site.path, `${site.path}.copy`);
    const reader = await startReader(site.core);
    await site.change(site.spaceId, [
      { operation: 'update_page', page: site.pages.get('Setup'), document: { markdown: 'CHANGED' } },
    ]);
    expect((await reader.ask('setup')).body).toContain('CHANGED');
    reader.reads();
    expect((await reader.ask('setup')).body).toContain('CHANGED');
    expect(reader.reads()).toBe(0);
    renameSync(`${site.path}.copy`, site.path);
    // Some checks of the file happen only after a while.
    const later = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    const { status, body } = await reader.ask('setup');
    expect(body).not.toContain('CHANGED');
    // The copy does not contain later writes.
    expect(status).toBe(503);
  });
});
