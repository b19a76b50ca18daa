import { plural } from '../contract/values.ts';
import type { OutputOf } from '../contract/operation.ts';
import { emojiOf } from '../render/emoji.ts';
import { empty, markup, type Content } from '../render/markup.ts';
import { listReviews } from '../resources/change-request-reviews/contract.ts';
import type { getChangeRequest } from '../resources/change-requests/contract.ts';
import { listReplies } from '../resources/comments/change-request-replies/contract.ts';
import { listComments } from '../resources/comments/change-request/contract.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { changesOf } from './change-request-changes.ts';
import { pageHref, readPages, type ContentPlace } from './content-place.ts';
import { facts, pager, pageQuery, picture, rows, section, timeOf } from './page-parts.ts';
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
      await commentsOf(context, params, place),
    ],
  };
}

async function commentsOf(
  context: PageContext,
  params: { readonly spaceId: string; readonly changeRequestId: string },
  place: ContentPlace,
): Promise<Content> {
  const comments = await context.api.call(listComments, {
    params,
    query: { ...pageQuery(context, 'comments'), order: 'asc' },
  });
  const isAboutPages = comments.items.some(({ target }) => target.page !== undefined);
  const pages = new Map<string, PageBody>();
  const addPages = (list: readonly PageBody[]): void => {
    for (const page of list) {
      pages.set(page.id, page);
      addPages(page.pages ?? []);
    }
  };
  if (isAboutPages) addPages(await readPages(context, place));
  /** What a comment is about; nothing for the whole change request, or a page that was deleted. */
  const aboutOf = (id: string | undefined): Content => {
    const page = id === undefined ? undefined : pages.get(id);
    return page?.path === undefined
      ? empty
      : markup`<span class="row-note">on <a href="${pageHref(context, place, page.path)}">${page.title}</a></span>`;
  };
  const shown: Content[] = [];
  for (const comment of comments.items) {
    const replies =
      comment.replies === 0
        ? []
        : (
            await context.api.call(listReplies, {
              params: { ...params, commentId: comment.id },
              query: { limit: 100 },
            })
          ).items;
    const below: Content[] = [];
    for (const reply of replies) below.push(markup`<li>${await postOf(reply)}</li>`);
    const rest = comment.replies - replies.length;
    shown.push(
      markup`<li>${await postOf(comment, comment.status === 'resolved' ? 'resolved' : undefined, aboutOf(comment.target.page?.id))}${below.length === 0 ? empty : markup`<ul class="posts">${below}</ul>`}${rest > 0 ? markup`<p class="none">${plural(rest, 'more reply', 'more replies')}</p>` : empty}</li>`,
    );
  }
  return section(
    'Comments',
    shown.length === 0
      ? markup`<p class="none">There are no comments.</p>`
      : [markup`<ul class="posts">${shown}</ul>`, pager(context, 'comments', comments)],
    comments.count,
  );
}

interface Post {
  readonly postedBy: { readonly displayName: string; readonly photoURL?: string };
  readonly postedAt: string;
  readonly reactions: readonly { readonly emoji: string; readonly count: number }[];
  readonly body: Parameters<typeof bodyOf>[0];
}

async function postOf(
  { postedBy, postedAt, reactions, body }: Post,
  tag?: string,
  about: Content = empty,
): Promise<Content> {
  const reacted =
    reactions.length === 0
      ? empty
      : markup`<p class="row-note">${reactions.map(({ emoji, count }) => `${emojiOf(emoji)} ${count}`).join('  ')}</p>`;
  return markup`<div class="post"><p class="post-head">${picture(postedBy.photoURL)}<strong>${postedBy.displayName}</strong> ${about} <span class="row-note">${timeOf(postedAt)}</span>${tag === undefined ? empty : markup` <span class="tag">${tag}</span>`}</p>${await bodyOf(body)}${reacted}</div>`;
}

function bodyOf({
  markdown,
  document,
}: {
  readonly markdown?: string;
  readonly document?: Parameters<typeof renderText>[0];
}): Promise<Content> {
  return renderText(markdown ?? document);
}
