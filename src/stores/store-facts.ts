import type { StoreTarget } from './backup/restore.ts';
import { storedRows } from './backup/stored-rows.ts';
import { sealingKeys } from './backup/write-backup.ts';
import { openStore } from './index.ts';
import { marks } from './marks.ts';

/**
 * Returns the fingerprints of the keys with which secrets of a store are sealed, and the URL it was moved to. Opens a connection.
 */
export async function readStoreFacts({
  url,
  tables,
  cwd,
}: StoreTarget): Promise<{ readonly keys: readonly string[]; readonly movedTo: string | undefined }> {
  const store = await openStore(url, { tables, cwd, create: false, ignoreMarks: true });
  try {
    return await store.read(async (view) => {
      const keys = new Set<string>();
      for (const table of tables) {
        if (typeof table.audit !== 'object' || !('secrets' in table.audit)) continue;
        for await (const rows of storedRows(view, table))
          for (const row of rows) for (const key of sealingKeys(table, row)) keys.add(key);
      }
      return { keys: [...keys].sort(), movedTo: (await view.get(marks, 'moved'))?.to };
    });
  } finally {
    await store.close();
  }
}
