import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

describe.each([
  ['on an embedded store', openGuideStore],
  ['on a server', openGuideServer],
])('docsctl update --edit %s', (_, open) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
  });
  afterEach(() => desk.discard());

  /** Creates a program that is used as the editor. Its last argument is the path of the file. */
  const editor = (code: string): Record<string, string> => {
    writeFileSync(
      desk.at('editor.mjs'),
      `import fs from 'node:fs';\nconst file = process.argv.at(-1);\nconst text = fs.readFileSync(file, 'utf8');\nfs.writeFileSync(${JSON.stringify(desk.at('seen'))}, text);\n${code}\n`,
    );
    return { EDITOR: `"${process.execPath}" '${desk.at('editor.mjs')}'`, TMPDIR: desk.home };
  };
  const replace = (from: string, to: string) =>
    editor(`fs.writeFileSync(file, text.replace(${JSON.stringify(from)}, ${JSON.stringify(to)}));`);
  const run = (env: Record<string, string>, ...words: string[]) => desk.run(words, { attended: true, env });
  const seen = () => readFileSync(desk.at('seen'), 'utf8');

  it('sends only the fields that were changed in the editor, after it printed the diff', async () => {
    const ran = await run(
      replace('title: Guide', 'title: Manual'),
      'spaces',
      'edit',
      'Guide',
      '--yes',
      '--trace',
    );
    expect(ran).toMatchObject({ exit: 0 });
    expect(seen()).toContain('\ntitle: Guide\n');
    expect(seen()).toMatch(/^#language:$/m);
    expect(ran.stderr).toContain('-title: Guide\n+title: Manual\n');
    expect(ran.stderr.match(/^PATCH .*$/gm)).toHaveLength(1);
    expect((await desk.done(['spaces', 'list', '-o', 'tsv', '--columns', 'title'])).stdout).toBe(
      'title\nManual\n',
    );
  });

  it('removes fields that were deleted, and shows values of options in the editor', async () => {
    await desk.done(['spaces', 'update', 'Guide', '--emoji', '📘']);
    const env = replace('emoji: 📘\n', '');
    const ran = await run(
      env,
      'spaces',
      'update',
      'Guide',
      '--edit',
      '--language',
      'de',
      '--dry-run',
      '-o',
      'json',
    );
    expect(seen()).toContain('language: de\n');
    expect(JSON.parse(ran.stdout)).toMatchObject({ method: 'PATCH', body: { emoji: null, language: 'de' } });
  });

  it('edits a resource that the API can only list', async () => {
    await desk.done(['sites', 'create', '--title', 'Docs']);
    await desk.done(['sites', 'sections', 'add', 'Guide', '--site', 'Docs', '--title', 'Start']);
    const env = replace('title: Start', 'title: Begin');
    const ran = await run(env, 'sites', 'sections', 'edit', 'Start', '--site', 'Docs', '--yes', '-o', 'json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ title: 'Begin' });
  });

  it('sends nothing if nothing was changed', async () => {
    expect(await run(editor(''), 'spaces', 'edit', 'Guide')).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: 'Nothing was changed, so nothing was sent.\n',
    });
  });

  it('does not open the editor if fields are given, and otherwise needs a terminal', async () => {
    const ran = await desk.done(['spaces', 'edit', 'Guide', '--title', 'Manual', '-o', 'json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ title: 'Manual' });
    expect(await desk.run(['spaces', 'edit', 'Manual'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('An editor needs a terminal'),
    });
  });

  it('keeps the edited text if it cannot be sent', async () => {
    const keptIn = (stderr: string) => /Your text is kept\s+in\s+(\S+\.yaml)/.exec(stderr)?.[1] ?? '';
    const bad = await run(replace('title: Guide', 'titel: Guide'), 'spaces', 'edit', 'Guide', '--yes');
    expect(bad).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('The value of "title" cannot be removed.'),
    });
    const unknown = await run(
      replace('title: Guide', 'title: Guide\ntitel: x'),
      'spaces',
      'edit',
      'Guide',
      '--yes',
    );
    expect(unknown).toMatchObject({ exit: 8, stderr: expect.stringContaining('(did you mean title?)') });
    const list = await run(editor("fs.writeFileSync(file, '- a');"), 'spaces', 'edit', 'Guide', '--yes');
    expect(list).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('The edited text has no fields.'),
    });
    for (const { stderr } of [bad, unknown, list]) expect(existsSync(keptIn(stderr))).toBe(true);
    const failed = await run(editor('process.exit(1);'), 'spaces', 'edit', 'Guide');
    expect(failed).toMatchObject({ exit: 9, stderr: expect.stringContaining('nothing was sent') });
  });

  it('refuses to edit several resources at once', async () => {
    await desk.done(['spaces', 'create', '--title', 'Other']);
    expect(await run(editor(''), 'spaces', 'update', 'Guide', 'Other', '--edit')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('Only one space can be edited at a time, not 2.'),
    });
  });
});
