import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FolderReader } from '../../src/content-sync/folder-reader.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'docsctl-reader-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'README.md'), '# Home\n\nSee [one](one.md).\n');
  writeFileSync(join(dir, 'one.md'), '# One\n\nText.\n');
  return dir;
}

it('reads a folder again only if a file in it has changed', async () => {
  const dir = newFolder();
  const reader = new FolderReader();
  const first = await reader.read(dir);
  expect(first).toEqual(await readFolder(dir));
  expect(await reader.read(dir)).toBe(first);
  const changes = [
    () => writeFileSync(join(dir, 'one.md'), '# One\n\nAnother text.\n'),
    () => writeFileSync(join(dir, 'two.md'), '# Two\n'),
    () => {
      writeFileSync(join(dir, 'one.md'), '# One\n\nAnother word.\n');
      utimesSync(join(dir, 'one.md'), 1, 1);
    },
    () => renameSync(join(dir, 'two.md'), join(dir, 'three.md')),
    () => mkdirSync(join(dir, 'more')),
    () => writeFileSync(join(dir, 'more/four.md'), '# Four\n'),
    () => rmSync(join(dir, 'three.md')),
    () => writeFileSync(join(dir, 'SUMMARY.md'), '# Summary\n\n* [Home](README.md)\n'),
  ];
  for (const change of changes) {
    change();
    expect(await reader.read(dir)).toEqual(await readFolder(dir));
  }
  const last = await reader.read(dir);
  expect(last).not.toEqual(first);
  expect(await reader.read(dir)).toBe(last);
});

it('reads a folder again for other options', async () => {
  const dir = newFolder();
  writeFileSync(join(dir, 'SUMMARY.md'), '# Summary\n\n* [Home](README.md)\n');
  const reader = new FolderReader();
  const [listed, all] = [await reader.read(dir), await reader.read(dir, { unlisted: 'hidden' })];
  expect([listed.pages.length, all.pages.length]).toEqual([1, 2]);
  expect(await reader.read(dir)).toBe(listed);
  expect(await reader.read(dir, { unlisted: 'hidden' })).toBe(all);
});

it('keeps nothing of a folder that could not be read', async () => {
  const dir = newFolder();
  const reader = new FolderReader();
  await reader.read(dir);
  for (const file of ['README.md', 'one.md']) rmSync(join(dir, file));
  for (let turn = 0; turn < 2; turn++)
    await expect(reader.read(dir)).rejects.toMatchObject({ reason: 'invalid-input' });
  writeFileSync(join(dir, 'README.md'), '# Back\n');
  expect((await reader.read(dir)).pages.map(({ title }) => title)).toEqual(['Back']);
});
