import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { createWorld } from '../support/world.ts';
import { filesOf, newFolder, openShelf, type Files } from './folder-support.ts';

let dir: string;
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const read = (files: Files) => readFolder((dir = newFolder(files)));
const summary = '* [A](a.md)\n* [B](b.md)\n';

describe('a hostile page', () => {
  it.each([
    ['a line of 10 MB', 'x'.repeat(10_000_000)],
    ['one byte too many for a page', 'é'.repeat(500_000) + 'x'],
  ])(
    'is left out if it contains %s, with a warning for its line in the table of contents',
    async (_name, text) => {
      const { pages, warnings } = await read({ 'SUMMARY.md': summary, 'a.md': text, 'b.md': 'b' });
      expect(pages.map(({ title }) => title)).toEqual(['B']);
      expect(warnings).toMatchObject([
        { file: 'SUMMARY.md', line: 1, message: expect.stringContaining('a.md') },
      ]);
    },
  );

  it.each([
    ['quotes', '>'.repeat(10_000)],
    ['lists', '- '.repeat(10_000)],
    ['blocks', '{% hint %}\n'.repeat(10_000)],
    ['brackets', '['.repeat(100_000) + ']('.repeat(100_000)],
    ['links that never end', '](<'.repeat(100_000)],
    ['attributes that never end', 'src="'.repeat(100_000)],
    ['markup and script', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['null bytes', 'a\0b\0'],
    ['front matter that is an alias bomb', `---\n${'['.repeat(10_000)}\n---\nx`],
    ['front matter that never ends', '---\nkey: value\n'.repeat(10_000)],
    ['front matter with a tag', '---\ntitle: !!js/function x\n---\nx'],
  ])('with %s is kept byte for byte', async (_name, text) => {
    const shelf = await openShelf(await createWorld());
    dir = newFolder({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': text });
    await shelf.importFolder(dir);
    expect(await shelf.exportFiles()).toEqual(filesOf(dir));
  });

  it.each([
    ['---\n[: x\n---\nA', 2],
    ['---\ntitle: x\nno end', 1],
    [Buffer.from([104, 105, 10, 0xff, 0xfe]), 2],
  ])('with invalid front matter or bytes gets a warning with the line', async (text, line) => {
    const { warnings } = await read({ 'SUMMARY.md': summary, 'a.md': text, 'b.md': 'b' });
    expect(warnings).toMatchObject([{ file: 'a.md', line }]);
  });
});

describe('a hostile folder', () => {
  it('with 100,000 lines in SUMMARY.md gives at most the maximum number of pages', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) =>
      index % 2 === 0 ? `## G${index}` : '* [A](a.md)',
    ).join('\n');
    const { pages, warnings } = await read({ 'SUMMARY.md': lines, 'a.md': 'a' });
    expect(pages.length).toBeLessThanOrEqual(20_000);
    expect(warnings).toContainEqual({
      file: 'SUMMARY.md',
      line: 20_001,
      rule: 'summary',
      message: expect.stringContaining('at most'),
    });
  });

  it.each([
    ['SUMMARY.md', 'x'.repeat(5_000_000), 'SUMMARY.md is 5 MB; the limit is 4 MB'],
    ['.gitbook.yaml', 'x'.repeat(300_000), '.gitbook.yaml is 293 KiB; the limit is 256 KiB'],
    ['.gitbook.yaml', 'a: &a [x]\nb: [*a,*a]\n', '.gitbook.yaml'],
    ['.gitbook.yaml', 'root: x\nroot: y\n', '.gitbook.yaml, line 2'],
    ['SUMMARY.md', Buffer.from([0xff, 0xfe, 0x2a]), 'SUMMARY.md is not UTF-8'],
  ])('throws a Problem that names the file if %s is invalid', async (path, text, message) => {
    const problem = await read({ 'SUMMARY.md': summary, 'a.md': 'a', [path]: text }).catch(
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(Problem);
    expect((problem as Problem).message).toContain(message);
  });

  it.each([
    ['a: &a [x]\nb: [*a,*a]\n', 1],
    [`ok: 1\nx: ${'['.repeat(10_000)}`, 1],
    ['a: 1\na: 2\n', 2],
  ])('with invalid variables keeps them, with a warning', async (text, line) => {
    const { texts, warnings } = await read({
      'SUMMARY.md': '* [A](a.md)',
      'a.md': 'a',
      '.gitbook/vars.yaml': text,
    });
    expect(texts.find(({ role }) => role === 'variables')).toMatchObject({ text });
    expect(warnings).toMatchObject([{ file: '.gitbook/vars.yaml', line }]);
  });

  it('with an image above 10 MiB gets a warning, and the image is left out', async () => {
    dir = newFolder({
      'SUMMARY.md': '* [A](a.md)\n',
      'a.md': '![](b.png) ![](c.png)',
      'b.png': '',
      'c.png': '',
    });
    truncateSync(join(dir, 'b.png'), 10 * 1024 * 1024);
    truncateSync(join(dir, 'c.png'), 10 * 1024 * 1024 + 1);
    const { files, warnings } = await readFolder(dir);
    expect(files.map(({ path }) => path)).toEqual(['b.png']);
    expect(warnings).toMatchObject([
      {
        file: 'c.png',
        line: 0,
        rule: 'skipped-file',
        message: expect.stringMatching(/^is skipped: .*10 MiB/),
      },
    ]);
  });

  it('with symbolic links, pipes and odd names gets warnings, and nothing outside is read', async () => {
    const outside = newFolder({ 'secret.md': 'secret', 'vars.yaml': 'x: secret' });
    dir = newFolder({
      'a.md': 'a ![](pipe.png) ![](x.png)',
      'line\nbreak.md': 'x',
      'SUMMARY.md': '* [A](a.md)\n* [P](pipe.md)\n* [S](s.md)\n',
    });
    execFileSync('mkfifo', [join(dir, 'pipe.md'), join(dir, 'pipe.png')]);
    for (const name of ['s.md', 'x.png']) symlinkSync(join(outside, 'secret.md'), join(dir, name));
    symlinkSync(outside, join(dir, '.gitbook'));
    writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]), 'x');
    const folder = await readFolder(dir);
    expect(JSON.stringify(folder)).not.toContain('secret"');
    expect(folder.pages.map(({ title }) => title)).toEqual(['A']);
    expect([folder.files, folder.texts.map(({ role }) => role)]).toEqual([[], ['summary']]);
    expect(folder.warnings.map(({ file, line }) => `${file}:${line}`).sort()).toEqual(
      [
        '.gitbook:0',
        'SUMMARY.md:2',
        'SUMMARY.md:3',
        'line\nbreak.md:0',
        'pipe.md:0',
        'pipe.png:0',
        's.md:0',
        'x.png:0',
        '\ufffd.md:0',
      ].sort(),
    );
    rmSync(outside, { recursive: true });
  });

  it('with a redirect to a missing page gets a warning with its line', async () => {
    const { warnings } = await read({
      '.gitbook.yaml': 'redirects:\n  old: a.md\n  gone: none.md\n  web: https://x.test\n',
      'SUMMARY.md': '* [A](a.md)',
      'a.md': 'a',
    });
    expect(warnings).toMatchObject([{ file: '.gitbook.yaml', line: 3 }]);
  });
});

