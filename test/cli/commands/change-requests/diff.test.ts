import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawHunks, patchText } from '../../../../src/cli/output/diff.ts';
import { hunksOf } from '../../../../src/richtext/diff-hunks.ts';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';
import type { ContentChange } from '../../../../src/content/changes.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
const file = (name: string, text: string, more: object = {}) => ({
  name,
  contentType: 'text/plain',
  base64: Buffer.from(text).toString('base64'),
  ...more,
});

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const diff = async (number: number, words: readonly string[] = [], more: object = {}) => {
  const ran = await desk.done(
    ['change-requests', 'diff', String(number), '--space', 'Guide', ...words],
    more,
  );
  return ran.stdout;
};
const update = async (title: string, more: object): Promise<ContentChange> => ({
  operation: 'update_page',
  page: await desk.pageId(title),
  ...more,
});

describe('change-requests diff', () => {
  it('shows the changed lines of each page, on a terminal and as a patch', async () => {
    await desk.publish(
      page('Start', lines(10), { git: { path: 'guides/start.md' } }),
      page('Other', 'same\n'),
    );
    const number = await desk.request(
      await update('Start', { document: { markdown: lines(10).replace('line 5', 'line five') } }),
    );
    const hunk =
      '@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+line five\n line 6\n line 7\n line 8\n';
    expect(await diff(number, [], { tty: true })).toBe(`M guides/start.md "Start"\n${hunk}`);
    expect(await diff(number)).toBe(
      `# M guides/start.md "Start"\ndiff --git a/guides/start.md b/guides/start.md\n--- a/guides/start.md\n+++ b/guides/start.md\n${hunk}`,
    );
    expect(await diff(number, ['--patch'], { tty: true })).toBe(await diff(number));
    expect(await diff(number, ['--context', '0'], { tty: true })).toBe(
      'M guides/start.md "Start"\n@@ -5 +5 @@\n-line 5\n+line five\n',
    );
  });

  it('shows pages that were added, deleted, moved and renamed, and their changed fields', async () => {
    const group: ContentChange = { operation: 'insert_page', type: 'group', title: 'Parts', document: {} };
    await desk.publish(
      group,
      page('A', 'a\n'),
      page('B', 'b\n'),
      page('C', 'c\n'),
      page('Still', 'x\n'),
      page('D', 'd\n'),
    );
    const number = await desk.request(
      await update('A', { title: 'Alpha', description: 'First' }),
      { operation: 'delete_page', page: await desk.pageId('B') },
      await update('C', { into: await desk.pageId('Parts') }),
      await update('D', { slug: 'delta', at: 1 }),
      page('E', 'e\n'),
    );
    const shown = await diff(number, [], { tty: true });
    expect(shown.split('\n\n').map((part) => part.split('\n'))).toEqual([
      ['R c.md → parts/c.md "C"', '  parent:  → Parts'],
      ['R d.md → delta.md "D"', '  slug: d → delta', '  moved before "Alpha"'],
      ['M a.md "Alpha"', '  title: A → Alpha', '  description:  → First'],
      ['A e.md "E"', '@@ -0,0 +1 @@', '+e'],
      ['D b.md "B"', '@@ -1 +0,0 @@', '-b', ''],
    ]);
  });

  it('shows a moved page as renamed even if its file stays, and a reordered page with its neighbor', async () => {
    const group: ContentChange = { operation: 'insert_page', type: 'group', title: 'Parts', document: {} };
    await desk.publish(
      group,
      page('A', 'a\n', { git: { path: 'first/a.md' } }),
      page('B', 'b\n'),
      page('C', 'c\n'),
      page('D', 'd\n'),
    );
    const number = await desk.request(
      await update('A', { into: await desk.pageId('Parts') }),
      await update('D', { at: 1 }),
    );
    const moved = ['R a → parts/a "A"', '  parent:  → Parts'];
    const reordered = ['M d.md "D"', '  moved before "B"'];
    const shown = await diff(number, [], { tty: true });
    expect(shown.split('\n\n').map((part) => part.trimEnd().split('\n'))).toEqual([moved, reordered]);
    expect(await diff(number)).toBe([...moved, ...reordered].map((line) => `# ${line}\n`).join(''));
    const table = await desk.done([
      'cr',
      'changes',
      String(number),
      '--space',
      'Guide',
      '--columns',
      'details',
    ]);
    expect(table.stdout).toContain('reordered at the top');
  });

  it('shows files with their sizes, and texts of the folder that are not pages', async () => {
    await desk.publish(
      page('Start', 'x\n'),
      {
        operation: 'insert_files',
        files: [file('old.txt', 'old'), file('kept.txt', 'kept'), file('gone.txt', '12345')],
      },
      { operation: 'put_text', role: 'summary', git: { path: 'SUMMARY.md' }, text: '* [Start](start.md)\n' },
    );
    const files = JSON.parse(
      (await desk.done(['spaces', 'files', 'list', '--space', 'Guide', '-o', 'json'])).stdout,
    ).items as { id: string; name: string }[];
    const idOf = (name: string) => files.find((each) => each.name === name)!.id;
    const number = await desk.request(
      {
        operation: 'insert_files',
        files: [file('old.txt', 'new', { replaces: idOf('old.txt') }), file('more.txt', '1234')],
      },
      { operation: 'delete_files', files: [idOf('gone.txt')] },
      { operation: 'put_text', role: 'summary', git: { path: 'SUMMARY.md' }, text: '* [Begin](start.md)\n' },
    );
    const shown = (await diff(number, [], { tty: true })).split('\n\n').map((part) => part.trimEnd());
    expect(shown[0]).toBe('M SUMMARY.md "SUMMARY"\n@@ -1 +1 @@\n-* [Start](start.md)\n+* [Begin](start.md)');
    expect(shown.slice(1).sort()).toEqual([
      'A more.txt "more.txt" 4 bytes',
      'D gone.txt "gone.txt" 5 → 0 bytes',
      'M old.txt "old.txt" 3 → 3 bytes',
    ]);
  });

  it('shows a change that only affects the front matter', async () => {
    await desk.publish(page('Start', '---\nlayout: wide\n---\nx\n', { git: { path: 'start.md' } }));
    const number = await desk.request(
      await update('Start', { document: { markdown: '---\nlayout: slim\n---\nx\n' } }),
    );
    expect(await diff(number, ['--context', '0'], { tty: true })).toContain('-layout: wide\n+layout: slim\n');
  });

  it('draws the number of changed lines with --stat', async () => {
    await desk.publish(page('Start', lines(200)), page('Next', 'x\n'));
    const number = await desk.request(
      await update('Start', { document: { markdown: `${lines(100)}${'new\n'.repeat(20)}` } }),
      await update('Next', { document: { markdown: 'y\nz\n' } }),
      { operation: 'insert_files', files: [file('logo.txt', '1234')] },
    );
    expect((await diff(number, ['--stat'])).split('\n')).toEqual([
      ` start.md | 120 ${'+'.repeat(10)}${'-'.repeat(52)}`,
      ' next.md  |   3 +-',
      ' logo.txt | 4 bytes',
      ' 3 pages and files changed, 22 insertions(+), 101 deletions(-)',
      '',
    ]);
  });

  it('limits the diff to one page with --page, by path, title or ID', async () => {
    await desk.publish(page('Start', 'a\n'), page('Next', 'b\n'), page('Still', 'c\n'));
    const number = await desk.request(await update('Start', { document: { markdown: 'A\n' } }), {
      operation: 'delete_page',
      page: await desk.pageId('Next'),
    });
    for (const name of ['start', 'Start', await desk.pageId('Start')])
      expect((await diff(number, ['--page', name])).match(/^# .*/gm)).toEqual(['# M start.md "Start"']);
    expect((await diff(number, ['--page', 'next'])).match(/^# .*/gm)).toEqual(['# D next.md "Next"']);
    const still = await desk.run(['cr', 'diff', String(number), '--space', 'Guide', '--page', 'Still']);
    expect(still).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: `Change request ${number} changes nothing on this page.\n`,
    });
    expect(
      await desk.run(['cr', 'diff', String(number), '--space', 'Guide', '--page', 'Nowhere']),
    ).toMatchObject({ exit: 5 });
  });

  it('compares with the revision that the change request was last synced with', async () => {
    await desk.publish(page('Start', 'a\n'), page('Next', 'b\n'));
    const number = await desk.request(await update('Start', { document: { markdown: 'A\n' } }));
    await desk.publish(await update('Next', { document: { markdown: 'B\n' } }));
    expect((await diff(number)).match(/^# .*/gm)).toEqual(['# M start.md "Start"']);
    await desk.done(['cr', 'sync', String(number), '--space', 'Guide']);
    expect((await diff(number)).match(/^# .*/gm)).toEqual(['# M start.md "Start"']);
    await desk.done(['cr', 'merge', String(number), '--space', 'Guide']);
    expect((await diff(number)).match(/^# .*/gm)).toEqual(['# M start.md "Start"']);
  });

  it('prints the changes of the API as JSON, and rejects invalid arguments', async () => {
    await desk.publish(page('Start', 'a\n'));
    const number = await desk.request(page('New', 'b\n'));
    expect(JSON.parse(await diff(number, ['-o', 'json']))).toMatchObject({
      changes: [{ type: 'page_created', page: { title: 'New' } }],
    });
    expect(await desk.run(['cr', 'diff', '--space', 'Guide'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('No change request is given.'),
    });
    expect(await desk.run(['cr', 'diff', '9', '--space', 'Guide'])).toMatchObject({ exit: 5 });
    expect(await desk.run(['cr', 'diff', '1', '--space', 'Guide', '--context', 'many'])).toMatchObject({
      exit: 8,
    });
  });

  it('escapes control characters of pages, and keeps titles from faking lines of the patch', async () => {
    await desk.publish(page('Start', 'a\n', { git: { path: 'od"d\tname.md' } }));
    const number = await desk.request(
      await update('Start', { title: 'x\n+++ b/etc\u001b[2J', document: { markdown: 'a\u001b[2J\tb\r\n' } }),
    );
    const shown = await diff(number, [], { tty: true });
    expect(shown).toContain('M od"d\\tname.md "x\\n+++ b/etc\\u001b[2J"');
    expect(shown).toContain('+a\\u001b[2J    b\\r\n');
    const patch = await diff(number);
    expect(patch).toContain(
      '--- "a/od\\"d\\tname.md"\n+++ "b/od\\"d\\tname.md"\n@@ -1 +1 @@\n-a\n+a\u001b[2J\tb\r\n',
    );
    expect(patch.match(/^\+\+\+.*/gm)).toHaveLength(1);
  });
});

describe('the patch of a change request', () => {
  it('leaves out binary files, with a warning that lists them', async () => {
    await desk.publish(page('Start', 'a\n'));
    const number = await desk.request(await update('Start', { document: { markdown: 'b\n' } }), {
      operation: 'insert_files',
      files: [file('logo.txt', '1'), file('other.txt', '2')],
    });
    const words = ['change-requests', 'diff', String(number), '--space', 'Guide'];
    expect((await desk.done(words)).stderr).toMatch(
      /^warning: 2 files are not in the patch, because a patch holds text only: (logo|other)\.txt, (logo|other)\.txt\n/,
    );
    expect((await desk.done(words, { tty: true })).stderr).toBe('');
    expect((await desk.done([...words, '--page', 'start'])).stderr).toBe('');
    expect((await desk.done([...words, '--page', '/start'])).stdout).toContain('+b');
  });

  it('can be applied with git', async () => {
    await desk.publish(
      page('One', `---\ndescription: x\n---\n${lines(20)}`, { git: { path: 'a/one.md' } }),
      page('Two', 'no end', { git: { path: 'two.md' } }),
      page('Gone', 'x\n', { git: { path: 'gone.md' } }),
    );
    mkdirSync(desk.at('a'));
    writeFileSync(desk.at('a', 'one.md'), `---\ndescription: x\n---\n${lines(20)}`);
    writeFileSync(desk.at('two.md'), 'no end');
    writeFileSync(desk.at('gone.md'), 'x\n');
    const number = await desk.request(
      await update('One', {
        document: { markdown: `---\ndescription: y\n---\nnew\n${lines(19)}` },
        git: { path: 'b/one.md' },
      }),
      await update('Two', { title: 'Second', document: { markdown: 'no end\nbut more' } }),
      { operation: 'delete_page', page: await desk.pageId('Gone') },
      page('New', 'hello\n', { git: { path: 'new.md' } }),
      { operation: 'insert_files', files: [file('logo.txt', '1234')] },
    );
    execFileSync('git', ['apply', '-'], {
      cwd: desk.at(),
      input: await diff(number),
      env: {
        PATH: process.env['PATH'],
        GIT_CEILING_DIRECTORIES: desk.home,
        GIT_CONFIG_NOSYSTEM: '1',
        HOME: desk.home,
      },
    });
    const read = (...names: string[]) => readFileSync(desk.at(...names), 'utf8');
    expect([read('b', 'one.md'), read('two.md'), read('new.md')]).toEqual([
      `---\ndescription: y\n---\nnew\n${lines(19)}`,
      'no end\nbut more',
      'hello\n',
    ]);
    expect(() => read('gone.md')).toThrow('ENOENT');
  });

  it('uses the paths of the exported folder if the settings set a root folder', async () => {
    const settings = { operation: 'put_text' as const, role: 'settings' as const };
    await desk.publish(
      { ...settings, git: { path: '.gitbook.yaml' }, text: 'root: ./docs/\n' },
      page('One', 'a\n', { git: { path: 'one.md' } }),
    );
    await desk.done(['spaces', 'export', 'Guide', 'out']);
    const number = await desk.request(
      await update('One', { document: { markdown: 'b\n' } }),
      { ...settings, git: { path: '.gitbook.yaml' }, text: 'root: ./docs\n' },
      page('Group', '', { type: 'group', document: {} }),
    );
    const patch = await diff(number);
    expect(patch.match(/^(?:# |\+\+\+).*/gm)).toEqual([
      '# M docs/one.md "One"',
      '+++ b/docs/one.md',
      '# A group "Group"',
      '# M .gitbook.yaml ".gitbook"',
      '+++ b/.gitbook.yaml',
    ]);
    expect(readFileSync(desk.at('out', 'docs', 'one.md'), 'utf8')).toBe('a\n');
  });

  it('turns any text into any other text when it is applied', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\r\n', 'e'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 0, max: 4 }),
        (before, after, context) =>
          void expect(applied(before, patchText(hunksOf(before, after, context)))).toBe(after),
      ),
    );
  });

  it('highlights the changes within a line, and shows a missing newline at the end', () => {
    const ink = (value: string, styles: readonly string[]) =>
      value === '' ? '' : `<${styles.join()}:${value}>`;
    expect(drawHunks(hunksOf('the old word\n', 'the new word', 3), ink)).toBe(
      '<cyan:@@ -1 +1 @@>\n<red:-the ><red,inverse:old><red: word>\n<green:+the ><green,inverse:new><green: word>\n<dim:\\ No newline at end of file>\n',
    );
  });
});

/** Applies a unified diff: replaces the lines that the hunks name by the lines of the hunks. */
function applied(before: string, patch: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  for (const [, sign, text] of patch.matchAll(/^([ +@\\-])([^\n]*\n(?:\\[^\n]*\n)?)/gm)) {
    if (sign === '@') {
      const [, start, count] = /^@ -(\d+)(?:,(\d+))? /.exec(text!)!;
      const first = Number(start) - (count === '0' ? 0 : 1);
      result.push(...old.slice(at, first));
      at = first;
    } else {
      if (sign !== '+') at++;
      if (sign !== '-') result.push(text!.replace(/\n\\[^\n]*\n$/, ''));
    }
  }
  return [...result, ...old.slice(at)].join('');
}
