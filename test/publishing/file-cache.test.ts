import { expect, it } from 'vitest';
import { FileCache } from '../../src/publishing/file-cache.ts';

const MiB = 1024 * 1024;

it('the file cache reads a file once, and gives all readers the same bytes', async () => {
  const cache = new FileCache();
  let reads = 0;
  const read = async (): Promise<Buffer> => {
    reads++;
    return Buffer.alloc(10 * MiB);
  };
  const [first, second] = await Promise.all([cache.get('a', read), cache.get('a', read)]);
  expect(second === first).toBe(true);
  // The cache keeps 32 MiB, but a reader still holds the first file.
  for (const hash of ['b', 'c', 'd', 'e']) await cache.get(hash, read);
  expect((await cache.get('a', read)) === first).toBe(true);
  expect([reads, cache.size]).toEqual([5, 30 * MiB]);
});

it('the file cache reads a file again after the read for another reader failed', async () => {
  const cache = new FileCache();
  const failing = cache.get('a', () => Promise.reject(new Error('no')));
  const waiting = cache.get('a', async () => Buffer.from('a'));
  await expect(failing).rejects.toThrow('no');
  expect((await waiting).toString()).toBe('a');
});
