import { buildSync } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { table, type Row } from '../../src/core/store.ts';
import { open, temporaryFolder } from './fixtures.ts';

const sums = table<Row & { readonly group: string; readonly sum: number }>()('sums', {
  byGroup: { on: ['group'] },
});

// The folder is next to the packages, so that the child process finds the native one.
const here = dirname(fileURLToPath(import.meta.url));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(here, '../../node_modules/.stores-'));
  buildSync({
    entryPoints: [join(here, 'child.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: join(folder, 'child.mjs'),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Child {
  readonly process: ChildProcess;
  /** The ids of the rows that were acknowledged. */
  readonly acknowledged: string[];
  readonly ended: Promise<unknown>;
}

function start(
  url: string,
  name: string,
  writes: number,
  onLine: (child: ChildProcess) => void = () => undefined,
): Child {
  const child = spawn(process.execPath, [join(folder, 'child.mjs'), url, name, String(writes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const acknowledged: string[] = [];
  let rest = '';
  child.stdout.on('data', (data: Buffer) => {
    const lines = (rest + String(data)).split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines);
    for (const _ of lines) onLine(child);
  });
  return { process: child, acknowledged, ended: once(child, 'close') };
}

describe.each([
  ['sqlite', 'store.db'],
  ['json', 'store.json'],
])('%s, several processes', (scheme, name) => {
  const at = () => {
    const path = join(temporaryFolder(), name);
    return { path, url: `${scheme}:${path}` };
  };

  test('neither lose nor duplicate writes', async () => {
    const { url } = at();
    const children = Array.from({ length: 4 }, (_, one) => start(url, `c${one}`, 25));
    await Promise.all(children.map((child) => child.ended));
    const store = await open(url, undefined, [sums]);
    expect(await store.read((view) => view.get(sums, 'total'))).toMatchObject({ sum: 100 });
    expect(await store.read((view) => view.count(sums, 'byGroup', ['row']))).toBe(100);
    expect(children.flatMap((child) => child.acknowledged)).toHaveLength(100);
  });

  test('change the stamp in other processes before they acknowledge a write', async () => {
    const { url } = at();
    const store = await open(url, undefined, [sums]);
    await store.write((tx) => tx.insert(sums, { id: 'total', group: 'total', sum: 0 }));
    const readSum = () => store.read(async (view) => (await view.get(sums, 'total'))?.sum ?? 0);
    let kept = { stamp: store.stamp?.(), sum: await readSum() };
    let acknowledged = 0;
    let reads = 0;
    const wrong: string[] = [];
    const child = start(url, 'c', 40, () => {
      acknowledged++;
      if (store.stamp?.() === kept.stamp && kept.sum < acknowledged)
        wrong.push(`${kept.sum} at the stamp ${kept.stamp} after ${acknowledged}`);
    });
    let hasEnded = false;
    void child.ended.then(() => (hasEnded = true));
    while (!hasEnded) {
      const stamp = store.stamp?.();
      if (stamp === kept.stamp) {
        if (kept.sum < acknowledged) wrong.push(`${kept.sum} after ${acknowledged}`);
      } else {
        reads++;
        kept = { stamp, sum: await readSum() };
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(wrong).toEqual([]);
    expect(acknowledged).toBe(40);
    expect(reads).toBeGreaterThan(0);
    expect(await readSum()).toBe(40);
  });

  test(
    'keep every acknowledged write once when killed at any moment, and can be followed by others',
    { timeout: 60_000 },
    async () => {
      const { url, path } = at();
      const acknowledged: string[] = [];
      for (let round = 0; round < 5; round += 1) {
        let lines = 0;
        const child = start(url, `r${round}`, 100_000, (running) => {
          lines += 1;
          if (lines === 1 + round * 7) running.kill('SIGKILL');
        });
        await child.ended;
        acknowledged.push(...child.acknowledged);
      }
      const store = await open(url, 2_000, [sums]);
      await store.write((tx) => tx.insert(sums, { id: 'after', group: 'after', sum: 0 }));
      const rows = await store.read((view) =>
        view.find(sums, { index: 'byGroup', equals: ['row'], limit: 10_000 }),
      );
      const ids = new Set(rows.map((row) => row.id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(50);
      expect(await store.read((view) => view.get(sums, 'total'))).toMatchObject({ sum: rows.length });
      expect(await store.read((view) => view.count(sums, 'byGroup', ['row']))).toBe(rows.length);
      expect(readdirSync(dirname(path)).length).toBeLessThanOrEqual(4);
    },
  );

  test('get store-busy with the file while another process holds the lock, but can read', async () => {
    const { url, path } = at();
    const holder = await open(url, undefined, [sums]);
    await holder.write((tx) => tx.insert(sums, { id: 'a', group: 'g', sum: 1 }));
    const other = await open(url, 20, [sums]);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const started = new Promise<void>((resolve) => {
      void holder.write(async (tx) => {
        await tx.insert(sums, { id: 'b', group: 'g', sum: 2 });
        resolve();
        await held;
      });
    });
    await started;
    await expect(other.write((tx) => tx.insert(sums, { id: 'c', group: 'g', sum: 3 }))).rejects.toMatchObject(
      {
        reason: 'store-busy',
        message: expect.stringContaining(path),
        hint: expect.any(String),
      },
    );
    expect(await other.read((view) => view.count(sums, 'byGroup', ['g']))).toBe(1);
    release();
    await holder.read((view) => view.get(sums, 'a'));
    await holder.close();
    await other.write((tx) => tx.insert(sums, { id: 'c', group: 'g', sum: 3 }));
    expect(await other.read((view) => view.count(sums, 'byGroup', ['g']))).toBe(3);
  });

  test('create files and folders that only their owner can access, with any umask', async () => {
    const mask = process.umask(0);
    onTestFinished(() => void process.umask(mask));
    const base = temporaryFolder();
    const path = join(base, 'new', 'deep', name);
    const store = await open(`${scheme}:${path}`, undefined, [sums]);
    for (const sum of [1, 2])
      await store.write((tx) => tx.insert(sums, { id: String(sum), group: 'g', sum }));
    const modes = readdirSync(dirname(path)).map((file) => statSync(join(dirname(path), file)).mode & 0o777);
    expect(modes.length).toBeGreaterThanOrEqual(2);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect([dirname(path), join(base, 'new')].map((made) => statSync(made).mode & 0o777)).toEqual([
      0o700, 0o700,
    ]);
  });

  test.each([
    ['noise', 'this is no store of any kind, and long enough to be looked at as a page'.repeat(100)],
    ['half a file', '{"format":"docsctl-store","version":1,"change":3,"tables":{"sums":[{"id":"a"'],
    ['foreign JSON', '{"name":"package"}'],
  ])('refuse %s with a clear message, and do not change the file', async (_, content) => {
    const { url, path } = at();
    writeFileSync(path, content);
    const failing = open(url, 20, [sums]);
    await expect(failing).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining(path),
      hint: expect.any(String),
    });
    expect(statSync(path).size).toBe(content.length);
  });

  test('refuse a symbolic link or folder as the store', async () => {
    const { url, path } = at();
    writeFileSync(`${path}.target`, '');
    symlinkSync(`${path}.target`, path);
    await expect(open(url, 20, [sums])).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('symbolic link'),
    });
    rmSync(path);
    mkdirSync(path);
    await expect(open(url, 20, [sums])).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('not a file'),
    });
  });
});
