import type { HandlerFile } from '../../../contract/file.ts';
import type { Static } from '../../../contract/schema.ts';
import { pageOfArray, type Page, type PageQuery } from '../../../core/listing.ts';
import { Deferred } from '../../../core/handler.ts';
import { notFound, Problem } from '../../../errors/problem.ts';
import { listBacklinksOfFile } from '../links/list-links.ts';
import { readFile, readFiles } from '../../../content/revisions.ts';
import type { File } from '../schemas.ts';
import { shapeFile } from '../shape.ts';
import { readBytes } from '../../../content/blobs.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';
import type { ComputedFile } from '../integration-pages/compute-files.ts';
import { seedOfFile } from '../integration-pages/file-references.ts';

type Params = { readonly params: { readonly fileId: string } };
type Flags = { readonly query: { readonly metadata?: boolean; readonly computed?: boolean } };

/** Maximum size of a file that an integration computes, in bytes. */
const maxComputedBytes = 20 * 1024 * 1024;

/** Handles the operations that list files of a space, change request or revision. */
export async function listFiles(
  content: ContentSource,
  { query }: { query: Flags['query'] & PageQuery },
): Promise<Deferred<Page<Static<typeof File>>>> {
  const stored = await readFiles(content.tx, revisionOf(content));
  const { listSourcePages, computeFiles } = await import('../integration-pages/compute-files.ts');
  const sources = query.computed === false ? [] : await listSourcePages(content);
  if (sources.length === 0) {
    const page = pageOfArray(stored, query);
    const shaped = { ...page, items: page.items.map((file) => shapeFile(content, file, query)) };
    return new Deferred(async () => shaped);
  }
  const shaped = stored.map((file) => shapeFile(content, file, query));
  return new Deferred(async (services) => {
    const computed = await computeFiles(services, content, sources);
    return pageOfArray([...shaped, ...computed.map(({ file }) => file)], query);
  });
}

/** Handles the operations that read one file. */
export async function getFile(
  content: ContentSource,
  { params, query }: Params & Flags,
): Promise<Deferred<Static<typeof File>>> {
  const stored = await readFile(content.tx, revisionOf(content), params.fileId);
  if (stored !== undefined) {
    const shaped = shapeFile(content, stored, query);
    return new Deferred(async () => shaped);
  }
  const found = query.computed === false ? undefined : await findComputed(content, params.fileId);
  if (found === undefined) throw notFound('file', params.fileId);
  return new Deferred(async (services) => (await found.make(services)).file);
}

/**
 * Handles the operations that download a file. The bytes of a computed file come from the address that its integration returned.
 */
export async function downloadFile(
  content: ContentSource,
  { params }: Params,
): Promise<Deferred<HandlerFile>> {
  const stored = await readFile(content.tx, revisionOf(content), params.fileId);
  if (stored !== undefined) {
    const { name, contentType, blob } = stored;
    const bytes = await readBytes(content.tx, blob);
    return new Deferred(async () => ({ name, contentType, bytes, hash: blob }));
  }
  const found = await findComputed(content, params.fileId);
  if (found === undefined) throw notFound('file', params.fileId);
  return new Deferred(async (services) => {
    const { file, address } = await found.make(services);
    const answer = await services.outgoing({ url: address, maxBytes: maxComputedBytes });
    if (answer.status !== 200)
      throw new Problem(
        'unreachable',
        `The file "${file.name}" cannot be read: its address answers with status ${answer.status}.`,
        { hint: 'Ask the publisher of the integration that computes the file.' },
      );
    return { name: file.name, contentType: file.contentType, bytes: answer.bytes };
  });
}

export const listFileBacklinks = (content: ContentSource, { params, query }: Params & { query: PageQuery }) =>
  listBacklinksOfFile(content, params.fileId, query);

/** Finds a file that an integration computes, by its ID. Returns undefined for other IDs. */
async function findComputed(content: ContentSource, id: string): Promise<Deferred<ComputedFile> | undefined> {
  const seed = seedOfFile(id);
  if (seed === undefined) return undefined;
  const { listSourcePages, computeFiles } = await import('../integration-pages/compute-files.ts');
  const sources = (await listSourcePages(content)).filter((page) => page.id === seed);
  return new Deferred(async (services) => {
    const files = await computeFiles(services, content, sources);
    const found = files.find(({ file }) => file.id === id);
    if (found === undefined) throw notFound('file', id);
    return found;
  });
}
