import type { BlobStorage } from '../../../src/core/blob-storage.ts';

/** A blob storage in memory, with a hook before each call. */
export function memoryBlobs(
  before: (call: keyof BlobStorage, key: string) => void | Promise<void> = () => {},
) {
  const objects = new Map<string, Buffer>();
  const storage: BlobStorage = {
    url: 'test:blobs',
    async put(key, bytes) {
      await before('put', key);
      if (objects.has(key)) throw new Error(`the key ${key} was used before`);
      objects.set(key, Buffer.from(bytes));
    },
    async get(key) {
      await before('get', key);
      return objects.get(key);
    },
    async has(key) {
      await before('has', key);
      return objects.has(key);
    },
    async remove(key) {
      await before('remove', key);
      objects.delete(key);
    },
  };
  return { storage, objects };
}
