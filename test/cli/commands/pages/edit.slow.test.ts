import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { splitCommand } from '../../../../src/cli/split-command.ts';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.publish(page('Start here', '# Start\n\none\n'));
});
afterEach(() => desk.discard());

/** Creates a program that is used as the editor. Its last argument is the path of the file. */
function editor(code: string): Record<string, string> {
  writeFileSync(
    desk.at('editor.mjs'),
    `import fs from 'node:fs';\nimport { execFileSync } from 'node:child_process';\nconst file = process.argv.at(-1);\n${code}\n`,
  );
  return { EDITOR: `"${process.execPath}" '${desk.at('editor.mjs')}' --wait` };
}
const edit = (env: Record<string, string>, ...words: string[]) =>
  desk.run(['pages', 'edit', 'Guide', 'start-here', ...words], {
    attended: true,
    env: { TMPDIR: desk.home, ...env },
  });
const append = (text: string) => editor(`fs.appendFileSync(file, ${JSON.stringify(text)});`);
const shown = async (...words: string[]) =>
  (await desk.done(['pages', 'show', 'Guide', 'start-here', ...words])).stdout;
const requests = async (status: string): Promise<Record<string, unknown>[]> =>
  JSON.parse((await desk.done(['cr', 'list', '--space', 'Guide', '--status', status, '-o', 'json'])).stdout)
    .items;
const keptIn = (stderr: string) => /Your text is kept\s+in\s+(\S+\.md)/.exec(stderr)?.[1] ?? '';

