import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';

const folder: Readonly<Record<string, string | Buffer>> = {
  'SUMMARY.md':
    '# Summary\n\n* [Start](README.md)\n* [Setup](setup/README.md)\n  * [Install](setup/install.md)\n  * [Deep](setup/deep/page.md)\n* [Other](other.md)\n',
  'README.md':
    '# Start\n\n## A\n\n[setup](setup/README.md) [step](setup/install.md#step) [self](#a) [other](other.md)\n',
  'setup/README.md':
    '---\ndescription: All of it\ncover: ../.gitbook/assets/cover.png\n---\n\n# Setup\n\n[install](install.md) [deep](deep/page.md#deep) [start](../README.md) [none](none.md)\n',
  'setup/install.md':
    '# Install\n\n## Step\n\n![logo](../.gitbook/assets/logo.png) [up](README.md) [other](../other.md#b)\n\n{% include "../.gitbook/includes/note.md" %}\n\n`[code](../other.md)`\n',
  'setup/deep/page.md':
    '# Deep\n\n[install](../install.md#step) <img src="../../.gitbook/assets/logo.png"> [[other#B|b]]\n',
  'other.md': '# Other\n\n## B\n',
  '.gitbook/assets/logo.png': Buffer.from([1, 2, 3]),
  '.gitbook/assets/cover.png': Buffer.from([4, 5]),
  '.gitbook/assets/unused.png': Buffer.from([6]),
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nSee [install](../../setup/install.md).\n',
};

