import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('docsctl pages %s', (_, open) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
    await desk.publish(
      page('A', 'a\n', { ref: 'a' }),
      page('A1', 'a1\n', { into: 'a' }),
      page('B', 'b\n'),
      page('C', 'c\n'),
    );
  });
  afterEach(() => desk.discard());

  const tree = async (...more: string[]) => {
    const ran = await desk.done(['pages', 'list', 'Guide', '--color', 'always', ...more]);
    // oxlint-disable-next-line no-control-regex -- colors
    return ran.stdout.replaceAll(/\u001b\[\d+m/g, '');
  };
  const pages = (...words: string[]) => desk.run(['pages', ...words]);

  it('lists pages as a tree, as rows, and as JSON of the API', async () => {
    expect(await tree()).toBe('Guide\n├─ A /a\n│  └─ A1 /a/a1\n├─ B /b\n└─ C /c\n');
    const lines = (await desk.done(['pages', 'list', 'Guide', '--columns', 'path,title'])).stdout;
    expect(lines).toBe('path\ttitle\na\tA\na/a1\tA1\nb\tB\nc\tC\n');
    const { pages: whole } = JSON.parse((await desk.done(['pages', 'list', 'Guide', '-o', 'json'])).stdout);
    expect(whole[0].pages).toMatchObject([{ title: 'A1' }]);
  });

  it('creates pages in a change request, at a given position', async () => {
    writeFileSync(desk.at('new.md'), '# Heading\n\ntext\n');
    const created = await pages('create', 'Guide', 'New', '--file', 'new.md', '--after', 'A');
    expect(created).toMatchObject({
      exit: 0,
      stderr:
        'The edit is in change request 2. Merge it with `docsctl change-requests merge 2 --space Guide`.\n',
    });
    expect(await tree()).not.toContain('New');
    expect(await tree('--change-request', '2')).toContain('├─ New /new\n├─ B /b');
    await pages('create', 'Guide', 'X', 'Y', '--under', 'B', '--change-request', '2', '--merge');
    expect(await tree()).toContain('├─ New /new\n├─ B /b\n│  ├─ X /b/x\n│  └─ Y /b/y\n└─ C /c');
    expect((await pages('show', 'Guide', 'New')).stdout).toBe('# Heading\n\ntext\n');
  });

  it('moves pages in the order in which they are named', async () => {
    const moved = await pages('move', 'Guide', 'C', 'A1', '--before', 'A', '--merge', '-o', 'json');
    expect(JSON.parse(moved.stdout)).toMatchObject({ number: 2, merged: true, pages: [{}, {}] });
    expect(await tree()).toBe('Guide\n├─ C /c\n├─ A1 /a1\n├─ A /a\n└─ B /b\n');
    const after = await pages('move', 'Guide', 'C', 'A1', '--after', 'B', '--merge');
    expect(after.stdout).not.toContain('updated_page');
    expect(await tree()).toBe('Guide\n├─ A /a\n├─ B /b\n├─ C /c\n└─ A1 /a1\n');
    await pages('move', 'Guide', 'C', '--under', 'A', '--merge');
    await pages('move', 'Guide', 'C', '--top', '--merge');
    expect(await tree()).toBe('Guide\n├─ A /a\n├─ B /b\n├─ A1 /a1\n└─ C /c\n');
  });

  it('renames pages, and changes their paths only with --slug', async () => {
    await pages('rename', 'Guide', 'b', 'Second page', '--merge');
    expect(await tree()).toContain('Second page /b\n');
    await pages('rename', 'Guide', 'b', '--slug', 'second', '--merge');
    expect(await tree()).toContain('Second page /second\n');
    const same = await pages('rename', 'Guide', 'second', 'Second page');
    expect(same).toMatchObject({
      exit: 0,
      stderr: 'Nothing changed: the pages already have these values.\n',
    });
  });

  it('deletes pages with their subpages, and asks first with --merge', async () => {
    expect(await pages('delete', 'Guide', 'A', 'A1', 'B')).toMatchObject({ exit: 0 });
    expect(await tree('--change-request', '2')).toBe('Guide\n└─ C /c\n');
    expect(await pages('delete', 'Guide', 'a')).toMatchObject({ exit: 0 });
    expect((await desk.done(['cr', 'list', 'Guide', '--columns', 'subject'])).stdout).toContain('Delete A\n');
    expect(await pages('delete', 'Guide', 'A', '--merge')).toMatchObject({ exit: 9 });
    expect(await pages('delete', 'Guide', 'A', '--merge', '--yes')).toMatchObject({ exit: 0 });
    expect(await tree()).toBe('Guide\n├─ B /b\n└─ C /c\n');
  });

  it('applies changes to more than 50 pages all at once or not at all', async () => {
    const titles = Array.from({ length: 51 }, (_, index) => `P${index}`);
    await pages('create', 'Guide', 'Z', '--under', 'A1');
    const shown = async () => (await tree('--change-request', '2')).split('\n').length;
    const before = await shown();
    const place = ['--under', 'Z', '--change-request', '2'];
    const dry = await pages('create', 'Guide', ...titles, ...place, '--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ path: expect.stringMatching('/content/batch$') });
    const created = await pages('create', 'Guide', ...titles, ...place, '-o', 'json');
    expect(JSON.parse(created.stdout).pages).toHaveLength(51);
    const moved = await pages('move', 'Guide', ...titles, 'A', '--under', 'Z', '--change-request', '2');
    expect(moved).toMatchObject({ exit: 8, stderr: expect.stringContaining('cannot be moved below itself') });
    expect(await shown()).toBe(before + 51);
    expect(await tree('--change-request', '2')).toContain(' /a/a1/z/p0\n');
    expect(await pages('delete', 'Guide', ...titles, '--change-request', '2')).toMatchObject({ exit: 0 });
    expect(await shown()).toBe(before);
  });

  it('sends nothing with --dry-run', async () => {
    const dry = await pages('delete', 'Guide', 'A', '--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'POST', path: expect.stringContaining('/NEW/') });
    expect(
      JSON.parse((await desk.done(['cr', 'list', 'Guide', '--status', 'draft', '-o', 'json'])).stdout),
    ).toMatchObject({ items: [] });
  });

  it.each([
    [['move', 'Guide', 'A'], 64, 'No new position of the page is given.'],
    [['move', 'Guide', 'A', '--top', '--under', 'B'], 64, '--under and --top cannot be used together.'],
    [['move', 'Guide', 'A', '--under', 'A'], 64, '"A" cannot be moved relative to itself.'],
    [['move', 'Guide', 'A', '--under', 'A1'], 8, 'A page cannot be moved below itself.\n  option: --under\n'],
    [['create', 'Guide'], 64, 'The title of the page is missing.\nhint: Give the space and the title,'],
    [
      ['create', 'Guide', 'X', 'Y', '--slug', 'z'],
      64,
      '--file, --text, --slug and --href are for one page, not for 2.',
    ],
    [
      ['create', 'Guide', 'X', '--href', 'https://acme.test'],
      64,
      'Only a page of the type link can have an address.',
    ],
    [['create', 'Guide', 'X', '--type', 'link'], 64, 'A link needs an address.\nhint: Add --href URL.'],
    [
      ['create', 'Guide', 'X', '--type', 'group', '--file', '-'],
      8,
      'A group has no text.\nhint: Leave out --file.',
    ],
    [['rename', 'Guide', 'A'], 64, 'No new title is given.'],
    [['rename', 'Guide', 'A', '--slug', 'b'], 6, 'Another page at the same level already has the slug "b".'],
    [['delete', 'Guide', 'nowhere'], 5, 'There is no page "nowhere".'],
    [['delete', 'Guide', 'A', '--change-request', '9'], 5, 'There is no change request "9"'],
    [
      ['delete', 'Guide', 'A', '--change-request', '1', '--subject', 'x'],
      64,
      '--subject and --message apply only',
    ],
    [['list'], 64, 'No space is given.'],
  ] as const)('%j exits with %i', async (words, exit, message) => {
    const ran = await pages(...words);
    expect(ran.stderr).toContain(message);
    expect(ran.exit).toBe(exit);
    expect((await desk.done(['cr', 'list', 'Guide', '--status', 'draft', '-o', 'id'])).stdout).toBe('');
  });
});
