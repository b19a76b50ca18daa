import { settings } from '../../core/rows/organizations.ts';
import type { StoreTarget } from '../backup/restore.ts';
import { openStore } from '../index.ts';
import { checkLocation } from './location.ts';
import { measureMove, moveBlobs, type BlobMove, type MoveSize } from './move-blobs.ts';

/**
 * Moves the large files of a store from `target.blobs`, which must be their current location. `isDryRun` only measures. The
 * result includes the old location.
 *
 * @throws Problem(store-failed), Problem(interrupted)
 */
export async function moveStoredBlobs(
  { url, tables, cwd, blobs }: StoreTarget,
  { isDryRun, ...move }: Omit<BlobMove, 'from'> & { isDryRun: boolean },
): Promise<MoveSize & { readonly from: string }> {
  const store = await openStore(url, { tables, cwd, create: false });
  try {
    const place = await store.read((view) => view.get(settings, 'store'));
    // The store may already have the new location, because another process or an interrupted run has set it.
    const isThere = place?.blobs !== undefined && place.blobs === move.to?.url;
    if (!isThere) await checkLocation(store, blobs?.url);
    const from = isThere ? move.to : place?.blobs === undefined ? undefined : blobs;
    const size = await (isDryRun
      ? measureMove(store, { ...move, from })
      : moveBlobs(store, { ...move, from }));
    // After an interrupted move, the remaining bytes are still in the store.
    return { ...size, from: isThere && size.files > 0 ? 'store' : (from?.url ?? 'store') };
  } finally {
    await store.close();
  }
}
