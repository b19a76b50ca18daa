import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { account, startS3Server } from '../../../stores/blobs/s3-server.ts';
import { docsctl, type Ran } from '../../../support/cli.ts';

const photo = randomBytes(200_000);

/** Creates a folder with a store that keeps large files at a URL, and a space with such a file. */
async function newStore(blobs: string, env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-blobs-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const run = (line: string, more: Record<string, string> = {}): Promise<Ran> =>
    docsctl(line.split(' '), {
      home,
      cwd: home,
      env: { DOCSCTL_STORE: 'sqlite:a.db', DOCSCTL_BLOBS: blobs, ...env, ...more },
    });
  mkdirSync(join(home, 'docs', '.gitbook', 'assets'), { recursive: true });
  writeFileSync(join(home, 'docs', 'README.md'), '# Guide\n\n![](.gitbook/assets/photo.png)\n');
  writeFileSync(join(home, 'docs', '.gitbook', 'assets', 'photo.png'), photo);
  for (const line of [
    'init --org-title Acme --email ana@example.com',
    'spaces create --title Guide',
    'spaces import Guide docs',
  ])
    expect(await run(line)).toMatchObject({ exit: 0 });
  const exported = async (to: string, more: Record<string, string> = {}): Promise<void> => {
    expect(await run(`spaces export Guide ${to}`, more)).toMatchObject({ exit: 0 });
    expect(readFileSync(join(home, to, '.gitbook/assets/photo.png')).equals(photo)).toBe(true);
  };
  return { home, run, exported };
}

test('large files are stored in a folder with DOCSCTL_BLOBS, and commands report a missing or wrong folder', async () => {
  const { home, run, exported } = await newStore('folder:blobs');
  const [file = ''] = readdirSync(join(home, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[0-9a-f]{18}$/.test(name),
  );
  expect(readFileSync(join(home, 'blobs', file)).equals(photo)).toBe(true);
  await exported('one');
  const without = await run('spaces list', { DOCSCTL_BLOBS: '' });
  expect(without).toMatchObject({
    exit: 69,
    stdout: '',
    stderr: expect.stringContaining('The large files of this store are in folder:'),
  });
  expect(without.stderr).toContain('but DOCSCTL_BLOBS is not set.');
  expect(await run('spaces list', { DOCSCTL_BLOBS: 'folder:other' })).toMatchObject({ exit: 69 });
  expect(await run('spaces list', { DOCSCTL_BLOBS: 'nowhere' })).toMatchObject({
    exit: 8,
    stderr: expect.stringContaining('names neither a folder nor a bucket'),
  });
  expect(await run('store check')).toMatchObject({ exit: 0 });
  writeFileSync(join(home, 'blobs', file), 'other bytes');
  expect(await run('store check')).toMatchObject({
    exit: 69,
    stdout: expect.stringContaining('was altered'),
  });
  expect(await run('doctor')).toMatchObject({ exit: 69, stdout: expect.stringContaining('was altered') });
  rmSync(join(home, 'blobs'), { recursive: true });
  expect(await run('doctor')).toMatchObject({
    exit: 69,
    stdout: expect.stringMatching(/^blobs\tfalse\tA file of the store is missing: .* disk is mounted\.$/m),
  });
  expect(await run('store check')).toMatchObject({ exit: 69, stdout: expect.stringContaining('is missing') });
  expect(await run('spaces export Guide two')).toMatchObject({
    exit: 69,
    stderr: expect.stringMatching(/A file of the store is missing: the object [0-9a-f]{64}\..* in folder:/),
  });
});

test('store backup contains the large files, and can be restored without the folder', async () => {
  const { run, exported } = await newStore('folder:blobs');
  expect(await run('store backup b.ndjson.gz --verify')).toMatchObject({ exit: 0 });
  expect(await run('store backup c.ndjson.gz', { DOCSCTL_BLOBS: '' })).toMatchObject({ exit: 69 });
  const elsewhere = { DOCSCTL_STORE: 'sqlite:b.db', DOCSCTL_BLOBS: '' };
  expect(await run('store restore b.ndjson.gz', elsewhere)).toMatchObject({ exit: 0 });
  await exported('back', elsewhere);
});

test('large files of a space are deleted with the space', async () => {
  const { home, run } = await newStore('folder:blobs');
  expect(await run('spaces delete Guide --now --yes')).toMatchObject({ exit: 0 });
  await run('jobs run --kind removal');
  const left = readdirSync(join(home, 'blobs'), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.includes('.'))).toEqual([]);
});

