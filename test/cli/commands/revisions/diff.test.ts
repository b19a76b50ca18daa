import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('docsctl revisions diff %s', (_, open) => {
  let desk: GuideStore;
  let first: string;
  let second: string;
  beforeEach(async () => {
    desk = await open();
    await desk.publish(page('Start', 'one\ntwo\n'), page('Same', 'x\n'));
    first = await latest();
    await desk.publish(
      { operation: 'update_page', page: await desk.pageId('Start'), document: { markdown: 'one\n-- 2\n' } },
      page('More', 'new\n'),
    );
    second = await latest();
  });
  afterEach(() => desk.discard());

  const latest = async (): Promise<string> => {
    const { stdout } = await desk.done([
      'revisions',
      'list',
      'Guide',
      '--type',
      'merge',
      '--limit',
      '1',
      '-o',
      'id',
    ]);
    return stdout.trim();
  };
  const diff = (words: readonly string[], more: object = {}) =>
    desk.run(['revisions', 'diff', ...words, '--space', 'Guide'], more);

  it('shows the changed lines between two revisions, and between a revision and the space', async () => {
    const shown =
      'M start.md "Start"\n@@ -1,2 +1,2 @@\n one\n-two\n+-- 2\n\nA more.md "More"\n@@ -0,0 +1 @@\n+new\n';
    for (const words of [[first, second], [first]])
      expect(await diff(words, { tty: true })).toMatchObject({ exit: 0, stdout: shown });
    const back = await diff([second, first, '--page', 'more'], { tty: true });
    expect(back.stdout).toBe('D more.md "More"\n@@ -1 +0,0 @@\n-new\n');
    const stat = await diff([first, second, '--stat']);
    expect(stat.stdout).toMatch(/start\.md +\| 2 \+-\n.*more\.md +\| 1 \+\n/);
    expect(await diff([first, second, '--stat', '--patch'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--stat and --patch cannot be used together.'),
    });
  });

  it('writes a patch that git can apply, in a pipe and with --patch', async () => {
    const { stdout } = await diff([first, second]);
    mkdirSync(desk.at('folder'));
    writeFileSync(desk.at('folder', 'start.md'), 'one\ntwo\n');
    writeFileSync(desk.at('change.patch'), stdout);
    execFileSync('git', ['apply', '../change.patch'], { cwd: desk.at('folder') });
    expect(readFileSync(desk.at('folder', 'start.md'), 'utf8')).toBe('one\n-- 2\n');
    expect((await diff([first, second, '--patch'], { tty: true })).stdout).toBe(stdout);
    const { stdout: colored } = await diff([first, second, '--patch', '--color', 'always']);
    expect(colored).toContain('\u{1b}[32m+-- 2\u{1b}[39m');
    expect(colored).toContain('\u{1b}[1m--- a/start.md\u{1b}[22m');
  });

  it('prints the differences as JSON, with patches only with --patch', async () => {
    const { stdout } = await diff([first, '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({
      from: first,
      to: null,
      changes: [
        {
          change: 'changed',
          path: 'start.md',
          before: 'start.md',
          after: 'start.md',
          title: 'Start',
          fields: [],
          added: 1,
          removed: 1,
        },
        {
          change: 'added',
          path: 'more.md',
          before: null,
          after: 'more.md',
          title: 'More',
          fields: [],
          added: 1,
          removed: 0,
        },
      ],
    });
    const patched = JSON.parse((await diff([first, second, '--patch', '-o', 'json'])).stdout);
    expect(patched.to).toBe(second);
    expect(patched.changes[0].patch).toContain('\n-two\n+-- 2\n');
  });

  it('reports that nothing differs, and refuses unknown revisions and pages', async () => {
    expect(await diff([first, first])).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: `The revisions ${first} and ${first} have the same content.\n`,
    });
    const same = await diff([first, '--page', 'same']);
    expect(same.stderr).toBe(`The revision ${first} and the space have the same page same.\n`);
    const page = await diff([first, '--page', 'none']);
    expect([page.exit, page.stderr]).toEqual([
      5,
      expect.stringContaining('Neither the revision nor the space has a page "none".'),
    ]);
    expect((await diff(['rev_none'])).exit).toBe(5);
    expect((await diff([])).exit).toBe(64);
  });
});