describe('a file with unexpected content', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';

  it('gets a warning with a hint if it is a Git LFS pointer', async () => {
    dir = newFolder({
      'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
      'a.md': '![](p.png)\n![](q.png)',
      'b.md': pointer,
      'p.png': pointer,
      'q.png': 'no pointer',
      '.gitbook/includes/i.md': pointer,
    });
    const { warnings } = await readFolder(dir);
    const message =
      'is a pointer of Git LFS instead of its content; run `git lfs pull` in a clone and import its folder';
    expect(warnings).toEqual(
      ['b.md', '.gitbook/includes/i.md', 'p.png'].map((file) => ({
        file,
        line: 1,
        rule: 'lfs-pointer',
        message,
      })),
    );
  });

  it('gets a warning with the line if it includes a file that does not exist', async () => {
    dir = newFolder({
      'SUMMARY.md': '* [A](a.md)\n',
      'a.md':
        '---\nicon: x\n---\n{% include ".gitbook/includes/i.md" %}\n\n{% include "none.md" %}\n\n```\n{% include "code.md" %}\n```\n\n{% include "https://app.gitbook.com/s/x/y" %}\n',
      '.gitbook/includes/i.md': 'x\n\n{% include "./gone.md" %}\n',
    });
    const { warnings } = await readFolder(dir);
    expect(warnings.map(({ file, line, rule, message }) => [file, line, rule, message])).toEqual([
      [
        'a.md',
        6,
        'missing-include',
        'includes "none.md", which does not exist; add the file, or remove the include',
      ],
      [
        '.gitbook/includes/i.md',
        3,
        'missing-include',
        'includes "./gone.md", which does not exist; add the file, or remove the include',
      ],
    ]);
  });
});
