import type { ContentRef } from '../content-sync/space-content.ts';
import * as changeRequestFiles from '../resources/content/change-request-files/contract.ts';
import * as changeRequestPages from '../resources/content/change-request-pages/contract.ts';
import * as revisionFiles from '../resources/content/revision-files/contract.ts';
import * as revisionPages from '../resources/content/revision-pages/contract.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import * as spaceFiles from '../resources/content/space-files/contract.ts';
import * as spacePages from '../resources/content/space-pages/contract.ts';
import { orUndefined } from '../errors/problem.ts';
import type { PageContext } from './page-view.ts';

type Operations = Pick<typeof spacePages, 'listPages' | 'getPage' | 'getPageByPath'> &
  Pick<typeof spaceFiles, 'listFiles' | 'getFile'>;

/** The content of a space, a change request or a revision, and the path of its pages. */
export interface ContentPlace {
  readonly ref: ContentRef;
  readonly organization: string;
  /** The path of its pages on this server, without the base. */
  readonly path: string;
  /** The operations that read the content. Only their path parameters differ. */
  readonly operations: Operations;
  /** The path of its operations in the API. */
  readonly apiPath: string;
}

/** Returns the content of a space. */
export function contentOfSpace(organization: string, spaceId: string): ContentPlace {
  return {
    ref: { spaceId },
    organization,
    path: `/o/${organization}/s/${spaceId}`,
    operations: { ...spacePages, ...spaceFiles },
    apiPath: `/spaces/${spaceId}/content`,
  };
}

/** Returns the content of a change request. */
export function contentOfChangeRequest(
  organization: string,
  spaceId: string,
  { id, number }: { id: string; number: number },
): ContentPlace {
  return {
    ref: { spaceId, changeRequestId: id },
    organization,
    path: `/o/${organization}/s/${spaceId}/~/changes/${number}`,
    operations: { ...changeRequestPages, ...changeRequestFiles } as unknown as Operations,
    apiPath: `/spaces/${spaceId}/change-requests/${id}/content`,
  };
}

/** Returns the content of a revision. */
export function contentOfRevision(organization: string, spaceId: string, revisionId: string): ContentPlace {
  return {
    ref: { spaceId, revisionId },
    organization,
    path: `/o/${organization}/s/${spaceId}/~/revisions/${revisionId}`,
    operations: { ...revisionPages, ...revisionFiles } as unknown as Operations,
    apiPath: `/spaces/${spaceId}/revisions/${revisionId}`,
  };
}

/** Lists the pages of a content as a tree. */
export async function readPages({ api }: PageContext, place: ContentPlace): Promise<readonly PageBody[]> {
  const { pages } = await api.call(place.operations.listPages, {
    params: place.ref,
    query: { texts: false, metadata: false },
  });
  return pages;
}

/** Reads a page by its path, with its Markdown; undefined if there is none. */
export function readPageAt(
  { api }: PageContext,
  { operations, ref }: ContentPlace,
  path: string,
): Promise<PageBody | undefined> {
  const reading = api.call(operations.getPageByPath, {
    params: { ...ref, pagePath: path },
    query: {
      evaluated: 'deterministic-only',
      dereferenced: 'true',
      'format.markdown.refs': 'stable',
      texts: false,
    },
  });
  return orUndefined(reading, 'not-found');
}

/** Returns the address of a page of a content. */
export function pageHref({ href }: PageContext, { path }: ContentPlace, page: string): string {
  return href(`${path}/${page.split('/').map(encodeURIComponent).join('/')}`);
}

/** Returns the address of a file of a content for a browser with a session. */
export function fileHref({ href }: PageContext, { apiPath }: ContentPlace, fileId: string): string {
  return href(`/o/~download${apiPath}/files/${encodeURIComponent(fileId)}/download`);
}
