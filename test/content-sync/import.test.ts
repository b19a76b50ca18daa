import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openContent } from '../../src/content-sync/space-content.ts';
import { planImport } from '../../src/content-sync/plan-import.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { sendImport } from '../../src/content-sync/send-import.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import * as spaceFiles from '../../src/resources/content/space-files/contract.ts';
import { openDesk, outline, page, type Desk } from '../resources/content-support.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let desk: Desk;
let dir: string;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
  dir = await mkdtemp(join(tmpdir(), 'docsctl-import-'));
  await cp('test/samples/handbook', dir, { recursive: true });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const plan = async (folder = dir) => {
  const content = await openContent(
    world.as('read'),
    { spaceId: desk.spaceId },
    new AbortController().signal,
  );
  return planImport(await content.read(false), await readFolder(folder));
};
/** Imports a folder like the command: one change request, several batches, a merge. */
const importFolder = async (folder = dir) => {
  const { number } = await desk.createRequest();
  let batches = 0;
  await sendImport(await plan(folder), (changes) => {
    batches++;
    return world.as('edit').call(batchContent, { params: desk.at(number), body: { changes } });
  });
  await desk.merge(number);
  return batches;
};
const nothing = { pages: [], texts: [], files: [], deletedFiles: [] };
const flat = (pages: readonly PageBody[]): PageBody[] =>
  pages.flatMap((each) => [each, ...flat(each.pages ?? [])]);
const edit = async (path: string, change: (text: string) => string) =>
  writeFile(join(dir, path), change(await readFile(join(dir, path), 'utf8')));

describe('importing a folder', () => {
  it('creates its pages and files', async () => {
    await importFolder();
    expect(outline(await desk.pages())).toEqual([
      'readme',
      'quick-start',
      [
        'guides',
        [
          'guides/install',
          [
            'guides/deploy',
            ['guides/deploy/one-machine', ['guides/deploy/proxy', ['guides/deploy/proxy/tls']]],
          ],
          'guides/back-up',
        ],
      ],
      [
        'reference',
        [
          'reference/commands',
          'reference/settings',
          'reference/limits',
          'reference/glossary',
          'https://example.com/handbook',
        ],
      ],
    ]);
    const pages = flat(await desk.pages());
    expect(pages.find(({ path }) => path === 'readme')).toMatchObject({
      title: 'Welcome',
      description: 'What this handbook is for',
      icon: 'book',
      git: { path: 'README.md' },
    });
    expect(pages.find(({ path }) => path === 'guides/deploy/one-machine')!.markdown).toBe(
      await readFile(join(dir, 'guides/deploy/one-machine.md'), 'utf8'),
    );
    expect(
      (await world.as('read').call(spaceFiles.listFiles, { params: { spaceId: desk.spaceId } })).items,
    ).toMatchObject([{ name: 'logo.png', dimensions: { width: 16, height: 8 } }, { name: 'data.json' }]);
  });

  it('changes nothing the second time', async () => {
    await importFolder();
    expect(await plan()).toEqual(nothing);
    const { revision } = await desk.space();
    expect(await importFolder()).toBe(0);
    expect((await desk.pages()).length).toBe(4);
    expect((await desk.space()).revision).not.toBe(revision);
  });

  it('edits, moves, adds and deletes pages according to the folder', async () => {
    await importFolder();
    const before = new Map(
      flat(await desk.pages()).map((each) => [
        each.git!.path + (each.type === 'document' ? '' : each.title),
        each.id,
      ]),
    );
    await edit('guides/install.md', (text) =>
      text.replace('description: Three ways to install\n', '').concat('More.\n'),
    );
    await edit('SUMMARY.md', (text) =>
      text
        .replace('* [Quick start](quick-start.md)\n', '')
        .replace('* [Settings](reference/settings.md)\n', '')
        .replace(
          '* [Install](guides/install.md)',
          '* [Settings](reference/settings.md)\n  * [Install it](guides/install.md)\n* [Notes](notes.md)',
        )
        .replace('## Reference', '## Look up'),
    );
    await edit('reference/commands.md', (text) => text.replace('[data](data.json)', 'data'));
    const changes = await plan();
    expect(changes.deletedFiles).toHaveLength(1);
    expect(changes.files).toEqual([]);
    await importFolder();
    expect(outline(await desk.pages())).toEqual([
      'readme',
      [
        'guides',
        [
          ['guides/settings', ['guides/settings/install']],
          'guides/notes',
          [
            'guides/deploy',
            ['guides/deploy/one-machine', ['guides/deploy/proxy', ['guides/deploy/proxy/tls']]],
          ],
          'guides/back-up',
        ],
      ],
      ['look-up', ['look-up/commands', 'look-up/limits', 'look-up/glossary', 'https://example.com/handbook']],
    ]);
    const after = flat(await desk.pages());
    const install = after.find(({ git }) => git?.path === 'guides/install.md')!;
    expect(install).toMatchObject({ id: before.get('guides/install.md'), title: 'Install it' });
    expect(install).not.toHaveProperty('description');
    expect(after.find(({ git }) => git?.path === 'reference/settings.md')!.id).toBe(
      before.get('reference/settings.md'),
    );
    expect(await plan()).toEqual(nothing);
  });

  it('does not change pages that were created by hand', async () => {
    await desk.publish(page('By hand'), page('Welcome', { slug: 'readme' }));
    const [byHand, welcome] = (await desk.pages()).map(({ id }) => id);
    await importFolder();
    const pages = await desk.pages();
    expect(pages[0]).toMatchObject({ id: byHand, title: 'By hand' });
    expect(pages[1]).toMatchObject({ id: welcome, title: 'Welcome', git: { path: 'README.md' } });
    await edit('SUMMARY.md', () => '* [Welcome](README.md)\n');
    await importFolder();
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['By hand', 'Welcome']);
    expect(await plan()).toEqual(nothing);
  });

  it('reverts an imported page that was edited in the space', async () => {
    await importFolder();
    const [welcome] = await desk.pages();
    await desk.publish({
      operation: 'update_page',
      page: welcome!.id,
      document: { markdown: 'vandalised' },
      title: 'X',
      at: 3,
    });
    await importFolder();
    expect((await desk.pages())[0]).toMatchObject({
      id: welcome!.id,
      title: 'Welcome',
      markdown: welcome!.markdown,
    });
    expect(await plan()).toEqual(nothing);
  });
});

describe('documentation with a root, groups and links', () => {
  it('is imported completely, and a second import changes nothing', async () => {
    const sample = 'test/samples/product-docs';
    const { pages, files, warnings } = await readFolder(sample);
    expect(warnings.map(({ rule, message }) => [rule, message.split(',')[0]])).toEqual([
      ['other-syntax', 'has {% unknown-tag foo="bar" %}'],
    ]);
    expect(files.map(({ path }) => path)).toEqual([
      '.gitbook/assets/Steam (1).png',
      '.gitbook/assets/cover.svg',
    ]);
    await importFolder(sample);
    const imported = flat(await desk.pages());
    expect(imported.filter(({ type }) => type === 'document')).toHaveLength(13);
    expect(imported.filter(({ type }) => type === 'link')).toHaveLength(1);
    expect(pages.filter(({ type }) => type === 'group')).toHaveLength(3);
    expect(imported).toHaveLength(13 + 1 + 3);
    expect(imported.find(({ title }) => title === 'On Linux')).toMatchObject({
      path: 'getting-started/install/linux',
    });
    expect(await plan(sample)).toEqual(nothing);
  });
});
