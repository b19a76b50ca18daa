import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFile, writeDurably } from '../../src/stores/files.ts';

let folder: string;
let umask: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-files-'));
  umask = process.umask();
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

it.each([0o000, 0o022, 0o277])(
  'a new file is for its owner to read and write, whatever the umask (%i)',
  (mask) => {
    process.umask(mask);
    const path = join(folder, 'a');
    writeDurably(path, ['one\n', 'two\n']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    createFile(join(folder, 'empty'));
    expect(statSync(join(folder, 'empty')).mode & 0o777).toBe(0o600);
    createFile(path);
    expect(() => writeDurably(path, ['three'])).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  },
);
