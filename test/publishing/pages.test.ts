import { beforeAll, describe, expect, it } from 'vitest';
import { customHostnames } from '../../src/core/rows/custom-hostnames.ts';
import { sites } from '../../src/core/rows/sites.ts';
import { createSpec } from '../../src/resources/openapi/contract.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { createSiteRedirect, resolveSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { addExternalLink } from '../../src/resources/site-external-links/contract.ts';
import { addSection, listSiteSections, updateSection } from '../../src/resources/site-sections/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSite, unpublishSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a public site', () => {
  let site: PublishedSite;
  beforeAll(async () => {
    site = await publishedSite([
      {
        title: 'Welcome',
        text: '# Welcome\n\nRead [the setup](setup.md#install) or [nothing](gone.md).',
        description: 'The first page',
      },
      { title: 'Setup', text: '## Install\n\nRun **it**.\n\n```js\nconst one = 1;\n```' },
      { title: 'Secret corner', text: 'Only with the address.', hidden: true },
    ]);
  });

  it('shows the first page at its root, with navigation around it', async () => {
    const answer = await site.visit('');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('<title>Welcome | Docs</title>');
    expect(answer.body).toContain('<link rel="canonical" href="https://docs.test/sites/acme/docs/">');
    expect(answer.body).toContain('<p class="lead">The first page</p>');
    expect(answer.body.match(/<h1/g)).toHaveLength(1);
    expect(answer.body).toMatch(/<a[^>]* href="\/sites\/acme\/docs\/setup#install"/);
    expect(answer.body).toMatch(/<a href="\/sites\/acme\/docs\/" aria-current="page">/);
    expect(answer.body).toMatch(/rel="next" href="\/sites\/acme\/docs\/setup"/);
  });

  it('redirects other spellings to the one address of a page', async () => {
    for (const path of ['Setup', 'setup/', 'SETUP/?q=1']) {
      const answer = await site.visit(path);
      expect([path, answer.statusCode, answer.headers.location]).toEqual([
        path,
        308,
        `/sites/acme/docs/setup${path.includes('?') ? '?q=1' : ''}`,
      ]);
    }
    expect((await site.visit('welcome')).headers.location).toBe('/sites/acme/docs/');
    const other = await site.server.inject('/sites/%61cme/DOCS/setup?q=1');
    expect([other.statusCode, other.headers.location]).toEqual([308, '/sites/acme/docs/setup?q=1']);
  });

  it('returns the Markdown of a page, by its address or by the Accept header', async () => {
    const markdown = await site.visit('setup.md');
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(markdown.body).toBe('# Setup\n\n## Install\n\nRun **it**.\n\n```js\nconst one = 1;\n```\n');
    expect((await site.visit('setup', { accept: 'text/markdown' })).body).toBe(markdown.body);
    expect((await site.visit('index.md')).body).toContain('# Welcome');
  });

  it('omits hidden pages from every list, and shows them at their address', async () => {
    expect((await site.visit('secret-corner')).statusCode).toBe(200);
    expect((await site.visit('secret-corner')).body).toContain('<meta name="robots" content="noindex">');
    for (const path of [
      '',
      'setup',
      'sitemap-pages.xml',
      'llms.txt',
      'llms-full.txt',
      '~gitbook/search?q=address',
    ])
      expect([path, (await site.visit(path)).body.includes('orner')]).toEqual([path, false]);
  });

  it('lists its pages for search engines and agents', async () => {
    expect((await site.visit('robots.txt')).body).toContain(
      'Sitemap: https://docs.test/sites/acme/docs/sitemap.xml',
    );
    expect((await site.visit('sitemap.xml')).body).toContain(
      '<loc>https://docs.test/sites/acme/docs/sitemap-pages.xml</loc>',
    );
    expect((await site.visit('sitemap-pages.xml')).body).toContain(
      '<loc>https://docs.test/sites/acme/docs/setup</loc>',
    );
    expect((await site.visit('llms.txt')).body).toContain(
      '- [Welcome](https://docs.test/sites/acme/docs/index.md): The first page',
    );
    await site.call(updateSite, site.site, { body: { agentsContext: 'excluded' } });
    expect((await site.visit('llms.txt')).statusCode).toBe(404);
    expect((await site.visit('robots.txt')).body).toMatch(
      /User-agent: GPTBot[\s\S]*Disallow: \/sites\/acme\/docs\/\n/,
    );
    await site.call(updateSite, site.site, { body: { agentsContext: 'included' } });
  });

  it('searches its pages, with results as JSON and as a page that needs no script', async () => {
    const answer = await site.visit('~gitbook/search?q=install', { accept: 'application/json' });
    expect(answer.json()).toEqual({
      items: [
        {
          title: 'Setup',
          section: 'Install',
          excerpt: expect.stringContaining('Run it.'),
          marks: [],
          place: '',
          href: '/sites/acme/docs/setup#install',
        },
      ],
    });
    expect((await site.visit('~gitbook/search?q=install')).body).toContain(
      'href="/sites/acme/docs/setup#install"',
    );
    expect((await site.visit('~gitbook/search?q=%22%3E%3Cscript%3E')).body).not.toContain('<script>');
  });

  it('marks the words that were found in excerpts', async () => {
    const query = '~gitbook/search?q=running';
    const [first] = (await site.visit(query, { accept: 'application/json' })).json().items;
    expect(first.marks).toEqual([0, 3]);
    expect((await site.visit(query)).body).toContain('<p><mark>Run</mark> it.');
  });

  it('finds a page whose title is the query before its sections, with an excerpt', async () => {
    const answer = await site.visit('~gitbook/search?q=SETUP!', { accept: 'application/json' });
    expect(answer.json().items[0]).toEqual({
      title: 'Setup',
      excerpt: expect.stringContaining('Run it.'),
      marks: [],
      place: '',
      href: '/sites/acme/docs/setup',
    });
  });

  it('suggests similar pages for an address that does not exist', async () => {
    const answer = await site.visit('setups');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('<a href="/sites/acme/docs/setup">Setup</a>');
  });

  it('returns 304 without a body if the reader already has the page', async () => {
    const { headers } = await site.visit('setup');
    const again = await site.visit('setup', { 'if-none-match': String(headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    await site.change(site.spaceId, [
      { operation: 'update_page', page: site.pages.get('Setup'), document: { markdown: 'New text.' } },
    ]);
    const changed = await site.visit('setup', { 'if-none-match': String(headers['etag']) });
    expect([changed.statusCode, changed.body.includes('New text.')]).toEqual([200, true]);
  });

  it('has different entity tags for the encodings of a page, each of which leads to 304', async () => {
    const encodings = ['', 'gzip', 'br'].map((encoding) => ({ 'accept-encoding': encoding }));
    const answers = await Promise.all(encodings.map((accepted) => site.visit('setup', accepted)));
    const tags = answers.map(({ headers }) => String(headers['etag']));
    expect(new Set(tags).size).toBe(3);
    for (const [at, accepted] of encodings.entries())
      for (const tag of [tags[at], `W/${tags[at]}`, `"other", ${tags[at]}`]) {
        const again = await site.visit('setup', { ...accepted, 'if-none-match': String(tag) });
        expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tags[at]]);
      }
    const other = await site.visit('setup', { 'if-none-match': String(tags[2]) });
    expect([other.statusCode, other.headers['etag']]).toEqual([200, tags[0]]);
  });

  it('serves files with a policy that runs nothing in them', async () => {
    const ids = await site.change(site.spaceId, [
      {
        operation: 'insert_files',
        files: [
          { name: 'dot.png', contentType: 'image/png', base64: png },
          {
            name: 'page.html',
            contentType: 'text/html',
            base64: Buffer.from('<script>1</script>').toString('base64'),
          },
        ],
      },
    ]);
    const markdown = `![Dot](/files/${ids[0]})\n\n[A page](/files/${ids[1]})`;
    await site.change(site.spaceId, [{ operation: 'insert_page', title: 'Files', document: { markdown } }]);
    const { body } = await site.visit('files');
    const paths = [...body.matchAll(/\/sites\/acme\/docs\/(~files\/[^"]+)/g)].map(([, path]) => path ?? '');
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const file = await site.visit(path);
      expect([path, file.statusCode]).toEqual([path, 200]);
      expect(file.headers['content-security-policy']).toContain('sandbox');
      if (path.endsWith('.html')) expect(file.headers['content-disposition']).toMatch(/^attachment/);
    }
  });

  it('shows files in table cells and covers of cards, which are IDs of files', async () => {
    const [id = ''] = await site.change(site.spaceId, [
      {
        operation: 'insert_files',
        files: [{ name: 'cover.png', contentType: 'image/png', base64: png }],
      },
    ]);
    const row = (address: string) => `<tr><td><a href="${address}">cover.png</a></td></tr>`;
    const markdown = [
      `<table><thead><tr><th data-type="files">File</th></tr></thead><tbody>${row(`/files/${id}`)}${row('/files/fil_gone')}${row('https://x.test/a.png')}</tbody></table>`,
      `<table data-view="cards"><thead><tr><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody>${row(`/files/${id}`)}</tbody></table>`,
    ].join('\n\n');
    await site.change(site.spaceId, [{ operation: 'insert_page', title: 'Covers', document: { markdown } }]);
    const { body } = await site.visit('covers');
    expect(body).toMatch(/<td><div><a href="[^"]*~files\/[^"]+">.*?cover\.png<\/a><\/div><\/td>/);
    expect(body).toContain(
      '<td><div><span class="broken-link" title="This link is broken">This link is broken<',
    );
    expect(body).toMatch(/<a href="https:\/\/x\.test\/a\.png"/);
    expect(body).toMatch(/<img class="card-cover" src="[^"]*~files\//);
    expect(body).not.toContain('>fil_');
  });

  it('restricts what pages can load, and cannot be shown in a frame', async () => {
    const { headers } = await site.visit('');
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('redirects old paths, also with the rest that a star matches', async () => {
    const external = { kind: 'external', url: 'https://example.com/new' };
    await site.call(createSiteRedirect, site.site, {
      body: { source: '/old/*', destination: external, captureWildcard: true },
    });
    const destination = { kind: 'path', spaceId: site.spaceId, path: 'setup' };
    await site.call(createSiteRedirect, site.site, {
      body: { source: '/start', destination, permanent: true },
    });
    const old = await site.visit('old/a/b');
    expect([old.statusCode, old.headers.location]).toEqual([307, 'https://example.com/new/a/b']);
    for (const path of ['old/%5cevil.test', 'old/%09/evil.test', 'old/..%5c%5cevil.test'])
      expect((await site.visit(path)).headers.location).toMatch(/^https:\/\/example\.com\/new\//);
    // The command that resolves a path returns what the site answers.
    for (const path of ['old/a%20b', 'old/%5cevil.test', 'old/a%2Fb/100%25', 'old/..%5c%5cevil.test']) {
      const { target } = await site.call(resolveSiteRedirect, site.site, { query: { source: `/${path}` } });
      expect([path, target]).toEqual([path, (await site.visit(path)).headers.location]);
    }
    await site.call(createSiteRedirect, site.site, {
      body: { source: '/umlaut', destination: { kind: 'external', url: 'https://example.com/ü?q=€' } },
    });
    expect((await site.visit('umlaut')).headers.location).toBe('https://example.com/%C3%BC?q=%E2%82%AC');
    const start = await site.visit('start?x=1');
    expect([start.statusCode, start.headers.location]).toEqual([308, '/sites/acme/docs/setup?x=1']);
  });

  it('redirects by the .gitbook.yaml of a space, after the redirects of the site', async () => {
    const settings = [
      'root: ./docs/',
      'redirects:',
      '  former/Keys: guides/keys.md',
      '  /older/: /docs/guides/keys.md',
      '  away: https://example.com/ü',
      '  legacy.md: guides/keys.md',
      '  setup: guides/keys.md',
      '  start: guides/keys.md',
      '  gone: guides/gone.md',
      '  out: ../keys.md',
      '  script: javascript:alert(1)',
      '  list: [a]',
      '',
    ].join('\n');
    const text = { operation: 'put_text', role: 'settings', git: { path: '.gitbook.yaml' } };
    await site.change(site.spaceId, [
      {
        operation: 'insert_page',
        title: 'Keys',
        document: { markdown: 'x' },
        git: { path: 'guides/keys.md' },
      },
      { ...text, text: settings },
    ]);
    const leads = async (path: string) => {
      const { statusCode, headers } = await site.visit(path);
      return headers.location ?? statusCode;
    };
    const keys = '/sites/acme/docs/keys';
    for (const [path, expected] of Object.entries({
      'former/keys?a=b': `${keys}?a=b`,
      'FORMER/keys.md': `${keys}.md`,
      older: keys,
      away: 'https://example.com/%C3%BC',
      'legacy.md': `${keys}.md`,
      // A page comes first, then a redirect of the site.
      setup: 200,
      start: '/sites/acme/docs/setup',
      gone: 404,
      out: 404,
      script: 404,
      list: 404,
    }))
      expect([path, await leads(path)]).toEqual([path, expected]);
    const resolve = async (source: string) =>
      site
        .call(resolveSiteRedirect, site.site, { query: { source } })
        .then(({ target }) => target)
        .catch(({ hint }: { hint: string }) => hint);
    expect(await resolve('/Former/keys')).toBe(
      'The .gitbook.yaml of the space "Guide" redirects it to guides/keys.md. Redirects of the site take precedence.',
    );
    expect(await resolve('/nowhere')).toContain('sites redirects list');
    expect(await resolve('/start')).toMatch(/\/setup$/);
    // It leads to the page from this file, wherever the page is.
    const page = site.pages.get('Keys');
    await site.change(site.spaceId, [{ operation: 'update_page', page, slug: 'tokens' }]);
    expect(await leads('older')).toBe('/sites/acme/docs/tokens');
    await site.change(site.spaceId, [{ ...text, text: 'redirects: [broken' }]);
    expect(await leads('older')).toBe(404);
    await site.change(site.spaceId, [{ ...text, text: null }]);
  });

  it('shows sections at their paths, each with another space', async () => {
    const spaceId = await site.addSpace('API', [
      { title: 'Calls', text: 'How to call, see [setup](https://docs.test/).' },
    ]);
    const made = await site.call(addSection, site.site, { body: { spaceId, title: 'API' } });
    const answer = await site.visit(`${made.path}/`);
    expect([answer.statusCode, answer.body.includes('How to call')]).toEqual([200, true]);
    expect((await site.visit('')).body).toMatch(/<nav class="sections"/);
    const link = { title: 'Status', url: 'https://status.example.com/' };
    await site.call(addExternalLink, site.site, { body: link });
    await site.call(addExternalLink, site.site, { body: { ...link, title: 'Unseen', draft: true } });
    const { body } = await site.visit('');
    expect([body.includes(`href="${link.url}"`), body.includes('Unseen')]).toEqual([true, false]);
    expect((await site.visit(`${made.path}/gone?fallback=true`)).headers.location).toBe(
      `/sites/acme/docs/${made.path}/`,
    );
  });

  it('redirects from paths that contain the default section or space, which addresses omit', async () => {
    const leads = async (path: string): Promise<string | number> => {
      const { statusCode, headers } = await site.visit(path);
      return statusCode === 307 ? String(headers.location).replace('/sites/acme/docs/', '') : statusCode;
    };
    const spaceId = await site.addSpace('API v1', [{ title: 'Old calls', text: 'As it was.' }]);
    const { items } = await site.call(listSiteSections, site.site, {});
    const { id: sectionId = '', path = '' } = items.find(({ default: isDefault }) => !isDefault) ?? {};
    await site.call(addSiteSpace, site.site, { body: { spaceId, sectionId, title: 'v1' } });
    const own = items.find(({ default: isDefault }) => isDefault)?.path ?? '';
    const first = (of: string | undefined) => of?.split('/').at(-1);
    expect([first(own), first(path)]).toEqual(['guide', 'api']);
    expect(await Promise.all(['guide/setup?a=b', 'GUIDE/setup', 'guide', 'guide/guide/setup', 'guide/gone', 'guides/setup'].map(leads))) // prettier-ignore
      .toEqual(['setup?a=b', 'setup', '', 'setup', 404, 404]);
    // The first page of a space has the address of the space.
    expect(await Promise.all(['api/api/calls', 'api/v1/old-calls', 'api/api/old-calls', 'v1/old-calls', 'api/setup'].map(leads))) // prettier-ignore
      .toEqual(['api/', 308, 404, 404, 404]);
  });

  it('gives an operation the anchor that links to it use', async () => {
    const spec = {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/pets/{petId}': {
          parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
          get: { responses: { 200: { description: 'One pet' } } },
        },
      },
    };
    await site.call(
      createSpec,
      { organizationId: site.world.org },
      {
        body: { slug: 'pets', source: { text: JSON.stringify(spec) } },
      },
    );
    await runDueJobs(site.world.core, { signal: new AbortController().signal });
    const markdown =
      '{% openapi-operation spec="pets" path="/pets/{petId}" method="get" %}\n[Pets](openapi:pets)\n{% endopenapi-operation %}';
    await site.change(site.spaceId, [{ operation: 'insert_page', title: 'Pets', document: { markdown } }]);
    const { body } = await site.visit('pets');
    expect(body).toContain('id="get-pets-petid"');
    expect(body).toContain('One pet');
  });

  it('reports at any host that the server runs, and leaves /healthz to pages', async () => {
    for (const host of ['127.0.0.1:8081', 'docs.example.com']) {
      const answer = await site.server.inject({ url: '/~gitbook/healthz', headers: { host } });
      expect([host, answer.statusCode, answer.json()]).toEqual([host, 200, { status: 'ok' }]);
    }
    expect((await site.server.inject('/healthz')).statusCode).toBe(404);
  });

  it('is at the root of its own host', async () => {
    const hostname = 'docs.example.com';
    await site.world.core.store.write(async (tx) => {
      const { organizationId: organization, siteId } = site.site;
      await tx.insert(customHostnames, { id: hostname, organization, site: siteId, createdAt: '' });
      await tx.update(sites, siteId, { hostname });
    });
    const visit = async (url: string, host: string) => site.server.inject({ url, headers: { host } });
    const answer = await visit('/setup', `${hostname}:443`);
    expect([
      answer.statusCode,
      answer.body.includes('<link rel="canonical" href="https://docs.example.com/setup">'),
    ]).toEqual([200, true]);
    expect((await visit('/setup', 'other.example.com')).statusCode).toBe(404);
    const moved = await visit('/sites/acme/docs/setup', 'docs.test');
    expect([moved.statusCode, moved.headers.location]).toEqual([308, 'https://docs.example.com/setup']);
    // The redirect is not cached longer than the site has this address, and not for visitors with a token.
    expect([moved.headers['cache-control'], moved.headers.vary]).toEqual([
      'public, max-age=0, must-revalidate',
      'accept, accept-encoding, authorization, cookie',
    ]);
    await site.world.core.store.write((tx) =>
      tx.update(sites, site.site.siteId, { isHostnamePending: true }),
    );
    expect((await visit('/setup', hostname)).statusCode).toBe(404);
    await site.world.core.store.write((tx) =>
      tx.update(sites, site.site.siteId, { hostname: undefined, isHostnamePending: false }),
    );
  });

  it('cannot take over the hosts of the server', async () => {
    const { organizationId: organization, siteId } = site.site;
    const { store } = site.world.core;
    for (const hostname of ['docs.test', 'localhost']) {
      await store.write(async (tx) => {
        await tx.insert(customHostnames, { id: hostname, organization, site: siteId, createdAt: '' });
        await tx.update(sites, siteId, { hostname });
      });
      const visit = (url: string) => site.server.inject({ url, headers: { host: `${hostname}:443` } });
      expect((await visit('/setup')).statusCode).toBe(404);
      expect((await visit('/sites/acme/docs/setup')).statusCode).not.toBe(404);
      await store.write(async (tx) => {
        await tx.remove(customHostnames, hostname);
        await tx.update(sites, siteId, { hostname: undefined });
      });
    }
  });

  it('returns 404 for everything after it was unpublished', async () => {
    await site.call(unpublishSite, site.site);
    for (const path of ['', 'setup', 'robots.txt', 'llms.txt', '~gitbook/search?q=x'])
      expect([path, (await site.visit(path)).statusCode]).toEqual([path, 404]);
  });
});

it('addresses with capital letters lead to the site, its sections and their spaces', async () => {
  const site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  await site.call(updateSite, site.site, { body: { basename: 'Docs' } });
  const spaceId = await site.addSpace('News', [{ title: 'First', text: 'One.' }, { title: 'Next', text: 'Two.' }]); // prettier-ignore
  const { id } = await site.call(addSection, site.site, { body: { spaceId, title: 'News' } });
  const second = await site.addSpace('Old', [{ title: 'Past', text: 'Three.' }]);
  const { items } = await site.call(listSiteSections, site.site);
  const [news] = items.filter((one) => one.id === id);
  await site.call(addSiteSpace, site.site, { body: { spaceId: second, sectionId: id } });
  await site.call(updateSection, { ...site.site, siteSectionId: id }, { body: { path: 'Über' } });
  expect(news).toBeDefined();
  const statusOf = async (path: string) => (await site.server.inject(`/sites/acme/Docs/${path}`)).statusCode;
  expect(await statusOf('')).toBe(200);
  for (const path of ['%C3%9Cber/', '%C3%9Cber/next', '%C3%9Cber/old/', '%C3%BCber/next']) {
    const status = await statusOf(path);
    expect([path, status]).toEqual([path, expect.toBeOneOf([200, 308])]);
  }
  expect((await site.server.inject('/sites/acme/Docs/%C3%9Cber/next')).body).toContain('Two.');
});

it('pages whose slugs would differ only in case have different addresses', async () => {
  const site = await publishedSite([
    { title: 'Welcome', text: 'Hello.' },
    { title: 'Upper', text: 'Upper case.', slug: 'Foo' },
    { title: 'Foo', text: 'Lower case.' },
  ]);
  expect((await site.visit('Foo')).body).toContain('Upper case.');
  expect((await site.visit('foo-1')).body).toContain('Lower case.');
  const rename = { operation: 'update_page', page: site.pages.get('Foo'), slug: 'FOO' };
  await expect(site.change(site.spaceId, [rename])).rejects.toThrow('already has the slug "FOO"');
  // The page itself can be spelled differently.
  await site.change(site.spaceId, [{ ...rename, page: site.pages.get('Upper') }]);
  expect((await site.visit('FOO')).body).toContain('Upper case.');
});

it('a footnote in an HTML table opens as a popover', async () => {
  const table =
    '<table><tbody><tr><td><a data-footnote-ref href="#user-content-fn-1">JPEG</a></td></tr></tbody></table>';
  const site = await publishedSite([{ title: 'Formats', text: `${table}\n\n[^1]: A format of images` }]);
  const { body } = await site.visit('');
  expect(body).toContain('popovertarget="~note-1">JPEG</button>');
  expect(body).not.toContain('[^1]');
});
