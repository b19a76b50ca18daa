import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blobs } from '../../src/content/rows.ts';
import { tables } from '../../src/resources/tables.ts';
import { openStore } from '../../src/stores/index.ts';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'docsctl-killed-'));
const env = { DOCSCTL_CONFIG_DIR: join(home, 'config'), HOME: home };

async function makeStore(path: string, count: number): Promise<void> {
  const store = await openStore(path, { tables });
  await store.write(async (tx) => {
    for (let at = 0; at < count; at++) {
      const data = `${at} `.repeat(1500);
      await tx.insert(blobs, { id: createHash('sha256').update(data).digest('hex'), encoding: 'text', data });
    }
  });
  await store.close();
}

const docsctl = (...words: string[]) =>
  execa(process.execPath, [bin, ...words], { cwd: home, env, reject: false, extendEnv: true });

/** Starts a command, and kills it as soon as `isTime` returns true for the names of files. */
async function kill(words: readonly string[], isTime: (names: readonly string[]) => boolean): Promise<void> {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  let hasEnded = false;
  const ended = once(child, 'exit').then(() => (hasEnded = true));
  while (!hasEnded && !isTime(readdirSync(home))) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await ended;
}

const rowsOf = async (path: string): Promise<number> => {
  const { stdout } = await docsctl('store', 'check', '--store', path, '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ count: 0 });
  const info = await docsctl('store', 'info', '--store', path, '-o', 'json');
  return (JSON.parse(info.stdout) as { rows: number }).rows;
};

beforeAll(async () => {
  await makeStore(join(home, 'new.db'), 1500);
  await makeStore(join(home, 'first.db'), 20);
  await docsctl('store', 'backup', 'backup.ndjson', '--store', 'new.db');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.each(['old.db', 'old.json'])('the store %s', (name) => {
  test('is the old or the new store after a restore was killed', { timeout: 60_000 }, async () => {
    if (name === 'old.db') copyFileSync(join(home, 'first.db'), join(home, name));
    else await makeStore(join(home, name), 20);
    const words = ['store', 'restore', 'backup.ndjson', '--replace', '--yes', '--store', name];
    for (const ending of ['.restore', '-wal', '.tmp'])
      await kill(words, (names) => names.some((one) => one.startsWith(`${name}.`) && one.endsWith(ending)));
    expect([20, 1500]).toContain(await rowsOf(name));
    expect((await docsctl(...words)).exitCode).toBe(0);
    expect(await rowsOf(name)).toBe(1500);
    expect(readdirSync(home).filter((one) => one.includes('.restore'))).toEqual([]);
  });
});

test('store backup reports why a compressed backup could not be completed', { timeout: 60_000 }, async () => {
  const path = join(home, 'random.db');
  const store = await openStore(path, { tables });
  const data = randomBytes(300_000).toString('base64');
  await store.write((tx) => tx.insert(blobs, { id: 'a', encoding: 'text', data }));
  await store.close();
  // The limit imitates a full disk.
  const { exitCode, stderr } = await execa(
    'bash',
    [
      '-c',
      'ulimit -f 100; exec "$@"',
      '-',
      process.execPath,
      bin,
      'store',
      'backup',
      'cut.gz',
      '--store',
      path,
    ],
    { cwd: home, env, reject: false, extendEnv: true },
  );
  expect(stderr).toMatch(/cut\.gz cannot be written: EFBIG\./);
  expect(exitCode).toBe(8);
  expect(readdirSync(home).filter((name) => name.startsWith('cut.gz'))).toEqual([]);
});

test('store migrate continues after it was killed', { timeout: 60_000 }, async () => {
  const words = ['store', 'migrate', '--from', 'new.db', '--to', 'moved.db'];
  for (const ending of ['.migrating', '.migrating-wal', '.migrating'])
    await kill(words, (names) => names.some((one) => one.endsWith(ending)));
  if (existsSync(join(home, 'moved.db'))) expect(await rowsOf('moved.db')).toBe(1500);
  else {
    expect((await docsctl('collections', 'create', '--title', 'T', '--store', 'new.db')).exitCode).not.toBe(
      0,
    );
    expect((await docsctl(...words)).exitCode).toBe(0);
  }
  expect(await rowsOf('moved.db')).toBe(1500);
  expect(await rowsOf('new.db')).toBe(1500);
});
