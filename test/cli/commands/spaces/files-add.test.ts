import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('spaces files add %s', (_, open) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
    writeFileSync(desk.at('logo.png'), png);
    writeFileSync(desk.at('table.csv'), 'a,b\n');
  });
  afterEach(() => desk.discard());

  const add = (...words: string[]) => desk.run(['spaces', 'files', 'add', ...words]);
  const files = async (): Promise<object[]> =>
    JSON.parse((await desk.done(['spaces', 'files', 'list', 'Guide', '-o', 'json'])).stdout).items;

  it('adds a file with its type, and prints Markdown that shows it', async () => {
    const { stdout } = await add('Guide', 'logo.png', '--merge', '-o', 'json');
    const file = JSON.parse(stdout) as { id: string; markdown: string };
    expect(file).toMatchObject({
      name: 'logo.png',
      contentType: 'image/png',
      size: png.length,
      markdown: `![logo](/files/${file.id})`,
      number: 1,
      merged: true,
    });
    expect(await files()).toMatchObject([
      { id: file.id, name: 'logo.png', contentType: 'image/png', dimensions: { width: 1, height: 1 } },
    ]);
    await desk.publish(page('Start', `${file.markdown}\n`));
    const links = await desk.done(['spaces', 'links', 'Guide', '-o', 'json']);
    expect(JSON.parse(links.stdout).items).toMatchObject([
      { status: 'ok', targetReference: { file: file.id } },
    ]);
  });

  it('adds the file to a change request, to which more files can be added', async () => {
    const first = await add('Guide', 'logo.png');
    expect([first.exit, first.stderr]).toEqual([
      0,
      'The edit is in change request 1. Merge it with `docsctl change-requests merge 1 --space Guide`.\n',
    ]);
    const second = await desk.run(
      ['spaces', 'files', 'add', '--space', 'Guide', '-', '--name', 'b.csv', '--change-request', '1'],
      { input: 'x\n' },
    );
    expect(second.stdout).toMatch(/^markdown\s+\{% file src="\/files\/fil_\w+" %\}$/m);
    expect(await files()).toEqual([]);
    await desk.done(['cr', 'merge', '1', '--space', 'Guide']);
    expect(await files()).toMatchObject([{ name: 'logo.png' }, { name: 'b.csv', contentType: 'text/csv' }]);
  });

  it('adds several files with one change request, or none of them', async () => {
    const same = await add('Guide', 'logo.png', desk.at('logo.png'));
    expect([same.exit, same.stderr]).toEqual([
      6,
      expect.stringContaining('Several files have the name logo.png.'),
    ]);
    const named = await add('Guide', 'logo.png', 'table.csv', '--name', 'x');
    expect([named.exit, named.stderr]).toEqual([64, expect.stringContaining('apply to a single file.')]);
    expect((await add('Guide', 'logo.png', 'table.csv', '--dry-run')).stderr).toContain(
      `logo.png (image/png, ${png.length} bytes), table.csv (text/csv, 4 bytes) would be added.`,
    );
    const { stdout, stderr } = await add('Guide', 'logo.png', 'table.csv', '--columns', 'name,markdown');
    expect(stdout).toMatch(
      /^name\tmarkdown\nlogo\.png\t!\[logo\]\(\/files\/fil_\w+\)\ntable\.csv\t\{% file src="\/files\/fil_\w+" %\}\n$/,
    );
    expect(stderr).toContain('The edit is in change request 1.');
    await desk.done(['cr', 'merge', '1', '--space', 'Guide']);
    expect(await files()).toMatchObject([{ name: 'logo.png' }, { name: 'table.csv', size: 4 }]);
    writeFileSync(desk.at('new.csv'), 'x\n');
    expect((await add('Guide', 'new.csv', 'table.csv', '--merge')).exit).toBe(6);
    expect(await files()).toHaveLength(2);
    const json = await add('--space', 'Guide', 'new.csv', desk.at('logo2.png'), '-o', 'json');
    expect(json.exit).toBe(8);
    for (const half of ['a.bin', 'b.bin']) writeFileSync(desk.at(half), Buffer.alloc(5 * 1024 * 1024));
    expect(await add('Guide', 'a.bin', 'b.bin', '--dry-run')).toMatchObject({ exit: 0 });
    writeFileSync(desk.at('b.bin'), Buffer.alloc(5 * 1024 * 1024 + 1));
    expect((await add('Guide', 'a.bin', 'b.bin')).stderr).toContain('together are larger than 10 MiB.');
    writeFileSync(desk.at('logo2.png'), png);
    const done = await add('--space', 'Guide', 'new.csv', 'logo2.png', '-o', 'json');
    expect(JSON.parse(done.stdout)).toMatchObject({
      number: 2,
      merged: false,
      files: [{ name: 'new.csv' }, { name: 'logo2.png' }],
    });
  });

  it('replaces a file with --replace only, and the file keeps its ID', async () => {
    await add('Guide', 'table.csv', '--merge');
    const [before] = (await files()) as { id: string }[];
    writeFileSync(desk.at('table.csv'), 'a,b,c\n');
    const refused = await add('Guide', 'table.csv');
    expect([refused.exit, refused.stderr]).toEqual([
      6,
      expect.stringMatching(
        `^error: The space already has a file table.csv.\nhint: To replace it, add --replace ${before?.id}. `,
      ),
    ]);
    await add('Guide', 'table.csv', '--replace', 'table.csv', '--merge', '--content-type', 'text/plain');
    expect(await files()).toMatchObject([{ id: before?.id, size: 6, contentType: 'text/plain' }]);
    const same = await add('Guide', 'table.csv', '--replace', 'table.csv', '--content-type', 'text/plain');
    expect(same.stderr).toBe('Nothing changed: the space already has this file.\n');
    await add('Guide', 'logo.png', '--merge');
    const clash = await add('Guide', 'table.csv', '--replace', 'table.csv', '--name', 'logo.png');
    expect(clash).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('Give another name with --name.'),
    });
  });

  it('sends nothing with --dry-run, and refuses files that it cannot add', async () => {
    const dry = await add('Guide', 'logo.png', '--dry-run');
    expect(dry.stderr).toBe(
      `Dry run: logo.png (image/png, ${png.length} bytes) would be added. Nothing was sent.\n`,
    );
    expect(await files()).toEqual([]);
    writeFileSync(desk.at('large.bin'), Buffer.alloc(10 * 1024 * 1024 + 1));
    for (const [words, exit, message] of [
      [['large.bin'], 8, 'large.bin is larger than 10 MiB.'],
      [['none.png'], 8, 'none.png'],
      [['logo.png', '--replace', 'none'], 5, 'none'],
      [['logo.png', '--content-type', 'picture'], 8, '"picture" is not a content type.'],
      [[], 64, 'No file is given.'],
    ] as const) {
      const ran = await add('Guide', ...words);
      expect([words, ran.exit, ran.stderr]).toEqual([words, exit, expect.stringContaining(message)]);
    }
    expect((await desk.run(['spaces', 'files', 'add', 'Guide', '-'], { input: 'x' })).exit).toBe(64);
    expect(JSON.parse((await desk.done(['cr', 'list', 'Guide', '-o', 'json'])).stdout).items).toEqual([]);
  });
});
