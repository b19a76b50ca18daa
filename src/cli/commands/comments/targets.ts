import { getOrInsert } from '../../../contract/values.ts';
import type { Static } from '../../../contract/schema.ts';
import { orUndefined } from '../../../errors/problem.ts';
import type { Comment } from '../../../resources/comments/contract.ts';
import { getPage } from '../../../resources/content/revision-pages/contract.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { findTarget, quoteOf } from '../../../richtext/find-target.ts';
import type { Session } from '../../session/session.ts';

type CommentBody = Static<typeof Comment>;

/**
 * Returns a function that adds `about` to comments: the title of the page, and the start of the text of the block or cell. If it
 * no longer exists, or the caller cannot read it, the ID is shown.
 */
export function describeTargets(
  session: Session,
): (comments: readonly unknown[]) => Promise<readonly object[]> {
  const pages = new Map<string, Promise<PageBody | undefined>>();
  const readPage = ({ target }: CommentBody, pageId: string): Promise<PageBody | undefined> => {
    const { space: spaceId, revision: revisionId } = target;
    const key = `${revisionId} ${pageId}`;
    const input = {
      params: { spaceId, revisionId, pageId },
      query: { format: 'document', metadata: false },
    } as const;
    return getOrInsert(pages, key, () => orUndefined(session.call(getPage, input), 'forbidden', 'not-found'));
  };
  return async (comments) => {
    const rows: object[] = [];
    for (const comment of comments as readonly CommentBody[]) {
      const { target } = comment;
      const page = target.page === undefined ? undefined : await readPage(comment, target.page.id);
      rows.push({ ...comment, about: aboutOf(comment, page) });
    }
    return rows;
  };
}

function aboutOf({ target }: CommentBody, page: PageBody | undefined): string {
  if (target.page === undefined) return '';
  const title = page?.title ?? target.page.id;
  const { node, tableCell } = target;
  if (node === undefined && tableCell === undefined) return title;
  const found = findTarget(page?.document?.nodes ?? [], { node: node?.id, tableCell });
  const ids = [node?.id, tableCell?.record, tableCell?.definition].filter((id) => id !== undefined);
  return found === undefined ? `${title} (${ids.join(', ')})` : `${title}: "${quoteOf(found.text)}"`;
}
