import { getExisting, type ReadTransaction, type WriteTransaction } from '../core/store.ts';
import { recordReferences } from './collection/record-references.ts';
import { hashOfFile, sha256 } from './hashing.ts';
import { blobs } from './rows.ts';

/** Stores a text and gives its hash; equal texts are stored once. */
export async function putText(tx: WriteTransaction, text: string): Promise<string> {
  return put(tx, sha256(text), 'text', () => text);
}

/** Stores bytes and gives their hash. */
export async function putBytes(tx: WriteTransaction, bytes: Uint8Array): Promise<string> {
  return put(tx, hashOfFile(bytes), 'base64', () => Buffer.from(bytes).toString('base64'));
}

/** The text, or the base64 of the bytes, with this hash. */
export async function readBlob(view: ReadTransaction, hash: string): Promise<string> {
  return (await getExisting(view, blobs, hash)).data;
}

/** The Markdown of a page or a text; '' for a page without one: a group or a link. */
export async function readBody(view: ReadTransaction, { blob }: { readonly blob?: string }): Promise<string> {
  return blob === undefined ? '' : readBlob(view, blob);
}

/** The bytes with this hash. */
export async function readBytes(view: ReadTransaction, hash: string): Promise<Buffer> {
  const { encoding, data } = await getExisting(view, blobs, hash);
  return Buffer.from(data, encoding === 'text' ? 'utf8' : 'base64');
}

async function put(
  tx: WriteTransaction,
  id: string,
  encoding: 'text' | 'base64',
  data: () => string,
): Promise<string> {
  if ((await tx.get(blobs, id)) === undefined) await tx.insert(blobs, { id, encoding, data: data() });
  await recordReferences(tx, { blobs: [id] });
  return id;
}
