import { expect, it, onTestFinished } from 'vitest';
import { rmSync } from 'node:fs';
import type { FolderPage } from '../../src/content-sync/page-reader.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { createWorld } from '../support/world.ts';
import { newFolder, openShelf, type Files } from './folder-support.ts';

const folderOf = (files: Files): string => {
  const dir = newFolder(files);
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
};
const lines = (pages: readonly FolderPage[], indent = ''): string[] =>
  pages.flatMap(({ type, title, linkTitle, path, href, children }) => [
    `${indent}${title}${linkTitle === undefined ? '' : ` [${linkTitle}]`} (${type === 'document' ? path : (href ?? type)})`,
    ...lines(children, `${indent}  `),
  ]);
const read = async (files: Files) => {
  const { root, pages, warnings } = await readFolder(folderOf(files));
  return { root, lines: lines(pages), warnings: warnings.map(({ file, message }) => `${file} ${message}`) };
};
const pagesAt = (...paths: string[]): Files =>
  Object.fromEntries(paths.map((path) => [path, `# ${path.replace(/^.*\/|\.\w+$/g, '')}\n`]));

const mint = {
  'docs.json': JSON.stringify({
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          groups: [
            {
              group: 'Start',
              pages: ['intro', { group: 'Deep', root: 'deep', pages: ['deep/one'] }, 'gone'],
            },
            { group: 'Hidden', hidden: true, pages: ['secret'] },
            { group: 'Empty', pages: [] },
          ],
        },
        { tab: 'API', pages: ['/api/index'] },
        { tab: 'Web', href: 'https://example.com' },
      ],
      global: { anchors: [{ anchor: 'Chat', href: 'https://chat.example.com' }] },
    },
  }),
  ...pagesAt('intro.mdx', 'deep.mdx', 'deep/one.mdx', 'secret.mdx', 'api/index.md'),
};

it('takes the table of contents of Mintlify from docs.json', async () => {
  const found = await read(mint);
  expect(found.root).toBe('');
  expect(found.lines).toEqual([
    'Guides (group)',
    '  Start (guides/start/)',
    '    intro (intro.mdx)',
    '    deep [Deep] (deep.mdx)',
    '      one (deep/one.mdx)',
    'API (group)',
    '  index (api/index.md)',
    'Web (https://example.com)',
  ]);
  expect(found.warnings).toEqual([
    'docs.json gone.md does not exist and is skipped',
    'secret.mdx is not in the table of contents and is skipped',
  ]);
});

it('takes link titles from front matter, if the navigation of another tool has none', async () => {
  const pages = {
    'docs/a.md': '---\nsidebar_label: Short\n---\n# A\n',
    'docs/b.md': '---\nsidebar_label: Unused\n---\n# B\n',
  };
  const sidebars = "module.exports = { docs: ['a', { type: 'doc', id: 'b', label: 'Mine' }] };";
  expect((await read({ 'sidebars.js': sidebars, ...pages })).lines).toEqual([
    'A [Short] (a.md)',
    'B [Mine] (b.md)',
  ]);
  const labeled = async (label: string) =>
    (
      await read({
        'sidebars.js': `module.exports = { docs: [{ type: 'doc', id: 'b', label: '${label}' }] };`,
        ...pages,
      })
    ).lines;
  const longest = 'x'.repeat(100);
  expect([await labeled(longest), await labeled(`${longest}x`)]).toEqual([
    [`B [${longest}] (b.md)`],
    ['B (b.md)'],
  ]);
  const docs = JSON.stringify({ navigation: { pages: ['c'] } });
  const c = '---\ntitle: C\nsidebarTitle: Brief\n---\n';
  expect((await read({ 'docs.json': docs, 'c.mdx': c })).lines).toEqual(['C [Brief] (c.mdx)']);
});