describe('docsctl pages edit', () => {
  it('opens the editor on a private file, and sends the new text to a new change request', async () => {
    const env =
      editor(`fs.writeFileSync(${JSON.stringify(desk.at('seen'))}, JSON.stringify([file, fs.statSync(file).mode & 0o777, process.argv.includes('--wait'), fs.readFileSync(file, 'utf8')]));
      fs.appendFileSync(file, 'two\\n');`);
    const ran = await edit(env, '--message', 'Why **this**', '-o', 'json');
    expect(ran).toMatchObject({ exit: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ number: 2, title: 'Start here', merged: false });
    const [file, mode, waited, text] = JSON.parse(readFileSync(desk.at('seen'), 'utf8'));
    expect([mode, waited, text]).toEqual([0o600, true, '# Start\n\none\n']);
    expect(file).toMatch(/\/start-here\.md$/);
    expect(existsSync(dirname(file))).toBe(false);
    expect([await shown(), await shown('--change-request', '2')]).toEqual([
      '# Start\n\none\n',
      '# Start\n\none\ntwo\n',
    ]);
    expect(await requests('draft')).toMatchObject([
      { subject: 'Edit Start here', description: { object: 'document' } },
    ]);
  });

  it('accepts a text as an option', async () => {
    writeFileSync(desk.at('new.md'), 'From a file\n');
    for (const [given, text] of [
      ['# Start\n\nGiven', '# Start\n\nGiven'],
      ['@new.md', 'From a file\n'],
    ] as const) {
      await desk.done(['pages', 'edit', 'Guide', 'start-here', '--text', given, '--merge']);
      expect(await shown()).toBe(text);
    }
    await desk.done(['pages', 'create', 'Guide', 'More', '--text', '@new.md', '--merge']);
    expect((await desk.done(['pages', 'show', 'Guide', 'more'])).stdout).toBe('From a file\n');
    for (const [exit, ...words] of [
      [64, 'edit', 'Guide', 'start-here', '--text', 'a', '--file', 'new.md'],
      [64, 'create', 'Guide', 'Two', 'Three', '--text', 'a'],
      [8, 'create', 'Guide', 'Status', '--type', 'group', '--text', 'a'],
    ] as const)
      expect(await desk.run(['pages', ...words])).toMatchObject({
        stdout: '',
        exit,
        stderr: expect.stringContaining('--text'),
      });
  });

  it('changes the title if the first heading was the title', async () => {
    const title = async (text: string): Promise<unknown> => {
      writeFileSync(desk.at('new.md'), text);
      const words = [
        'pages',
        'edit',
        'Guide',
        'start-here',
        '--file',
        desk.at('new.md'),
        '--merge',
        '-o',
        'json',
      ];
      const { title: printed } = JSON.parse((await desk.done(words)).stdout);
      const { pages } = JSON.parse((await desk.done(['pages', 'list', 'Guide', '-o', 'json'])).stdout);
      expect(pages[0].title).toBe(printed);
      return printed;
    };
    // The first heading of this page was never its title.
    expect(await title('# Begin\n\none\n')).toBe('Start here');
    expect(await title('# Start here\n\none\n')).toBe('Start here');
    expect(await title('# First steps {#first}\n\none\n')).toBe('First steps');
    expect(await title('---\ntitle: Steps\n---\n\n# Second steps\n')).toBe('Steps');
    expect(await title('No heading\n')).toBe('Steps');
  });

  it('merges the change request with --merge', async () => {
    const ran = await edit(append('two\n'), '--merge', '--subject', 'Add two');
    expect(ran).toMatchObject({ exit: 0, stderr: expect.stringMatching(/Change request 2 is merged\.\n$/) });
    expect(await shown()).toBe('# Start\n\none\ntwo\n');
    expect((await requests('merged')).map(({ subject }) => subject)).toContain('Add two');
  });

  it('prints the command that merges the change request', async () => {
    const { stderr } = await edit(append('two\n'));
    expect(stderr).toBe(
      'The edit is in change request 2. Merge it with `docsctl change-requests merge 2 --space Guide`.\n',
    );
    const [, command] = /`docsctl (.+)`/.exec(stderr)!;
    await desk.done(command!.split(' '));
    expect(await shown()).toBe('# Start\n\none\ntwo\n');
  });

  it('edits a page in an existing change request', async () => {
    const number = await desk.request({
      operation: 'update_page',
      page: await desk.pageId('start-here'),
      document: { markdown: 'draft\n' },
    });
    expect((await edit(append('more\n'), '--change-request', String(number))).exit).toBe(0);
    expect(await shown('--change-request', String(number))).toBe('draft\nmore\n');
    expect(await requests('draft')).toHaveLength(1);
    expect(await edit(append('x'), '--change-request', String(number), '--subject', 'No')).toMatchObject({
      exit: 64,
    });
  });

  it('sends nothing if the text did not change', async () => {
    const ran = await edit(editor(''));
    expect(ran).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: 'The text did not change; nothing was sent.\n',
    });
    expect(await requests('draft')).toEqual([]);
  });

  it('removes all text of a page only with --yes', async () => {
    writeFileSync(desk.at('empty.md'), ' \n\n');
    const words = ['pages', 'edit', 'Guide', 'start-here', '--file', 'empty.md', '--merge'];
    expect(await desk.run(words)).toMatchObject({
      exit: 9,
      stderr:
        'error: The new text is empty, but the page "Start here" has text. Nothing was changed.\nhint: Check the file. To remove all text of the page, add --yes.\n',
    });
    expect([await shown(), await requests('draft')]).toEqual(['# Start\n\none\n', []]);
    expect((await desk.done([...words.slice(0, -1), '--dry-run'])).stderr).toContain('nothing was sent');
    await desk.done([...words, '--yes']);
    expect((await shown()).trim()).toBe('');
  });

  it('edits front matter with the text, and clears fields that were removed', async () => {
    await desk.publish(
      page('Matter', '---\ndescription: Old\nhidden: true\n---\nbody\n', { git: { path: 'matter.md' } }),
    );
    const change = (code: string) =>
      desk.run(['pages', 'edit', 'Guide', 'matter', '--merge'], {
        attended: true,
        env: { TMPDIR: desk.home, ...editor(code) },
      });
    const matter = async () =>
      JSON.parse((await desk.done(['pages', 'show', 'Guide', 'matter', '-o', 'json'])).stdout);
    await change(
      `fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('description: Old', 'description: New').replace('hidden: true\\n', ''));`,
    );
    expect(await matter()).toMatchObject({
      description: 'New',
      frontMatter: '---\ndescription: New\n---\n',
      markdown: 'body\n',
    });
    expect(await matter()).not.toHaveProperty('hidden');
    expect((await change(`fs.writeFileSync(file, '---\\n: [\\n---\\nbody\\n');`)).stderr).toContain(
      'The front matter cannot be read.',
    );
    await change(`fs.writeFileSync(file, 'body\\n');`);
    expect(Object.keys(await matter())).not.toEqual(expect.arrayContaining(['frontMatter']));
    expect(Object.keys(await matter())).not.toEqual(expect.arrayContaining(['description']));
  });

  it('does not restore a field that was cleared after the text was written', async () => {
    await desk.publish(page('Plan', '---\ndescription: Old\nicon: bolt\n---\nText\n'));
    const id = await desk.pageId('plan');
    await desk.publish({ operation: 'update_page', page: id, description: '', icon: 'rocket' });
    const words = ['pages', 'edit', 'Guide', 'plan', '--merge'];
    await desk.done(words, { attended: true, env: { TMPDIR: desk.home, ...append('more\n') } });
    const { stdout } = await desk.done(['pages', 'show', 'Guide', 'plan', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ icon: 'rocket', markdown: 'Text\nmore\n' });
    expect(JSON.parse(stdout)).not.toHaveProperty('description');
  });

  it('removes front matter from a page without a path, with an editor and with --file', async () => {
    await desk.publish(page('Matter', '---\ndescription: Old\nfoo: x\n---\nbody\n'));
    const matter = async () => (await desk.done(['pages', 'show', 'Guide', 'matter'])).stdout;
    const change = editor(`fs.writeFileSync(file, 'body\\n');`);
    const written = await desk.done(['pages', 'edit', 'Guide', 'matter', '--merge'], {
      attended: true,
      env: { TMPDIR: desk.home, ...change },
    });
    expect(written.stderr).toContain('has no front matter');
    expect(await matter()).toBe('body\n');
    await desk.done(['pages', 'edit', 'Guide', 'matter', '--merge', '--file', '-'], {
      input: '---\ndescription: New\n---\nbody\n',
    });
    expect(await matter()).toBe('---\ndescription: New\n---\nbody\n');
    const ran = await desk.done(['pages', 'edit', 'Guide', 'matter', '--merge', '--file', '-'], {
      input: 'bare\n',
    });
    expect(ran.stderr).toContain('has no front matter');
    const shownNow = JSON.parse((await desk.done(['pages', 'show', 'Guide', 'matter', '-o', 'json'])).stdout);
    expect([shownNow.markdown, shownNow.frontMatter, shownNow.description]).toEqual([
      'bare\n',
      undefined,
      undefined,
    ]);
  });

  it('keeps the text if somebody else changed the page in the meantime', async () => {
    const other = desk.at('other.json');
    const number = await desk.request({
      operation: 'update_page',
      page: await desk.pageId('start-here'),
      document: { markdown: 'mine\n' },
    });
    writeFileSync(
      other,
      JSON.stringify({
        changes: [
          {
            operation: 'update_page',
            page: await desk.pageId('start-here'),
            document: { markdown: 'theirs\n' },
          },
        ],
      }),
    );
    let meanwhile: Promise<unknown> = Promise.resolve();
    const wait = desk.at('go');
    const env = editor(
      `fs.appendFileSync(file, 'more\\n'); fs.writeFileSync(${JSON.stringify(desk.at('open'))}, ''); while (!fs.existsSync(${JSON.stringify(wait)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);`,
    );
    const editing = edit(env, '--change-request', String(number));
    while (!existsSync(desk.at('open'))) await new Promise((resolve) => setImmediate(resolve));
    meanwhile = desk
      .done(['cr', 'content', 'update', String(number), '--space', 'Guide', '--body', other])
      .finally(() => writeFileSync(wait, ''));
    const [ran] = await Promise.all([editing, meanwhile]);
    expect(ran).toMatchObject({ exit: 6, stdout: '' });
    expect(ran.stderr).toContain('The page "Start here" was changed while you edited it.');
    expect(readFileSync(keptIn(ran.stderr), 'utf8')).toBe('mine\nmore\n');
    expect(statSync(dirname(keptIn(ran.stderr))).mode & 0o777).toBe(0o700);
    expect(await shown('--change-request', String(number))).toBe('theirs\n');
  });

  it('keeps the text if it cannot be sent, and leaves no empty change request open', async () => {
    await desk.done(['spaces', 'update', 'Guide', '--edit-mode', 'locked']);
    const ran = await edit(append('two\n'));
    expect(ran).toMatchObject({ exit: 6, stdout: '' });
    expect(readFileSync(keptIn(ran.stderr), 'utf8')).toBe('# Start\n\none\ntwo\n');
    expect(await requests('draft')).toEqual([]);
  });

  it('sends nothing if the editor fails, and keeps the text', async () => {
    const failed = await edit(editor(`fs.appendFileSync(file, 'two\\n'); process.exit(3);`));
    expect(failed).toMatchObject({ exit: 9, stdout: '' });
    expect(readFileSync(keptIn(failed.stderr), 'utf8')).toBe('# Start\n\none\ntwo\n');
    expect((await edit(editor('process.exit(1);'))).stderr).not.toContain('What you wrote');
    expect(await edit({ VISUAL: desk.at('no-such-editor'), ...append('x') })).toMatchObject({
      exit: 8,
      stderr: expect.stringMatching(/could not\s+be started/),
    });
    expect(await requests('draft')).toEqual([]);
  });

  it('requires --file without a terminal, and reads a file or standard input', async () => {
    expect(await desk.run(['pages', 'edit', 'Guide', 'start-here'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--file'),
    });
    await desk.done(['pages', 'edit', 'Guide', 'start-here', '--file', '-', '--merge'], { input: 'piped\n' });
    expect(await shown()).toBe('piped\n');
    writeFileSync(desk.at('new.md'), 'from a file\n');
    await desk.done(['pages', 'edit', 'Guide', 'start-here', '--file', desk.at('new.md'), '--merge']);
    expect(await shown()).toBe('from a file\n');
    const dry = await desk.done(
      ['pages', 'edit', 'Guide', 'start-here', '--file', '-', '--dry-run', '-o', 'json'],
      { input: 'other\n' },
    );
    expect(JSON.parse(dry.stdout)).toMatchObject({
      method: 'POST',
      body: { changes: [{ operation: 'update_page', document: { markdown: 'other\n' } }] },
    });
    expect(await shown()).toBe('from a file\n');
  });

  it('leaves a temporary file only if it keeps a text', async () => {
    const left = () => readdirSync(desk.home).filter((name) => name.startsWith('docsctl-'));
    for (const code of [`fs.appendFileSync(file, 'two\\n');`, '', 'process.exit(1);'])
      await edit(editor(code));
    expect(left()).toEqual([]);
    await edit(editor(`fs.appendFileSync(file, 'two'); process.exit(1);`));
    expect(left()).toHaveLength(1);
  });
});

describe('splitCommand', () => {
  it.each([
    ['vi', ['vi']],
    ['code --wait', ['code', '--wait']],
    [`"/my apps/ed" -n 'a b' c\\ d`, ['/my apps/ed', '-n', 'a b', 'c d']],
    [`"a \\"b\\"" ''`, ['a "b"', '']],
  ])('splits %s', (command, words) => expect(splitCommand(command, 'editor', 'EDITOR')).toEqual(words));

  it('keeps backslashes on Windows, and refuses an unclosed quote', () => {
    expect(splitCommand('"C:\\Apps\\ed.exe" -x', 'editor', 'EDITOR', false)).toEqual([
      'C:\\Apps\\ed.exe',
      '-x',
    ]);
    expect(() => splitCommand('vi "x', 'editor', 'EDITOR')).toThrow('unclosed quote');
  });
});
