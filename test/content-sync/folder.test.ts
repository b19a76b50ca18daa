import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFolder } from '../../src/content-sync/folder.ts';
import { newFolder } from './folder-support.ts';

let dir: string;
beforeEach(() => (dir = newFolder({ 'a.md': 'four' })));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Returns the lowest free file descriptor, which the next opened file will get. */
const nextDescriptor = (): number => {
  const file = openSync(join(dir, 'a.md'), 'r');
  closeSync(file);
  return file;
};

it('closes a file after reading it, and after refusing it', async () => {
  const { read } = await openFolder(dir);
  const free = nextDescriptor();
  expect(read('a.md', 4).toString()).toBe('four');
  expect(() => read('a.md', 3)).toThrow('The file a.md is 4 bytes; the limit is 3 bytes.');
  expect(nextDescriptor()).toBe(free);
});

it('refuses a path that is not a folder', async () => {
  const file = join(dir, 'a.md');
  await expect(openFolder(file)).rejects.toThrow(`${file} is not a folder.`);
  await expect(openFolder(join(dir, 'b'))).rejects.toThrow(`There is no folder ${join(dir, 'b')}.`);
});
