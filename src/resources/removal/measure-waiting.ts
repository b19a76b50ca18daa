import { spaces } from '../../core/rows/spaces.ts';
import type { ReadShortly } from '../../core/store.ts';
import { measureUnused } from '../../content/collection/measure-unused.ts';
import { referringTables } from './content-references.ts';
import { ownedTables } from './purge-spaces.ts';

const step = 100;

interface MeasureOptions {
  /** Measures only the deleted spaces of this organization, and content that only they refer to (default: the whole store). */
  readonly organization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the number of bytes that wait for their permanent removal: the rows of deleted spaces, the content that only these
 * spaces refer to, and the content that nothing refers to. Indexes and free space in files are not counted.
 */
export async function measureWaiting(
  read: ReadShortly,
  { organization, signal }: MeasureOptions,
): Promise<number> {
  const deleted = new Set<string>();
  for (const state of ['deleted', 'removed'] as const)
    for (let after: readonly string[] | undefined = []; after !== undefined;) {
      const start: readonly string[] = after;
      const rows = await read((view) =>
        view.find(spaces, {
          index: 'byDeletion',
          equals: [state],
          limit: step,
          ...(start.length === 0 ? {} : { after: start }),
        }),
      );
      for (const row of rows)
        if (organization === undefined || row.organization === organization) deleted.add(row.id);
      const last = rows.at(-1);
      after = rows.length < step || last === undefined ? undefined : [last.deletedAt ?? '', last.id];
    }
  let bytes = 0;
  for (const table of ownedTables)
    for (const space of deleted) {
      signal?.throwIfAborted();
      bytes += await read(async (view) => {
        const rows = await view.find(table, { index: 'bySpace', equals: [space], limit: 100_000 });
        return rows.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0);
      });
    }
  const isKept = (row: object) => !('space' in row && deleted.has(String(row.space)));
  if (organization !== undefined && deleted.size === 0) return 0;
  const options = { isKept, signal, isReferredTo: organization !== undefined };
  return bytes + (await measureUnused(read, referringTables, options));
}
