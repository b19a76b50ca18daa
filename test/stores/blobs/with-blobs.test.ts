import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BlobStorage } from '../../../src/core/blob-storage.ts';
import { settings } from '../../../src/core/rows/organizations.ts';
import type { Store, WriteTransaction } from '../../../src/core/store.ts';
import { putBytes, putText, readBytes } from '../../../src/content/blobs.ts';
import { blobs, collectionStates, looseObjects, newReferences } from '../../../src/content/rows.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { checkLocation } from '../../../src/stores/blobs/location.ts';
import { withBlobs } from '../../../src/stores/blobs/with-blobs.ts';
import { openMemory } from '../../../src/stores/memory.ts';
import { memoryBlobs } from './memory-blobs.ts';

const tables = [blobs, settings, collectionStates, newReferences, looseObjects];
const hour = 3_600_000;
let time: number;
let names: number;
let inner: Store;
let calls: [keyof BlobStorage, string][];
let onCall: (call: keyof BlobStorage, key: string) => void | Promise<void>;
let memory: ReturnType<typeof memoryBlobs>;
let store: Store;
const around = (storage: BlobStorage): Store =>
  withBlobs(inner, { storage, clock: () => time, newName: () => String(++names) });

beforeEach(async () => {
  time = Date.parse('2026-01-05T00:00:00.000Z');
  names = 0;
  calls = [];
  onCall = () => {};
  inner = openMemory('memory:', tables);
  await inner.write((tx) => tx.insert(settings, { id: 'store', administrator: 'usr_1' }));
  memory = memoryBlobs((call, key) => {
    calls.push([call, key]);
    return onCall(call, key);
  });
  store = around(memory.storage);
});
const large = (): Buffer => randomBytes(70_000);
const put = (bytes: Buffer) => (tx: WriteTransaction) => putBytes(tx, bytes);
const loose = () =>
  inner.read(async (view) => {
    const found = await view.scan(looseObjects, '', 10);
    return Promise.all(found.map(async ({ id }) => (await view.get(looseObjects, id))!.state));
  });
const sweep = () => store.scrub!(0, new AbortController().signal);

describe('a store with a blob storage', () => {
  it('keeps large files in the storage, and small files and texts in its rows', async () => {
    const [bytes, small, text] = [large(), randomBytes(65_000), 'x'.repeat(200_000)];
    const ids = await store.write(async (tx) => [
      await putBytes(tx, bytes),
      await putBytes(tx, small),
      await putText(tx, text),
    ]);
    expect([...memory.objects.keys()]).toEqual([`${ids[0]}.1`]);
    const rows = await inner.read(async (view) => Promise.all(ids.map((id) => view.get(blobs, id))));
    expect(rows[0]).toEqual({ id: ids[0], encoding: 'base64', object: `${ids[0]}.1`, size: 70_000 });
    expect(rows[1]).toMatchObject({ data: small.toString('base64') });
    expect(rows[2]).toMatchObject({ data: text });
    expect(await store.read((view) => readBytes(view, ids[0]!))).toEqual(bytes);
    expect(await inner.read((view) => view.get(settings, 'store'))).toMatchObject({ blobs: 'test:blobs' });
  });

  it('stores the object before the row, and has no open transaction while it waits for the storage', async () => {
    let open = 0;
    onCall = async () => {
      expect(open).toBe(0);
      expect(await inner.read((view) => view.scan(blobs, '', 10))).toEqual([]);
    };
    const runs: number[] = [];
    await store.write(async (tx) => {
      open++;
      runs.push(calls.length);
      for (let file = 0; file < 6; file++) await putBytes(tx, Buffer.alloc(70_000, file));
      open--;
    });
    expect(runs).toEqual([0, 6]);
    onCall = () => expect(open).toBe(0);
    const [row] = await inner.read((view) => view.scan(blobs, '', 1));
    await store.read(async (view) => {
      open++;
      await readBytes(view, row!.id).finally(() => open--);
    });
  });

  it('reads its own new file in the same transaction, and stores equal files once', async () => {
    const bytes = large();
    const read = await store.write(async (tx) => readBytes(tx, await putBytes(tx, bytes)));
    expect(read).toEqual(bytes);
    await store.write((tx) => putBytes(tx, bytes));
    expect(memory.objects.size).toBe(1);
    expect(calls.map(([call]) => call)).toEqual(['put']);
  });

  it('reports the size of files as if they were in the rows', async () => {
    const id = await store.write(put(large()));
    expect(await store.read((view) => view.scan(blobs, '', 10))).toEqual([{ id, size: 70_000 }]);
  });

  it('stores no object if a transaction fails, and writes no rows if the storage fails', async () => {
    const bytes = large();
    const failing = store.write(async (tx) => {
      await putBytes(tx, bytes);
      throw new Problem('conflict', 'Taken.');
    });
    await expect(failing).rejects.toMatchObject({ reason: 'conflict' });
    expect(calls).toEqual([]);
    onCall = () => {
      throw new Problem('store-failed', 'Away.', { retryAfter: 5 });
    };
    await expect(store.write(put(large()))).rejects.toMatchObject({ retryAfter: 5 });
    expect(await inner.read((view) => view.scan(blobs, '', 10))).toEqual([]);
    expect(await inner.read((view) => view.get(settings, 'store'))).not.toHaveProperty('blobs');
    expect(await loose()).toEqual(['pending']);
  });

  it('names an object that is missing or was altered', async () => {
    const id = await store.write(put(large()));
    memory.objects.get(`${id}.1`)![0]! ^= 1;
    await expect(store.read((view) => readBytes(view, id))).rejects.toMatchObject({
      reason: 'store-failed',
      exitCode: 69,
      message: `A file of the store was altered: the object ${id}.1 in test:blobs.`,
    });
    memory.objects.clear();
    await expect(store.read((view) => readBytes(view, id))).rejects.toMatchObject({
      message: `A file of the store is missing: the object ${id}.1 in test:blobs.`,
      hint: expect.stringContaining('backup'),
    });
  });

  it('runs a transaction again even if it catches the interruption', async () => {
    const bytes = large();
    const id = await store.write((tx) => putBytes(tx, bytes));
    const read = await store.read((view) => readBytes(view, id).catch(() => 'caught'));
    expect(read).toEqual(bytes);
  });

  it('reads the current row of a file that was removed and added again during the read', async () => {
    const bytes = large();
    const id = await store.write((tx) => putBytes(tx, bytes));
    let isFirst = true;
    onCall = async (call) => {
      if (call !== 'get' || !isFirst) return;
      isFirst = false;
      await store.write((tx) => tx.remove(blobs, id));
      await store.write((tx) => putBytes(tx, bytes));
    };
    expect(await store.read((view) => readBytes(view, id))).toEqual(bytes);
    expect([...memory.objects.keys()]).toEqual([`${id}.2`]);
  });

  it('removes the object with its row, but only after the commit', async () => {
    const id = await store.write(put(large()));
    const failing = store.write(async (tx) => {
      await tx.remove(blobs, id);
      throw new Problem('conflict', 'No.');
    });
    await expect(failing).rejects.toThrow('No.');
    expect(memory.objects.size).toBe(1);
    onCall = () => {
      throw new Problem('store-failed', 'Away.', { retryAfter: 5 });
    };
    expect(await store.write((tx) => tx.remove(blobs, id))).toBe(true);
    expect(memory.objects.size).toBe(1);
    await expect(sweep()).rejects.toThrow('Away.');
    expect(memory.objects.size).toBe(1);
    onCall = () => {};
    await sweep();
    expect([memory.objects.size, await loose()]).toEqual([0, []]);
  });

  it('cannot be opened without the storage that contains its files', async () => {
    await checkLocation(inner, undefined);
    await checkLocation(inner, 'folder:/x');
    const id = await store.write(put(large()));
    await checkLocation(inner, 'test:blobs');
    await expect(checkLocation(inner, undefined)).rejects.toMatchObject({
      reason: 'store-failed',
      message: 'The large files of this store are in test:blobs, but DOCSCTL_BLOBS is not set.',
      hint: expect.stringMatching(/^Set DOCSCTL_BLOBS='test:blobs'\./),
    });
    const elsewhere = around({ ...memory.storage, url: 'test:other' });
    await expect(elsewhere.write(put(large()))).rejects.toMatchObject({
      message: 'The large files of this store are in test:blobs, but DOCSCTL_BLOBS names test:other.',
    });
    expect(memory.objects.size).toBe(1);
    await expect(inner.read((view) => readBytes(view, id))).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('DOCSCTL_BLOBS was not set'),
    });
  });
});

