import { getOrInsert } from '../../contract/values.ts';
import type { RevisionRow } from '../../core/rows/revisions.ts';
import { requestRemoval } from '../../core/removal.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { collectionStates, newReferences, type NodeRow } from '../rows.ts';

/** The blobs and the roots of tries that a row refers to. */
export interface References {
  readonly blobs?: readonly string[];
  readonly roots?: readonly string[];
}

/** Returns the tries that a revision refers to. */
export function referencesOfRevision({ root, children, links }: RevisionRow): References {
  return { roots: [root, children, ...Object.values(links?.roots ?? {})] };
}

/** Returns the nodes and blobs that a node of a trie refers to. */
export function referencesOf(node: NodeRow | undefined): References {
  return {
    roots: Object.values(node?.branches ?? {}).map(([child]) => child),
    blobs: (node?.entries ?? []).flatMap((entry) =>
      'blob' in entry && typeof entry.blob === 'string' ? [entry.blob] : [],
    ),
  };
}

/** The epoch of the running garbage collection for each transaction, so that it is read once per transaction. */
const epochs = new WeakMap<WriteTransaction, Promise<string | undefined>>();

/**
 * Records new references of a row for the running garbage collection, which then keeps what they lead to. If none is running,
 * this does nothing. Call it in the transaction that writes the row.
 */
export async function recordReferences(
  tx: WriteTransaction,
  { blobs = [], roots = [] }: References,
): Promise<void> {
  const reading = getOrInsert(epochs, tx, () => readEpoch(tx));
  const epoch = await reading;
  if (epoch === undefined) return;
  const ids = [
    ...blobs.map((hash) => referenceId(epoch, 'b', hash)),
    ...roots.map((hash) => referenceId(epoch, 'n', hash)),
  ];
  for (const id of new Set(ids))
    if ((await tx.get(newReferences, id)) === undefined) await tx.insert(newReferences, { id });
}

/** Returns the epoch of the running garbage collection; undefined if none is running. */
export async function readEpoch(tx: ReadTransaction): Promise<string | undefined> {
  return (await tx.get(collectionStates, 'current'))?.epoch;
}

/** Requests a garbage collection within an hour. Call it when something that referred to content was removed. */
export async function requestCollection(tx: WriteTransaction, now: string): Promise<void> {
  await noteUnusedContent(tx, now);
  await requestRemoval(tx, now);
}

/** Notes that unreferenced content may be stored, for the next garbage collection. */
export async function noteUnusedContent(tx: WriteTransaction, at: string): Promise<void> {
  if ((await tx.get(collectionStates, 'needed')) === undefined)
    await tx.insert(collectionStates, { id: 'needed', at });
}

/** Returns the ID of the row that records a reference to a blob (b) or a node (n). */
function referenceId(epoch: string, kind: 'b' | 'n', hash: string): string {
  return `${epoch}.${kind}.${hash}`;
}
