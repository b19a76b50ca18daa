import { flattenPages } from '../contract/values.ts';
import type { Api } from '../contract/api.ts';
import { addressOfComputed, readComputed } from '../content/read-computed.ts';
import { Problem } from '../errors/problem.ts';
import { readSettings, settingsFile } from './settings.ts';
import type { PageBody, File, FolderText as TextBody } from '../resources/content/schemas.ts';
import * as spaceFiles from '../resources/content/space-files/contract.ts';
import * as spacePages from '../resources/content/space-pages/contract.ts';
import { listTexts } from '../resources/content/space/contract.ts';
import { listAll } from '../contract/each-page.ts';
import type { Static } from '../contract/schema.ts';

/** Names the content of a space, of one of its change requests, or of one of its revisions. */
export interface ContentRef {
  readonly spaceId: string;
  readonly changeRequestId?: string;
  readonly revisionId?: string;
}

/** Reads the content of a space, change request or revision. */
export interface ContentReader {
  /**
   * Reads everything except the bytes of files. With `texts`, pages and texts include their text. `onPages` is called with the
   * number of pages that have been read, and the number of all.
   */
  read(texts: boolean, onPages?: (done: number, total: number) => void): Promise<SpaceContent>;
  pages(texts: boolean): Promise<readonly PageBody[]>;
  page(pageId: string): Promise<PageBody>;
  files(): Promise<SpaceContent['files']>;
  /** Reads settings, table of contents, variables and includes; by default with their text. */
  texts(texts?: boolean): Promise<SpaceContent['texts']>;
  download(fileId: string): Promise<Uint8Array>;
}

type Operations = Pick<typeof spacePages, 'listPages' | 'getPage'> &
  Pick<typeof spaceFiles, 'listFiles' | 'downloadFile'> & { readonly listTexts: typeof listTexts };

function countPages(pages: readonly PageBody[]): number {
  return pages.reduce((sum, page) => sum + 1 + countPages(page.pages ?? []), 0);
}

/** Opens content for reading. */
export async function openContent(api: Api, params: ContentRef, signal: AbortSignal): Promise<ContentReader> {
  const { listPages, getPage, listFiles, downloadFile, listTexts: list } = await loadOperations(params);
  const options = { signal };
  const withTexts = async (pages: readonly PageBody[], onPage: () => void): Promise<PageBody[]> => {
    const complete: PageBody[] = [];
    for (const page of pages) {
      const own =
        page.type === 'document'
          ? await api.call(
              getPage,
              { params: { ...params, pageId: page.id }, query: { texts: false } },
              options,
            )
          : page;
      onPage();
      complete.push({ ...own, pages: await withTexts(page.pages ?? [], onPage) });
    }
    return complete;
  };
  // Generated pages are not in a folder; their source is.
  const readTree = async (texts: boolean): Promise<PageBody[]> => {
    const { pages } = await api.call(listPages, { params, query: { texts, computed: false } }, options);
    return flattenPages(pages).some(({ type }) => type === 'computed') ? pages.map(computedAsLink) : pages;
  };
  const readPages = async (
    texts: boolean,
    onPages?: (done: number, total: number) => void,
  ): Promise<PageBody[]> => {
    if (!texts) return readTree(texts);
    const total = onPages === undefined ? 0 : countPages(await readPages(false));
    try {
      onPages?.(0, total);
      return await readTree(texts);
    } catch (error) {
      // The answer is too large for the server or the client, so the pages are read one by one.
      if (!(error instanceof Problem) || (error.reason !== 'too-large' && error.reason !== 'unreachable'))
        throw error;
      let done = 0;
      return withTexts(await readPages(false), () => onPages?.(++done, total));
    }
  };
  const readTexts = async (texts: boolean) =>
    (await api.call(list, { params, query: { texts } }, options)).texts;
  const readFiles = () => listAll(api, listFiles, { params }, options);
  return {
    read: async (texts, onPages) => ({
      files: await readFiles(),
      pages: await readPages(texts, onPages),
      texts: await readTexts(texts),
    }),
    pages: (texts) => readPages(texts),
    page: (pageId) =>
      api.call(
        getPage,
        { params: { ...params, pageId }, query: { format: 'markdown', texts: false } },
        options,
      ),
    files: readFiles,
    texts: (texts = true) => readTexts(texts),
    download: async (fileId) =>
      (await api.call(downloadFile, { params: { ...params, fileId } }, options)).bytes,
  };
}

/** Returns the root folder of the documentation from the imported settings of a space; undefined if they have none. */
export async function readDocumentationRoot(
  api: Api,
  spaceId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const read = async (texts: boolean) =>
      (await api.call(listTexts, { params: { spaceId }, query: { texts } }, { signal })).texts.find(
        ({ git }) => git.path === settingsFile,
      );
    if ((await read(false)) === undefined) return undefined;
    return readSettings((await read(true))?.text).root || undefined;
  } catch (error) {
    // The server has no such texts, or the settings are invalid. Then there is no root.
    if (error instanceof Problem && ['not-found', 'not-implemented', 'invalid-input'].includes(error.reason))
      return undefined;
    throw error;
  }
}

/** Loads the operations that read the content. They differ only in their path parameters. */
async function loadOperations({ changeRequestId, revisionId }: ContentRef): Promise<Operations> {
  if (changeRequestId === undefined && revisionId === undefined)
    return { ...spacePages, ...spaceFiles, listTexts };
  const modules =
    changeRequestId === undefined
      ? [
          import('../resources/content/revision-pages/contract.ts'),
          import('../resources/content/revision-files/contract.ts'),
          import('../resources/content/revision/contract.ts'),
        ]
      : [
          import('../resources/content/change-request-pages/contract.ts'),
          import('../resources/content/change-request-files/contract.ts'),
          import('../resources/content/change-request/contract.ts'),
        ];
  return Object.assign({}, ...(await Promise.all(modules))) as Operations;
}

/** In a folder, a page that is the source of generated pages is a link. */
function computedAsLink(page: PageBody): PageBody {
  const { pages } = page;
  // Stored fields have a different order. Parsing them again sorts them like in a table of contents.
  const computed = page.type === 'computed' ? readComputed(page.computed) : undefined;
  if (computed !== undefined) return { ...page, type: 'link', computed, href: addressOfComputed(computed) };
  return pages === undefined ? page : { ...page, pages: pages.map(computedAsLink) };
}

/** The content of a space, except the bytes of its files. */
export interface SpaceContent {
  readonly pages: readonly PageBody[];
  readonly files: readonly Static<typeof File>[];
  readonly texts: readonly Static<typeof TextBody>[];
}
