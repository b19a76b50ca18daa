import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readExportRecord, writeExportRecord } from '../../src/content-sync/export-record.ts';
import { filesOf, newFolder, writeFiles } from './folder-support.ts';
import { openGuideStore, page, type GuideStore } from '../cli/guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const exported = (...more: string[]) => desk.run(['spaces', 'export', 'Guide', 'out', ...more]);
const out = () => filesOf(desk.at('out'));
const edit = async (title: string, markdown: string) =>
  desk.publish({ operation: 'update_page', page: await desk.pageId(title), document: { markdown } });
const remove = async (title: string) =>
  desk.publish({ operation: 'delete_page', page: await desk.pageId(title) });

describe('exporting into a folder that was edited', () => {
  beforeEach(async () => {
    await desk.publish(page('One', '# One\n'), page('Two', '# Two\n'));
    await exported();
  });

  it('refuses to replace edited and foreign files, lists them and writes nothing', async () => {
    writeFileSync(desk.at('out', 'one.md'), 'mine');
    writeFileSync(desk.at('out', 'three.md'), 'mine too');
    await edit('One', 'changed');
    await edit('Two', 'changed');
    await desk.publish(page('Three', '3'));
    const { exit, stdout, stderr } = await exported('-o', 'json');
    expect({ exit, stdout }).toEqual({ exit: 9, stdout: '' });
    expect(JSON.parse(stderr).error.message).toContain('2 files in out would be replaced');
    expect(stderr).toContain('one.md, three.md.');
    expect(out()).toMatchObject({ 'one.md': 'mine', 'two.md': '# Two\n', 'three.md': 'mine too' });
    const dry = await exported('--dry-run', '-o', 'json');
    expect(dry.exit).toBe(0);
    expect(dry.stderr).toContain('would write two.md\n');
    expect(dry.stderr).toContain('would not replace one.md');
    expect(dry.stderr).toContain('would not replace three.md');
    expect(JSON.parse(dry.stdout)).toMatchObject({ changed: 4, edited: 2 });
    expect(out()).toMatchObject({ 'one.md': 'mine', 'two.md': '# Two\n', 'three.md': 'mine too' });
    expect((await exported('--dry-run', '--force')).stderr).toContain(
      'would replace three.md, which was edited',
    );
    expect(await exported('--force')).toMatchObject({ exit: 0 });
    expect(out()).toMatchObject({ 'one.md': 'changed', 'two.md': 'changed', 'three.md': '3' });
    await edit('One', 'again');
    expect(await exported()).toMatchObject({ exit: 0, stderr: expect.stringContaining('1 changed') });
  });

  it('replaces files that it wrote, and accepts files that already have the right content', async () => {
    writeFileSync(desk.at('out', 'one.md'), 'same');
    await edit('One', 'same');
    expect(await exported()).toMatchObject({ exit: 0, stderr: expect.stringContaining('3 unchanged') });
    await edit('One', 'other');
    expect(await exported()).toMatchObject({ exit: 0, stderr: expect.stringContaining('1 changed') });
  });

  it('recognizes the folder by any path, but not another folder or space', async () => {
    await edit('One', 'other');
    symlinkSync(desk.at('out'), desk.at('name'));
    expect(await desk.run(['spaces', 'export', 'Guide', 'name'])).toMatchObject({ exit: 0 });
    await desk.done(['spaces', 'create', '--title', 'Else']);
    const number = JSON.parse(
      (await desk.done(['cr', 'create', '--space', 'Else', '--subject', 'S', '-o', 'json'])).stdout,
    ).number;
    await desk.done(['cr', 'content', 'update', String(number), '--space', 'Else', '--body', '-'], {
      input: JSON.stringify({ changes: [page('One', 'of another')] }),
    });
    await desk.done(['cr', 'merge', String(number), '--space', 'Else']);
    expect(await desk.run(['spaces', 'export', 'Else', 'out'])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('SUMMARY.md, one.md'),
    });
  });

  it('accepts the files of an imported folder until they are edited', async () => {
    const dir = newFolder({ 'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n', 'a.md': 'a', 'b.md': 'b' });
    await desk.done(['spaces', 'create', '--title', 'Book']);
    await desk.done(['spaces', 'import', 'Book', dir]);
    const a = JSON.parse((await desk.done(['pages', 'show', 'Book', 'a.md', '-o', 'json'])).stdout).id;
    const publish = async (markdown: string) => {
      const number = JSON.parse(
        (await desk.done(['cr', 'create', '--space', 'Book', '--subject', 'S', '-o', 'json'])).stdout,
      ).number;
      const changes = [{ operation: 'update_page', page: a, document: { markdown } }];
      await desk.done(['cr', 'content', 'update', String(number), '--space', 'Book', '--body', '-'], {
        input: JSON.stringify({ changes }),
      });
      await desk.done(['cr', 'merge', String(number), '--space', 'Book']);
    };
    await publish('edited here');
    expect(await desk.run(['spaces', 'export', 'Book', dir])).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('1 changed'),
    });
    writeFileSync(join(dir, 'a.md'), 'edited there');
    // A draft is not part of the content of the space.
    await desk.done(['spaces', 'import', 'Book', dir, '--change-request']);
    expect(await desk.run(['spaces', 'export', 'Book', dir])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining(': a.md.'),
    });
    expect(filesOf(dir)['a.md']).toBe('edited there');
    rmSync(dir, { recursive: true });
  });
});

