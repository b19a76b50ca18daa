/**
 * Stores the bytes of large files outside of the store. Drivers are in `stores/blobs/`. A key is used once, and its object never
 * changes.
 *
 * All methods throw Problem(store-failed); with `retryAfter` if the storage cannot be reached or is full.
 */
export interface BlobStorage {
  /** Its URL, without credentials. */
  readonly url: string;
  /** Stores an object. It is durable when the promise resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Returns the bytes of an object; undefined if there is none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Whether there is an object. It is not read. */
  has(key: string): Promise<boolean>;
  /** Removes an object and what an interrupted `put` of it left, if there is anything. */
  remove(key: string): Promise<void>;
}

/** Bytes from which a file is kept in the blob storage. Smaller ones are kept in the store. */
export const minExternalBytes = 64 * 1024;