test('large files can be stored in an object store', async () => {
  const server = await startS3Server();
  onTestFinished(() => void server.close());
  const url = `s3://docs/acme?endpoint=${server.endpoint}&region=${account.region}`;
  const keys = {
    AWS_ACCESS_KEY_ID: account.accessKeyId,
    AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
  };
  const { run, exported } = await newStore(url, keys);
  expect([...server.objects.keys()]).toEqual([expect.stringMatching(/^acme\/[0-9a-f]{64}\.[0-9a-f]{18}$/)]);
  await exported('one');
  expect(await run('spaces list', { AWS_SECRET_ACCESS_KEY: '' })).toMatchObject({
    exit: 8,
    stderr: expect.stringContaining('needs a key, but none is set'),
  });
  server.faults.push(403);
  expect(await run('spaces export Guide two')).toMatchObject({
    exit: 69,
    stderr: expect.stringContaining('refused GET with 403 AccessDenied'),
  });
});

test('jobs run reports that the object store did not delete the files of a space, and deletes them later', async () => {
  const server = await startS3Server();
  onTestFinished(() => void server.close());
  const { run } = await newStore(`s3://docs?endpoint=${server.endpoint}&region=${account.region}`, {
    AWS_ACCESS_KEY_ID: account.accessKeyId,
    AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
  });
  server.faults.push(403, 403, 403);
  expect(await run('spaces delete Guide --now --yes')).toMatchObject({ exit: 0 });
  const failed = await run('jobs run --kind removal');
  expect(failed).toMatchObject({ exit: 3 });
  expect(failed.stderr).toMatch(/Not everything was removed\. The blob storage .* refused DELETE with 403/);
  expect(server.objects.size).toBe(1);
  server.faults.length = 0;
  expect(await run('jobs run --kind removal')).toMatchObject({ exit: 0 });
  expect(server.objects.size).toBe(0);
});

test('store move-blobs moves large files out of the store, to another folder and back', async () => {
  const { home, run, exported } = await newStore('');
  expect((await run('doctor', { DOCSCTL_BLOBS: 'folder:blobs' })).stdout).toMatch(/^blobs\s+true\s+folder:/m);
  expect(await run('store move-blobs folder:blobs --dry-run')).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/^Dry run: would move 1 file \(.*\) from store to folder:.*\.$/m),
  });
  expect(await run('store move-blobs folder:blobs -o json')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('"files": 1'),
    stderr: expect.stringContaining("Set DOCSCTL_BLOBS='folder:"),
  });
  const blobs = { DOCSCTL_BLOBS: 'folder:blobs' };
  await exported('one', blobs);
  expect(await run('store move-blobs folder:other')).toMatchObject({ exit: 69 });
  expect(await run('store move-blobs folder:other', blobs)).toMatchObject({ exit: 0 });
  expect(await run('store move-blobs folder:other', blobs)).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('All large files are already in folder:'),
  });
  rmSync(join(home, 'blobs'), { recursive: true });
  await exported('two', { DOCSCTL_BLOBS: 'folder:other' });
  expect(await run('store move-blobs store', { DOCSCTL_BLOBS: 'folder:other' })).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('Unset DOCSCTL_BLOBS'),
  });
  rmSync(join(home, 'other'), { recursive: true });
  await exported('three');
  expect((await run('store move-blobs store')).stderr).toMatch(
    /^All large files are already in the store\.$/m,
  );
  expect(await run('store move-blobs blobs')).toMatchObject({ exit: 8 });
  expect(await run('doctor', { DOCSCTL_BLOBS: 's3://docs' })).toMatchObject({
    exit: 69,
    stdout: expect.stringContaining('needs a key, but none is set'),
  });
});
