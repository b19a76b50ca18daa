import { blobs } from '../../content/rows.ts';
import type { BlobStorage } from '../../core/blob-storage.ts';
import { scanTable, type Store } from '../../core/store.ts';
import { isProblem } from '../../errors/problem.ts';
import { isExternal, readExternal, type ExternalRow, type StoredBlob } from '../blobs/external-row.ts';
import { maxExternalRow } from '../blobs/scan-blobs.ts';
import type { ReportDamage } from './damage.ts';

const rowsPerRead = 500;

/**
 * Reports files whose object in the blob storage is missing or altered, up to `max` of the files.
 *
 * @throws Problem(store-failed) if the storage cannot be reached
 */
export async function checkObjects(
  store: Store,
  storage: BlobStorage,
  report: ReportDamage,
  max = Infinity,
): Promise<void> {
  let checked = 0;
  const findRow = async (id: string): Promise<ExternalRow | undefined> => {
    const row = (await store.read((view) => view.get(blobs, id))) as StoredBlob | undefined;
    return row && isExternal(row) ? row : undefined;
  };
  for await (const found of scanTable((work) => store.read(work), blobs, rowsPerRead))
    for (const { id, size } of found) {
      if (size > maxExternalRow) continue;
      const row = await findRow(id);
      if (row === undefined) continue;
      if (++checked > max) return;
      try {
        await readExternal(storage, row);
      } catch (error) {
        if (!isProblem(error, 'store-failed') || error.retryAfter !== undefined) throw error;
        // The file may have been removed or moved in the meantime.
        if ((await findRow(id))?.object === row.object)
          report({ table: blobs.name, id, what: error.message });
      }
    }
}
