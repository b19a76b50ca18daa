import { Problem } from '../errors/problem.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ContentChange } from '../content/changes.ts';
import { defined } from '../contract/values.ts';

/** Sends one batch and gives the pages that were made, with their refs. */
export type SendChanges = (
  changes: ContentChange[],
) => Promise<{ readonly pages?: readonly { readonly id: string; readonly ref?: string }[] | undefined }>;

/** Changes in one call (limit of `change-requests.content.batch`); a larger page or file than a call takes goes alone. */
const maxChanges = 10_000;
/** The API takes bodies of 16 MiB; a store that is in this process takes what memory holds. */
const maxBytesOverHttp = 12 * 1024 * 1024;
const maxBytesEmbedded = 64 * 1024 * 1024;

/** How many changes a plan has. */
export function countChanges({ pages, texts, files, deletedFiles }: ImportPlan): number {
  return pages.length + texts.length + files.length + deletedFiles.length;
}

/** Sends a plan in large batches, each new page under the id that its parent was given in an earlier one; files are read as they are sent. */
export async function sendImport(
  plan: ImportPlan,
  send: SendChanges,
  { remote = false }: { readonly remote?: boolean } = {},
): Promise<void> {
  const mostBytes = remote ? maxBytesOverHttp : maxBytesEmbedded;
  const ids = new Map<string, string>();
  let batch: ContentChange[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length > 0) await sendAll(batch, ids, send);
    [batch, bytes] = [[], 0];
  };
  for (const { change, size } of listChanges(plan)) {
    if (batch.length >= maxChanges || (batch.length > 0 && bytes + size > mostBytes)) await flush();
    batch.push(change());
    bytes += size;
  }
  await flush();
}

/** Sends changes, in halves where they are too much for one call, and learns the ids of new pages. */
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

/** Every change with about the bytes of its JSON; made when it is its turn. */
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
  for (let at = 0; at < deletedFiles.length; at += 100)
    yield {
      change: () => ({ operation: 'delete_files', files: deletedFiles.slice(at, at + 100) }),
      size: 4000,
    };
}

/** About the bytes of a change with a text; one with more to escape makes a batch that is divided when it is refused. */
function estimateSize(change: ContentChange): number {
  const text =
    change.operation === 'put_text'
      ? change.text
      : 'document' in change
        ? change.document?.markdown
        : undefined;
  return 1000 + Math.ceil(Buffer.byteLength(text ?? '') * 1.1);
}

/** A ref of an earlier batch made the id it stands for; one of the same batch stays. */
function replaceRefs(change: ContentChange, ids: ReadonlyMap<string, string>): ContentChange {
  if (!('into' in change) || change.into === undefined || change.into === null) return change;
  return { ...change, into: ids.get(change.into) ?? change.into };
}
