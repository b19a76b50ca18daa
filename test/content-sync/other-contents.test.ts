import { expect, it, onTestFinished, vi } from 'vitest';
import fs, { rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
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
  pages.flatMap(({ type, title, linkTitle, path, href = path, children }) => [
    `${indent}${title}${linkTitle === undefined ? '' : ` [${linkTitle}]`} (${type === 'document' ? path : (href ?? '')})`,
    ...lines(children, `${indent}  `),
  ]);

const mkdocs = {
  'README.md': '# A repository\n',
  'mkdocs.yml':
    'site_name: X\nnav:\n- Home: index.md\n- "A: B":\n    - guide/index.md\n    - One: guide/one.md\n    # - Old: old.md\n\n' +
    '    - Deep:\n        - guide/two.md\n        - Web: https://example.com\n- API: [api.md, gone.md]\n' +
    'markdown_extensions:\n- pymdownx.emoji:\n    emoji_index: !!python/name:material.extensions.emoji.twemoji\n',
  'docs/index.md': '# Start\n\n[api](api.md)\n',
  'docs/guide/index.md': 'Guide\n',
  'docs/guide/one.md': '# Other\n',
  'docs/guide/two.md': '---\ntitle: The second\n---\n',
  'docs/api.md': '# Interface\n',
  'docs/extra.md': '# Extra\n',
};

it('takes the root and the table of contents of MkDocs from mkdocs.yml', async () => {
  const { root, pages, warnings } = await readFolder(folderOf(mkdocs));
  expect(root).toBe('docs');
  expect(lines(pages)).toEqual([
    'Start [Home] (index.md)',
    'A: B (guide/index.md)',
    '  Other [One] (guide/one.md)',
    '  Deep (guide/deep/)',
    '    The second (guide/two.md)',
    '    Web (https://example.com)',
    'API (SUMMARY.md)',
    '  Interface (api.md)',
  ]);
  expect(warnings.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    'mkdocs.yml:0 gone.md does not exist and is skipped',
    'docs/extra.md:0 is not in the table of contents and is skipped',
  ]);
});

it('keeps the settings and the table of contents of MkDocs as those of GitBook, so that a second import changes nothing', async () => {
  const shelf = await openShelf(await createWorld());
  const dir = folderOf(mkdocs);
  await shelf.importFolder(dir);
  expect(await shelf.plan(dir)).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
  const exported = await shelf.exportFiles();
  expect(exported).toMatchObject({
    'docs/index.md': mkdocs['docs/index.md'],
    '.gitbook.yaml': 'root: "docs"\n',
  });
  expect(await shelf.plan(folderOf(exported))).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
});

it('prefers SUMMARY.md and .gitbook.yaml to the files of other tools', async () => {
  const summary = '* [Only](docs/api.md)\n';
  const other = await readFolder(folderOf({ ...mkdocs, 'SUMMARY.md': summary }));
  expect([other.root, ...lines(other.pages)]).toEqual(['', 'Only (docs/api.md)']);
  const files = { ...mkdocs, '.gitbook.yaml': 'root: docs\n', 'docs/SUMMARY.md': '* [Only](api.md)\n' };
  expect(lines((await readFolder(folderOf(files))).pages)).toEqual(['Only (api.md)']);
});

