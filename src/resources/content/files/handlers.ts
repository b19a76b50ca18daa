import type { HandlerFile } from '../../../contract/file.ts';
import type { Static } from '../../../contract/schema.ts';
import { pageOfArray, type Page, type PageQuery } from '../../../core/listing.ts';
import { notFound } from '../../../errors/problem.ts';
import { listBacklinksOfFile } from '../links/list-links.ts';
import { readFile, readFiles } from '../../../content/revisions.ts';
import type { File } from '../schemas.ts';
import { shapeFile } from '../shape.ts';
import { readBytes } from '../../../content/blobs.ts';
import type { FileEntry } from '../../../content/rows.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

type Params = { readonly params: { readonly fileId: string } };
type Flags = { readonly query: { readonly metadata?: boolean } };

/** Handles the lists of files of a space, change request or revision. */
export async function listFiles(
  content: ContentSource,
  { query }: { readonly query: Flags['query'] & PageQuery },
): Promise<Page<Static<typeof File>>> {
  const page = pageOfArray(await readFiles(content.tx, revisionOf(content)), query);
  return { ...page, items: page.items.map((file) => shapeFile(content, file, query)) };
}

/** Handles the reads of one file. */
export async function getFile(
  content: ContentSource,
  { params, query }: Params & Flags,
): Promise<Static<typeof File>> {
  return shapeFile(content, await fileOf(content, params.fileId), query);
}

/** Handles the downloads of a file. */
export async function downloadFile(content: ContentSource, { params }: Params): Promise<HandlerFile> {
  const { name, contentType, blob } = await fileOf(content, params.fileId);
  return { name, contentType, bytes: await readBytes(content.tx, blob) };
}

export const listFileBacklinks = (
  content: ContentSource,
  { params, query }: Params & { readonly query: PageQuery },
) => listBacklinksOfFile(content, params.fileId, query);

async function fileOf(content: ContentSource, id: string): Promise<FileEntry> {
  const file = await readFile(content.tx, revisionOf(content), id);
  if (file === undefined) throw notFound('file', id);
  return file;
}
