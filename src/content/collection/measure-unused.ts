import { scanTable, type ReadShortly, type Row } from '../../core/store.ts';
import { blobs, nodes } from '../rows.ts';
import type { ReferringTable } from './collector.ts';
import { Marks } from './marks.ts';

interface MeasureOptions {
  /** Whether the content of a row is in use. */
  readonly isKept: (row: Row) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Counts only content that unused rows refer to (default: also content without any reference). */
  readonly isReferredTo?: boolean;
}

/** Number of rows that one transaction reads. */
const step = 200;

/**
 * Returns the bytes of the blobs and trie nodes that no used row refers to. It reads in short transactions, so concurrent writes
 * may or may not be counted.
 *
 * @throws Problem(interrupted) if the signal is aborted
 */
export async function measureUnused(
  read: ReadShortly,
  tables: readonly ReferringTable[],
  { isKept, signal, isReferredTo = false }: MeasureOptions,
): Promise<number> {
  const kept = await markContent(read, tables, isKept, signal);
  const released = isReferredTo ? await markContent(read, tables, (row) => !isKept(row), signal) : undefined;
  let bytes = 0;
  for (const [table, kind] of [
    [nodes, 'nodes'],
    [blobs, 'blobs'],
  ] as const)
    for await (const found of scanTable(read, table, 1000)) {
      signal?.throwIfAborted();
      for (const { id, size } of found)
        if (!kept[kind].has(id) && released?.[kind].has(id) !== false) bytes += size;
    }
  return bytes;
}

/** Marks the nodes and blobs that rows refer to, for the rows for which `isWanted` returns true. */
async function markContent(
  read: ReadShortly,
  tables: readonly ReferringTable[],
  isWanted: (row: Row) => boolean,
  signal: AbortSignal | undefined,
): Promise<Marks> {
  const marks = new Marks();
  for (const { table, references } of tables)
    for (let after: string | undefined = ''; after !== undefined;) {
      signal?.throwIfAborted();
      const start: string = after;
      after = await read(async (view) => {
        const found = await view.scan(table, start, step);
        for (const { id } of found) {
          const row = await view.get(table, id);
          if (row !== undefined && isWanted(row)) marks.add(references(row));
        }
        return found.at(-1)?.id;
      });
      while (!marks.isWhole) await read((view) => marks.follow(view, step));
    }
  return marks;
}
