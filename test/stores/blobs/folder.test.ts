import {
  mkdirSync,
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobFolder } from '../../../src/stores/blobs/folder.ts';
import { blobConformance } from './conformance.ts';

let temp: string;
beforeEach(() => {
  temp = realpathSync(mkdtempSync(join(tmpdir(), 'docsctl-blobs-')));
});
afterEach(() => rmSync(temp, { recursive: true, force: true }));
let names = 0;
const open = () => openBlobFolder(join(temp, 'a', 'blobs'), () => String(++names));
const key = `abcd${'0'.repeat(60)}.1`;

blobConformance('in a folder', open);

describe('a folder of blobs', () => {
  it('is created with its first object, and has the same URL before', async () => {
    const storage = open();
    expect([await storage.get(key), await storage.has(key), readdirSync(temp)]).toEqual([
      undefined,
      false,
      [],
    ]);
    await storage.put(key, Buffer.from('x'));
    expect(open().url).toBe(storage.url);
  });

  it('contains private files in two levels of folders, and nothing else', async () => {
    const storage = open();
    await storage.put(key, Buffer.from('x'));
    const root = join(temp, 'a', 'blobs');
    expect((readdirSync(root, { recursive: true }) as string[]).sort()).toEqual([
      'ab',
      join('ab', 'cd'),
      join('ab', 'cd', key),
    ]);
    expect(storage.url).toBe(`folder:${root}`);
    if (process.platform === 'win32') return;
    expect(statSync(join(root, 'ab', 'cd', key)).mode & 0o777).toBe(0o600);
    for (const folder of ['', 'ab', 'ab/cd']) expect(statSync(join(root, folder)).mode & 0o077).toBe(0);
  });

  it('removes a partly written file after a failure, and reports the cause', async () => {
    const storage = open();
    mkdirSync(join(temp, 'a/blobs/ab/cd', key), { recursive: true });
    await expect(storage.put(key, Buffer.from('x'))).rejects.toMatchObject({ reason: 'store-failed' });
    expect(readdirSync(join(temp, 'a/blobs/ab/cd'))).toEqual([key]);
    await expect(storage.get(key)).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('is a folder, not a file'),
    });
  });

  it('is refused if its path is a file, and reports an error if the path becomes one', async () => {
    const storage = open();
    mkdirSync(join(temp, 'a'));
    writeFileSync(join(temp, 'a/blobs'), '');
    expect(open).toThrow(
      expect.objectContaining({
        reason: 'invalid-input',
        message: `${join(temp, 'a/blobs')} cannot contain large files, because it is not a folder.`,
      }),
    );
    for (const used of [storage.get(key), storage.has(key), storage.remove(key)])
      await expect(used).rejects.toMatchObject({ reason: 'store-failed' });
  });

  it('removes what a killed process left of an object', async () => {
    const storage = open();
    await storage.put(`${key}2`, Buffer.from('x'));
    writeFileSync(join(temp, 'a/blobs/ab/cd', `${key}.9.part`), 'half');
    expect(await storage.get(key)).toBeUndefined();
    await storage.remove(key);
    expect(readdirSync(join(temp, 'a/blobs/ab/cd'))).toEqual([`${key}2`]);
  });

  it.skipIf(process.platform === 'win32')('does not follow symbolic links inside it', async () => {
    const storage = open();
    const outside = join(temp, 'outside');
    mkdirSync(join(temp, 'a/blobs'), { recursive: true });
    mkdirSync(join(outside, 'cd'), { recursive: true });
    writeFileSync(join(outside, 'cd', key), 'secret');
    symlinkSync(outside, join(temp, 'a/blobs/ab'));
    await expect(storage.get(key)).rejects.toMatchObject({
      message: expect.stringContaining('symbolic link'),
    });
    await expect(storage.put(`${key}2`, Buffer.from('x'))).rejects.toMatchObject({
      message: expect.stringContaining('symbolic link'),
    });
    await expect(storage.remove(key)).rejects.toMatchObject({ reason: 'store-failed' });
    expect(readdirSync(join(outside, 'cd'))).toEqual([key]);
    rmSync(join(temp, 'a/blobs/ab'));
    mkdirSync(join(temp, 'a/blobs/ab/cd'), { recursive: true });
    symlinkSync(join(outside, 'cd', key), join(temp, 'a/blobs/ab/cd', key));
    await expect(storage.get(key)).rejects.toMatchObject({ reason: 'store-failed' });
  });

  it.each(['../../x', 'ab/../../x', '/etc/passwd', 'abcd\\x', 'ABCD.1', ''])(
    'refuses the key "%s"',
    async (wrong) => {
      const storage = open();
      await expect(storage.get(wrong)).rejects.toThrow('is not the key of an object');
      await expect(storage.put(wrong, Buffer.from('x'))).rejects.toThrow('is not the key');
      await expect(storage.remove(wrong)).rejects.toThrow('is not the key');
    },
  );
});
