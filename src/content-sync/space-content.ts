import type { Api } from '../contract/api.ts';
import { defined } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { readSettings, settingsFile } from './settings.ts';
import type { PageBody, File, FolderText as TextBody } from '../resources/content/schemas.ts';
import * as spaceFiles from '../resources/content/space-files/contract.ts';
import * as spacePages from '../resources/content/space-pages/contract.ts';
import { listTexts } from '../resources/content/space/contract.ts';
import { eachPage } from '../contract/each-page.ts';
import type { Static } from '../contract/schema.ts';

/** Whose content is meant: that of a space, of one of its change requests, or of one of its revisions. */
export interface ContentPlace {
  readonly spaceId: string;
  readonly changeRequestId?: string;
  readonly revisionId?: string;
}

/** How content is read, wherever it lies. */
export interface ContentReader {
  /** All that there is; `texts`: with what pages and texts say. */
  read(texts: boolean): Promise<SpaceContent>;
  pages(texts: boolean): Promise<readonly PageBody[]>;
  /** One page with its Markdown. */
  page(pageId: string): Promise<PageBody>;
  files(): Promise<SpaceContent['files']>;
  /** What is neither page nor file; `texts`: with what it says, which is the default. */
  texts(texts?: boolean): Promise<SpaceContent['texts']>;
  download(fileId: string): Promise<Uint8Array>;
}

type Operations = Pick<typeof spacePages, 'listPages' | 'getPage'> &
  Pick<typeof spaceFiles, 'listFiles' | 'downloadFile'> & { readonly listTexts: typeof listTexts };

/** Opens the content of a place for reading. */
export async function openContent(
  api: Api,
  params: ContentPlace,
  signal: AbortSignal,
): Promise<ContentReader> {
  const { listPages, getPage, listFiles, downloadFile, listTexts: list } = await operationsOf(params);
  const options = { signal };
  const withTexts = async (pages: readonly PageBody[]): Promise<PageBody[]> => {
    const read: PageBody[] = [];
    for (const page of pages) {
      const own =
        page.type === 'document'
          ? await api.call(
              getPage,
              { params: { ...params, pageId: page.id }, query: { texts: false } },
              options,
            )
          : page;
      read.push({ ...own, pages: await withTexts(page.pages ?? []) });
    }
    return read;
  };
  const pagesOf = async (texts: boolean): Promise<PageBody[]> => {
    if (!texts) return (await api.call(listPages, { params, query: { texts } }, options)).pages;
    try {
      return (await api.call(listPages, { params, query: { texts } }, options)).pages;
    } catch (error) {
      // Too much for one answer, for the server or for the client: page by page then.
      if (!(error instanceof Problem) || (error.reason !== 'too-large' && error.reason !== 'unreachable'))
        throw error;
      return withTexts(await pagesOf(false));
    }
  };
  const textsOf = async (texts: boolean) =>
    (await api.call(list, { params, query: { texts } }, options)).texts;
  const filesOf = async (): Promise<SpaceContent['files']> => {
    const files: SpaceContent['files'][number][] = [];
    for await (const { items } of eachPage((page) =>
      api.call(listFiles, { params, query: { limit: 1000, ...defined({ page }) } }, options),
    ))
      files.push(...items);
    return files;
  };
  return {
    read: async (texts) => ({
      files: await filesOf(),
      pages: await pagesOf(texts),
      texts: await textsOf(texts),
    }),
    pages: pagesOf,
    page: (pageId) =>
      api.call(
        getPage,
        { params: { ...params, pageId }, query: { format: 'markdown', texts: false } },
        options,
      ),
    files: filesOf,
    texts: (texts = true) => textsOf(texts),
    download: async (fileId) =>
      (await api.call(downloadFile, { params: { ...params, fileId } }, options)).bytes,
  };
}

/** The folder of the documentation in its repository, as the settings that came with it say; undefined where they say none. */
export async function rootOfSpace(
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
    // A server without such texts, or settings that cannot be read: paths are as the space has them.
    if (error instanceof Problem && ['not-found', 'not-implemented', 'invalid-input'].includes(error.reason))
      return undefined;
    throw error;
  }
}

/** The reading operations of a place. They differ in their path parameters only, which `params` has. */
async function operationsOf({ changeRequestId, revisionId }: ContentPlace): Promise<Operations> {
  if (changeRequestId !== undefined) {
    const [pages, files, content] = await Promise.all([
      import('../resources/content/change-request-pages/contract.ts'),
      import('../resources/content/change-request-files/contract.ts'),
      import('../resources/content/change-request/contract.ts'),
    ]);
    return { ...pages, ...files, listTexts: content.listTexts } as unknown as Operations;
  }
  if (revisionId !== undefined) {
    const [pages, files, content] = await Promise.all([
      import('../resources/content/revision-pages/contract.ts'),
      import('../resources/content/revision-files/contract.ts'),
      import('../resources/content/revision/contract.ts'),
    ]);
    return { ...pages, ...files, listTexts: content.listTexts } as unknown as Operations;
  }
  return { ...spacePages, ...spaceFiles, listTexts };
}

/** What a space holds. */
export interface SpaceContent {
  readonly pages: readonly PageBody[];
  readonly files: readonly Static<typeof File>[];
  readonly texts: readonly Static<typeof TextBody>[];
}
