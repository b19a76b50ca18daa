import type { ContentChange, NewFileBody } from '../resources/content/change-request/contract.ts';
import type { ImportPlan } from './plan-import.ts';

/** Sends one batch with compat=false and gives the answer. */
export type SendChanges = (changes: ContentChange[]) => Promise<{ readonly pages?: readonly { readonly id: string; readonly ref?: string }[] | undefined }>;

/** Changes in one call (limit of the API), and about how many bytes; a larger page or file goes alone. */
const mostChanges = 50;
const mostFiles = 20;
const mostBytes = 700_000;

/** Sends a plan in batches, each new page under the id that its parent was given in an earlier one. */
export async function sendImport(plan: ImportPlan, send: SendChanges): Promise<void> {
  const ids = new Map<string, string>();
  for (const batch of batchesOf(plan.pages, mostChanges, (change) => JSON.stringify(change).length)) {
    const { pages = [] } = await send(batch.map((change) => withIds(change, ids)));
    for (const { id, ref } of pages) if (ref !== undefined) ids.set(ref, id);
  }
  for (const batch of batchesOf(plan.files, mostFiles, ({ file }) => Math.ceil(file.size / 3) * 4)) {
    const files: NewFileBody[] = [];
    for (const { file, replaces } of batch) {
      const base64 = Buffer.from(await file.read()).toString('base64');
      files.push({ name: file.name, contentType: file.contentType, base64, git: { path: file.path }, ...(replaces === undefined ? {} : { replaces }) });
    }
    await send([{ operation: 'insert_files', files }]);
  }
  for (const batch of batchesOf(plan.deletedFiles, 100, () => 0)) await send([{ operation: 'delete_files', files: batch }]);
}

/** A ref of an earlier batch made the id it stands for; one of the same batch stays. */
function withIds(change: ContentChange, ids: ReadonlyMap<string, string>): ContentChange {
  if (!('into' in change) || change.into === undefined || change.into === null) return change;
  return { ...change, into: ids.get(change.into) ?? change.into };
}

function* batchesOf<T>(items: readonly T[], most: number, sizeOf: (item: T) => number): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (batch.length > 0 && (batch.length >= most || size + own > mostBytes)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(item);
    size += own;
  }
  if (batch.length > 0) yield batch;
}
