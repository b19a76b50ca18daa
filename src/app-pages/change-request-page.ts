import type { OutputOf } from '../contract/operation.ts';
import { empty, markup } from '../render/markup.ts';
import { listReviews } from '../resources/change-request-reviews/contract.ts';
import type { getChangeRequest } from '../resources/change-requests/contract.ts';
import { changesOf } from './change-request-changes.ts';
import { commentsSection } from './comments.ts';
import type { ContentPlace } from './content-place.ts';
import { facts, rows, section, timeOf } from './page-parts.ts';
import type { PageContext, PageView, TrailLink } from './page-view.ts';
import { renderText } from './render-text.ts';

type ChangeRequest = OutputOf<typeof getChangeRequest>;

/** A change request: its changes, reviews and comments. */
export async function changeRequestPage(
  context: PageContext,
  place: ContentPlace,
  request: ChangeRequest,
  trail: readonly TrailLink[],
): Promise<PageView> {
  const { href } = context;
  const { id, number, subject, status, createdBy, createdAt, updatedAt, outdated, space: spaceId } = request;
  const params = { spaceId, changeRequestId: id };
  const reviews = await context.api.call(listReviews, { params, query: { limit: 100 } });
  return {
    kind: `Change request ${number}`,
    title: subject,
    trail,
    links: [
      { title: 'PDF', href: href(`/o/~download/spaces/${spaceId}/change-requests/${id}/pdf/download`) },
    ],
    body: [
      facts([
        ['Status', status],
        ['Author', createdBy.displayName],
        ['Created', timeOf(createdAt)],
        ['Updated', timeOf(updatedAt)],
        ['Outdated', outdated && 'yes, the space has changed since'],
      ]),
      request.description === undefined
        ? empty
        : markup`<div class="app-article">${await renderText(request.description)}</div>`,
      section('Changes', await changesOf(context, place, request)),
      reviews.items.length === 0
        ? empty
        : section(
            'Reviews',
            rows(
              reviews.items.map((review) => ({
                title: review.reviewer.displayName,
                tags: [
                  review.status === 'approved' ? 'approved' : 'changes requested',
                  review.outdated ? 'outdated' : undefined,
                ],
                note: timeOf(review.updatedAt),
              })),
              '',
            ),
          ),
      await commentsSection(context, place),
    ],
  };
}
