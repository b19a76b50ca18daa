import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BlobStorage } from '../../../src/core/blob-storage.ts';

/** The tests that every blob storage has to pass. `open` returns an empty one. */
export function blobConformance(name: string, open: () => Promise<BlobStorage> | BlobStorage): void {
  describe(`a blob storage, ${name}`, () => {
    let storage: BlobStorage;
    beforeEach(async () => {
      storage = await open();
    });
    const keyOf = (number: number, ending = 'x'): string =>
      `${number.toString(16).padStart(4, '0')}${'0'.repeat(60)}.${ending}`;
    it('returns the bytes of an object of any size', async () => {
      for (const [index, size] of [0, 1, 65_535, 3_000_000].entries()) {
        const bytes = randomBytes(size);
        await storage.put(keyOf(index), bytes);
        expect((await storage.get(keyOf(index)))?.equals(bytes), `${size} bytes`).toBe(true);
      }
    });

    it('is empty at first, and ignores the removal of an object that does not exist', async () => {
      expect(await storage.get(keyOf(1))).toBeUndefined();
      await storage.remove(keyOf(1));
    });

    it('removes only the given objects', async () => {
      const keys = Array.from({ length: 30 }, (_, index) => keyOf((index * 7919) % 65_536));
      for (const key of keys) await storage.put(key, Buffer.from(key));
      for (const key of keys.slice(0, 10)) await storage.remove(key);
      for (const [index, key] of keys.entries())
        expect([(await storage.get(key))?.toString(), await storage.has(key)]).toEqual(
          index < 10 ? [undefined, false] : [key, true],
        );
    });

    it('accepts an object that is already stored, as after a retry', async () => {
      await storage.put(keyOf(1), Buffer.from('x'));
      await storage.put(keyOf(1), Buffer.from('x'));
      expect(String(await storage.get(keyOf(1)))).toBe('x');
    });

    it('stores two objects with the same hash separately', async () => {
      await storage.put(keyOf(1, 'a'), Buffer.from('a'));
      await storage.put(keyOf(1, 'b'), Buffer.from('b'));
      await storage.remove(keyOf(1, 'a'));
      expect([await storage.get(keyOf(1, 'a')), String(await storage.get(keyOf(1, 'b')))]).toEqual([
        undefined,
        'b',
      ]);
    });

    it('has a URL without secrets', () => {
      expect(storage.url).toMatch(/^(folder:\/|s3:\/\/)/);
      expect(storage.url).not.toMatch(/secret/i);
    });
  });
}