it('imports no drafts and hides unlisted pages, even if the navigation of another tool names them', async () => {
  const sidebars = `module.exports = { docs: [
    { type: 'category', label: 'All', items: ['a', 'b', 'c', { type: 'category', label: 'Deep', link: { type: 'doc', id: 'b' }, items: ['d'] }] },
  ] };`;
  const files = {
    ...pagesAt('docs/a.md', 'docs/d.md'),
    'docs/b.md': '---\ndraft: true\n---\n# b\n',
    'docs/c.md': '---\nunlisted: true\n---\n# c\n',
  };
  const { pages, warnings } = await readFolder(folderOf({ 'sidebars.js': sidebars, ...files }));
  expect(lines(pages)).toEqual([
    'All (group)',
    '  a (a.md)',
    '  Deep (all/deep/)',
    '    d (d.md)',
    'c (c.md)',
  ]);
  expect(pages.filter(({ metadata }) => metadata.hidden).map(({ title }) => title)).toEqual(['c']);
  expect(warnings.map(({ file }) => file)).toEqual(['docs/b.md']);
});

it('keeps the table of contents of another tool, so that a second import changes nothing', async () => {
  const shelf = await openShelf(await createWorld());
  const dir = folderOf(mint);
  await shelf.importFolder(dir);
  const nothing = { pages: [], texts: [], files: [], deletedFiles: [] };
  expect(await shelf.plan(dir)).toEqual(nothing);
  expect(await shelf.plan(folderOf(await shelf.exportFiles()))).toEqual(nothing);
});

it('reads the default version and language of mint.json, and no title of the only tab', async () => {
  const versions = [
    { version: 'v1', pages: ['old'] },
    { version: 'v2', default: true, languages: [{ language: 'en', tabs: [{ tab: 'A', pages: ['new'] }] }] },
  ];
  const pages = pagesAt('docs/old.md', 'docs/new.md');
  const found = await read({ 'docs/mint.json': JSON.stringify({ navigation: { versions } }), ...pages });
  expect([found.root, ...found.lines]).toEqual(['docs', 'new (new.md)']);
  const groups = [{ group: 'A', pages: ['new', 'old'] }];
  expect((await read({ 'docs/mint.json': JSON.stringify({ navigation: groups }), ...pages })).lines).toEqual([
    'A (group)',
    '  new (new.md)',
    '  old (old.md)',
  ]);
});

it('redirects addresses of Docusaurus that differ from the paths of files, and reads website/static', async () => {
  const { texts, files } = await readFolder(
    folderOf({
      'website/sidebars.json': '{"docs": {"Guides": ["start", "guides/my-id", "guides/own", "plain"]}}',
      'website/static/img/a.png': 'png',
      'docs/01-start.md': '# Start\n\n![a](/img/a.png)\n',
      'docs/2-guides/File.md': '---\nid: my-id\n---\n# File\n',
      'docs/2-guides/own.md': '---\nid: own\nslug: mine\n---\n# Own\n',
      'docs/plain.md': '# Plain\n',
    }),
  );
  expect(texts[0]?.text).toBe(
    'root: "docs"\nredirects:\n  "start": "01-start.md"\n  "guides/my-id": "2-guides/File.md"\n',
  );
  expect(files.map(({ path }) => path)).toEqual(['../website/static/img/a.png']);
});

it('takes the table of contents of Docusaurus from its sidebars, with the ids and numbers of files', async () => {
  const sidebars = `import type {SidebarsConfig} from '@docusaurus/plugin-content-docs';
const sidebars: SidebarsConfig = {
  // A comment
  docs: [
    'intro',
    {
      type: 'category', label: 'Guides', link: { type: 'doc', id: 'guides/start' },
      items: [{ type: 'doc', id: 'guides/my-id', label: 'Mine' }, { Short: ['guides/deep/x'] }],
    },
    { type: 'category', label: 'Generated', items: [{ type: 'autogenerated', dirName: 'gen' }] },
    { type: 'link', label: 'Web', href: 'https://example.com' },
    { type: 'html', value: '<hr>' },
  ],
  api: { Reference: ['api'] },
};
export default sidebars;
`;
  const found = await read({
    'website/sidebars.ts': sidebars,
    'README.md': '# Repository\n',
    'docs/01-intro.md': '# Introduction\n',
    'docs/2. guides/start.md': '# Start\n',
    'docs/2. guides/File.md': '---\nid: my-id\n---\n# File\n',
    ...pagesAt(
      'docs/2. guides/deep/3_x.mdx',
      'docs/api.md',
      'docs/gen/a.md',
      'docs/gen/b/c.md',
      'docs/other.md',
    ),
    'docs/gen/b/_category_.json': '{"label": "Bees"}',
  });
  expect(found.root).toBe('docs');
  expect(found.lines).toEqual([
    'Introduction (01-intro.md)',
    'Start [Guides] (2. guides/start.md)',
    '  File [Mine] (2. guides/File.md)',
    '  Short (start/short/)',
    '    3_x (2. guides/deep/3_x.mdx)',
    'Generated (group)',
    '  a (gen/a.md)',
    '  Bees (generated/bees/)',
    '    c (gen/b/c.md)',
    'Web (https://example.com)',
    'Reference (group)',
    '  api (api.md)',
  ]);
  expect(found.warnings).toEqual(['docs/other.md is not in the table of contents and is skipped']);
});

