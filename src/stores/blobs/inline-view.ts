import type { BlobStorage } from '../../core/blob-storage.ts';
import { settings, type SettingRow } from '../../core/rows/organizations.ts';
import type { ReadTransaction, Row, RowSize, Table } from '../../core/store.ts';
import { blobs, looseObjects } from '../../content/rows.ts';
import { isExternal, readExternal, type StoredBlob } from './external-row.ts';
import { scanBlobs } from './scan-blobs.ts';

/**
 * Returns a view of the rows as if the store had no blob storage, for backups and copies. It reads objects while the transaction
 * is open.
 */
export function inlineBlobs(view: ReadTransaction, storage: BlobStorage): ReadTransaction {
  return {
    find: view.find.bind(view),
    count: view.count.bind(view),
    search: view.search.bind(view),
    async get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined> {
      const row: unknown = await view.get(table, id);
      if (table.name === blobs.name && row !== undefined && isExternal(row as StoredBlob))
        return (await readExternal(storage, row as never)) as unknown as R;
      if (table.name !== settings.name || row === undefined) return row as R | undefined;
      const { blobs: _, ...own } = row as SettingRow;
      return own as unknown as R;
    },
    async scan(table: Table, after: string, limit: number): Promise<readonly RowSize[]> {
      if (table.name === looseObjects.name) return [];
      return table.name === blobs.name ? scanBlobs(view, after, limit) : view.scan(table, after, limit);
    },
  };
}
