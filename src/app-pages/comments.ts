import { getOrInsert, plural } from '../contract/values.ts';
import type { ItemOf, OutputOf } from '../contract/operation.ts';
import type { RichNode } from '../contract/shapes.ts';
import { emojiOf } from '../contract/emoji.ts';
import { empty, markup, type Content, type Markup } from '../render/markup.ts';
import * as onRequest from '../resources/comments/change-request/contract.ts';
import { listReplies as repliesOnRequest } from '../resources/comments/change-request-replies/contract.ts';
import * as onSpace from '../resources/comments/space/contract.ts';
import { listReplies as repliesOnSpace } from '../resources/comments/space-replies/contract.ts';
import { getPage } from '../resources/content/revision-pages/contract.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { findTarget, quoteOf, type FoundTarget } from '../richtext/find-target.ts';
import { plainTextOf } from '../richtext/nodes.ts';
import { pageHref, readPages, type ContentPlace } from './content-place.ts';
import { pager, pageQuery, picture, section, timeOf } from './page-parts.ts';
import { readOptional, type PageContext } from './page-view.ts';
import { renderText } from './render-text.ts';

type CommentList = OutputOf<typeof onSpace.listComments>;
type Comment = ItemOf<typeof onSpace.listComments>;
type Reply = ItemOf<typeof repliesOnSpace>;

/** The rendered comments of a page. */
export interface PageComments {
  /** Returns the comments on a block, which are shown after it. */
  readonly behind: (block: RichNode) => Markup | undefined;
  /** Renders the section of the other comments: on the whole page, and on texts that the page no longer contains. */
  readonly section: () => Content;
}

/** Lists the comments on a space or change request, oldest first. With `targetPage`, those on this page. */
async function listComments(
  { api }: PageContext,
  { ref }: ContentPlace,
  query: object,
): Promise<CommentList> {
  const { spaceId, changeRequestId } = ref;
  return changeRequestId === undefined
    ? api.call(onSpace.listComments, { params: { spaceId }, query: { ...query, order: 'asc' } })
    : api.call(onRequest.listComments, {
        params: { spaceId, changeRequestId },
        query: { ...query, order: 'asc' },
      });
}

/** Reads the comments on a page, and finds the blocks that they are about. Revisions have no comments. */
export async function commentsOfPage(
  context: PageContext,
  place: ContentPlace,
  page: PageBody,
  /** The blocks of the shown page. */
  shown: readonly RichNode[],
): Promise<PageComments> {
  const comments =
    place.ref.revisionId === undefined
      ? await listComments(context, place, { ...pageQuery(context, 'comments'), targetPage: page.id })
      : undefined;
  const find = createFinder(context);
  /** Comments by the keys of blocks. */
  const behind = new Map<string, Markup[]>();
  const others: Markup[] = [];
  for (const comment of comments?.items ?? []) {
    const found = await find(comment);
    const key = found === undefined ? undefined : sameBlock(found, shown)?.key;
    const post = markup`<li>${await commentOf(context, place, comment, quoted(found))}</li>`;
    if (key === undefined) others.push(post);
    else getOrInsert(behind, key, () => []).push(post);
  }
  return {
    behind: (block) => {
      const posts = behind.get(block.key ?? '');
      return (
        posts &&
        markup`<aside class="block-comments" aria-label="Comments"><ul class="posts">${posts}</ul></aside>`
      );
    },
    section: () =>
      comments === undefined || comments.count === 0
        ? empty
        : section(
            'Comments on this page',
            [
              others.length === 0
                ? markup`<p class="none">All comments are beside the text that they are about.</p>`
                : markup`<ul class="posts">${others}</ul>`,
              pager(context, 'comments', comments),
            ],
            comments.count,
          ),
  };
}

/** Returns a function that finds the text that a comment is about, in the revision on which it was posted. */
function createFinder(context: PageContext): (comment: Comment) => Promise<Found | undefined> {
  const documents = new Map<string, Promise<readonly RichNode[]>>();
  const read = async (spaceId: string, revisionId: string, pageId: string): Promise<readonly RichNode[]> => {
    const page = await readOptional(context, getPage, {
      params: { spaceId, revisionId, pageId },
      query: { format: 'document', metadata: false },
    });
    return page?.document?.nodes ?? [];
  };
  return async ({ target }) => {
    const { page, node, tableCell, space, revision } = target;
    if (page === undefined || (node === undefined && tableCell === undefined)) return undefined;
    const key = `${revision} ${page.id}`;
    const nodes = getOrInsert(documents, key, () => read(space, revision, page.id));
    const found = findTarget(await nodes, { node: node?.id, tableCell });
    return found && { ...found, nodes: await nodes };
  };
}

