import { rmSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../../src/cli/program.ts';
import { runtimeOf } from '../../../support/cli.ts';
import { newFolder } from '../../../content-sync/folder-support.ts';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';

const pagesOf = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}.md`, `# P${index}\n`]));

it('spaces import without the needed role is refused before the confirmation', async () => {
  const desk = await openGuideServer();
  const [full, small] = [newFolder(pagesOf(20)), newFolder({ 'README.md': '# Start\n' })];
  onTestFinished(async () => {
    await desk.discard();
    for (const dir of [full, small]) rmSync(dir, { recursive: true, force: true });
  });
  await desk.done(['spaces', 'import', 'Guide', full]);
  const importAs = async (role: string, ...more: string[]) => {
    const words = ['tokens', 'create', '--role', role, '-o', 'tsv', '--columns', 'token', '--no-headers'];
    const DOCSCTL_TOKEN = (await desk.done(words)).stdout.trim();
    return desk.run(['spaces', 'import', 'Guide', small, ...more], { env: { DOCSCTL_TOKEN } });
  };
  for (const more of [[], ['--yes']]) {
    const { exit, stderr } = await importAs('read', ...more);
    expect(exit).toBe(11);
    expect(stderr).toContain('To import into a space, you need the edit role on the space "Guide"');
  }
  expect(await importAs('read', '--dry-run')).toMatchObject({ exit: 0 });
  const { exit, stderr } = await importAs('edit');
  expect(exit).toBe(11);
  expect(stderr).toContain('you need the review role on the space "Guide"');
  expect(stderr).toContain('hint: Add --change-request');
  expect(await importAs('edit', '--change-request')).toMatchObject({ exit: 0 });
  expect(await importAs('review')).toMatchObject({ exit: 9 });
  await desk.done(['spaces', 'update', 'Guide', '--edit-mode', 'locked']);
  for (const more of [[], ['--change-request']]) {
    const locked = await importAs('review', ...more);
    expect(locked.exit).toBe(6);
    expect(locked.stderr).toContain('The space "Guide" is locked');
    expect(locked.stderr).toContain('hint: Unlock it with `docsctl spaces update');
    expect(locked.stderr).not.toContain('archived');
  }
});

