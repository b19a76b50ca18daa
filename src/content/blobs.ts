import { getExisting, type ReadTransaction, type WriteTransaction } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { recordReferences } from './collection/record-references.ts';
import { hashOfFile, sha256 } from './hashing.ts';
import { blobs, type BlobRow } from './rows.ts';
import { wholeBlob } from './verify-content.ts';

/** Stores a text and returns its hash. Equal texts are stored once. */
export async function putText(tx: WriteTransaction, text: string): Promise<string> {
  return put(tx, sha256(text), 'text', () => text);
}

/** Stores bytes and returns their hash. */
export async function putBytes(tx: WriteTransaction, bytes: Uint8Array): Promise<string> {
  return put(tx, hashOfFile(bytes), 'base64', () => Buffer.from(bytes).toString('base64'));
}

/** Returns the text, or the base64 of the bytes, with this hash. @throws Problem(store-failed) if the store is damaged */
export async function readBlob(view: ReadTransaction, hash: string): Promise<string> {
  return dataOf(await getExisting(view, blobs, hash));
}

/** Returns the Markdown of a page or a text; '' for a group or a link, which have none. */
export async function readBody(view: ReadTransaction, { blob }: { blob?: string }): Promise<string> {
  return blob === undefined ? '' : readBlob(view, blob);
}

/** Returns the bytes with this hash. @throws Problem(store-failed) if the store is damaged */
export async function readBytes(view: ReadTransaction, hash: string): Promise<Buffer> {
  const row = await getExisting(view, blobs, hash);
  return Buffer.from(dataOf(row), row.encoding === 'text' ? 'utf8' : 'base64');
}

/**
 * Returns the data of a row. It is missing if another process has started to use a blob storage. @throws Problem(store-failed)
 */
function dataOf(row: BlobRow): string {
  if ((row as Partial<BlobRow>).data !== undefined) return wholeBlob(row).data;
  throw new Problem(
    'store-failed',
    'The file is in blob storage, but DOCSCTL_BLOBS was not set when this process started.',
    {
      hint: 'Set DOCSCTL_BLOBS and start docsctl again. `docsctl doctor` shows the location of the blob storage.',
    },
  );
}

/** Whether a blob exists. The row is not read, because it may be large or in a blob storage. */
async function hasBlob(view: ReadTransaction, id: string): Promise<boolean> {
  // Rows are scanned in the order of their IDs. The first row after the shortened hash is the blob, or it does not exist: no two
  // hashes differ only in their last digit.
  const [first] = await view.scan(blobs, id.slice(0, -1), 1);
  return first?.id === id;
}

async function put(
  tx: WriteTransaction,
  id: string,
  encoding: 'text' | 'base64',
  data: () => string,
): Promise<string> {
  if (!(await hasBlob(tx, id))) await tx.insert(blobs, { id, encoding, data: data() });
  await recordReferences(tx, { blobs: [id] });
  return id;
}
