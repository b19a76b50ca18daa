import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlistedMessage } from '../../../../src/content-sync/read-folder.ts';
import { newFolder } from '../../../content-sync/folder-support.ts';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';
import { describeWarnings } from '../../../../src/cli/commands/spaces/import-warnings.ts';

let desk: GuideStore;
let dir: string;
beforeEach(async () => {
  desk = await openGuideStore();
  dir = newFolder({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
});
afterEach(async () => {
  await desk.discard();
  rmSync(dir, { recursive: true, force: true });
});
const imported = (...more: string[]) => desk.run(['spaces', 'import', 'Guide', dir, ...more]);
const none = { merged: false, pages: 0, texts: 0, files: 0, deletedFiles: 0, warnings: 2 };

describe('the result of an import', () => {
  it('is its change request with -o id', async () => {
    const { exit, stdout } = await imported('--change-request', '-o', 'id');
    expect(exit).toBe(0);
    expect(
      JSON.parse((await desk.done(['cr', 'get', stdout.trim(), '--space', 'Guide', '-o', 'json'])).stdout),
    ).toMatchObject({ number: 1, status: 'draft' });
    writeFileSync(join(dir, 'a.md'), 'more');
    expect(await imported('--change-request', '1', '-o', 'id')).toMatchObject({ exit: 0, stdout });
    expect(await imported('--change-request', '1', '-o', 'id')).toMatchObject({ exit: 0, stdout });
  });

  it('is printed where nothing is sent, too', async () => {
    const dry = await imported('--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      merged: false,
      pages: 1,
      texts: 1,
      files: 0,
      deletedFiles: 0,
    });
    expect(dry.stderr).toContain('Nothing was sent.');
    expect(await imported('--dry-run', '-o', 'id')).toMatchObject({ exit: 0, stdout: '' });
    await imported();
    for (const flags of [[], ['--dry-run']])
      expect(JSON.parse((await imported('-o', 'json', ...flags)).stdout)).toMatchObject(none);
    expect(await imported('-o', 'id')).toMatchObject({ exit: 0, stdout: '' });
    expect((await imported('-o', 'csv')).stdout.split('\r\n')[1]).toBe('false,0,0,0,0,2,0');
    expect(await imported()).toMatchObject({ exit: 0, stdout: '' });
  });

  it('has every warning in formats that can hold them', async () => {
    const { stdout } = await imported('-o', 'json');
    expect(JSON.parse(stdout).warningList).toEqual([
      { file: 'b.md', line: 0, rule: 'unlisted-page', message: unlistedMessage },
      { file: 'c.md', line: 0, rule: 'unlisted-page', message: unlistedMessage },
    ]);
  });
});

describe('warnings', () => {
  it('of files outside the table of contents are one line', async () => {
    const { stderr } = await imported();
    expect(stderr).toContain(
      'warning: 2 Markdown files are not in SUMMARY.md and are skipped (--unlisted hidden imports them): b.md, c.md\n',
    );
    expect(stderr.match(/warning:/g)).toHaveLength(1);
  });

  it('are counted where they are many', () => {
    const unlisted = Array.from({ length: 7 }, (_, index) => ({
      file: `${index}.md`,
      line: 0,
      rule: 'unlisted-page' as const,
      message: unlistedMessage,
    }));
    const others = Array.from({ length: 33 }, (_, index) => ({
      file: `x${index}`,
      line: index,
      rule: 'summary' as const,
      message: 'is odd',
    }));
    const lines = describeWarnings([...unlisted, ...others]);
    expect(lines).toHaveLength(32);
    expect(lines.slice(0, 2)).toEqual(['warning: x0: is odd', 'warning: x1:1: is odd']);
    expect(lines.slice(-2)).toEqual([
      '… and 3 more warnings; -o json prints all of them.',
      'warning: 7 Markdown files are not in SUMMARY.md and are skipped (--unlisted hidden imports them): 0.md, 1.md, 2.md, 3.md, 4.md and 2 more',
    ]);
    expect(describeWarnings(unlisted.slice(0, 1))).toEqual([
      'warning: 1 Markdown file is not in SUMMARY.md and is skipped (--unlisted hidden imports it): 0.md',
    ]);
  });
});

it('escapes names of files in every line, so that none passes for a line of docsctl', async () => {
  writeFileSync(join(dir, 'x\nwarning: forged\u001b[2K.md'), 'x');
  const { stderr } = await imported();
  expect(stderr).toContain('warning: x\\nwarning: forged\\u001b[2K.md: has a name');
  expect(stderr).not.toMatch(/^warning: forged/m);
});

describe('a table of contents that edits of the tree left behind', () => {
  beforeEach(async () => {
    await imported();
    await desk.publish(page('Z', 'z', { git: { path: 'z.md' } }));
    await desk.done(['spaces', 'export', 'Guide', 'out']);
  });
  const again = () => desk.run(['spaces', 'import', 'Guide', 'out']);

  it('is nothing to import when an export made a new one', async () => {
    expect((await again()).stderr).toContain('Nothing to import');
    await desk.done(['spaces', 'export', 'Guide', 'out']);
    expect((await again()).stderr).toContain('Nothing to import');
  });

  it('is not sent when only the text of a page was edited', async () => {
    writeFileSync(desk.at('out', 'a.md'), 'edited');
    expect((await again()).stderr).toContain('Changed pages: 1, deleted pages: 0, changed texts: 0');
    expect((await again()).stderr).toContain('Nothing to import');
  });

  it('is sent when the tree changes with it', async () => {
    writeFileSync(desk.at('out', 'SUMMARY.md'), '# Mine\n\n* [Z](z.md)\n* [A](a.md)\n');
    writeFileSync(desk.at('out', 'a.md'), 'edited');
    expect((await again()).stderr).toContain('changed texts: 1');
    expect((await again()).stderr).toContain('Nothing to import');
  });

  it('is imported when somebody edited it', async () => {
    writeFileSync(desk.at('out', 'SUMMARY.md'), '# Mine\n\n* [A](a.md)\n* [Z](z.md)\n');
    expect((await again()).stderr).toContain('Changed pages: 0, deleted pages: 0, changed texts: 1');
    await desk.done(['spaces', 'export', 'Guide', 'out2']);
    expect(readdirSync(desk.at('out2')).sort()).toEqual(['SUMMARY.md', 'a.md', 'z.md']);
    expect((await again()).stderr).toContain('Nothing to import');
  });
});

describe('a source that cannot be read', () => {
  it('is told with the flag that names it', async () => {
    const root = await imported('--root', 'none');
    expect(root).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('--root names the folder none, which is not in the source.'),
    });
    const ref = await imported('--ref', 'main');
    expect(ref).toMatchObject({ exit: 8, stderr: expect.stringContaining('--ref names a branch') });
    const gone = await desk.run(['spaces', 'import', 'Guide', 'gone']);
    expect(gone.exit).toBe(8);
    for (const { stderr } of [root, ref, gone]) expect(stderr).not.toMatch(/at \/|\.\.$/m);
  });

  it('has a Problem of its own where a repository has no default branch', async () => {
    const bare = join(desk.home, 'r.git');
    execFileSync('git', ['init', '-q', '--bare', bare], { stdio: 'ignore' });
    const { exit, stderr } = await desk.run(['spaces', 'import', 'Guide', `file://${bare}`], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(exit).toBe(5);
    expect(stderr).toContain('has no default branch or no commits.');
    expect(stderr).toContain('--ref main');
  });
});