it('uses the tree of the folders if a sidebar only stands for it', async () => {
  const files = pagesAt('docs/a.md', 'docs/b/c.md', 'blog/d.md');
  const sidebars = "module.exports = { docs: [{ type: 'autogenerated', dirName: '.' }] };\n";
  const found = await read({ ...files, 'sidebars.js': sidebars });
  expect([found.root, ...found.lines]).toEqual(['docs', 'a (a.md)', 'B (group)', '  c (b/c.md)']);
  for (const text of ['{', '[]', '{"docs": {"A": 1}}', '{"docs": ["gone"]}'])
    expect((await read({ ...files, 'sidebars.json': text })).lines).toEqual(found.lines);
});

it('takes the table of contents of VitePress from its sidebar', async () => {
  const config = `export default defineConfig({
  srcDir: './src',
  themeConfig: {
    nav: [{ text: 'Home', link: '/' }],
    sidebar: {
      '/guide/': { base: '/guide/', items: sidebarGuide() },
      '/api/': [{ text: 'API', items: [{ text: 'One', link: '/api/#one' }, { text: 'Two', link: '/api/two.html' }] }],
    },
    footer: { message: 'x' },
  },
})
function sidebarGuide(): DefaultTheme.SidebarItem[] {
  return [{ text: 'Guide', collapsed: false, items: [{ text: 'Start', link: 'start' }] }, { link: '/top' }]
}
`;
  const found = await read({
    '.vitepress/config.mts': config,
    ...pagesAt('src/guide/start.md', 'src/api/two.md', 'src/top.md', 'README.md'),
    'src/api/index.md': '# API\n\n## One\n\n## Last\n',
  });
  expect(found.root).toBe('src');
  expect(found.lines).toEqual([
    'Guide (group)',
    '  start [Start] (guide/start.md)',
    'top (top.md)',
    'API (group)',
    '  One (api/index.md)',
    '  two [Two] (api/two.md)',
  ]);
  expect(found.warnings).toEqual([]);
});

it('takes the table of contents of Starlight and VuePress from their settings', async () => {
  const config = `export default defineConfig({ integrations: [starlight({ title: 'X', sidebar: [
    { label: 'Start', translations: { de: 'Los' }, items: ['intro', { slug: 'more' }] },
    { label: 'Guides', autogenerate: { directory: 'guides' } },
  ] })] })`;
  const files = pagesAt('intro.mdx', 'more.md', 'guides/one.md', '404.md');
  const inContent = Object.entries(files).map(([path, text]) => [`src/content/docs/${path}`, text] as const);
  const starlight = await read({ 'astro.config.mjs': config, ...Object.fromEntries(inContent) });
  expect([starlight.root, ...starlight.lines]).toEqual([
    'src/content/docs',
    'Start (group)',
    '  intro (intro.mdx)',
    '  more (more.md)',
    'Guides (group)',
    '  one (guides/one.md)',
  ]);
  const sidebar = "{ '/guides/': ['one', { text: 'Deep', children: ['/intro'] }], '/': ['more.md'] }";
  const vuepress = await read({
    '.vuepress/config.js': `module.exports = { sidebar: ${sidebar} }`,
    ...files,
  });
  expect([vuepress.root, ...vuepress.lines]).toEqual([
    '',
    'one (guides/one.md)',
    'Deep (group)',
    '  intro (intro.mdx)',
    'more (more.md)',
  ]);
});

