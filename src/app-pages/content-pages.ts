import type { PathParams } from '../contract/operation.ts';
import { currentText } from '../content-sync/page-text.ts';
import { notFound, orUndefined } from '../errors/problem.ts';
import type { RichNode } from '../contract/shapes.ts';
import { empty, markup, type Content } from '../render/markup.ts';
import { emojiOf } from '../contract/emoji.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { getContent } from '../resources/content/revision/contract.ts';
import { getChangeRequest } from '../resources/change-requests/contract.ts';
import { redirectTo, textAnswer, type AppAnswer } from './app-answers.ts';
import { commentsOfPage, type PageComments } from './comments.ts';
import { changeRequestPage } from './change-request-page.ts';
import {
  contentOfChangeRequest,
  contentOfRevision,
  contentOfSpace,
  pageHref,
  readPageAt,
  readPages,
  type ContentPlace,
} from './content-place.ts';
import { facts, outsideLink, timeOf } from './page-parts.ts';
import { pageList } from './page-list.ts';
import { pagesAround } from './page-tree.ts';
import type { PageContext, PageMaker, PageView, TrailLink } from './page-view.ts';
import { renderPageText } from './render-text.ts';
import { contentParts } from './space-page.ts';
import { openSpace } from './trails.ts';

/** Opens a space, and returns the links to its parent resources and to itself. */
async function wayThroughSpace(
  context: PageContext,
  organizationId: string,
  spaceId: string,
): Promise<TrailLink[]> {
  const { space, trail } = await openSpace(context, organizationId, spaceId);
  return [...trail, { title: space.title, href: context.href(`/o/${organizationId}/s/${spaceId}`) }];
}

/** The page that shows a page of a space. */
export const pageOfSpace: PageMaker = async (context, params) => {
  const { organizationId = '', spaceId = '' } = params;
  const way = await wayThroughSpace(context, organizationId, spaceId);
  return contentPage(context, contentOfSpace(organizationId, spaceId), params, way);
};

/** The pages that show a change request, or a page of its content. */
export const changeRequestPages: PageMaker = async (context, params) => {
  const { organizationId = '', spaceId = '', number = '', path } = params;
  const way = await wayThroughSpace(context, organizationId, spaceId);
  const request = await context.api.call(getChangeRequest, { params: { spaceId, changeRequestId: number } });
  const place = contentOfChangeRequest(organizationId, spaceId, request);
  if (path === undefined) return changeRequestPage(context, place, request, way);
  const own = { title: `Change request ${request.number}`, href: context.href(place.path) };
  return contentPage(context, place, params, [...way, own]);
};

/** The pages that show a revision, or a page of its content. */
export const revisionPages: PageMaker = async (context, params) => {
  const { organizationId = '', spaceId = '', revisionId = '', path } = params;
  const way = await wayThroughSpace(context, organizationId, spaceId);
  const place = contentOfRevision(organizationId, spaceId, revisionId);
  const title = `Revision ${revisionId}`;
  if (path !== undefined)
    return contentPage(context, place, params, [...way, { title, href: context.href(place.path) }]);
  const { type, createdAt } = await context.api.call(getContent, {
    params: { spaceId, revisionId },
    query: { texts: false, metadata: false },
  });
  return {
    kind: 'Revision',
    title,
    trail: way,
    body: [
      facts([
        ['Made by', type],
        ['Created', timeOf(createdAt)],
      ]),
      await contentParts(context, place),
    ],
  };
};

/** Redirects to a page of a space by its ID, which links from other spaces use. */
export const pageById: PageMaker = async (context, { organizationId = '', spaceId = '', pageId = '' }) => {
  await openSpace(context, organizationId, spaceId);
  const place = contentOfSpace(organizationId, spaceId);
  const { path } = await context.api.call(place.operations.getPage, {
    params: { spaceId, pageId },
    query: { texts: false },
  });
  return redirectTo(path === undefined ? context.href(place.path) : pageHref(context, place, path));
};

async function contentPage(
  context: PageContext,
  place: ContentPlace,
  { path = '' }: PathParams,
  trail: readonly TrailLink[],
): Promise<PageView | AppAnswer> {
  const page = await readPageAt(context, place, path);
  if (page !== undefined) return showPage(context, place, page, trail);
  // If no page has a path that ends in .md, it means the Markdown of the page without this extension.
  const markdown = path.endsWith('.md') ? await readPageAt(context, place, path.slice(0, -3)) : undefined;
  if (markdown?.type !== 'document') throw notFound('page', path);
  return textAnswer(await sourceOf(context, place, markdown));
}

/** Returns the Markdown of a page, with its front matter. */
async function sourceOf(
  { api }: PageContext,
  { operations, ref }: ContentPlace,
  page: PageBody,
): Promise<string> {
  const input = { params: { ...ref, pageId: page.id }, query: { texts: false } };
  const stored = await orUndefined(api.call(operations.getPage, input), 'not-found');
  // Generated pages have no stored source.
  if (stored === undefined) return page.markdown ?? '';
  return currentText(stored);
}

async function showPage(
  context: PageContext,
  place: ContentPlace,
  page: PageBody,
  trail: readonly TrailLink[],
): Promise<PageView> {
  const tree = await readPages(context, place);
  const { title, description, emoji, path = '', updatedAt, hidden, tags = [], type } = page;
  const { ref } = place;
  const markdown = { title: 'Markdown', href: `${pageHref(context, place, path)}.md` };
  const owner =
    ref.changeRequestId === undefined
      ? `/spaces/${ref.spaceId}`
      : `/spaces/${ref.spaceId}/change-requests/${ref.changeRequestId}`;
  const pdf = {
    title: 'PDF',
    href: context.href(`/o/~download${owner}/pdf/download?page=${encodeURIComponent(page.id)}&only=true`),
  };
  let comments: PageComments | undefined;
  const findComments = async (blocks: readonly RichNode[]): Promise<PageComments['behind']> => {
    comments = await commentsOfPage(context, place, page, blocks);
    return comments.behind;
  };
  const text: Content =
    type === 'document'
      ? markup`<article class="app-article">${description === undefined || description === '' ? '' : markup`<p class="lead">${description}</p>`}${await renderPageText(context, place, page, tree, findComments)}</article>`
      : page.href === undefined
        ? pageList(context, place, page.pages ?? [])
        : markup`<p>This page is a link to ${outsideLink(page.href)}.</p>`;
  return {
    kind: type === 'document' ? 'Page' : type === 'group' ? 'Group of pages' : 'Link',
    title: `${emoji === undefined ? '' : `${emojiOf(emoji)} `}${title}`,
    trail,
    links: type !== 'document' ? [] : ref.revisionId === undefined ? [markdown, pdf] : [markdown],
    body: [
      facts([
        ['Path', markup`<code>${path}</code>`],
        ['Tags', tags.map(({ tag }) => tag.tag).join(', ')],
        ['In the navigation', hidden === true && 'no, it is hidden'],
        ['Updated', updatedAt === undefined ? undefined : timeOf(updatedAt)],
      ]),
      text,
      comments?.section() ?? empty,
    ],
    side: pagesAround(context, place, tree, page.id),
  };
}
