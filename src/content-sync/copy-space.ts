import type { Api } from '../contract/api.ts';
import type { ContentChange } from '../content/changes.ts';
import { chunk, defined } from '../contract/values.ts';
import type { IdQueue } from '../manifest/rehearse/copy.ts';
import { mapConcurrent } from '../manifest/map-concurrent.ts';
import { batchContent } from '../resources/content/change-request/contract.ts';
import { changeSpace, insertedIds, planCopy } from './rehearse-content.ts';
import { sendImport } from './send-import.ts';
import { openContent, type ContentRef } from './space-content.ts';

interface SpaceCopy {
  readonly from: Api;
  /** The space, or one of its change requests or revisions. */
  readonly content: ContentRef;
  /** An Api with an empty space that has the same ID. */
  readonly to: Api;
  readonly ids: IdQueue;
  readonly signal: AbortSignal;
  /** Maximum bytes of downloaded files. */
  readonly maxFileBytes: number;
}

/** Maximum number of files in one change. */
const maxFilesAtOnce = 20;

/**
 * Copies the content of a space into the empty space of a copy, with the IDs of its pages and files. Returns the number of
 * downloaded bytes, and the names of files that were left out because of `maxFileBytes`.
 */
export async function copySpace({
  from,
  content,
  to,
  ids,
  signal,
  maxFileBytes,
}: SpaceCopy): Promise<{ readonly bytes: number; readonly omitted: readonly string[] }> {
  const { spaceId } = content;
  const reader = await openContent(from, content, signal);
  const { files, ...read } = await reader.read(true);
  let bytes = 0;
  const omitted: string[] = [];
  const taken = files.filter(({ name, size }) => {
    const fits = bytes + size <= maxFileBytes;
    if (fits) bytes += size;
    else omitted.push(name);
    return fits;
  });
  const downloaded = await mapConcurrent(taken, 4, async ({ id, name, contentType, git }) => ({
    id,
    file: defined({
      name,
      contentType,
      base64: Buffer.from(await reader.download(id)).toString('base64'),
      git: git && { path: git.path },
    }),
  }));
  await changeSpace(to, spaceId, async (params) => {
    const send = (changes: ContentChange[], given = insertedIds(changes)) =>
      ids.withIds(given, () => to.call(batchContent, { params, body: { changes } }, { signal }));
    await sendImport(planCopy({ ...read, files: [] }, new Map()), send);
    for (const some of chunk(downloaded, maxFilesAtOnce)) {
      const change: ContentChange = { operation: 'insert_files', files: some.map(({ file }) => file) };
      await send(
        [change],
        some.map((one) => one.id),
      );
    }
  });
  return { bytes, omitted };
}
