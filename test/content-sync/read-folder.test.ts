import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { resolveLink } from '../../src/content-sync/resolve-link.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { readSummary } from '../../src/content-sync/summary.ts';
import type { FolderPage } from '../../src/content-sync/page-reader.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'docsctl-folder-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const write = async (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
};
const outline = (pages: readonly FolderPage[]): unknown[] =>
  pages.map((page) => (page.children.length === 0 ? page.title : [page.title, outline(page.children)]));

describe('readFolder', () => {
  it('refuses settings that name a root that does not exist', async () => {
    await write({ '.gitbook.yaml': 'root: ./docs/\n', 'README.md': '# Start\n' });
    await expect(readFolder(dir)).rejects.toMatchObject({
      reason: 'invalid-input',
      message: '.gitbook.yaml names docs as "root", which does not exist or is empty.',
    });
  });

  it('skips drafts of other tools with a warning, or reads them as hidden pages', async () => {
    await write({ 'README.md': '# Start\n', 'a.md': '---\ndraft: true\n---\n# Secret\n' });
    const skipped = await readFolder(dir);
    expect(outline(skipped.pages)).toEqual(['Start']);
    expect(skipped.warnings).toEqual([
      {
        file: 'a.md',
        line: 0,
        rule: 'unlisted-page',
        message: 'is a draft and is skipped; to import it as a hidden page, give --unlisted hidden',
      },
    ]);
    const { pages } = await readFolder(dir, { unlisted: 'hidden' });
    expect(pages.map(({ title, metadata: { hidden } }) => [title, hidden])).toEqual([
      ['Start', undefined],
      ['Secret', true],
    ]);
  });

  it('reads the pages in the order of the table of contents', async () => {
    const { pages, files, warnings } = await readFolder('test/samples/handbook');
    expect(outline(pages)).toEqual([
      'Welcome',
      'Quick start',
      ['Guides', ['Install', ['Deploy', ['On one machine', ['Behind a proxy', ['TLS']]]], 'Back up']],
      ['Reference', ['Commands', 'Settings', 'Limits [draft]', 'Glossary', 'Project page']],
    ]);
    const [welcome, , guides, reference] = pages;
    expect(welcome).toMatchObject({
      slug: 'readme',
      path: 'README.md',
      metadata: { description: 'What this handbook is for', icon: 'book' },
    });
    expect(guides).toMatchObject({ type: 'group' });
    expect(guides!.children[1]).toMatchObject({ slug: 'deploy', path: 'guides/deploy/README.md' });
    expect(guides!.children[1]!.children[0]!.markdown).toContain('\r\n');
    expect(guides!.children[1]!.children[1]!.children[0]).toMatchObject({ metadata: { hidden: true } });
    expect(reference!.children.at(-1)).toMatchObject({ type: 'link', href: 'https://example.com/handbook' });
    expect(files.map(({ path, contentType }) => [path, contentType])).toEqual([
      ['.gitbook/assets/logo.png', 'image/png'],
      ['reference/data.json', 'application/json'],
    ]);
    expect(warnings).toEqual([
      {
        file: 'notes.md',
        line: 0,
        rule: 'unlisted-page',
        message: 'is not in the table of contents and is skipped',
      },
    ]);
  });

  it('reports errors with file and line, and reads the rest', async () => {
    await write({
      'SUMMARY.md':
        '# T\n\n* [A](a.md)\n* [Gone](gone.md)\n  * [B](b.md)\n* [Again](a.md)\n* [Out](../../etc/passwd.md)\nwords\n',
      'a.md': '---\n[: x\n---\nA',
      'b.md': 'B',
    });
    const { pages, warnings } = await readFolder(dir);
    expect(outline(pages)).toEqual(['A', 'B', 'Again']);
    expect(pages[0]!.markdown).toBe('---\n[: x\n---\nA');
    expect(warnings.map(({ file, line }) => `${file}:${line}`).sort()).toEqual([
      'SUMMARY.md:4',
      'SUMMARY.md:6',
      'SUMMARY.md:7',
      'SUMMARY.md:8',
      'a.md:2',
    ]);
  });

  it('warns about a page that is too complex for sites', async () => {
    await write({ 'README.md': '# A\n\nB\n\n'.repeat(20_000) });
    const { warnings } = await readFolder(dir);
    expect(warnings).toMatchObject([{ file: 'README.md', rule: 'too-complex' }]);
  });

  it('uses root and structure from .gitbook.yaml', async () => {
    await write({
      '.gitbook.yaml': 'root: ./docs/\nstructure:\n  summary: toc.md\n  readme: start.md\n',
      'docs/toc.md': '* [Start](start.md)\n* [Deep](x/y.md)',
      'docs/start.md': 'S',
      'docs/x/y.md': '![](../pic.png)',
      'docs/pic.png': 'p',
      'pic.png': 'q',
    });
    const { pages, files } = await readFolder(dir);
    expect(pages.map(({ path, slug }) => [path, slug])).toEqual([
      ['start.md', 'readme'],
      ['x/y.md', 'y'],
    ]);
    expect(files.map(({ path }) => path)).toEqual(['pic.png']);
    expect(Buffer.from(files[0]!.read()).toString()).toBe('p');
  });

  it('reads MDX files as pages', async () => {
    await write({
      'index.mdx': '# Home\n\n[B](./guide/b.mdx)',
      'guide/b.mdx': '# B',
      'other/README.mdx': '# Read me',
      'more.mdx': '# More',
      'more/c.md': '# C',
    });
    const { pages, warnings } = await readFolder(dir);
    expect(warnings).toEqual([]);
    expect(pages.map(({ type, title, path, children }) => [type, title, path, children.length])).toEqual([
      ['document', 'Home', 'index.mdx', 0],
      ['group', 'Guide', 'SUMMARY.md', 1],
      ['document', 'More', 'more.mdx', 1],
      ['document', 'Read me', 'other/README.mdx', 0],
    ]);
  });

  it('warns once about the files of each format that it cannot read', async () => {
    await write({
      'a.md': '# A\n\n[B](b.rst)',
      'b.rst': 'B',
      'c.rst': '# C',
      'd/e.rst': '# E',
      '.hidden/f.adoc': '= F',
    });
    expect((await readFolder(dir)).warnings).toEqual([
      {
        file: 'c.rst',
        line: 0,
        rule: 'skipped-file',
        message:
          'is not Markdown and is skipped, like 1 more .rst file; convert it to a file that ends in .md',
      },
    ]);
  });

  it('names a file of another format if there is no page', async () => {
    await write({ 'd.adoc': '= D' });
    await expect(readFolder(dir, { shown: 'docs' })).rejects.toMatchObject({
      message: 'The folder "docs" has no pages.',
      hint: 'd.adoc is not Markdown and is skipped; convert it to a file that ends in .md.',
    });
  });

  it('names a file of HTML, such as an export of Confluence, if there is no page', async () => {
    await write({ 'DOC/Home_1.html': '<p>', 'DOC/index.html': '<p>' });
    await expect(readFolder(dir)).rejects.toMatchObject({
      hint: 'DOC/Home_1.html is not Markdown and is skipped, like 1 more .html file; convert it to a file that ends in .md.',
    });
    await write({ 'a.md': '# A' });
    expect((await readFolder(dir)).warnings).toEqual([]);
  });

  it('names the line of a table of contents without pages', async () => {
    await write({ 'README.md': '# Home', 'a.md': '# A', 'SUMMARY.md': '* [A](a.md\n' });
    for (const mayLackPages of [false, true])
      await expect(readFolder(dir, { shown: 'docs', mayLackPages })).rejects.toMatchObject({
        message:
          'SUMMARY.md lists no page of the folder "docs". Line 1: this line is not a link to a page and is skipped.',
        hint: 'Correct SUMMARY.md.',
      });
    expect((await readFolder(dir, { unlisted: 'hidden' })).pages).toHaveLength(2);
  });

  it('names a file that is too large if there is no page', async () => {
    await write({ 'big.md': 'x'.repeat(1_100_000) });
    await expect(readFolder(dir)).rejects.toMatchObject({
      hint: expect.stringMatching(/^big\.md .*limit is 1 MB\.$/),
    });
  });

  it('infers a table of contents if there is none', async () => {
    await write({
      'README.md': '# Home',
      'b.md': '# Bee',
      'a/README.md': '# Aa',
      'a/one.md': 'no heading',
      'z/deep/two.md': '# Two',
    });
    expect(outline((await readFolder(dir)).pages)).toEqual(['Home', ['Aa', ['One']], 'Bee', ['Z', ['Two']]]);
  });

  it('never reads outside the folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'docsctl-outside-'));
    await writeFile(join(outside, 'secret.md'), 'secret');
    await write({
      'SUMMARY.md':
        '* [L](link.md)\n* [D](dir/secret.md)\n* [U](../secret.md)\n* [A](/etc/passwd.md)\n* [E](%2e%2e/secret.md)\n* [P](p.md)',
      'p.md': `![](../${outside.split('/').at(-1)}/secret.md) ![](dir/secret.md)`,
    });
    await symlink(join(outside, 'secret.md'), join(dir, 'link.md'));
    await symlink(outside, join(dir, 'dir'));
    const folder = await readFolder(dir);
    expect(JSON.stringify(folder)).not.toContain('"secret"');
    expect(outline(folder.pages)).toEqual(['P']);
    expect(folder.files).toEqual([]);
    await rm(outside, { recursive: true });
    for (const root of ['../x', 'none', 'a/../../x', '..', 'a\\b', 1]) {
      await write({ '.gitbook.yaml': `root: ${JSON.stringify(root)}\n` });
      await expect(readFolder(dir)).rejects.toThrow(Problem);
    }
  });

  it.each([
    ['nested flow', '['.repeat(20_000)],
    ['nested blocks', '- '.repeat(20_000)],
    ['aliases', 'a: &a [1]\nb: *a\n'],
  ])('refuses settings with %s, also the second time', async (_name, yaml) => {
    await write({ '.gitbook.yaml': yaml });
    await expect(readFolder(dir)).rejects.toThrow(Problem);
    await expect(readFolder(dir)).rejects.toThrow(Problem);
  });

  it('throws a Problem if the folder does not exist', async () => {
    await expect(readFolder(join(dir, 'none'))).rejects.toMatchObject({ reason: 'invalid-input' });
  });
});