it('ignores a mkdocs.yml that is not valid or names nothing', async () => {
  for (const text of ['nav: [', 'nav:\n  - a: {\n', 'nav:\n', 'docs_dir: ../x\nnav: 1\n']) {
    const { pages } = await readFolder(
      folderOf({ 'mkdocs.yml': text, 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' }),
    );
    expect(
      lines(pages)
        .slice(-2)
        .map((line) => line.trim().slice(0, 1)),
    ).toEqual(['A', 'B']);
  }
});

it('ignores a nav without a page below the root of the folder', async () => {
  const others = { 'a.md': '# A\n', 'docs/b.md': '# B\n' };
  for (const files of [
    { '.gitbook.yaml': 'redirects: {x: a.md}\n', 'mkdocs.yml': 'nav:\n- b.md\n' },
    { '.gitbook.yaml': 'root: docs\n', 'mkdocs.yml': 'nav:\n- a.md\n' },
    { 'mkdocs.yml': 'nav:\n- Part:\n  - gone.md\n' },
  ])
    expect(lines((await readFolder(folderOf({ ...others, ...files }))).pages).join()).toContain('B (');
});

it('does not read toctrees in other fences', async () => {
  const index = '# I\n\n````md\n```{toctree}\na\n```\n````\n\n```b```\n\n```\n:::{toctree}\na\n:::\n```\n';
  const files = { 'index.md': index, 'a.md': '# A\n', 'b.md': '# B\n' };
  expect(lines((await readFolder(folderOf(files))).pages)).toEqual(['I (index.md)', 'A (a.md)', 'B (b.md)']);
  const more = `${index}\n\`\`\`{toctree}\nb\n\`\`\`\`\n`;
  expect(lines((await readFolder(folderOf({ ...files, 'index.md': more }))).pages)).toEqual([
    'I (index.md)',
    'B (b.md)',
  ]);
});

it('takes the table of contents of Sphinx from its toctrees', async () => {
  const fence = (name: string, ...entries: string[]) => `\`\`\`{${name}}\n${entries.join('\n')}\n\`\`\`\n`;
  const files = {
    'index.md': `# Start\n\n${fence('toctree', ':maxdepth: 2', '', 'two', 'Own title <one>')}\n:::{toctree}\n:caption: More\nsub/index\n/sub/index\nhttps://example.com\ngone\n:::\n`,
    'one.md': '# One\n',
    'two.md': `# Two\n\n${fence('toctree', 'index', 'two', 'sub/x*')}`,
    'sub/index.md': `# Sub\n\n${fence('toctree', ':glob:', '', '*')}\n${fence('note', 'lost')}\n${fence('toctree', '/extra').trimEnd()}`,
    'sub/a.md': '# A\n',
    'sub/x1.md': '# X 1\n',
    'extra.md': '# Extra\n',
    'lost.md': '# Lost\n',
  };
  const { pages, warnings } = await readFolder(folderOf(files));
  expect(lines(pages)).toEqual([
    'Start (index.md)',
    'Two (two.md)',
    '  X 1 (sub/x1.md)',
    'One [Own title] (one.md)',
    'More (SUMMARY.md)',
    '  Sub (sub/index.md)',
    '    A (sub/a.md)',
    '    Extra (extra.md)',
    '  https://example.com (https://example.com)',
  ]);
  expect(warnings.map(({ file }) => file)).toEqual(['lost.md']);
});

it('reads the root and the structure in book.json of the old GitBook', async () => {
  const book = JSON.stringify({
    root: './book',
    structure: { summary: 'TOC.md', glossary: 'G.md' },
    plugins: [],
  });
  const files = {
    'book.json': book,
    'README.md': '# No\n',
    'book/TOC.md': '* [B](b.md)\n',
    'book/b.md': '# B\n',
  };
  expect(lines((await readFolder(folderOf(files))).pages)).toEqual(['B (b.md)']);
  for (const hostile of ['{', '{"root":"../x"}', '{"root":1,"structure":[]}', '[]'])
    expect(lines((await readFolder(folderOf({ 'book.json': hostile, 'a.md': '# A\n' }))).pages)).toEqual([
      'A (a.md)',
    ]);
});

it('ignores the root in book.json if it has no pages', async () => {
  const { root, pages } = await readFolder(folderOf({ 'book.json': '{"root":"./docs"}', 'a.md': '# A\n' }));
  expect([root, ...lines(pages)]).toEqual(['', 'A (a.md)']);
});

it('takes no settings of other tools and no redirects from a folder with SUMMARY.md', async () => {
  const files = {
    'SUMMARY.md': '* [A](a.md)\n',
    'book.json': '{"root":"book"}',
    'book/b.md': '# B\n',
    'a.md': '---\naliases: [/old/a]\n---\n# A\n',
  };
  const { root, pages, texts } = await readFolder(folderOf(files));
  expect([root, ...lines(pages), ...texts.map(({ file }) => file)]).toEqual(['', 'A (a.md)', 'SUMMARY.md']);
});

it('reads each file once, also if its front matter is read first', async () => {
  const dir = folderOf({
    '_index.md': '---\naliases: /old\n---\n# A\n',
    'b/c.md': '---\nweight: 1\n---\n# C\n',
    'b/d.md': '# D\n',
  });
  const opened: string[] = [];
  const open = fs.openSync;
  const spy = vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    opened.push(relative(dir, String(path)));
    return open(path, ...rest);
  });
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  syncBuiltinESMExports();
  await readFolder(dir);
  expect(opened.sort()).toEqual(['_index.md', 'b/c.md', 'b/d.md']);
});

