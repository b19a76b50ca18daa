import type { ReadTransaction, RowSize } from '../../core/store.ts';
import { blobs } from '../../content/rows.ts';
import { isExternal, type StoredBlob } from './external-row.ts';

/** Maximum size of a row that refers to an object, in bytes. */
export const maxExternalRow = 400;

/** Scans the table of blobs. The size of a blob whose bytes are an object is the size of the object. */
export async function scanBlobs(
  view: ReadTransaction,
  after: string,
  limit: number,
): Promise<readonly RowSize[]> {
  const sizes: RowSize[] = [];
  for (const { id, size } of await view.scan(blobs, after, limit)) {
    const row = size > maxExternalRow ? undefined : ((await view.get(blobs, id)) as StoredBlob | undefined);
    sizes.push({ id, size: row !== undefined && isExternal(row) ? row.size : size });
  }
  return sizes;
}