it('pages move --redirects works for sites with share links and sites that no server shows', async () => {
  const desk = await openGuideServer({ change: (core) => ({ ...core, sitesUrl: undefined }) });
  await desk.publish(page('Setup', '# Setup'));
  for (const words of [
    ['spaces', 'create', '--title', 'Manual'],
    ['sites', 'create', '--title', 'Both', '--type', 'ultimate', '--visibility', 'share-link'],
    ['sites', 'sections', 'add', 'Manual', '--site', 'Both'],
    ['sites', 'sections', 'add', 'Guide', '--site', 'Both'],
    // The address of this space contains both paths, because the section has the path `/guide`.
    ['sites', 'site-spaces', 'add', 'Guide', '--site', 'Both', '--section', 'manual'],
    ['sites', 'publish', 'Both'],
  ])
    await desk.done(words);
  const move = ['pages', 'move', 'Guide', 'Setup', '--to-space', 'Manual', '--merge', '--redirects'];
  const { stdout } = await desk.done([...move, '-o', 'json']);
  const redirects = JSON.parse(stdout).redirects as { source: string; target: string }[];
  expect(redirects.map(({ source, target }) => `${source} ${target}`).sort()).toEqual([
    '/guide/setup /setup',
    '/manual/guide/setup /setup',
  ]);
  await desk.discard();
});

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('docsctl pages copy and move between spaces %s', (place, open) => {
  let desk: GuideStore;
  let guide: string;
  let manual: string;
  beforeEach(async () => {
    desk = await open();
    for (const [path, content] of Object.entries(folder)) {
      mkdirSync(join(desk.at('docs'), path, '..'), { recursive: true });
      writeFileSync(desk.at('docs', path), content);
    }
    await desk.done(['spaces', 'import', 'Guide', 'docs']);
    await desk.done(['spaces', 'create', '--title', 'Manual']);
    guide = await idOf('Guide');
    manual = await idOf('Manual');
  });
  afterEach(() => desk.discard());

  const idOf = async (title: string): Promise<string> =>
    (await desk.done(['spaces', 'get', title, '-o', 'id'])).stdout.trim();
  const pageIn = async (space: string, path: string) =>
    JSON.parse((await desk.done(['pages', 'show', space, path, '-o', 'json'])).stdout) as {
      id: string;
      markdown: string;
      frontMatter: string;
      description?: string;
    };
  const paths = async (space: string): Promise<string> =>
    (await desk.done(['pages', 'list', space, '--columns', 'path', '--no-headers'])).stdout;
  const filesIn = async (space: string): Promise<{ id: string; name: string }[]> =>
    JSON.parse((await desk.done(['spaces', 'files', 'list', space, '-o', 'json'])).stdout).items;
  const brokenIn = async (space: string): Promise<string[]> => {
    const { stdout } = await desk.done(['spaces', 'links', space, '--status', 'broken', '-o', 'json']);
    return JSON.parse(stdout).items.map(({ href }: { href: string }) => href);
  };
  const elsewhere = (space: string, id: string): string => `https://app.gitbook.com/s/${space}/${id}`;

  it('copy pages with their subpages, the files that they use, and working links', async () => {
    const { stdout, stderr } = await desk.done([
      'pages',
      'copy',
      'Guide',
      'Setup',
      '--to-space',
      'Manual',
      '--merge',
      '-o',
      'json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      number: 1,
      space: manual,
      merged: true,
      files: 2,
      pages: [{ path: 'setup' }, { path: 'setup/install' }, { path: 'setup/page' }],
    });
    expect(stderr).toContain('Change request 1 is merged.');
    expect(await paths('Manual')).toBe('setup\nsetup/install\nsetup/page\n');
    const files = await filesIn('Manual');
    expect(files.map(({ name }) => name).sort()).toEqual(['cover.png', 'logo.png']);
    const fileId = (name: string) => files.find((file) => file.name === name)?.id;
    const start = await pageIn('Guide', 'Start');
    const other = await pageIn('Guide', 'Other');
    const setup = await pageIn('Manual', 'setup');
    expect(setup).toMatchObject({
      description: 'All of it',
      frontMatter: `---\ndescription: All of it\ncover: /files/${fileId('cover.png')}\n---\n`,
    });
    expect(setup.markdown.trim()).toBe(
      `# Setup\n\n[install](setup/install.md) [deep](setup/page.md#deep) [start](${elsewhere(guide, start.id)}) [none](none.md)`,
    );
    const install = await pageIn('Manual', 'setup/install');
    expect(install.markdown).toContain(
      `![logo](/files/${fileId('logo.png')}) [up](../setup.md) [other](${elsewhere(guide, other.id)}#b)`,
    );
    expect(install.markdown).toMatch(
      new RegExp(`{% include "https://app.gitbook.com/s/${guide}/~/reusable/\\w+/" %}`),
    );
    expect(install.markdown).toContain('`[code](../other.md)`');
    expect((await pageIn('Manual', 'setup/page')).markdown).toContain(
      `[install](install.md#step) <img src="/files/${fileId('logo.png')}"> [b](<${elsewhere(guide, other.id)}#b>)`,
    );
    expect(await brokenIn('Manual')).toEqual(['none.md']);
    expect(await paths('Guide')).toBe('readme\nsetup\nsetup/install\nsetup/page\nother\n');
  });

  it('reuse files that exist in the other space, and choose free paths', async () => {
    const copy = ['pages', 'copy', 'Guide', 'Setup', '--to-space', 'Manual', '--merge'];
    await desk.done(copy);
    const again = await desk.done([...copy, '--before', 'setup', '-o', 'json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ files: 0, pages: [{ path: 'setup-1' }, {}, {}] });
    expect(await filesIn('Manual')).toHaveLength(2);
    expect(await paths('Manual')).toMatch(/^setup-1\n/);
  });

  it('copy pages in their own space after the originals, with relative links', async () => {
    await desk.done(['pages', 'copy', 'Guide', 'Setup', '--merge']);
    expect(await paths('Guide')).toBe(
      'readme\nsetup\nsetup/install\nsetup/page\nsetup-1\nsetup-1/install\nsetup-1/page\nother\n',
    );
    expect(await filesIn('Guide')).toHaveLength(3);
    const { markdown } = await pageIn('Guide', 'setup-1/install');
    expect(markdown).toContain('[up](../setup-1.md) [other](../other.md#b)');
    expect(markdown).toContain('{% include "../.gitbook/includes/note.md" %}');
    expect((await pageIn('Guide', 'setup-1')).markdown).toContain('[install](setup-1/install.md)');
    expect(await brokenIn('Guide')).toEqual(['none.md', 'none.md']);
  });

  it('copy each page after its original, in any order of arguments', async () => {
    await desk.done(['pages', 'copy', 'Guide', 'other', 'setup/install', 'readme', '--merge']);
    expect((await paths('Guide')).split('\n')).toEqual([
      'readme',
      'readme-1',
      'setup',
      'setup/install',
      'setup/install-1',
      'setup/page',
      'other',
      'other-1',
      '',
    ]);
    const given = ['other', 'setup', 'readme'];
    await desk.done(['pages', 'copy', 'Guide', ...given, '--to-space', 'Manual', '--merge']);
    const copied = (await paths('Manual')).split('\n').filter((path) => !path.includes('/'));
    expect(copied).toEqual([...given, '']);
  });

  it('move pages with a change request in each space, and update links of the remaining pages', async () => {
    const moved = await desk.done([
      'pages',
      'move',
      'Guide',
      'Setup',
      '--to-space',
      'Manual',
      '--merge',
      '-o',
      'json',
    ]);
    expect(JSON.parse(moved.stdout)).toMatchObject({
      space: manual,
      merged: true,
      source: { merged: true },
      pages: [{ path: 'setup' }, {}, {}],
    });
    // The change request of the source is older, so later edits of the moved pages conflict with it.
    const { id, source } = JSON.parse(moved.stdout);
    expect(source.id < id).toBe(true);
    expect(moved.stderr).toContain('Links of 1 remaining page lead to Manual now.');
    expect(moved.stderr).toContain(
      'warning: Reusable content links to moved pages, and is not changed: Note.',
    );
    expect(await paths('Guide')).toBe('readme\nother\n');
    const setup = await pageIn('Manual', 'setup');
    const install = await pageIn('Manual', 'setup/install');
    expect((await pageIn('Guide', 'Start')).markdown.trim()).toBe(
      `# Start\n\n## A\n\n[setup](${elsewhere(manual, setup.id)}) [step](${elsewhere(manual, install.id)}#step) [self](#a) [other](other.md)`,
    );
    expect(await brokenIn('Manual')).toEqual(['none.md']);
  });

  it('keep old addresses working on published sites with --redirects', async () => {
    for (const words of [
      ['create', '--title', 'Both', '--type', 'ultimate'],
      ['sections', 'add', 'Guide', '--site', 'Both'],
      ['sections', 'add', 'Manual', '--site', 'Both'],
      ['publish', 'Both'],
      ['redirects', 'create', '/start', '--site', 'Both', '--space', 'Guide', '--path', 'setup/install'],
      // Redirects with a wildcard keep their capture, and redirects of the owner from the address of a page are not changed.
      [
        'redirects',
        'create',
        '/old/*',
        '--site',
        'Both',
        '--space',
        'Guide',
        '--path',
        'setup',
        '--capture-wildcard',
      ],
      ['redirects', 'create', '/Setup/page', '--site', 'Both', '--url', 'https://example.com/'],
      ['create', '--title', 'One'],
      ['site-spaces', 'add', 'Guide', '--site', 'One'],
      ['publish', 'One'],
      ['create', '--title', 'Draft'],
      ['site-spaces', 'add', 'Guide', '--site', 'Draft'],
    ])
      await desk.done(['sites', ...words]);
    const move = ['pages', 'move', 'Guide', 'Setup', '--to-space', 'Manual', '--merge', '--redirects'];
    const { stdout, stderr } = await desk.done([...move, '-o', 'json']);
    const { redirects } = JSON.parse(stdout) as { redirects: Record<string, string | { title: string }>[] };
    const url = (await desk.done(['sites', 'get', 'Both', '-o', 'json', '--query', 'urls.published'])).stdout;
    const root = (JSON.parse(url) as string).replace(/\/$/, '');
    expect(
      redirects.map(({ site, source, target }) => [(site as { title: string }).title, source, target]),
    ).toEqual([
      ['Both', '/old/*', '/manual/setup'],
      ['Both', '/start', '/manual/setup/install'],
      ['Both', '/setup', '/manual/setup'],
      ['Both', '/setup/install', '/manual/setup/install'],
      ['One', '/setup', `${root}/manual/setup`],
      ['One', '/setup/install', `${root}/manual/setup/install`],
      ['One', '/setup/page', `${root}/manual/setup/page`],
    ]);
    expect(stderr).toContain('Changed 7 redirects of published sites:');
    const list = await desk.done(['sites', 'redirects', 'list', 'Both', '-o', 'json']);
    const { items } = JSON.parse(list.stdout);
    expect(items).toContainEqual(expect.objectContaining({ source: '/old/*', captureWildcard: true }));
    expect(items).toContainEqual(
      expect.objectContaining({
        source: '/Setup/page',
        destination: expect.objectContaining({ url: 'https://example.com/' }),
      }),
    );
    const { id } = await pageIn('Manual', 'setup/install');
    expect(items).toEqual(
      expect.arrayContaining(
        ['/start', '/setup/install'].map((source) =>
          expect.objectContaining({ source, destination: expect.objectContaining({ pageId: id }) }),
        ),
      ),
    );
    await desk.done(['sites', 'unpublish', 'Both', '--yes']);
    const back = await desk.done(['pages', 'move', 'Guide', 'Other', ...move.slice(4)]);
    expect(back.stderr).toContain('warning: no published site shows the new space');
  });

  it.runIf(place === 'on a server')(
    'print the missing redirects if the caller has no permission to create them',
    async () => {
      await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide,Manual']);
      await desk.done(['sites', 'publish', 'Docs']);
      const created = await desk.done(['tokens', 'create', '--role', 'create', '-o', 'json']);
      const { token } = JSON.parse(created.stdout) as { token: string };
      const { stdout, stderr } = await desk.done(
        ['pages', 'move', 'Guide', 'Other', '--to-space', 'Manual', '--merge', '--redirects'],
        { env: { DOCSCTL_TOKEN: token } },
      );
      expect(stdout).toContain('other');
      expect(stderr).toMatch(
        /warning: Docs has no redirects from the old addresses\. To .* the admin role on the site/,
      );
    },
  );

  it('leave two change requests without --merge', async () => {
    const { stderr } = await desk.done(['pages', 'move', 'Guide', 'Setup', '--to-space', 'Manual']);
    const commands = [...stderr.matchAll(/`docsctl (change-requests merge [^`]+)`/g)].map(
      ([, line = '']) => line,
    );
    expect(commands.map((line) => line.split(' ').at(-1))).toEqual(['Manual', 'Guide']);
    expect([await paths('Guide'), await paths('Manual')]).toEqual([
      'readme\nsetup\nsetup/install\nsetup/page\nother\n',
      '',
    ]);
    for (const line of commands) await desk.done(line.split(' '));
    expect([await paths('Guide'), await paths('Manual')]).toEqual([
      'readme\nother\n',
      'setup\nsetup/install\nsetup/page\n',
    ]);
  });

  it('send nothing with --dry-run, and refuse options that cannot be combined', async () => {
    for (const verb of ['copy', 'move']) {
      const dry = await desk.done(['pages', verb, 'Guide', 'Setup', '--to-space', 'Manual', '--dry-run']);
      expect(dry).toMatchObject({
        stdout: '',
        stderr: 'Dry run: 3 pages and 2 files would be copied to Manual. Nothing was sent.\n',
      });
    }
    expect(await paths('Manual')).toBe('');
    expect(await paths('Guide')).toContain('setup\n');
    const move = ['pages', 'move', 'Guide', 'Setup', '--to-space'];
    for (const [words, message] of [
      [['Manual', '--change-request', '1'], '--change-request and --to-space cannot be used together.'],
      [['Manual', '--redirects'], '--redirects needs --merge'],
      [['Guide'], 'The pages are already in Guide.'],
    ] as const) {
      const { exit, stderr } = await desk.run([...move, ...words]);
      expect([exit, stderr]).toEqual([64, expect.stringContaining(message)]);
    }
    expect((await desk.run([...move, 'Nowhere'])).exit).toBe(5);
    expect((await desk.run(['pages', 'copy', 'Guide', 'none'])).exit).toBe(5);
  });

  it('copy pages that are generated from a specification', async () => {
    writeFileSync(desk.at('shop.yaml'), 'openapi: 3.0.3\ninfo: { title: Shop, version: "1" }\npaths: {}\n');
    await desk.run(['openapi', 'publish', 'shop.yaml', '--no-wait']);
    await desk.publish({
      operation: 'insert_page',
      type: 'computed',
      title: 'API',
      document: {},
      computed: {
        type: 'builtin:openapi',
        props: { models: true },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } },
      },
    });
    await desk.done(['pages', 'copy', 'Guide', 'API', '--to-space', 'Manual', '--merge']);
    const list = async (space: string) =>
      JSON.parse(
        (await desk.done(['spaces', 'pages', 'list', space, '--no-computed', '-o', 'json'])).stdout,
      ).pages.at(-1);
    const [source, copy] = [await list('Guide'), await list('Manual')];
    expect(source).toMatchObject({ type: 'computed', title: 'API' });
    expect([copy.type, copy.title, copy.computed]).toEqual(['computed', 'API', source.computed]);
  });

  it('copy links, groups and more pages than one request can create', async () => {
    await desk.publish(
      { operation: 'insert_page', type: 'group', title: 'Parts', document: {}, ref: 'parts' },
      {
        operation: 'insert_page',
        type: 'link',
        title: 'Web',
        href: 'https://x.example',
        document: {},
        into: 'parts',
      },
      page('Hidden', 'x\n', { into: 'parts', hidden: true, emoji: '1f600' }),
    );
    const parts = await desk.pageId('Hidden');
    await desk.publish({
      operation: 'insert_page',
      type: 'link',
      title: 'Inner',
      href: `/pages/${parts}`,
      document: {},
    });
    await desk.publish(
      ...Array.from({ length: 49 }, (__, index) => page(`Page ${index}`, `${index}\n`, { into: parts })),
    );
    await desk.done(['pages', 'copy', 'Guide', 'Parts', 'Inner', '--to-space', 'Manual', '--merge']);
    const { stdout } = await desk.done(['pages', 'list', 'Manual', '-o', 'json']);
    const [group, link] = JSON.parse(stdout).pages;
    expect(group).toMatchObject({
      type: 'group',
      pages: [
        { type: 'link', href: 'https://x.example' },
        { hidden: true, emoji: '1f600' },
      ],
    });
    expect(group.pages[1].pages).toHaveLength(49);
    expect(link.href).toBe(`/pages/${group.pages[1].id}`);
    expect((await pageIn('Manual', 'Page 48')).markdown).toBe('48\n');
  });
});

describe('a docsctl pages move that is refused', () => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openGuideServer();
    await desk.publish(page('Setup', 'text\n'));
    await desk.done(['spaces', 'create', '--title', 'Manual']);
    await desk.done(['members', 'invite', 'ben@example.com', '--role', 'guest']);
  });
  afterEach(() => desk.discard());

  it.each([
    ['read', 'create', 'create a change request', false, 0],
    ['create', 'edit', 'merge a change request', false, 1],
    ['edit', 'create', 'merge a change request', true, 1],
  ])(
    'because of the roles %s and %s copies no pages, unless only the last step is refused',
    async (own, other, step, isCopied, waiting) => {
      await desk.done(['spaces', 'permissions', 'set', 'Guide', '--users', 'ben@example.com', '--role', own]);
      await desk.done([
        'spaces',
        'permissions',
        'set',
        'Manual',
        '--users',
        'ben@example.com',
        '--role',
        other,
      ]);
      const { stdout: token } = await desk.done(
        'tokens create --role admin --user ben@example.com -o tsv --columns token --no-headers'.split(' '),
      );
      const { exit, stderr } = await desk.run(
        ['pages', 'move', 'Guide', 'setup', '--to-space', 'Manual', '--merge'],
        { env: { DOCSCTL_TOKEN: token.trim() } },
      );
      expect([exit, stderr]).toEqual([11, expect.stringContaining(step)]);
      const paths = async (space: string): Promise<string> =>
        (await desk.done(['pages', 'list', space, '--columns', 'path', '--no-headers'])).stdout;
      expect([await paths('Guide'), await paths('Manual')]).toEqual(['setup\n', isCopied ? 'setup\n' : '']);
      const note =
        'The copies are in Manual now. The pages stay in Guide until its change request is merged.\n';
      expect(stderr.includes(note)).toBe(isCopied);
      const { stdout } = await desk.done(['cr', 'list', 'Guide', '--status', 'draft', '-o', 'json']);
      expect(JSON.parse(stdout).items).toHaveLength(waiting);
    },
  );

  it('because of a merge rule leaves both change requests, which move the pages when they are merged', async () => {
    await desk.done(['spaces', 'update', 'Manual', '--reviewer', 'ben@example.com']);
    const move = ['pages', 'move', 'Guide', 'setup', '--to-space', 'Manual', '--merge'];
    const { exit, stderr } = await desk.run(move);
    expect([exit, stderr]).toEqual([6, expect.stringContaining('an approval by')]);
    const [, last = ''] =
      /Change request 2 of Guide deletes the pages\. Merge it after the change request of Manual: `docsctl (.+)`/.exec(
        stderr,
      ) ?? [];
    await desk.done(['spaces', 'update', 'Manual', '--merge-rules', '{"type": "none"}']);
    await desk.done(['change-requests', 'merge', '1', '--space', 'Manual']);
    await desk.done(last.split(' '));
    const list = (space: string) => ['pages', 'list', space, '--columns', 'path', '--no-headers'];
    expect((await desk.done(list('Guide'))).stdout).toBe('');
    expect((await desk.done(list('Manual'))).stdout).toBe('setup\n');
  });
});