it('turns the old addresses of pages in Hugo and Jekyll into redirects', async () => {
  const files = {
    '_index.md': '---\naliases: /old\n---\n# A\n',
    'b/c.md':
      '+++\naliases = ["/x/y/", "../near", "note", "../../../out", "https://example.com/a", "/a\\u0000b", 1]\n+++\n# C\n',
    'b/d.md': '---\nredirect_from:\n  - /x/y\n  - /d.html\n---\n# D\n',
    'b/e.md': '---\ndraft: true\naliases: [/secret]\n---\n# E\n',
  };
  const redirects = ['old: _index.md', 'x/y/: b/c.md', 'near: b/c.md', 'x/y: b/d.md', 'd.html: b/d.md'];
  const [settings, ...others] = (await readFolder(folderOf(files))).texts;
  expect(settings?.text.replaceAll('"', '').split('\n  ')).toEqual([
    'redirects:',
    ...redirects.map((line, at) => (at < 4 ? line : `${line}\n`)),
  ]);
  expect(others).toEqual([]);
  const own = { ...files, '.gitbook.yaml': 'redirects:\n  a: _index.md\n' };
  expect((await readFolder(folderOf(own))).texts.map(({ text }) => text)).toEqual([own['.gitbook.yaml']]);
});

it('limits the redirects to settings that can be imported again', async () => {
  const aliases = (page: number) =>
    Array.from({ length: 10 }, (_, at) => `/${page}/${at}/${'x'.repeat(900)}`);
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, page) => [
      `${page}.md`,
      `---\naliases: ${JSON.stringify(aliases(page))}\n---\n`,
    ]),
  );
  const [settings] = (await readFolder(folderOf(files))).texts;
  const again = await readFolder(folderOf({ ...files, '.gitbook.yaml': settings?.text ?? '' }));
  expect(again.texts[0]?.text.length).toBeGreaterThan(200_000);
});

it('warns once, with their number, about old addresses that do not become redirects', async () => {
  const warningsOf = async (files: Files) =>
    (await readFolder(folderOf(files))).warnings.map(
      ({ file, rule, message }) => `${file} ${rule} ${message}`,
    );
  const text = (...aliases: string[]) => `---\naliases: ${JSON.stringify(aliases)}\n---\n# A\n`;
  const pages = {
    'a.md': text('/old/a/', 'note', 'https://example.com/x'),
    'b/c.md': text('/x', 'y/'),
    'b/d.md': '---\ndraft: true\naliases: [/secret]\n---\n',
  };
  const hint = 'add it to the redirects of .gitbook.yaml';
  const draft =
    'b/d.md unlisted-page is a draft and is skipped; to import it as a hidden page, give --unlisted hidden';
  expect(await warningsOf(pages)).toEqual([draft]);
  expect(
    await warningsOf({ ...pages, '.gitbook.yaml': 'redirects:\n  ./old/a: a.md\n  b/y/: b/c.md\n' }),
  ).toEqual([`b/c.md old-address lists the old address x, which does not become a redirect; ${hint}`, draft]);
  expect(
    await warningsOf({
      'SUMMARY.md': '* [A](a.md)\n* [C](b/c.md)\n',
      'a.md': pages['a.md'],
      'b/c.md': pages['b/c.md'],
    }),
  ).toEqual([
    `a.md old-address lists the old address old/a/, which does not become a redirect; ${hint}. The same applies to 2 more old addresses`,
  ]);
  const many = Object.fromEntries(
    Array.from({ length: 1003 }, (_, at) => [`p${at + 1000}.md`, text(`/old/${at}`)]),
  );
  expect(await warningsOf(many)).toEqual([
    `p2000.md old-address lists the old address old/1000, which does not become a redirect; ${hint}. The same applies to 2 more old addresses`,
  ]);
  // The skipped page has a warning. Its redirects have none, because the folder has no .gitbook.yaml.
  expect(
    await warningsOf({ ...pages, 'docs.json': '{"navigation": ["a", "b/d"]}', 'b/d.md': '# D\n' }),
  ).toEqual(['b/c.md unlisted-page is not in the table of contents and is skipped']);
});

it('names a draft if a folder has only drafts', async () => {
  await expect(readFolder(folderOf({ 'a.md': '---\ndraft: true\n---\n' }))).rejects.toMatchObject({
    hint: 'a.md is a draft and is skipped; to import it as a hidden page, give --unlisted hidden.',
  });
});

it('keeps the paths of pages that front matter and Docusaurus set when the exported folder is imported', async () => {
  const shelf = await openShelf(await createWorld());
  const dir = folderOf({
    'intro.md': '---\nslug: start\nsidebar_position: 5\nsidebar_label: S\n---\n# Intro\n',
    'c/_category_.json': '{"label": "The group", "position": 1}',
    'c/x.md': '---\nslug: own\n---\n# X\n',
    'c/d/_category_.json': '{"label": "Inner", "position": 1}',
    'c/d/z.md': '# Z\n',
  });
  await shelf.importFolder(dir);
  const files = await shelf.exportFiles();
  expect(files['SUMMARY.md']).toContain('* Inner\n  * [Z](c/d/z.md)\n* [X](c/x.md)\n');
  expect((await shelf.plan(folderOf(files))).pages).toEqual([]);
});

