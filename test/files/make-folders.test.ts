import {
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkFolder, makeFolders } from '../../src/files/make-folders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-folders-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('creates missing folders with the given mode, and does not change existing ones', () => {
  const path = join(folder, 'a', 'b', 'c');
  makeFolders(path, 0o700);
  expect(statSync(path).isDirectory()).toBe(true);
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
  writeFileSync(join(path, 'kept'), '');
  makeFolders(path);
  expect(statSync(join(path, 'kept')).isFile()).toBe(true);
});

it('fails if a file is in the path', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolders(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolders(join(folder, 'file', 'a'))).toThrow('ENOTDIR');
});

// Node's own recursive mkdir never returns for this path.
it.runIf(process.platform === 'linux')('fails if no folder can be created', () => {
  expect(() => makeFolders('/proc/docsctl/a')).toThrow('ENOENT');
});

it('checks whether files can be written into a folder, without creating it', () => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(folder, join(folder, 'link'));
  const real = realpathSync(folder);
  expect(checkFolder(folder, 'out')).toBe(real);
  expect(checkFolder(join(folder, 'link', 'a', 'b'), 'out')).toBe(join(real, 'a', 'b'));
  expect(readdirSync(folder)).toEqual(['file', 'link']);
  expect(() => checkFolder(join(folder, 'file', 'a'), 'out')).toThrow(
    'Files cannot be written into the folder out: a part of its path is a file.',
  );
});
