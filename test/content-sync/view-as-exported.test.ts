import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareExported } from '../../src/content-sync/compare-folder.ts';
import { viewAsExported } from '../../src/content-sync/view-as-exported.ts';
import { planImport } from '../../src/content-sync/plan-import.ts';
import { planReimport } from '../../src/content-sync/plan-reimport.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { countChanges } from '../../src/content-sync/send-import.ts';
import { page } from '../resources/content-support.ts';
import { createWorld } from '../support/world.ts';
import { newFolder, openShelf, writeFiles, type Shelf } from './folder-support.ts';
import type { ContentChange } from '../../src/content/changes.ts';

let shelf: Shelf;
let dir: string;
beforeEach(async () => {
  shelf = await openShelf(await createWorld());
  dir = newFolder();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = async (): Promise<void> =>
  writeFiles(
    dir,
    Object.fromEntries(
      Object.entries(await shelf.exportFiles()).map(([path, text]) => [path, Buffer.from(text, 'latin1')]),
    ),
  );
const reimport = async () => {
  const folder = await readFolder(dir);
  return planReimport(viewAsExported(await shelf.content.read(true), folder).content, folder);
};
const file = (name: string): ContentChange => ({
  operation: 'insert_files',
  files: [{ name, contentType: 'image/png', base64: Buffer.from(name).toString('base64') }],
});

describe('a space as it was exported', () => {
  beforeEach(async () => {
    await shelf.publish(
      page('Start'),
      page('A title so long that no file is called by the whole of it, whatever it says'),
      page('Two  spaces'),
      file('a.png'),
    );
    await write();
  });

  it('differs from its folder only in the table of contents, which an import ignores', async () => {
    const folder = await readFolder(dir);
    expect(countChanges(planImport(await shelf.content.read(false), folder))).toBeGreaterThan(3);
    expect(await reimport()).toEqual({
      pages: [],
      texts: [expect.objectContaining({ role: 'summary' })],
      files: [],
      deletedFiles: [],
    });
  });

  it('keeps its files in an import of the folder, even in another order', async () => {
    await shelf.publish(file('a.png'), file('b.png'));
    await write();
    const content = await shelf.content.read(false);
    const { files } = planImport(content, await readFolder(dir));
    expect(files).toHaveLength(content.files.length);
    expect(files.map(({ replaces }) => replaces).sort()).toEqual(content.files.map(({ id }) => id).sort());
  });

  it('has a git ID for every file, also for files without one in the space', async () => {
    const { files } = viewAsExported(await shelf.content.read(true), await readFolder(dir));
    expect(files.map(({ oid }) => oid.length)).toEqual(files.map(() => 40));
    writeFiles(dir, { '.gitbook/assets/a.png': 'a.pnG' });
    expect(
      viewAsExported(await shelf.content.read(true), await readFolder(dir)).files.find(({ path }) =>
        path.endsWith('.png'),
      )!.oid,
    ).toBe('');
    const [{ id } = { id: '' }] = (await shelf.content.read(false)).files;
    expect((await reimport()).files).toMatchObject([{ replaces: id }]);
  });

  it('detects an edit, and changes no slug with it', async () => {
    writeFiles(dir, { 'start.md': '# Edited\n' });
    const [start] = await shelf.pages();
    expect((await reimport()).pages).toEqual([
      {
        operation: 'update_page',
        page: start!.id,
        document: { markdown: '# Edited\n' },
        git: { path: 'start.md' },
      },
    ]);
  });

  it('recognizes a file that was renamed', async () => {
    rmSync(join(dir, 'start.md'));
    const summary = Buffer.from((await shelf.exportFiles())['SUMMARY.md']!, 'latin1').toString();
    writeFiles(dir, { 'begin.md': '# Start\n', 'SUMMARY.md': summary.replace('start.md', 'begin.md') });
    const [start] = await shelf.pages();
    expect((await reimport()).pages).toEqual([
      expect.objectContaining({
        operation: 'update_page',
        page: start!.id,
        slug: 'begin',
        git: { path: 'begin.md' },
      }),
    ]);
  });

  it('keeps pages and files made by hand, even if the folder has others with the same text', async () => {
    await shelf.publish(
      page('Own', { document: { markdown: 'same' } }),
      page('Other', { document: { markdown: 'same' } }),
      file('own.png'),
    );
    const summary = Buffer.from((await shelf.exportFiles())['SUMMARY.md']!, 'latin1').toString();
    writeFiles(dir, {
      'new.md': 'same',
      'SUMMARY.md': `${summary.replace(/.*(own|other)\.md.*\n/g, '')}* [New](new.md)\n`,
    });
    const plan = await reimport();
    expect(plan.pages.map(({ operation }) => operation)).toEqual(['insert_page']);
    expect(plan.deletedFiles).toEqual([]);
  });
});

describe('the slug of a page', () => {
  it('is given up if a new page needs it', async () => {
    await shelf.publish(page('Old', { slug: 'new', git: { path: 'old.md' } }));
    await write();
    writeFiles(dir, { 'SUMMARY.md': '* [Old](old.md)\n* [New](new.md)\n', 'new.md': 'new' });
    const [old] = await shelf.pages();
    expect((await reimport()).pages).toMatchObject([
      { operation: 'update_page', page: old!.id, slug: 'old' },
      { operation: 'insert_page', slug: 'new' },
    ]);
    writeFiles(dir, { 'SUMMARY.md': '* [Old](old.md)\n* [Other](other.md)\n', 'other.md': 'new' });
    rmSync(join(dir, 'new.md'));
    expect((await reimport()).pages.map(({ operation }) => operation)).toEqual(['insert_page']);
  });
});

describe('the slug of a group', () => {
  const group = { operation: 'insert_page', type: 'group', document: {}, title: 'Use' } as const;

  it('is kept if its heading has none, even if a page has the slug of its title', async () => {
    await shelf.publish(page('Use', { git: { path: 'a.md' } }), group);
    await write();
    expect((await shelf.pages()).map(({ slug }) => slug)).toEqual(['use', 'use-1']);
    writeFiles(dir, { 'a.md': 'edited' });
    expect((await reimport()).pages).toMatchObject([
      { page: (await shelf.pages())[0]!.id, document: { markdown: 'edited' } },
    ]);
    expect(JSON.stringify(await reimport())).not.toContain('"slug"');
  });

  it('follows the anchor of its heading, and is kept if a new title gives the same slug', async () => {
    await shelf.publish(page('Start'), { ...group, slug: 'own' });
    await write();
    const [, { id } = { id: '' }] = await shelf.pages();
    writeFiles(dir, { 'SUMMARY.md': '* [Start](start.md)\n\n## Use <a href="#other" id="other"></a>\n' });
    expect((await reimport()).pages).toEqual([{ operation: 'update_page', page: id, slug: 'other' }]);
    writeFiles(dir, { 'SUMMARY.md': '* [Start](start.md)\n\n## Own\n' });
    expect((await reimport()).pages).toEqual([{ operation: 'update_page', page: id, title: 'Own' }]);
  });
});

describe('an empty group', () => {
  it('is not changed by an import of the folder', async () => {
    await shelf.publish(page('Start', { slug: 'use' }), {
      operation: 'insert_page',
      type: 'group',
      document: {},
      title: 'Use',
    });
    await write();
    expect((await reimport()).pages).toEqual([]);
    writeFiles(dir, { 'SUMMARY.md': '* [Start](use.md)\n' });
    expect((await reimport()).pages).toEqual([]);
  });
});

describe('a hidden page that is not in the table of contents', () => {
  it('is exported with its title in the front matter if its text gives another title', async () => {
    writeFiles(dir, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'a', 'notes.md': '# Notes\n' });
    await shelf.importFolder(dir, { unlisted: 'hidden' });
    const notes = (await shelf.pages()).find(({ title }) => title === 'Notes')!;
    expect((await shelf.exported()).unlisted).toBe(1);
    expect((await shelf.exportFiles())['notes.md']).toBe('# Notes\n');
    await shelf.publish({ operation: 'update_page', page: notes.id, title: 'Remarks' });
    expect((await shelf.exportFiles())['notes.md']).toBe('---\ntitle: Remarks\n---\n\n# Notes\n');
  });
});

describe('importing a folder that was just exported', () => {
  const source = {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'petshop' } } },
  } as const;
  const insert = (type: 'group' | 'link' | 'computed', title: string, more: object): ContentChange => ({
    operation: 'insert_page',
    type,
    document: {},
    title,
    ...more,
  });
  const planned = async () =>
    (await compareExported(shelf.content, await readFolder(dir), dir)).plan as { pages: unknown };

  beforeEach(async () => {
    await shelf.publish(
      page('One', { description: 'a: b', emoji: '📘', noIndex: true }),
      page('One', { slug: '7' }),
      insert('group', 'Use', { slug: 'own', linkTitle: 'Not in a heading' }),
      insert('link', 'Out', { href: 'https://example.com/a b' }),
      insert('computed', 'API', { computed: source }),
    );
    await write();
  });

  it('changes nothing', async () => {
    expect(await planned()).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
  });

  it('changes only the page that was edited in the folder', async () => {
    writeFiles(dir, { '7.md': 'edited' });
    const id = (await shelf.pages()).find(({ slug }) => slug === '7')!.id;
    expect((await planned()).pages).toEqual([
      { operation: 'update_page', page: id, document: { markdown: 'edited' }, git: { path: '7.md' } },
    ]);
  });
});

it('moves every page and file if only the root changes', async () => {
  const files = { 'docs/a.md': '# A\n\n![](b.png)\n', 'docs/b.png': 'b', 'docs/c.md': '# C\n' };
  writeFiles(dir, files);
  await shelf.importFolder(dir);
  for (const settings of ['root: docs\n', '{}\n']) {
    writeFiles(dir, { '.gitbook.yaml': settings });
    const folder = await readFolder(dir);
    const { plan } = await compareExported(shelf.content, folder, dir);
    await shelf.send(plan);
    expect(await shelf.exportFiles()).toMatchObject({ ...files, '.gitbook.yaml': settings });
    expect(countChanges((await compareExported(shelf.content, folder, dir)).plan)).toBe(0);
  }
});
