import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../src/contract/api.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { readSitePaths } from '../../src/resources/site-paths/contract.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from '../publishing/published-site.ts';
import { OutputFolder } from '../../src/static-site/output-folder.ts';
import { buildFolder, listFiles, newFolder, siteWithCoveredPages, type BuiltSite } from './built-site.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const url = 'https://docs.example.com/base/';

/** The links and files of a page that do not exist in the folder. */
function brokenIn(built: BuiltSite, file: string): string[] {
  const html = built.read(file);
  return [
    ...html.matchAll(/\s(?:href|src|action|data-more|data-search|data-finder|data-copy-page)="([^"]*)"/g),
  ].flatMap(([, link = '']) => {
    // An attribute of the body contains the word "Search", which is not a link.
    if (/^(?:[a-z]+:|#|$)/.test(link) || link === 'Search') return [];
    const path = posix.join(dirname(file), decodeURIComponent(link.replace(/[?#].*$/, '')));
    const target =
      link.replace(/[?#].*$/, '').endsWith('/') || path === '.' ? posix.join(path, 'index.html') : path;
    return existsSync(join(built.dir, target)) ? [] : [`${file}: ${link}`];
  });
}

describe('a built site', () => {
  let site: PublishedSite;
  let built: BuiltSite;
  beforeAll(async () => {
    site = await publishedSite([
      { title: 'Welcome', text: 'Read [the setup](setup.md#install).', description: 'The first page' },
      { title: 'Setup', text: '## Install\n\nRun **it**, see [welcome](welcome.md).' },
      { title: '設定 & more', slug: 'über', text: '検索エンジンの設定です。' },
      { title: 'Secret corner', text: 'Only with the address.', hidden: true },
    ]);
    const [dot, page] = await site.change(site.spaceId, [
      {
        operation: 'insert_files',
        files: [
          { name: 'dot.png', contentType: 'image/png', base64: png },
          { name: 'a page.html', contentType: 'text/html', base64: Buffer.from('<b>').toString('base64') },
          { name: 'unused.txt', contentType: 'text/plain', base64: 'YQ==' },
        ],
      },
    ]);
    await site.change(site.spaceId, [
      {
        operation: 'insert_page',
        title: 'Deep',
        into: site.pages.get('Setup'),
        document: {
          markdown: `![Dot](/files/${dot})\n\n[A page](/files/${page})\n\n[Setup](../setup.md), [Gone](gone.md)`,
        },
      },
    ]);
    const spaceId = await site.addSpace('API', [{ title: 'Calls', text: 'How to call.' }]);
    await site.call(addSection, site.site, { body: { spaceId, title: 'API' } });
    const destination = { kind: 'path', spaceId: site.spaceId, path: 'setup' };
    await site.call(createSiteRedirect, site.site, {
      body: { source: '/start', destination, permanent: true },
    });
    await site.call(createSiteRedirect, site.site, {
      body: {
        source: '/old/*',
        destination: { kind: 'external', url: 'https://example.com/new' },
        captureWildcard: true,
      },
    });
    built = buildFolder(site);
    await built.build({ url });
  });

  it('does not reveal the targets of broken links', () => {
    const html = built.read('setup/deep/index.html');
    expect(html).toContain('>Gone</span>');
    expect(html).not.toContain('gone.md');
  });

  it('contains each page as a folder and as Markdown, and the other files of the site', () => {
    const files = listFiles(built.dir).filter((file) => !/^~(?:assets|search)\//.test(file));
    expect(files.map((file) => file.replace(/^~files\/[^/]+/, '~files/HASH'))).toMatchInlineSnapshot(`
      [
        ".docsctl-site.json",
        ".nojekyll",
        "404.html",
        "_headers",
        "_redirects",
        "api/index.html",
        "api/index.md",
        "api/sitemap-pages.xml",
        "index.html",
        "index.md",
        "llms-full.txt",
        "llms.txt",
        "robots.txt",
        "secret-corner.md",
        "secret-corner/index.html",
        "setup.md",
        "setup/deep.md",
        "setup/deep/index.html",
        "setup/index.html",
        "sitemap-pages.xml",
        "sitemap.xml",
        "start/index.html",
        "~files/HASH/a page.html.txt",
        "~files/HASH/dot.png",
        "über.md",
        "über/index.html",
      ]
    `);
  });

  it('links to pages and files relative to each page, and every link leads to a file', () => {
    expect(built.read('index.html')).toMatch(/<a [^>]*href="setup\/#install"/);
    expect(built.read('setup/index.html')).toMatch(/<a [^>]*href="\.\.\/"/);
    expect(built.read('setup/deep/index.html')).toMatch(
      /<img src="\.\.\/\.\.\/~files\/[^/]+\/dot\.png" alt="[^"]*" width="1" height="1"/,
    );
    const pages = listFiles(built.dir).filter((file) => file.endsWith('.html') && file !== '404.html');
    expect(pages.length).toBeGreaterThan(6);
    expect(pages.flatMap((file) => brokenIn(built, file))).toEqual([]);
  });

  it('contains absolute addresses where files need them', () => {
    expect(built.read('setup/index.html')).toContain(`<link rel="canonical" href="${url}setup/">`);
    expect(built.read('setup/index.html')).toContain(`<meta property="og:url" content="${url}setup/">`);
    expect(built.read('sitemap-pages.xml')).toContain(`<loc>${url}setup/</loc>`);
    expect(built.read('robots.txt')).toContain(`Sitemap: ${url}sitemap.xml`);
    expect(built.read('llms.txt')).toContain(`(${url}setup.md)`);
    expect(built.read('404.html')).toMatch(/<a href="\/base\/">/);
    expect(built.read('404.html')).not.toContain('"~assets');
  });

  it('contains the feed of a page with updates, and no link to a PDF', async () => {
    const update = '{% update date="2026-01-02" %}\n## New\n\nSee [setup](setup.md).\n{% endupdate %}';
    const markdown = `{% updates format="full" %}\n${update}\n{% endupdates %}`;
    await site.change(site.spaceId, [{ operation: 'insert_page', title: 'Changes', document: { markdown } }]);
    await built.build({ url });
    expect(built.read('changes/index.html')).toContain(`href="${url}changes/rss.xml"`);
    expect(built.read('changes/rss.xml')).toContain(`<link>${url}changes/#2026-01-02</link>`);
    expect(built.read('changes/rss.xml')).toContain(`href=&quot;${url}setup/&quot;`);
    expect(listFiles(built.dir).filter((file) => file.endsWith('rss.xml'))).toEqual(['changes/rss.xml']);
    const pages = listFiles(built.dir).filter((file) => file.endsWith('.html'));
    expect(pages.filter((file) => built.read(file).includes('~gitbook'))).toEqual([]);
  });

  it('contains redirects as pages, and all of them as rules for hosts', () => {
    expect(built.read('start/index.html')).toContain('content="0; url=../setup/"');
    expect(built.read('_redirects')).toBe(
      '/base/start /base/setup/ 301\n/base/old/* https://example.com/new/:splat 302\n',
    );
  });

  it('contains no uploaded file that could run', () => {
    const names = listFiles(built.dir).flatMap((file) => /^~files\/[^/]+\/(.*)$/.exec(file)?.[1] ?? []);
    expect(names.sort()).toEqual(['a page.html.txt', 'dot.png']);
    expect(built.read('_headers')).toMatch(/\/~files\/\*\n {2}Content-Security-Policy: .*sandbox/);
  });

  it('is the same when it is built again, in the same folder or in another one', async () => {
    const before = built.files();
    const again = await built.build({ url });
    expect([again.rendered, again.changes.written, again.changes.deleted]).toEqual([0, 0, 0]);
    expect(built.files()).toEqual(before);
    const other = buildFolder(site);
    await other.build({ url });
    expect(other.files()).toEqual(before);
  });

  it('rewrites only what changed: the page, the index, and the lists of all pages', async () => {
    const before = built.files();
    await site.change(site.spaceId, [
      { operation: 'update_page', page: site.pages.get('Setup'), document: { markdown: 'Entirely new.' } },
    ]);
    expect((await built.build({ url })).rendered).toBe(1);
    const after = built.files();
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((file) => before[file] !== after[file])
      .map((file) => file.replace(/-[0-9a-f]{12}\./, '-HASH.'));
    expect([...new Set(changed)].sort()).toEqual([
      '.docsctl-site.json',
      'llms-full.txt',
      'setup.md',
      'setup/index.html',
      '~search/index.js',
      '~search/terms-HASH.js',
      '~search/text-HASH.js',
    ]);
  });

  it('restores edited and deleted files, and deletes only its own', async () => {
    const before = built.files();
    writeFileSync(join(built.dir, 'setup.md'), 'edited');
    writeFileSync(join(built.dir, 'mine.txt'), 'mine');
    expect((await built.build({ url })).changes.written).toBe(1);
    const { 'mine.txt': mine, ...others } = built.files();
    expect([others, mine === undefined]).toEqual([before, false]);
    await site.change(site.spaceId, [{ operation: 'delete_page', page: site.pages.get('Secret corner') }]);
    writeFileSync(join(built.dir, 'secret-corner.md'), 'edited');
    const { changes, kept } = await built.build({ url });
    expect([changes.deleted > 0, kept]).toEqual([true, ['secret-corner.md']]);
    expect(existsSync(join(built.dir, 'secret-corner'))).toBe(false);
    expect(built.read('mine.txt')).toBe('mine');
  });

  it('is rendered again by another version of the program', async () => {
    const again = await built.build({ url, maker: 'next' });
    expect([again.rendered > 3, again.changes.written]).toEqual([true, 0]);
  });

  it('can be built without an address, and then contains no absolute addresses', async () => {
    const other = buildFolder(site);
    await other.build();
    expect(listFiles(other.dir).filter((file) => file.endsWith('.xml'))).toEqual([]);
    expect(other.read('robots.txt')).not.toContain('Sitemap');
    expect(other.read('llms.txt')).toContain('](setup.md)');
    expect(other.read('setup/index.html')).not.toContain('og:url');
    expect(
      listFiles(other.dir)
        .filter((file) => file.endsWith('.html') && file !== '404.html')
        .flatMap((file) => brokenIn(other, file)),
    ).toEqual([]);
  });

  it('shows one version only, even if the site changes during the build', async () => {
    let changes = 0;
    const api = site.world.as('admin');
    const call = (async (operation: Operation, input: never) => {
      if (operation.id === readSitePaths.id && changes < 2) {
        changes++;
        const markdown = `Text ${changes}.`;
        for (const title of ['Welcome', 'Deep'])
          await site.change(site.spaceId, [
            { operation: 'update_page', page: site.pages.get(title), document: { markdown } },
          ]);
      }
      return api.call(operation, input);
    }) as Api['call'];
    const other = buildFolder(site);
    await other.build({ url, api: { ...api, call } });
    expect(changes).toBe(2);
    expect(
      [other.read('index.html'), other.read('setup/deep/index.html')].every((html) =>
        html.includes('Text 2.'),
      ),
    ).toBe(true);
    const fresh = buildFolder(site);
    await fresh.build({ url });
    expect(other.files()).toEqual(fresh.files());
  });
});

describe('a folder of a built site', () => {
  let site: PublishedSite;
  beforeAll(async () => {
    site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  });

  it('is refused and not changed if it contains other files', async () => {
    const dir = newFolder();
    writeFileSync(join(dir, 'mine.txt'), 'mine');
    await expect(buildFolder(site, dir).build()).rejects.toMatchObject({ reason: 'guard-refused' });
    expect(listFiles(dir)).toEqual(['mine.txt']);
  });

  it('counts a file once that several parts contain', () => {
    const make = (): OutputFolder =>
      new OutputFolder(dir, { site: 'site_1', maker: 'test', randomBytes: (count) => new Uint8Array(count) });
    const dir = newFolder();
    const folder = make();
    folder.add('one', 'a', [['~files/dot.png', 'dot']]);
    folder.add('two', 'b', [
      ['~files/dot.png', 'dot'],
      ['two.html', 'two'],
    ]);
    folder.end();
    expect(folder.changes).toMatchObject({ written: 2, unchanged: 0 });
    const again = make();
    for (const [name, key] of [
      ['one', 'a'],
      ['two', 'b'],
    ] as const)
      again.keep(name, key);
    expect(again.changes).toMatchObject({ written: 0, unchanged: 2 });
  });

  it('is refused if another file is at the path of a page', async () => {
    const built = buildFolder(site);
    await built.build();
    mkdirSync(join(built.dir, 'setup'));
    writeFileSync(join(built.dir, 'setup/index.html'), 'mine');
    await site.change(site.spaceId, [
      { operation: 'insert_page', title: 'Setup', document: { markdown: 'Text.' } },
    ]);
    await expect(built.build()).rejects.toMatchObject({
      reason: 'guard-refused',
      message: 'setup/index.html exists in the folder and is not from a build of a site.',
    });
    expect(built.read('setup/index.html')).toBe('mine');
  });

  it('is refused if it is from another site, or its record names files outside of it', async () => {
    const dir = newFolder();
    const record = { format: 1, site: 'site_other', maker: '', parts: {} };
    writeFileSync(join(dir, '.docsctl-site.json'), JSON.stringify(record));
    await expect(buildFolder(site, dir).build()).rejects.toThrow('has the site site_other');
    const parts = { x: { key: '', files: { '../mine.txt': 'h' } } };
    writeFileSync(
      join(dir, '.docsctl-site.json'),
      JSON.stringify({ ...record, site: site.site.siteId, parts }),
    );
    await expect(buildFolder(site, dir).build()).rejects.toThrow('cannot be read');
  });
});

describe('a build of a restricted site', () => {
  it.each(['share-link', 'visitor-auth'])('is refused: %s', async (visibility) => {
    const site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }], { visibility });
    const built = buildFolder(site);
    await expect(built.build()).rejects.toMatchObject({ reason: 'guard-refused' });
  });

  it('is excluded from search engines if the site is unlisted', async () => {
    const site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
    const built = buildFolder(site);
    await built.build();
    expect(built.read('_headers')).not.toContain('X-Robots-Tag');
    expect(built.read('robots.txt')).not.toMatch(/^Disallow: \/$/m);
    await site.call(updateSite, site.site, { body: { visibility: 'unlisted' } });
    await built.build();
    expect(built.read('_headers')).toMatch(/^\/\*\n(?: {2}.*\n)* {2}X-Robots-Tag: noindex\n/);
    expect(built.read('robots.txt')).toBe('User-agent: *\nDisallow: /\n');
    expect(built.read('index.html')).toContain('<meta name="robots" content="noindex">');
  });

  it('is not created without claims if the site has adaptive content, and shows what a visitor with these claims sees', async () => {
    const site = await publishedSite(
      [
        { title: 'Welcome', text: 'Hello.' },
        { title: 'Pro', text: 'For professionals.', condition: 'visitor.claims.plan == "pro"' },
      ],
      { adaptiveContent: { enabled: true } },
    );
    const dir = join(newFolder(), 'new', 'copy');
    await expect(buildFolder(site, dir).build()).rejects.toMatchObject({ reason: 'invalid-input' });
    expect(existsSync(join(dir, '..'))).toBe(false);
    const texts = async (claims: object) => {
      const built = buildFolder(site);
      await built.build({ claims });
      return listFiles(built.dir).some((file) => built.read(file).includes('professionals'));
    };
    expect([await texts({}), await texts({ plan: 'pro' })]).toEqual([false, true]);
    await site.call(updateSite, site.site, { body: { adaptiveContent: { enabled: false } } });
    expect(await texts({ plan: 'pro' })).toBe(false);
  });
});

it('a build contains the redirects in the .gitbook.yaml of spaces, after those of the site', async () => {
  const site = await publishedSite([
    { title: 'Welcome', text: 'Hello.' },
    { title: 'Keys', text: 'Text', git: { path: 'guides/keys.md' } },
  ]);
  const settings =
    'redirects:\n  Former/Old keys: guides/keys.md\n  away: https://example.com/x\n  taken: guides/keys.md\n  gone: guides/gone.md\n';
  await site.change(site.spaceId, [
    { operation: 'put_text', role: 'settings', git: { path: '.gitbook.yaml' }, text: settings },
  ]);
  await site.call(createSiteRedirect, site.site, {
    body: { source: '/taken', destination: { kind: 'external', url: 'https://example.com/taken' } },
  });
  const built = buildFolder(site);
  await built.build();
  expect(built.read('Former/Old keys/index.html')).toContain('../../keys/');
  expect(built.read('away/index.html')).toContain('https://example.com/x');
  expect(built.read('taken/index.html')).toContain('https://example.com/taken');
  expect(listFiles(built.dir).filter((file) => file.startsWith('gone'))).toEqual([]);
  expect(built.read('_redirects').split('\n')).toEqual(
    expect.arrayContaining(['/Former/Old%20keys /keys/ 302', '/away https://example.com/x 302']),
  );
  await site.change(site.spaceId, [
    { operation: 'put_text', role: 'settings', git: { path: '.gitbook.yaml' }, text: 'redirects: {}\n' },
  ]);
  await built.build();
  expect(listFiles(built.dir).filter((file) => /former|away/i.test(file))).toEqual([]);
});

it('a build omits pages at the paths of another section', async () => {
  const site = await siteWithCoveredPages();
  const built = buildFolder(site);
  await built.build();
  expect(built.read('api/index.html')).toContain('<title>Calls | Docs</title>');
  expect(built.read('api/users/index.html')).toContain('Open.');
  expect(built.read('api/users.md')).toContain('Open.');
  expect(listFiles(built.dir).filter((file) => file.includes('more') || file === 'api.md')).toEqual([]);
});

it('a build contains the first page of a section even if a redirect has the same path', async () => {
  const site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  const spaceId = await site.addSpace('Reference', [{ title: 'Calls', text: 'Text.' }]);
  await site.call(addSection, site.site, { body: { spaceId, title: 'API' } });
  await site.call(createSiteRedirect, site.site, {
    body: { source: '/api', destination: { kind: 'external', url: 'https://example.com/api' } },
  });
  const built = buildFolder(site);
  await built.build();
  expect(built.read('api/index.html')).toContain('<title>Calls | Docs</title>');
  expect(listFiles(built.dir)).not.toContain('_redirects');
});
