import { damagedStore } from '../core/damage.ts';
import { hashOfFile, sha256 } from './hashing.ts';
import type { BlobRow, NodeRow } from './rows.ts';

/** Whether a blob holds what its ID is the hash of. A blob whose data is kept elsewhere is checked where it is read. */
export function isWholeBlob({ id, encoding, data }: BlobRow): boolean {
  if (encoding === 'text') return sha256(data) === id;
  return encoding === 'base64' && hashOfFile(Buffer.from(data, 'base64')) === id;
}

/** Whether a node of a trie holds what its ID is the hash of. */
export function isWholeNode({ id, ...node }: NodeRow): boolean {
  return sha256(JSON.stringify(node)) === id;
}

/** Returns a blob that holds what its ID is the hash of. @throws Problem(store-failed) */
export function wholeBlob(row: BlobRow): BlobRow {
  if (isWholeBlob(row)) return row;
  throw damagedStore(`the ${row.encoding === 'text' ? 'text' : 'file'} ${row.id} does not have its hash`);
}

/** Returns a node that holds what its ID is the hash of. @throws Problem(store-failed) */
export function wholeNode<T extends NodeRow>(node: T): T {
  if (isWholeNode(node)) return node;
  throw damagedStore(`the list of pages ${node.id} does not have its hash`);
}