describe('a sweep of the blob storage', () => {
  it('removes an object whose row was not written within a day', async () => {
    const bytes = large();
    const id = await store.write(put(large()));
    let runs = 0;
    const interrupted = store.write(async (tx) => {
      await putBytes(tx, bytes);
      if (++runs === 2) throw new Error('killed');
    });
    await expect(interrupted).rejects.toThrow('killed');
    expect([memory.objects.size, await loose()]).toEqual([2, ['pending']]);
    time += 23 * hour;
    await sweep();
    expect(memory.objects.size).toBe(2);
    time += 2 * hour;
    await sweep();
    expect([[...memory.objects.keys()], await loose()]).toEqual([[`${id}.1`], []]);
  });

  it('continues after an interruption or a failure of the storage', async () => {
    const ids = [await store.write(put(large())), await store.write(put(large()))];
    onCall = () => {
      throw new Problem('store-failed', 'Away.', { retryAfter: 5 });
    };
    for (const id of ids) await store.write((tx) => tx.remove(blobs, id));
    await expect(sweep()).rejects.toMatchObject({ reason: 'store-failed', message: 'Away.' });
    expect(await loose()).toEqual(['unused', 'unused']);
    onCall = () => {};
    await store.scrub!(0, AbortSignal.abort());
    expect(memory.objects.size).toBe(2);
    await sweep();
    expect([memory.objects.size, await loose()]).toEqual([0, []]);
  });

  it('never breaks a delayed write whose object it removed: the object is stored again', async () => {
    let slept = '';
    const sleepy: BlobStorage = {
      ...memory.storage,
      async put(key, bytes) {
        await memory.storage.put(key, bytes);
        if (slept !== '') return;
        slept = key;
        time += 30 * hour;
        await sweep();
        expect(memory.objects.has(key)).toBe(false);
      },
    };
    const bytes = large();
    const id = await around(sleepy).write(put(bytes));
    expect(slept.slice(0, 64)).toBe(id);
    expect(await store.read((view) => readBytes(view, id))).toEqual(bytes);
    expect(await loose()).toEqual([]);
  });

  it('fails a transaction that creates different files at each run', async () => {
    await expect(store.write((tx) => putBytes(tx, large()))).rejects.toThrow('makes other files at each run');
  });
});
