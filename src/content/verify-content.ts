import { damagedStore } from '../core/damage.ts';
import { hashOfFile, sha256 } from './hashing.ts';
import type { BlobRow, NodeRow } from './rows.ts';

/** Whether the hash of a blob's content equals its ID. A blob in a blob storage is checked when it is read. */
export function isWholeBlob({ id, encoding, data }: BlobRow): boolean {
  if (encoding === 'text') return sha256(data) === id;
  return encoding === 'base64' && hashOfFile(Buffer.from(data, 'base64')) === id;
}

/** Whether the hash of a node's content equals its ID. */
export function isWholeNode({ id, ...node }: NodeRow): boolean {
  return sha256(JSON.stringify(node)) === id;
}

/** Returns a blob after checking its hash. @throws Problem(store-failed) */
export function wholeBlob(row: BlobRow): BlobRow {
  if (isWholeBlob(row)) return row;
  throw damagedStore(`the ${row.encoding === 'text' ? 'text' : 'file'} ${row.id} does not have its hash`);
}

/** Nodes whose hash was checked. They are frozen, because the transactions of a connection share them. */
const checkedNodes = new WeakSet<NodeRow>();

/** Returns a node after checking its hash. @throws Problem(store-failed) */
export function wholeNode<T extends NodeRow>(node: T): T {
  if (checkedNodes.has(node)) return node;
  if (isWholeNode(node)) {
    if (Object.isFrozen(node)) checkedNodes.add(node);
    return node;
  }
  throw damagedStore(`the list of pages ${node.id} does not have its hash`);
}