it('ignores the navigation of another tool beside SUMMARY.md, or for another root', async () => {
  const summary = await read({ ...mint, 'SUMMARY.md': '* [Only](intro.mdx)\n' });
  expect(summary.lines).toEqual(['Only (intro.mdx)']);
  const settings = await read({ ...mint, '.gitbook.yaml': 'root: deep\n' });
  expect(settings.lines).toEqual(['one (one.mdx)']);
  expect((await read({ 'docs.json': '{"name": "x"}', ...pagesAt('a.md') })).lines).toEqual(['a (a.md)']);
});

it('takes a limited number of entries, and none outside the folder', async () => {
  let deep: unknown = ['a'];
  for (let level = 0; level < 60; level++) deep = [{ group: `g${level}`, pages: deep }];
  const navigation = [
    deep,
    ['../../x', '/etc/passwd', 'b', '', '/', '#', { pages: 1 }, null, 7, { link: [] }],
  ];
  const found = await read({ 'docs.json': JSON.stringify({ navigation }), ...pagesAt('a.md', 'b.md') });
  expect(found.lines).toContain('b (b.md)');
  expect(found.lines.join()).not.toContain('(a.md)');
  const isFound = async (content: unknown) => {
    const docs = JSON.stringify({ navigation: { pages: ['b', content] } });
    return (await read({ 'docs.json': docs, ...pagesAt('a.md', 'b.md') })).lines.includes('a (a.md)');
  };
  const inLists = (count: number): unknown => (count === 0 ? 'a' : [inLists(count - 1)]);
  expect([await isFound(inLists(37)), await isFound(inLists(38))]).toEqual([true, false]);
  const behind = (count: number) => [...Array<null>(count).fill(null), 'a'];
  expect([await isFound(behind(19_986)), await isFound(behind(19_987))]).toEqual([true, false]);
});

it('says which pages of Mintlify are generated from specifications, and leaves out groups without pages', async () => {
  const navigation = {
    tabs: [
      { tab: 'Guide', pages: ['a'] },
      { tab: 'API', openapi: 'openapi.json' },
      {
        tab: 'Reference',
        groups: [
          {
            group: 'Users',
            openapi: { source: 'users.yml' },
            pages: ['GET /users', 'users.yml POST /users'],
          },
          { group: 'Gone', pages: [{ group: 'Deep', pages: ['none'] }] },
        ],
      },
    ],
  };
  const found = await read({ 'docs.json': JSON.stringify({ navigation }), 'a.md': '# A\n' });
  expect(found.lines).toEqual(['Guide (group)', '  A (a.md)']);
  expect(found.warnings).toEqual([
    'docs.json none.md does not exist and is skipped',
    'docs.json shows pages from "openapi.json" (and 3 more), which are not imported; publish the specification with `docsctl openapi publish`, and show it in its own section of the site',
  ]);
});

it('reads the tree of the folders of Docusaurus without sidebars', async () => {
  const found = await read({
    'docusaurus.config.ts': 'export default {};\n',
    'blog/b.md': '# B\n',
    'docs/guide/_category_.json': '{"label": "The guide"}',
    ...pagesAt('docs/intro.md', 'docs/guide/start.md', 'docs/_part.md'),
  });
  expect(found.root).toBe('docs');
  expect(found.lines).toEqual(['The guide (group)', '  start (guide/start.md)', 'intro (intro.md)']);
});

it.each(['redirect_maps: {old.md: new.md}', 'redirect_maps:\n        old.md: new.md'])(
  'reads the redirects of MkDocs in %j',
  async (map) => {
    const dir = folderOf({
      'mkdocs.yml': `plugins:\n  - redirects:\n      ${map}\n`,
      ...pagesAt('docs/index.md', 'docs/new.md'),
    });
    const { texts } = await readFolder(dir);
    expect(texts[0]?.text).toBe('root: "docs"\nredirects:\n  "old": "new.md"\n');
  },
);

it.each([
  ['', 'src'],
  ['[book]\nsrc = "text/en"\n', 'text/en'],
])('reads the root of mdBook from %j', async (settings, root) => {
  const found = await read({
    'book.toml': settings,
    [`${root}/SUMMARY.md`]: '- [A](a.md)\n',
    [`${root}/a.md`]: '# A\n',
    'README.md': '# The book\n',
  });
  expect([found.root, found.lines]).toEqual([root, ['A (a.md)']]);
});
