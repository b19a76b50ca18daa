import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitOid } from '../../src/content/hashing.ts';
import { hashFileInside } from '../../src/content-sync/write-folder.ts';
import { temporaryFolder } from '../stores/fixtures.ts';

it('hashes a file like git, but not one of more than 64 MiB', () => {
  const dir = temporaryFolder();
  for (const size of [0, 100, 100_000]) {
    const bytes = Buffer.alloc(size, 'x');
    writeFileSync(join(dir, 'a.md'), bytes);
    expect(hashFileInside(dir, 'a.md')).toBe(gitOid(bytes));
  }
  truncateSync(join(dir, 'a.md'), 64 * 1024 * 1024 + 1);
  expect(hashFileInside(dir, 'a.md')).toBe('');
});

it('hashes only regular files', () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'folder'));
  writeFileSync(join(dir, 'a.md'), 'x');
  symlinkSync('a.md', join(dir, 'link.md'));
  expect(hashFileInside(dir, 'none.md')).toBeUndefined();
  for (const [path, message] of [
    ['folder', 'folder exists and is not a regular file.'],
    ['link.md', 'link.md exists and is a symbolic link.'],
    ['a.md/b', 'a.md exists and is not a folder.'],
  ] as const)
    expect(() => hashFileInside(dir, path), path).toThrow(
      expect.objectContaining({ reason: 'guard-refused', message }),
    );
});
