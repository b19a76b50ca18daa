import { Problem } from '../errors/problem.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ContentChange } from '../content/changes.ts';
import { chunk, defined } from '../contract/values.ts';

/** Sends one batch and returns the created pages with their refs. */
type SendChanges = (
  changes: ContentChange[],
) => Promise<{ readonly pages?: readonly { readonly id: string; readonly ref?: string }[] }>;

/** The maximum number of changes in one call (limit of `change-requests.content.batch`). */
const maxChanges = 10_000;
/** A store in this process is busy during a call. With fewer changes per call, an import can be interrupted sooner. */
const maxChangesEmbedded = 500;
/** The API accepts bodies of 16 MiB. A store in this process is limited only by memory. */
const maxBytesOverHttp = 12 * 1024 * 1024;
const maxBytesEmbedded = 64 * 1024 * 1024;

/** Returns the number of changes in a plan. */
export function countChanges({ pages, texts, files, deletedFiles }: ImportPlan): number {
  return pages.length + texts.length + files.length + deletedFiles.length;
}

/** Sends a plan in large batches. Refs of earlier batches are replaced by IDs. Files are read when they are sent. */
export async function sendImport(
  plan: ImportPlan,
  send: SendChanges,
  { remote = false }: { remote?: boolean } = {},
): Promise<void> {
  const maxBytes = remote ? maxBytesOverHttp : maxBytesEmbedded;
  const maxCount = remote ? maxChanges : maxChangesEmbedded;
  const ids = new Map<string, string>();
  let batch: ContentChange[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length > 0) await sendAll(batch, ids, send);
    [batch, bytes] = [[], 0];
  };
  for (const { change, size } of listChanges(plan)) {
    if (batch.length >= maxCount || (batch.length > 0 && bytes + size > maxBytes)) await flush();
    batch.push(change());
    bytes += size;
  }
  await flush();
}

/** Sends changes, in halves if they are too large for one call, and collects the IDs of new pages. */
async function sendAll(
  batch: readonly ContentChange[],
  ids: Map<string, string>,
  send: SendChanges,
): Promise<void> {
  try {
    const { pages = [] } = await send(batch.map((change) => replaceRefs(change, ids)));
    for (const { id, ref } of pages) if (ref !== undefined) ids.set(ref, id);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'too-large' || batch.length === 1) throw error;
    const half = Math.ceil(batch.length / 2);
    await sendAll(batch.slice(0, half), ids, send);
    await sendAll(batch.slice(half), ids, send);
  }
}

/** The maximum number of files in one change. */
const maxFilesAtOnce = 20;

/**
 * Returns all changes of a plan in one batch, to preview their effect. Files have no bytes. Undefined if there are too many
 * changes for one call, or they are too large.
 */
export function previewChanges(plan: ImportPlan, isRemote: boolean): ContentChange[] | undefined {
  const changes = [...plan.pages, ...plan.texts];
  const size = changes.reduce((sum, change) => sum + estimateSize(change), 0);
  const files = plan.files.map(({ file: { name, contentType, path }, replaces }) =>
    defined({ name, contentType, base64: '', git: { path }, replaces }),
  );
  for (const some of chunk(files, maxFilesAtOnce)) changes.push({ operation: 'insert_files', files: some });
  for (const some of chunk(plan.deletedFiles, 100)) changes.push({ operation: 'delete_files', files: some });
  const isTooLarge = size > (isRemote ? maxBytesOverHttp : maxBytesEmbedded) || changes.length > maxChanges;
  return isTooLarge ? undefined : changes;
}

/** Yields a function for each change, and the approximate size of its JSON in bytes. */
function* listChanges({
  pages,
  texts,
  files,
  deletedFiles,
}: ImportPlan): Generator<{ readonly change: () => ContentChange; readonly size: number }> {
  for (const change of [...pages, ...texts]) yield { change: () => change, size: estimateSize(change) };
  for (const { file, replaces } of files) {
    const { name, contentType, path } = file;
    const body = () =>
      defined({
        name,
        contentType,
        base64: Buffer.from(file.read()).toString('base64'),
        git: { path },
        replaces,
      });
    yield {
      change: () => ({ operation: 'insert_files', files: [body()] }),
      size: Math.ceil(file.size / 3) * 4 + 500,
    };
  }
  for (const some of chunk(deletedFiles, 100))
    yield { change: () => ({ operation: 'delete_files', files: some }), size: 4000 };
}

/** Estimates the size of a change with a text. A batch that is larger than estimated is split when it is refused. */
function estimateSize(change: ContentChange): number {
  const text =
    change.operation === 'put_text'
      ? change.text
      : 'document' in change
        ? change.document?.markdown
        : undefined;
  return 1000 + Math.ceil(Buffer.byteLength(text ?? '') * 1.1);
}

function replaceRefs(change: ContentChange, ids: ReadonlyMap<string, string>): ContentChange {
  if (!('into' in change) || change.into === undefined || change.into === null) return change;
  return { ...change, into: ids.get(change.into) ?? change.into };
}
