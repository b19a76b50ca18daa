import { minExternalBytes, type BlobStorage } from '../../core/blob-storage.ts';
import { hashOfFile } from '../../content/hashing.ts';
import type { BlobRow } from '../../content/rows.ts';
import { Problem } from '../../errors/problem.ts';

/** The row of a blob whose bytes are an object in a blob storage. */
export interface ExternalRow {
  readonly id: string;
  readonly encoding: 'base64';
  /** The key of the object: the hash of the bytes and a unique suffix. */
  readonly object: string;
  readonly size: number;
}

/** A row of the table of blobs in the form in which it is stored. */
export type StoredBlob = BlobRow | ExternalRow;

/** Whether the bytes of a row are an object in a blob storage. */
export function isExternal(row: StoredBlob): row is ExternalRow {
  return 'object' in row;
}

/** Whether the bytes of a row belong into a blob storage. Texts always stay in the store. */
export function isLarge(row: StoredBlob): row is BlobRow {
  return !isExternal(row) && row.encoding === 'base64' && row.data.length >= (minExternalBytes / 3) * 4;
}

/**
 * Reads the object of a row, verifies its hash, and returns the row with its bytes, like a row in a store without a blob storage.
 *
 * @throws Problem(store-failed) if the object is missing or altered, or cannot be read
 */
export async function readExternal(storage: BlobStorage, row: ExternalRow): Promise<BlobRow> {
  const bytes = await storage.get(row.object);
  if (bytes === undefined) throw missingObject(storage, row, 'is missing');
  if (hashOfFile(bytes) !== row.id) throw missingObject(storage, row, 'was altered');
  return { id: row.id, encoding: row.encoding, data: bytes.toString('base64') };
}

function missingObject({ url }: BlobStorage, { object }: ExternalRow, what: string): Problem {
  return new Problem('store-failed', `A file of the store ${what}: the object ${object} in ${url}.`, {
    hint: 'Restore the object from a backup of the blob storage, or upload the file again.',
  });
}
