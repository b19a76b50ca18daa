import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BlobStorage } from '../../../src/core/blob-storage.ts';
import { settings } from '../../../src/core/rows/organizations.ts';
import type { Store } from '../../../src/core/store.ts';
import { putBytes, putText, readBytes } from '../../../src/content/blobs.ts';
import { blobs, collectionStates, looseObjects, newReferences } from '../../../src/content/rows.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { measureMove, moveBlobs } from '../../../src/stores/blobs/move-blobs.ts';
import { withBlobs } from '../../../src/stores/blobs/with-blobs.ts';
import { openMemory } from '../../../src/stores/memory.ts';
import { memoryBlobs } from './memory-blobs.ts';

const files = Array.from({ length: 7 }, () => randomBytes(70_000));
const small = randomBytes(10);
let inner: Store;
let names: number;
/** Called before each call of a storage. */
let onCall: (call: keyof BlobStorage) => void | Promise<void>;
let places: Record<'a' | 'b', ReturnType<typeof memoryBlobs>>;
let moved: number[];

beforeEach(async () => {
  names = 0;
  moved = [];
  onCall = () => {};
  inner = openMemory('memory:', [blobs, settings, collectionStates, newReferences, looseObjects]);
  await inner.write((tx) => tx.insert(settings, { id: 'store', administrator: 'usr_1' }));
  const make = (url: string) => {
    const made = memoryBlobs((call) => onCall(call));
    return { ...made, storage: { ...made.storage, url } };
  };
  places = { a: make('test:a'), b: make('test:b') };
});

type Place = 'a' | 'b' | undefined;
const storageOf = (place: Place) => (place === undefined ? undefined : places[place].storage);
const newName = () => String(++names);
const around = (place: Place): Store => {
  const storage = storageOf(place);
  return storage === undefined ? inner : withBlobs(inner, { storage, clock: Date.now, newName });
};
const move = (from: Place, to: Place, signal = new AbortController().signal) => {
  const onMoved = (_done: number, _total: number, bytes: number) => void moved.push(bytes);
  const options = { from: storageOf(from), to: storageOf(to), newName, clock: Date.now, signal, onMoved };
  return moveBlobs(inner, options);
};
const add = (place: Place, some: readonly Buffer[]) =>
  around(place).write(async (tx) => {
    const ids: string[] = [];
    for (const bytes of some) ids.push(await putBytes(tx, bytes));
    await putText(tx, 'x'.repeat(100_000));
    return ids;
  });
const readAll = (place: Place, ids: readonly string[]) =>
  around(place).read(async (view) => {
    const read: Buffer[] = [];
    for (const id of ids) read.push(await readBytes(view, id));
    return read;
  });
const located = async () => (await inner.read((view) => view.get(settings, 'store')))?.blobs;
const loose = () => inner.read((view) => view.scan(looseObjects, '', 10));

describe('moving the files of a store', () => {
  it.each([
    [undefined, 'a'],
    ['a', 'b'],
    ['a', undefined],
  ] as const)('moves every file from %s to %s, and can be repeated', async (from, to) => {
    const ids = await add(from, [...files, small]);
    const size = { files: 7, bytes: 490_000 };
    const ends = { from: storageOf(from), to: storageOf(to), signal: new AbortController().signal };
    expect(await measureMove(inner, ends)).toEqual(size);
    expect(await located()).toBe(storageOf(from)?.url);
    expect(await move(from, to)).toEqual(size);
    expect(moved).toEqual(files.map(() => 70_000));
    expect(await located()).toBe(storageOf(to)?.url);
    expect(await readAll(to, ids)).toEqual([...files, small]);
    if (to !== undefined) expect(places[to].objects.size).toBe(7);
    if (to === undefined) expect(places.a.objects.size).toBe(0);
    expect(await loose()).toEqual([]);
    expect(await move(to, to)).toEqual({ files: 0, bytes: 0 });
  });

  it.each([
    [undefined, 'a'],
    ['a', 'b'],
    ['a', undefined],
  ] as const)('continues from %s to %s after any call fails, and loses nothing', async (from, to) => {
    const ids = await add(from, files);
    let failures = 0;
    for (let failing = 0; ; failing++) {
      let calls = 0;
      onCall = () => {
        if (calls++ === failing) throw new Problem('store-failed', 'Away.', { retryAfter: 5 });
      };
      const result = await move(from, to).catch((error: Problem) => error);
      onCall = () => {};
      const now = (await located()) === storageOf(to)?.url ? to : from;
      expect(await readAll(now, ids)).toEqual(files);
      if (!(result instanceof Problem)) break;
      expect(result.reason).toBe('store-failed');
      failures++;
    }
    expect(failures).toBeGreaterThan(0);
    await move(to, to);
    expect(await located()).toBe(storageOf(to)?.url);
    expect(await readAll(to, ids)).toEqual(files);
  });

  it('can be interrupted between two files, and continued', async () => {
    const ids = await add('a', files);
    const stop = new AbortController();
    onCall = (call) => {
      if (call === 'put') stop.abort();
    };
    await expect(move('a', 'b', stop.signal)).rejects.toMatchObject({ reason: 'interrupted' });
    onCall = () => {};
    expect(await located()).toBe('test:a');
    const before = names;
    const puts: string[] = [];
    onCall = (call) => void (call === 'put' && puts.push(call));
    await move('a', 'b');
    expect(puts.length).toBeLessThan(files.length);
    expect(names).toBe(before);
    expect(await readAll('b', ids)).toEqual(files);
  });

  it('includes files that are stored during the move', async () => {
    await add('a', files.slice(0, 5));
    let late: string[] = [];
    onCall = async (call) => {
      if (call !== 'has' || late.length > 0) return;
      late = ['begun'];
      onCall = () => {};
      late = await add('a', files.slice(5));
    };
    expect(await move('a', 'b')).toMatchObject({ files: 7 });
    expect(await readAll('b', late)).toEqual(files.slice(5));
    // A process that still uses the old storage is refused, and writes nothing.
    await expect(add('a', [randomBytes(70_000)])).rejects.toMatchObject({
      message: expect.stringContaining('are in test:b, but DOCSCTL_BLOBS names test:a'),
    });
  });

  it('stops at a file that is missing or was altered', async () => {
    const ids = await add('a', files);
    places.a.objects.get(`${ids[3]!}.4`)![5]! ^= 1;
    await expect(move('a', 'b')).rejects.toMatchObject({ message: expect.stringContaining('was altered') });
    expect(await located()).toBe('test:a');
    places.a.objects.delete(`${ids[3]!}.4`);
    await expect(move('a', undefined)).rejects.toMatchObject({
      message: expect.stringContaining('is missing'),
    });
    expect(await located()).toBe('test:a');
  });
});
