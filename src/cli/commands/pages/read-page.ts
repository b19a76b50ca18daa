import { Problem } from '../../../errors/problem.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { createNames } from '../../names.ts';
import type { Session } from '../../session.ts';

/** Where a page is looked for, as a person wrote it. */
export interface PagePlace {
  readonly space?: string | undefined;
  readonly page?: string | undefined;
  readonly changeRequest?: string | undefined;
  readonly revision?: string | undefined;
}

/** Finds a page in a space, in a change request or in a revision, and reads it with its text. */
export async function findPage(
  session: Session,
  { space, page, changeRequest, revision }: PagePlace,
): Promise<{ readonly spaceId: string; readonly page: PageBody }> {
  if (space === undefined || page === undefined)
    throw new Problem('usage', 'Which page?', {
      hint: 'Give the space and the page: SPACE PAGE, such as Handbook guides/install.',
    });
  if (changeRequest !== undefined && revision !== undefined)
    throw new Problem('usage', 'Give either --change-request or --revision, not both.');
  const names = createNames(session);
  const spaceId = await names.resolve('spaceId', space, {}, 'pages.show');
  const place = {
    spaceId,
    ...(changeRequest === undefined ? {} : { changeRequestId: changeRequest }),
    ...(revision === undefined ? {} : { revisionId: revision }),
  };
  const pageId = await names.resolve('pageId', page, place, 'pages.show');
  return { spaceId, page: await readPageById(session, { ...place, pageId }) };
}

/** Reads a page, by id, from where it lies. */
export async function readPageById(
  session: Session,
  {
    spaceId,
    pageId,
    changeRequestId,
    revisionId,
  }: {
    readonly spaceId: string;
    readonly pageId: string;
    readonly changeRequestId?: string;
    readonly revisionId?: string;
  },
): Promise<PageBody> {
  const api = await session.api();
  const query = { format: 'markdown', texts: false } as const;
  const { signal } = session.runtime;
  if (changeRequestId !== undefined) {
    const { getPage } = await import('../../../resources/content/change-request-pages/contract.ts');
    return api.call(getPage, { params: { spaceId, changeRequestId, pageId }, query }, { signal });
  }
  if (revisionId !== undefined) {
    const { getPage } = await import('../../../resources/content/revision-pages/contract.ts');
    return api.call(getPage, { params: { spaceId, revisionId, pageId }, query }, { signal });
  }
  const { getPage } = await import('../../../resources/content/space-pages/contract.ts');
  return api.call(getPage, { params: { spaceId, pageId }, query }, { signal });
}