describe('--prune', () => {
  it('deletes files in a folder without a table of contents', async () => {
    const dir = newFolder({ 'README.md': '# Home\n', 'a.md': '# A\n', 'b.md': '# B\n' });
    await desk.done(['spaces', 'import', 'Guide', dir]);
    await exported();
    writeFileSync(desk.at('out', 'own.md'), 'mine');
    rmSync(join(dir, 'b.md'));
    await desk.done(['spaces', 'import', 'Guide', dir]);
    expect(await exported('--prune')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('1 deleted'),
    });
    expect(out()).toEqual({ 'README.md': '# Home\n', 'a.md': '# A\n', 'own.md': 'mine' });
    rmSync(dir, { recursive: true });
  });

  it('deletes files after exports without --prune, but edited files only with --force', async () => {
    await desk.publish(page('One', '1'), page('Two', '2'), page('Three', '3'));
    await exported();
    await remove('Two');
    await remove('Three');
    expect((await exported()).stderr).toContain('kept because --prune was not given: three.md, two.md.');
    writeFileSync(desk.at('out', 'three.md'), 'mine');
    const dry = await exported('--prune', '--dry-run');
    expect(dry.stderr).toContain('would delete two.md\n');
    expect(Object.keys(out())).toEqual(['SUMMARY.md', 'one.md', 'three.md', 'two.md']);
    expect((await exported('--prune')).stderr).toContain('--force deletes them: three.md.');
    expect(out()).toMatchObject({ 'three.md': 'mine' });
    expect(Object.keys(out())).toEqual(['SUMMARY.md', 'one.md', 'three.md']);
    expect(await exported('--prune', '--force')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('1 deleted'),
    });
    expect(Object.keys(out())).toEqual(['SUMMARY.md', 'one.md']);
  });

  it('deletes nothing without a record of the folder, except with --force', async () => {
    await desk.publish(page('One', '1'), page('Two', '2'));
    await exported();
    rmSync(join(desk.home, 'config', 'exports'), { recursive: true });
    await remove('Two');
    expect(await exported('--prune')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('SUMMARY.md'),
    });
    expect(out()).toMatchObject({ 'two.md': '2' });
    expect(await exported('--prune', '--force')).toMatchObject({ exit: 0 });
    expect(Object.keys(out())).toEqual(['SUMMARY.md', 'one.md']);
  });
});

it('keeps a record of the written files if an export fails halfway', async () => {
  await desk.publish(page('One', '1'), page('Two', '2'));
  await exported();
  await edit('One', 'new');
  await edit('Two', 'new');
  rmSync(desk.at('out', 'two.md'));
  writeFiles(desk.at('out', 'two.md'), { x: 'a folder' });
  expect(await exported()).toMatchObject({ exit: 9, stderr: expect.stringContaining('two.md exists') });
  rmSync(desk.at('out', 'two.md'), { recursive: true });
  expect(await exported()).toMatchObject({ exit: 0 });
  expect(out()).toMatchObject({ 'one.md': 'new', 'two.md': 'new' });
});

it('prints the folder with -o id', async () => {
  expect(await exported('-o', 'id')).toMatchObject({ exit: 0, stdout: `${desk.at('out')}\n` });
});

describe('the record of an export', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'docsctl-record-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  let count = 0;
  const randomBytes = (size: number) => Buffer.alloc(size, ++count);
  const folder = () => join(home, 'exports');

  it('can be read only by its owner, and returns the same paths', () => {
    const record = new Map([
      ['a.md', '1'],
      ['__proto__', '2'],
    ]);
    expect(writeExportRecord(home, { dir: '/a', spaceId: 's' }, record, randomBytes)).toBe(true);
    expect(readExportRecord(home, { dir: '/a', spaceId: 's' })).toEqual(new Map([...record].sort()));
    expect(readExportRecord(home, { dir: '/b', spaceId: 's' })).toBeUndefined();
    const [name] = readdirSync(folder());
    expect([statSync(folder()).mode & 0o777, statSync(join(folder(), name!)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect(readFileSync(join(folder(), name!), 'utf8')).toContain('"/a"');
  });

  it('is read without paths outside the folder, and ignored if it is invalid', () => {
    const place = { dir: '/a', spaceId: 's' };
    writeExportRecord(
      home,
      place,
      new Map([
        ['../../x', '1'],
        ['/etc/x', '1'],
        ['a', '2'],
      ]),
      randomBytes,
    );
    expect(readExportRecord(home, place)).toEqual(new Map([['a', '2']]));
    writeFileSync(join(folder(), readdirSync(folder())[0]!), '{');
    expect(readExportRecord(home, place)).toBeUndefined();
  });

  it('is kept for the 100 folders used last, and has at most 16 MiB', () => {
    for (let index = 0; index < 100; index++) {
      writeExportRecord(home, { dir: `/${index}`, spaceId: 's' }, new Map(), randomBytes);
      for (const name of readdirSync(folder()))
        if (readFileSync(join(folder(), name), 'utf8').includes(`"/${index}"`))
          utimesSync(join(folder(), name), 1000 + index, 1000 + index);
    }
    writeExportRecord(home, { dir: '/last', spaceId: 's' }, new Map(), randomBytes);
    expect(readdirSync(folder())).toHaveLength(100);
    expect(readExportRecord(home, { dir: '/0', spaceId: 's' })).toBeUndefined();
    expect(readExportRecord(home, { dir: '/1', spaceId: 's' })).toBeDefined();
    expect(
      writeExportRecord(
        home,
        { dir: '/last', spaceId: 's' },
        new Map([['x'.repeat(17 * 1024 * 1024), '1']]),
        randomBytes,
      ),
    ).toBe(false);
    expect(readExportRecord(home, { dir: '/last', spaceId: 's' })).toEqual(new Map());
    expect(existsSync(folder())).toBe(true);
  });
});
