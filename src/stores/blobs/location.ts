import { settings } from '../../core/rows/organizations.ts';
import type { Store } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';

/**
 * Checks that a process uses the blob storage of its store. `url` is the one that the process uses.
 *
 * @throws Problem(store-failed) if the store keeps its large files elsewhere
 */
export async function checkLocation(store: Store, url: string | undefined): Promise<void> {
  const place = await store.read((view) => view.get(settings, 'store'));
  if (place?.blobs !== undefined && place.blobs !== url) throw wrongLocation(place.blobs, url);
}

/** Returns the error of a process that looks for large files in the wrong place. */
export function wrongLocation(actual: string, url: string | undefined): Problem {
  const given = url === undefined ? 'DOCSCTL_BLOBS is not set' : `DOCSCTL_BLOBS names ${url}`;
  return new Problem('store-failed', `The large files of this store are in ${actual}, but ${given}.`, {
    hint: `Set DOCSCTL_BLOBS='${actual}'. \`docsctl store move-blobs DESTINATION\` then moves them elsewhere.`,
  });
}
