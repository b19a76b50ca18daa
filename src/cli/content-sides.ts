import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import * as ownFiles from '../resources/content/change-request-files/contract.ts';
import * as ownPages from '../resources/content/change-request-pages/contract.ts';
import { listTexts as listOwnTexts } from '../resources/content/change-request/contract.ts';
import * as baseFiles from '../resources/content/revision-files/contract.ts';
import * as basePages from '../resources/content/revision-pages/contract.ts';
import { listTexts as listBaseTexts } from '../resources/content/revision/contract.ts';
import type { File, FolderText, PageBody } from '../resources/content/schemas.ts';
import type { Static } from '../contract/schema.ts';
import { partsOfPages, type Part } from './content-diff.ts';
import { wholeText } from './page-change.ts';
import { eachPage } from './pages.ts';

/** One of the two contents that are compared. */
export interface Side {
  /** Everything it holds, without texts. */
  parts(): Promise<Part[]>;
  /** The whole text of a part. */
  text(part: Part): Promise<string>;
}

/** How the lists and the pages of a content are read. */
interface Reads {
  pages(): Promise<{ pages: PageBody[] }>;
  page(id: string): Promise<PageBody>;
  files(page: string | undefined): Promise<{ items: Static<typeof File>[]; next?: { page: string } }>;
  texts(texts: boolean): Promise<{ texts: Static<typeof FolderText>[] }>;
}

/** The content of a change request. */
export function ownSide(
  api: Api,
  params: { readonly spaceId: string; readonly changeRequestId: string },
  signal: AbortSignal,
): Side {
  return sideOf({
    pages: () => api.call(ownPages.listPages, { params, query: { texts: false } }, { signal }),
    page: (pageId) =>
      api.call(
        ownPages.getPage,
        { params: { ...params, pageId }, query: { format: 'markdown', texts: false } },
        { signal },
      ),
    files: (page) =>
      api.call(
        ownFiles.listFiles,
        { params, query: { limit: 1000, ...(page === undefined ? {} : { page }) } },
        { signal },
      ),
    texts: (texts) => api.call(listOwnTexts, { params, query: { texts } }, { signal }),
  });
}

/** The content of a revision. */
export function revisionSide(
  api: Api,
  params: { readonly spaceId: string; readonly revisionId: string },
  signal: AbortSignal,
): Side {
  return sideOf({
    pages: () => api.call(basePages.listPages, { params, query: { texts: false } }, { signal }),
    page: (pageId) =>
      api.call(
        basePages.getPage,
        { params: { ...params, pageId }, query: { format: 'markdown', texts: false } },
        { signal },
      ),
    files: (page) =>
      api.call(
        baseFiles.listFiles,
        { params, query: { limit: 1000, ...(page === undefined ? {} : { page }) } },
        { signal },
      ),
    texts: (texts) => api.call(listBaseTexts, { params, query: { texts } }, { signal }),
  });
}

function sideOf(reads: Reads): Side {
  let texts: Promise<ReadonlyMap<string, string>> | undefined;
  return {
    parts: async () => {
      const { pages } = await reads.pages();
      const files: Part[] = [];
      for await (const { items } of eachPage((page) => reads.files(page)))
        files.push(...items.map(partOfFile));
      return [...partsOfPages(pages), ...(await textsOf(reads, false)).map(partOfText), ...files];
    },
    text: async (part) => {
      if (part.kind === 'page') return wholeText(await reads.page(part.id));
      texts ??= textsOf(reads, true).then((all) => new Map(all.map(({ id, text }) => [id, text ?? ''])));
      return (await texts).get(part.id) ?? '';
    },
  };
}

/** A server that keeps no such texts has none. */
async function textsOf(reads: Reads, whole: boolean): Promise<Static<typeof FolderText>[]> {
  try {
    return (await reads.texts(whole)).texts;
  } catch (error) {
    if (error instanceof Problem && (error.reason === 'not-found' || error.reason === 'not-implemented'))
      return [];
    throw error;
  }
}

function partOfFile({ id, name, contentType, size, git, hash }: Static<typeof File>): Part {
  return {
    kind: 'file',
    id,
    path: git?.path ?? name,
    title: name,
    fields: { name, contentType },
    stamp: hash ?? git?.oid ?? String(size),
    isText: false,
    size,
  };
}

function partOfText({ id, role, title, size, git }: Static<typeof FolderText>): Part {
  return {
    kind: 'text',
    id,
    path: git.path,
    title,
    fields: { title, role },
    stamp: git.oid,
    isText: true,
    size,
  };
}