describe('links', () => {
  it.each([
    ['a/b.md', 'c.md', 'a/c.md'],
    ['a/b.md', '../c%20d.md#x', 'c d.md'],
    ['a/b.md', '/c.md?raw', 'c.md'],
    ['a/b.md', '../../c.md', undefined],
    ['a/b.md', 'https://x.test/c.md', undefined],
    ['a/b.md', '//x.test/c.md', undefined],
    ['a/b.md', '..%2f..%2fc.md', undefined],
    ['a/b.md', 'c%00.md', undefined],
    ['a/b.md', '100%.md', 'a/100%.md'],
    ['a/b.md', '#x', undefined],
  ])('resolves from %s the link %s to %s', (from, link, path) => expect(resolveLink(from, link)).toBe(path));
});

describe('readSummary', () => {
  it('reads titles and targets of many forms', () => {
    const { entries } = readSummary(
      '* [a](<b c.md>)\n- [**Bold** `x`](b\\_(1).md "t")\n\t+ [tab](c.md)\n',
      'S',
    );
    expect(entries).toMatchObject([
      { title: 'a', target: 'b c.md' },
      { title: 'Bold x', target: 'b_(1).md', children: [{ title: 'tab' }] },
    ]);
  });

  it('moves entries that are nested too deeply one level up', () => {
    const { entries, warnings } = readSummary(
      Array.from({ length: 5_000 }, (_, depth) => `${' '.repeat(Math.min(depth, 3_000))}* [a](a.md)`).join(
        '\n',
      ),
      'S',
    );
    expect(entries).toHaveLength(1);
    expect(warnings.length).toBeGreaterThan(0);
    expect(() => JSON.stringify(entries)).not.toThrow();
  });
});