describe.each([
  ['embedded', openGuideStore],
  ['remote', openGuideServer],
])('docsctl spaces import that deletes pages, %s', (_, open) => {
  let desk: GuideStore;
  const folders: string[] = [];
  const folder = (files: Record<string, string>): string => {
    folders.push(newFolder(files));
    return folders.at(-1)!;
  };
  const imported = (dir: string, ...more: string[]) => desk.run(['spaces', 'import', 'Guide', dir, ...more]);
  const titles = async (): Promise<string[]> => {
    const listed = await desk.done([
      'pages',
      'list',
      '--space',
      'Guide',
      '--columns',
      'title',
      '-o',
      'tsv',
      '--no-headers',
    ]);
    return listed.stdout.trim().split(/\r?\n/);
  };
  beforeEach(async () => {
    desk = await open();
  });
  afterEach(async () => {
    await desk.discard();
    for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
  });

  it('counts them in the summary, the dry run and the result, and suggests how to restore them', async () => {
    await imported(folder({ 'README.md': '# Start\n', 'more/README.md': '# More\n', 'more/a.md': '# A\n' }));
    const dir = folder({ 'README.md': '# Start\n' });
    const dry = await imported(dir, '--dry-run');
    expect(dry.stderr).toContain('Dry run: 2 pages deleted. Nothing was sent.');
    const { exit, stdout, stderr } = await imported(dir, '-o', 'json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ merged: true, pages: 1, deletedPages: 2, deletedFiles: 0 });
    expect(stderr).toContain('Imported: 2 pages deleted;');
    expect(await titles()).toEqual(['Start']);
    const [, back = ''] = /To go back, run `docsctl (revisions restore .*)`\./.exec(stderr) ?? [];
    await desk.done(back.split(' '));
    expect(await titles()).toEqual(['Start', 'More', 'A']);
  });

  it('does not suggest how to restore an empty space', async () => {
    const { stderr } = await imported(folder({ 'README.md': '# Start\n' }));
    expect(stderr).toContain('merged as change request 1');
    expect(stderr).not.toContain('To go back');
  });

  it('does not count pages that are moved out of a deleted page as deleted', async () => {
    const files = { 'README.md': '# Start\n', 'a/README.md': '# A\n', 'a/b.md': '# B\n', 'a/c.md': '# C\n' };
    await imported(folder(files));
    const dir = folder({ 'README.md': '# Start\n', 'b.md': '# B\n' });
    expect(JSON.parse((await imported(dir, '--dry-run', '-o', 'json')).stdout)).toMatchObject({
      deletedPages: 2,
    });
    await imported(dir);
    expect(await titles()).toEqual(['Start', 'B']);
  });

  it('needs --yes if more than half of the imported pages, and at least 10, would be deleted', async () => {
    await imported(folder({ 'README.md': '# Start\n', ...pagesOf(12) }));
    await desk.publish(page('Ours', 'ours'));
    const before = await titles();
    const wrong = folder({ 'README.md': '# Other\n', 'x.md': '# X\n' });
    const refused = await imported(wrong);
    expect(refused).toMatchObject({ exit: 9, stdout: '' });
    expect(refused.stderr).toContain(
      `The import of ${wrong} would delete 12 of the 13 pages that came from a folder in the space "Guide".`,
    );
    expect(refused.stderr).toContain('--yes to import them');
    expect(await titles()).toEqual(before);
    expect((await desk.done(['cr', 'list', 'Guide', '-o', 'json', '--all'])).stdout).not.toContain(
      'Import from',
    );
    expect((await imported(wrong, '--dry-run')).exit).toBe(0);
    const asRequest = await imported(wrong, '--change-request');
    expect(asRequest).toMatchObject({ exit: 0, stderr: expect.stringContaining('12 deleted') });
    expect(asRequest.stderr).not.toContain('To go back');
    expect(await titles()).toEqual(before);
    expect((await imported(wrong, '--yes')).exit).toBe(0);
    expect(await titles()).toEqual(['Other', 'X', 'Ours']);
  });

  it('asks on a terminal, with the space, the number of pages and the store', async () => {
    await imported(folder({ 'README.md': '# Start\n', ...pagesOf(12) }));
    const wrong = folder({ 'README.md': '# Other\n' });
    const { runtime, err } = runtimeOf(['spaces', 'import', 'Guide', wrong], {
      ...desk.options,
      attended: true,
      columns: 300,
      input: 'n\n',
    });
    const drawn = new PassThrough();
    expect(await run({ ...runtime, promptOutput: drawn })).toBe(9);
    // The line breaks depend on the path of the folder.
    const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');
    expect(withoutSpaces(stripVTControlCharacters(String(drawn.read())))).toContain(
      withoutSpaces('deletes 12 of the 13 pages that came from a folder in the space "Guide", on '),
    );
    expect(err.bytes().toString()).toContain('Not confirmed. Nothing was changed.');
    expect(await titles()).toHaveLength(13);
  });

  it('does not need --yes for 9 pages, for half of the pages, or for a renamed folder', async () => {
    await imported(folder({ 'README.md': '# Start\n', ...pagesOf(9) }));
    expect((await imported(folder({ 'README.md': '# Start\n' }))).exit).toBe(0);
    await imported(folder({ 'README.md': '# Start\n', ...pagesOf(19) }));
    expect((await imported(folder({ 'README.md': '# Start\n', ...pagesOf(9) }))).exit).toBe(0);
    const moved = Object.entries(pagesOf(9)).map(([path, text]) => [`new/${path}`, text]);
    expect((await imported(folder(Object.fromEntries([['README.md', '# Start\n'], ...moved])))).exit).toBe(0);
  });
});
