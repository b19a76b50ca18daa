import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findBrokenLinks } from '../../src/content-sync/find-broken-links.ts';
import { FolderTargets } from '../../src/content-sync/folder-targets.ts';
import { openFolder, type Warning } from '../../src/content-sync/folder.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';

/** Returns the line and the target of every broken link in docs/guide/page.md. */
async function brokenIn(text: string): Promise<string[]> {
  return (await warningsIn(text)).map(
    ({ file, line, message }) => `${file}:${line} ${/links to (.*), which/.exec(message)?.[1]}`,
  );
}

/** Returns the message about every broken link in docs/guide/page.md. */
async function reasonsIn(text: string, more: Readonly<Record<string, string>>): Promise<string[]> {
  return (await warningsIn(text, more)).map(({ message }) => message);
}

async function warningsIn(text: string, more: Readonly<Record<string, string>> = {}): Promise<Warning[]> {
  const dir = mkdtempSync(join(tmpdir(), 'docsctl-links-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const files = {
    '.gitbook.yaml': 'root: ./docs\n',
    'docs/README.md': '# Start\n',
    'docs/guide/README.md': '# Guide\n',
    'docs/guide/page.md': text,
    'docs/with space.md': '# Space\n',
    'docs/.gitbook/assets/a.png': '',
    ...more,
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  const [folder, { paths }] = [await readFolder(dir), await openFolder(dir)];
  return findBrokenLinks(folder, new FolderTargets(folder), paths);
}

it.each([
  '[a](../README.md)',
  '[a](../README.md#b)',
  '[a](../)',
  '[a](../guide)',
  '[a](../README)',
  '[a](/README.md)',
  '[a](<../with space.md>)',
  '[a](../with%20space.md)',
  '![a](../.gitbook/assets/a.png)',
  '<img src="../.gitbook/assets/a.png">',
  '[a](https://example.com/x.md) <mailto:a@example.com>',
  '[a](#b) [b](?c)',
  '`[a](absent.md)`',
  '```\n[a](absent.md)\n```',
  '[a](/spaces/abc/page)',
])('finds no broken link in %j', async (text) => expect(await brokenIn(text)).toEqual([]));

it('returns the line of each broken link, also below front matter', async () => {
  const text =
    '---\ntitle: Page\n---\n\n[a](absent.md) and [b](../../outside.md)\n\n![c](a.png)\n\n[d][ref]\n\n[ref]: gone/\n';
  expect(await brokenIn(text)).toEqual([
    'docs/guide/page.md:5 absent.md',
    'docs/guide/page.md:5 ../../outside.md',
    'docs/guide/page.md:7 a.png',
    'docs/guide/page.md:9 gone/',
  ]);
});

it('reports links that work in the folder, but not in the space', async () => {
  const text = '[a](../../docs/README.md) [c](../../outside.md)\n\n![d](../../docs/.gitbook/assets/a.png)\n';
  expect(await reasonsIn(text, { 'outside.md': '# Outside\n' })).toEqual([
    'links to ../../docs/README.md, which does not work with the root docs; write ../README.md',
    'links to ../../outside.md, which is not imported',
    'links to ../../docs/.gitbook/assets/a.png, which does not work with the root docs; write ../.gitbook/assets/a.png',
  ]);
});

it('reports links to pages that are not in the table of contents', async () => {
  const files = { 'docs/SUMMARY.md': '* [Page](guide/page.md)\n' };
  expect(await reasonsIn('[a](../README.md) [b](page.md)\n', files)).toEqual([
    'links to ../README.md, which is not imported',
  ]);
});

it('reports links of Obsidian that can lead to several files', async () => {
  const more = { 'docs/a/Note.md': '# A\n', 'docs/b/note.md': '# B\n', 'docs/c/d/Note.md': '# D\n' };
  const text = '[[Note|x]] [[a/Note]] [[README]] [[with space]]\n';
  expect(await warningsIn(text, more)).toEqual([
    {
      file: 'docs/guide/page.md',
      line: 1,
      rule: 'ambiguous-link',
      message: 'links to [[Note]], which can be docs/a/Note.md or docs/b/note.md; add the folder to the link',
    },
  ]);
});

it('reports URLs that no site opens', async () => {
  expect(await reasonsIn('[a](javascript:alert(1)) [b](ftp://a.test/x) [c](tel:+49)\n', {})).toEqual([
    expect.stringContaining('javascript:alert(1), which no site opens'),
    expect.stringContaining('ftp://a.test/x, which no site opens'),
  ]);
});

it.each([
  ['guide/other.md#a', 'other.md#a'],
  ['../../guide/other.md', 'other.md'],
])('suggests a link that works for %j', async (href, file) => {
  const more = { 'docs/guide/other.md': '# Other\n', 'docs/guide/deep/below.md': '# Below\n' };
  expect(await reasonsIn(`[a](${href})`, more)).toEqual([
    `links to ${href}, which does not exist; did you mean ${file}?`,
  ]);
});

it.each(['../other/', '../other', '../deep/below/#a', '/docs/guide/Deep/Below/', '/x.png', '/pic/y.png'])(
  'finds the page or file at %j, an address of another tool',
  async (href) => {
    const more = {
      'docs/guide/other.md': '# Other\n',
      'docs/guide/deep/_index.md': '# Deep\n',
      'docs/guide/deep/below.md': '# Below\n',
      'static/x.png': '',
      'docs/public/pic/y.png': '',
    };
    expect(await reasonsIn(`[a](${href})`, more)).toEqual([]);
  },
);
