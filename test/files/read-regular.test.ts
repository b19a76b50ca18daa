import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRegular, readRegularBytes, reasonOf } from '../../src/files/read-regular.ts';
import { temporaryFolder } from '../stores/fixtures.ts';

function fileWith(bytes: string | Uint8Array): string {
  const path = join(realpathSync(temporaryFolder()), 'file');
  writeFileSync(path, bytes);
  return path;
}

describe('reading a regular file', () => {
  it('reads at most the given number of bytes', () => {
    expect(readRegular(fileWith('ü!'), 3)).toEqual({ text: 'ü!', bytes: 3 });
    expect(readRegular(fileWith(''), 0)).toEqual({ text: '', bytes: 0 });
    expect(readRegular(fileWith('ü!!'), 3)).toEqual({ refused: 'is larger than 3 bytes' });
    expect(readRegular(fileWith('ü!!'), 4)).toEqual({ text: 'ü!!', bytes: 4 });
  });

  it('shows the limit with a unit', () => {
    const refused = (limit: number) => readRegular(fileWith(new Uint8Array(limit + 1)), limit);
    expect(refused(1024 * 1024 - 1)).toEqual({ refused: 'is larger than 1048575 bytes' });
    expect(refused(1024 * 1024)).toEqual({ refused: 'is larger than 1 MiB' });
    expect(refused(1024 * 1024 + 1)).toEqual({ refused: 'is larger than 2 MiB' });
  });

  it.runIf(process.platform === 'linux')('reads a file of unknown size completely', () => {
    const path = `/proc/${process.pid}/stat`;
    expect(readRegular(path, 1_000_000)).toMatchObject({ text: expect.stringMatching(/^\d+ /) });
    expect(readRegular(path, 3)).toEqual({ refused: 'is larger than 3 bytes' });
  });

  it('requires UTF-8 only if the file is read as text', () => {
    const path = fileWith(Uint8Array.of(0xff));
    expect(readRegular(path, 9)).toEqual({ refused: 'is not UTF-8 text' });
    expect(readRegularBytes(path, 9)).toEqual({ bytes: Buffer.of(0xff) });
  });
});

it('refuses folders, devices, and symbolic links in any part of the path', () => {
  const path = fileWith('a');
  const folder = join(path, '..');
  symlinkSync(path, join(folder, 'link'));
  mkdirSync(join(folder, 'real'));
  writeFileSync(join(folder, 'real/file'), 'a');
  symlinkSync(join(folder, 'real'), join(folder, 'other'));
  const link = { refused: 'is a symbolic link or is inside one; links are not followed' };
  expect(readRegular(folder, 9)).toEqual({ refused: 'is a folder, not a file' });
  expect(readRegular('/dev/null', 9)).toEqual({ refused: 'is not a regular file' });
  expect(readRegular(join(folder, 'link'), 9)).toEqual(link);
  expect(readRegular(join(folder, 'other/file'), 9)).toEqual(link);
  expect(readRegular(join(folder, 'gone'), 9)).toEqual({ refused: 'does not exist' });
  expect(readRegular(join(path, 'below'), 9)).toEqual({ refused: 'does not exist' });
});

it('describes errors of the file system, and rethrows other errors', () => {
  const reason = (code?: string) => reasonOf(Object.assign(new Error('bug'), { code }));
  expect(reason('EACCES')).toBe('cannot be read: permission denied');
  expect(reason('EPERM')).toBe('cannot be read: permission denied');
  expect(reason('ELOOP')).toBe(reason('EMLINK'));
  expect(reason('ENXIO')).toBe('is not a regular file');
  expect(reason('EIO')).toBe('cannot be read (EIO)');
  expect(() => reason()).toThrow('bug');
});