const redirectsOf = async (files: Files): Promise<string[]> => {
  const [settings] = (await readFolder(folderOf(files))).texts.filter(({ role }) => role === 'settings');
  return (settings?.text ?? '').replaceAll('"', '').split('\n').slice(0, -1);
};

it('turns the addresses that Jekyll and Docusaurus set for pages into redirects', async () => {
  const files = {
    'a.md': '---\npermalink: /guide/a/\n---\n# A\n',
    'b/c.md': '---\nslug: /start/c\n---\n# C\n',
    'b/d.md': '---\nslug: deep/d\npermalink: pretty\n---\n# D\n',
    'b/e.md': '---\nslug: /\npermalink: /:categories/:title\n---\n# E\n',
  };
  expect(await redirectsOf(files)).toEqual([
    'redirects:',
    '  guide/a/: a.md',
    '  start/c: b/c.md',
    '  b/deep/d: b/d.md',
  ]);
});

it('takes the redirects to pages from mkdocs.yml and docs.json', async () => {
  const plugin =
    'plugins:\n  - search\n  - redirects:\n      redirect_maps:\n        old.md: guide/one.md#x\n\n' +
    "        'older/index.md': 'index.md'\n        web.md: https://example.com\n        gone.md: gone.md\n" +
    '  - tags: !!x\n';
  expect(await redirectsOf({ ...mkdocs, 'mkdocs.yml': mkdocs['mkdocs.yml'] + plugin })).toEqual([
    'root: docs',
    'redirects:',
    '  old: guide/one.md',
    '  older/: index.md',
  ]);
  const redirects = [
    { source: '/old/a', destination: '/a' },
    { source: '/old/:slug*', destination: '/b/:slug*' },
    { source: '/all/*', destination: '/a' },
    { source: '../../x', destination: '/a' },
    { source: '/y', destination: '/gone' },
    { source: 1, destination: [] },
    null,
  ];
  const docs = { 'docs.json': JSON.stringify({ navigation: ['a', 'b'], redirects }), 'a.mdx': '# A\n' };
  expect(await redirectsOf({ ...docs, 'b.md': '---\naliases: /old/a/b\n---\n# B\n' })).toEqual([
    'redirects:',
    '  old/a/b: b.md',
    '  old/a: a.mdx',
  ]);
});

it('reads a book.json with commas at the ends of lists', async () => {
  const files = {
    'book.json': '{"root": "book", "plugins": ["a",],}',
    'README.md': '# No\n',
    'book/b.md': '# B\n',
  };
  expect((await readFolder(folderOf(files))).root).toBe('book');
});

it('reads a nav of mkdocs.yml in brackets', async () => {
  for (const nav of [
    'nav: [api.md, {Home: index.md}]\n',
    'nav: [\n  api.md,\n  {Home: index.md}\n]\nx: !y\n',
  ])
    expect(lines((await readFolder(folderOf({ ...mkdocs, 'mkdocs.yml': nav }))).pages)).toEqual([
      'Interface (api.md)',
      'Start [Home] (index.md)',
    ]);
});

it('imports pages that other tools leave out of the table of contents as hidden pages', async () => {
  const files = {
    'a.md': '# A\n',
    'b.md': '---\nunlisted: true\n---\n# B\n',
    'c.md': '---\nnav_exclude: true\nnav_order: 1\n---\n# C\n',
    'd.md': '---\ntoc_hide: true\n---\n# D\n',
    'e.md': '---\nsidebar:\n  hidden: true\n---\n# E\n',
    'f.md': '---\nunlisted: true\ndraft: true\n---\n# F\n',
    'g.md': '---\nunlisted: "true"\n---\n# G\n',
  };
  const { pages, warnings } = await readFolder(folderOf(files));
  expect(pages.map(({ path, metadata }) => [path, metadata.hidden ?? false])).toEqual([
    ['a.md', false],
    ['g.md', false],
    ['b.md', true],
    ['c.md', true],
    ['d.md', true],
    ['e.md', true],
  ]);
  expect(warnings.map(({ file }) => file)).toEqual(['f.md']);
  const shelf = await openShelf(await createWorld());
  const dir = folderOf(files);
  await shelf.importFolder(dir);
  expect((await shelf.plan(dir)).pages).toEqual([]);
  const exported = await shelf.exportFiles();
  expect(exported).toMatchObject({ 'b.md': files['b.md'] });
  const withContents = { ...exported, 'SUMMARY.md': '* [A](a.md)\n* [G](g.md)\n' };
  expect((await shelf.plan(folderOf(withContents))).pages).toEqual([]);
});
