import type { ReadTransaction, Row } from '../../core/store.ts';
import { blobs, nodes } from '../rows.ts';
import type { ReferringTable } from './collector.ts';
import { HashSet } from './hash-set.ts';
import type { References } from './record-references.ts';

/** Runs work in a short read transaction. */
export type ReadShortly = <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;

interface MeasureOptions {
  /** Whether a row keeps what it refers to. */
  readonly isKept: (row: Row) => boolean;
  readonly signal: AbortSignal;
}

/** Rows that one transaction reads. */
const step = 200;

/**
 * Returns the bytes of the blobs and nodes of tries that no row refers to which is kept. It reads in short transactions, so
 * what others write meanwhile may or may not be counted.
 * @throws Problem(interrupted) if the signal is aborted
 */
export async function measureUnused(
  read: ReadShortly,
  tables: readonly ReferringTable[],
  { isKept, signal }: MeasureOptions,
): Promise<number> {
  const marked = { nodes: new HashSet(), blobs: new HashSet() };
  const open: string[] = [];
  const mark = ({ blobs: texts = [], roots = [] }: References): void => {
    for (const hash of texts) marked.blobs.add(hash);
    for (const hash of roots) if (marked.nodes.add(hash)) open.push(hash);
  };
  const followSome = async (view: ReadTransaction): Promise<void> => {
    for (let left = step; left > 0; left--) {
      const id = open.pop();
      if (id === undefined) return;
      const node = await view.get(nodes, id);
      mark({
        roots: Object.values(node?.branches ?? {}).map(([child]) => child),
        blobs: (node?.entries ?? []).flatMap((entry) =>
          'blob' in entry && typeof entry.blob === 'string' ? [entry.blob] : [],
        ),
      });
    }
  };
  for (const { table, references } of tables)
    for (let after: string | undefined = ''; after !== undefined;) {
      signal.throwIfAborted();
      const start: string = after;
      after = await read(async (view) => {
        const found = await view.scan(table, start, step);
        for (const { id } of found) {
          const row = await view.get(table, id);
          if (row !== undefined && isKept(row)) mark(references(row));
        }
        return found.at(-1)?.id;
      });
      while (open.length > 0) await read(followSome);
    }
  let bytes = 0;
  for (const [table, kept] of [[nodes, marked.nodes] as const, [blobs, marked.blobs] as const])
    for (let after: string | undefined = ''; after !== undefined;) {
      signal.throwIfAborted();
      const start: string = after;
      const found = await read((view) => view.scan(table, start, 1000));
      for (const { id, size } of found) if (!kept.has(id)) bytes += size;
      after = found.at(-1)?.id;
    }
  return bytes;
}
