import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFile, isFile, writeDurably } from '../../src/stores/files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([0o000, 0o022, 0o277])(
  'creates files that only their owner can read and write, with umask %i',
  (mask) => {
    const [written, empty] = [join(folder, 'written'), join(folder, 'empty')];
    const before = process.umask(mask);
    try {
      writeDurably(written, ['one\n', 'two\n']);
      createFile(empty);
    } finally {
      process.umask(before);
    }
    for (const path of [written, empty]) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(written, 'utf8')).toBe('one\ntwo\n');
  },
);

it('does not change a file that exists', () => {
  const path = join(folder, 'a');
  writeDurably(path, ['one\n']);
  createFile(path);
  expect(() => writeDurably(path, ['two'])).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(readFileSync(path, 'utf8')).toBe('one\n');
});

it('a link or folder in the place of any file of a store, such as its key, is named', () => {
  const [link, directory] = [join(folder, 'a.key'), join(folder, 'b.key')];
  symlinkSync(folder, link);
  mkdirSync(directory);
  expect(() => isFile(link)).toThrow(`${link} is a symbolic link.`);
  expect(() => isFile(directory)).toThrow(`${directory} is not a file.`);
  for (const path of [link, directory]) expect(() => isFile(path)).not.toThrow('The store');
});
