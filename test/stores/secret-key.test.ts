import fs, {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { secretKeyOf } from '../../src/stores/secret-key.ts';

let folder: string;
let store: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-key-'));
  store = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const keyOf = (env: Record<string, string> = {}) =>
  secretKeyOf(`sqlite:${store}`, { env, randomBytes })('seal');

it('creates a key file at the first use that only its owner can read, and keeps it', async () => {
  const before = process.umask(0);
  const lazy = secretKeyOf(`sqlite:${store}`, { env: {}, randomBytes });
  expect(readdirSync(folder)).toEqual([]);
  const key = await lazy('seal');
  process.umask(before);
  expect(readdirSync(folder)).toEqual(['store.db.key']);
  expect(lstatSync(`${store}.key`).mode & 0o777).toBe(0o600);
  expect(key).toHaveLength(32);
  expect([await lazy('seal'), await keyOf()]).toEqual([key, key]);
});

it('writes the file and its name to disk before anything is encrypted', async () => {
  const { fsyncSync } = fs;
  onTestFinished(() => {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  });
  const synced: string[] = [];
  fs.fsyncSync = (file) => {
    synced.push(fs.fstatSync(file).isDirectory() ? 'folder' : 'file');
    fsyncSync(file);
  };
  syncBuiltinESMExports();
  await keyOf();
  expect(synced).toEqual(['file', 'folder']);
});

it('uses the key of the first if two processes create one at the same time', async () => {
  let other: Uint8Array | undefined;
  const racing = secretKeyOf(store, {
    env: {},
    // While this process creates its key, another process creates the file.
    randomBytes: (count) => {
      if (count === 32 && other === undefined)
        writeFileSync(`${store}.key`, Buffer.from((other = randomBytes(32))).toString('hex'), {
          mode: 0o600,
        });
      return randomBytes(count);
    },
  });
  expect(Buffer.from(await racing('seal')).equals(other!)).toBe(true);
  expect(readdirSync(folder)).toEqual(['store.db.key']);
});

it('prefers the key in the environment to a file', async () => {
  const key = randomBytes(32);
  for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')])
    expect(Buffer.from(await keyOf({ DOCSCTL_SECRET_KEY: text })).equals(key)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
  for (const text of ['short', 'x'.repeat(64), key.toString('base64').slice(4)]) {
    const error = await keyOf({ DOCSCTL_SECRET_KEY: text }).catch((problem: Error) => problem);
    expect(error).toMatchObject({
      reason: 'invalid-input',
      message: 'DOCSCTL_SECRET_KEY does not contain a key.',
    });
  }
});

it('keeps the key of a memory store only in memory', async () => {
  const [one, two] = [
    secretKeyOf('memory:', { env: {}, randomBytes }),
    secretKeyOf('memory:', { env: {}, randomBytes }),
  ];
  expect(await one('seal')).toEqual(await one('seal'));
  expect(await one('seal')).toHaveLength(32);
  expect(await one('seal')).not.toEqual(await two('seal'));
});

it('does not follow symbolic links, and refuses a file without a key', async () => {
  writeFileSync(join(folder, 'elsewhere'), 'a'.repeat(64));
  symlinkSync(join(folder, 'elsewhere'), `${store}.key`);
  await expect(keyOf()).rejects.toMatchObject({ reason: 'store-failed' });
  rmSync(`${store}.key`);
  writeFileSync(`${store}.key`, 'nothing', { mode: 0o600 });
  await expect(keyOf()).rejects.toMatchObject({ reason: 'invalid-input' });
  expect(readFileSync(`${store}.key`, 'utf8')).toBe('nothing');
});

it('does not create a new key to decrypt what another key encrypted', async () => {
  const missing = secretKeyOf(`sqlite:${store}`, { env: {}, randomBytes });
  await expect(missing('open')).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining('the key file store.db.key beside the store is missing'),
    hint: expect.stringContaining('original file'),
  });
  expect(readdirSync(folder)).toEqual([]);
  const key = await missing('seal');
  expect(await secretKeyOf(`sqlite:${store}`, { env: {}, randomBytes })('open')).toEqual(key);
});

it.skipIf(platform() === 'win32')(
  'refuses a key file that everybody can read, and accepts one that a group can read',
  async () => {
    const key = await keyOf();
    chmodSync(`${store}.key`, 0o644);
    const error = await keyOf().catch((problem: Error) => problem);
    expect(error).toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('Every user'),
      hint: expect.stringContaining('chmod 600 store.db.key'),
    });
    // Errors can be returned over HTTP, so they must not contain folders of the server.
    expect(JSON.stringify(error)).not.toContain(folder);
    chmodSync(`${store}.key`, 0o640);
    expect(await keyOf()).toEqual(key);
  },
);

it('does not replace a lost key file while secrets are encrypted with it', async () => {
  const keyWith = (keys: readonly string[]) =>
    secretKeyOf(`sqlite:${store}`, { env: {}, randomBytes, sealingKeys: async () => keys })('seal');
  await expect(keyWith(['0a1b2c3d'])).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining(
      'store.db.key beside the store is missing, and it has secrets that were encrypted with the key 0a1b2c3d',
    ),
    hint: expect.stringContaining('DOCSCTL_SECRET_KEY'),
  });
  expect(readdirSync(folder)).toEqual([]);
  expect(await keyWith([])).toHaveLength(32);
});