/** A found text, and the blocks of its document. */
interface Found extends FoundTarget {
  readonly nodes: readonly RichNode[];
}

/**
 * Returns the shown block that corresponds to the text of a comment: the one with the same type, text and number among equal
 * blocks.
 */
function sameBlock({ block, index, nodes }: Found, shown: readonly RichNode[]): RichNode | undefined {
  const text = plainTextOf(block);
  const isLike = (node: RichNode): boolean => node.type === block.type && plainTextOf(node) === text;
  const before = nodes.slice(0, index).filter(isLike).length;
  const like = shown.filter(isLike);
  return like[before] ?? like.at(-1);
}

/** Returns the start of the text that a comment is about. */
function quoted(found: FoundTarget | undefined): Content {
  const quote = found === undefined ? '' : quoteOf(found.text);
  return quote === '' ? empty : markup`<blockquote class="post-quote">${quote}</blockquote>`;
}

async function commentOf(
  { api }: PageContext,
  { ref: { spaceId, changeRequestId } }: ContentPlace,
  comment: Comment,
  quote: Content,
  about: Content = empty,
): Promise<Content> {
  const { id: commentId, status } = comment;
  const query = { limit: 100 };
  const list = async (): Promise<readonly Reply[]> =>
    changeRequestId === undefined
      ? (await api.call(repliesOnSpace, { params: { spaceId, commentId }, query })).items
      : (await api.call(repliesOnRequest, { params: { spaceId, changeRequestId, commentId }, query })).items;
  const replies = comment.replies === 0 ? [] : await list();
  const below: Content[] = [];
  for (const reply of replies) below.push(markup`<li>${await postOf(reply)}</li>`);
  const rest = comment.replies - replies.length;
  const post = await postOf(comment, { tag: status === 'resolved' ? 'resolved' : undefined, about, quote });
  return markup`${post}${below.length === 0 ? empty : markup`<ul class="posts">${below}</ul>`}${rest > 0 ? markup`<p class="none">${plural(rest, 'more reply', 'more replies')}</p>` : empty}`;
}

interface PostExtras {
  readonly tag?: string | undefined;
  readonly about?: Content;
  readonly quote?: Content;
}

async function postOf(
  { postedBy, postedAt, reactions, body }: Comment | Reply,
  { tag, about = empty, quote = empty }: PostExtras = {},
): Promise<Content> {
  const reacted =
    reactions.length === 0
      ? empty
      : markup`<p class="row-note">${reactions.map(({ emoji, count }) => `${emojiOf(emoji)} ${count}`).join('  ')}</p>`;
  const text = await renderText(body.markdown ?? body.document);
  return markup`<div class="post"><p class="post-head">${picture(postedBy.photoURL)}<strong>${postedBy.displayName}</strong> ${about} <span class="row-note">${timeOf(postedAt)}</span>${tag === undefined ? empty : markup` <span class="tag">${tag}</span>`}</p>${quote}${text}${reacted}</div>`;
}

/** Renders the section of the comments on a space or change request, each with its page and text. */
export async function commentsSection(context: PageContext, place: ContentPlace): Promise<Content> {
  const comments = await listComments(context, place, pageQuery(context, 'comments'));
  const isAboutPages = comments.items.some(({ target }) => target.page !== undefined);
  const pages = new Map<string, PageBody>();
  const addPages = (list: readonly PageBody[]): void => {
    for (const page of list) {
      pages.set(page.id, page);
      addPages(page.pages ?? []);
    }
  };
  if (isAboutPages) addPages(await readPages(context, place));
  /** Returns the page and text of a comment; nothing for the whole content, or for a deleted page. */
  const aboutOf = (id: string | undefined): Content => {
    const page = id === undefined ? undefined : pages.get(id);
    return page?.path === undefined
      ? empty
      : markup`<span class="row-note">on <a href="${pageHref(context, place, page.path)}">${page.title}</a></span>`;
  };
  const find = createFinder(context);
  const shown: Content[] = [];
  for (const comment of comments.items) {
    const quote = quoted(await find(comment));
    const about = aboutOf(comment.target.page?.id);
    shown.push(markup`<li>${await commentOf(context, place, comment, quote, about)}</li>`);
  }
  return section(
    'Comments',
    shown.length === 0
      ? markup`<p class="none">There are no comments.</p>`
      : [markup`<ul class="posts">${shown}</ul>`, pager(context, 'comments', comments)],
    comments.count,
  );
}
