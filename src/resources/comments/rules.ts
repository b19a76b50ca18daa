import type { CheckedInput, Operation, OutputOf } from '../../contract/operation.ts';
import { defined } from '../../contract/values.ts';
import type { Context, RequestContext, ResourceScope } from '../../core/handler.ts';
import { can } from '../../core/permissions.ts';
import { changeRequests, type ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, getOwned, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { changeReactions, type ReactionChanges } from './reactions.ts';
import {
  commenterId,
  commenters,
  comments,
  replies,
  type CommentRow,
  type CommentText,
  type Posted,
  type ReplyRow,
} from './rows.ts';

/** The context for reading comments: their space, and their change request if they belong to one. */
export interface CommentContext extends RequestContext, ResourceScope {
  readonly tx: ReadTransaction;
  readonly space: SpaceRow;
  readonly changeRequest?: ChangeRequestRow;
}
type CommentWriteContext = CommentContext & { readonly tx: WriteTransaction };

export type SharedHandler<O extends Operation> = (
  context: Context<O> & Pick<CommentContext, 'changeRequest'>,
  input: Pick<CheckedInput<O>, 'params' | 'query' | 'body'>,
) => Promise<OutputOf<O>>;

/** Returns the id under which the comments of a space or change request are stored. */
export function commentPlaceId({ space, changeRequest }: CommentContext): string {
  return changeRequest?.id ?? space.id;
}

/** Returns the path of the comments of a space or change request. */
export function commentsPath({ space, changeRequest }: CommentContext): string {
  return changeRequest === undefined
    ? `/v1/spaces/${space.id}/comments`
    : `/v1/spaces/${space.id}/change-requests/${changeRequest.id}/comments`;
}

/**
 * Finds a comment on the space or change request.
 *
 * @throws Problem(not-found), also if the comment belongs to another space or change request
 */
export function findComment(context: CommentContext, id: string): Promise<CommentRow> {
  return getOwned(context.tx, comments, id, { place: commentPlaceId(context) }, 'comment');
}

/** Whether the caller may change or delete a comment or reply. Only its author and administrators may. */
export function mayChange({ role, caller }: CommentContext, { postedBy }: Posted): boolean {
  return can(role, 'comment') && (postedBy === caller.user.id || can(role, 'admin'));
}

/** Checks that the caller may change or delete a comment or reply. @throws Problem(forbidden) */
export function checkMayChange(context: CommentContext, row: Posted): void {
  if (!mayChange(context, row))
    throw new Problem('forbidden', 'Only the author or an administrator may change or delete this comment.', {
      hint: 'Reply to it instead, or ask an administrator.',
    });
}

/**
 * Returns the changed fields of a comment or reply for an update of its text and reactions.
 *
 * @throws Problem(forbidden) if the caller may not change the text
 */
export function changePosted(
  context: CommentContext,
  row: Posted,
  { body, ...reactions }: ReactionChanges & { body?: CommentText },
) {
  if (body !== undefined) checkMayChange(context, row);
  return defined({
    body,
    editedAt: body === undefined ? undefined : context.now,
    reactions: changeReactions(row.reactions, context.caller.user.id, context.now, reactions),
  });
}

/** Adds a comment, and counts it for its place and its author. */
export async function insertComment(
  context: CommentWriteContext,
  {
    page,
    node,
    tableCell,
    review,
    body,
  }: Pick<CommentRow, 'page' | 'node' | 'tableCell' | 'review' | 'body'>,
): Promise<CommentRow> {
  const { tx, space, changeRequest, caller, now } = context;
  const row: CommentRow = defined({
    id: context.newId('com'),
    space: space.id,
    place: commentPlaceId(context),
    changeRequest: changeRequest?.id,
    revision: (changeRequest ?? space).revision,
    page,
    node,
    tableCell,
    review,
    status: 'open',
    postedBy: caller.user.id,
    postedAt: now,
    body,
    reactions: [],
    replies: 0,
    repliers: [],
  });
  await tx.insert(comments, row);
  await addToOpenComments(context, 1);
  await addToPosts(context, row.postedBy, 1);
  return row;
}

/** Removes a comment with its replies, and subtracts them from the counts of its place and its authors. */
export async function removeComment(context: CommentWriteContext, row: CommentRow): Promise<void> {
  const { tx } = context;
  for (const { id } of await collectRows(tx, replies, 'byComment', [row.id])) await tx.remove(replies, id);
  for (const { user, count } of row.repliers) await addToPosts(context, user, -count);
  await addToPosts(context, row.postedBy, -1);
  if (row.status === 'open') await addToOpenComments(context, -1);
  await tx.remove(comments, row.id);
}

/** Finds a reply to a comment. @throws Problem(not-found), also if the reply belongs to another comment */
export function findReply(view: ReadTransaction, comment: CommentRow, id: string): Promise<ReplyRow> {
  return getOwned(view, replies, id, { comment: comment.id }, 'reply');
}

/** Adds to the number of open comments of the space or change request. */
async function addToOpenComments(
  { tx, space, changeRequest }: CommentWriteContext,
  difference: 1 | -1,
): Promise<void> {
  if (changeRequest === undefined)
    await tx.update(spaces, space.id, { comments: space.comments + difference });
  else await tx.update(changeRequests, changeRequest.id, { comments: changeRequest.comments + difference });
}

/** Adds to a user's number of comments and replies on the space or change request. */
export async function addToPosts(
  context: CommentWriteContext,
  user: string,
  difference: number,
): Promise<void> {
  const { tx, space } = context;
  const place = commentPlaceId(context);
  const id = commenterId(place, user);
  const row = await tx.get(commenters, id);
  const count = (row?.count ?? 0) + difference;
  if (row === undefined) await tx.insert(commenters, { id, space: space.id, place, user, count });
  else if (count > 0) await tx.update(commenters, id, { count });
  else await tx.remove(commenters, id);
}

/** Resolves or reopens a comment. Changes nothing if the comment is already in that state. */
export async function setResolved(
  context: CommentWriteContext,
  row: CommentRow,
  resolved: boolean,
): Promise<CommentRow> {
  if (resolved === (row.status === 'resolved')) return row;
  await addToOpenComments(context, resolved ? -1 : 1);
  const change = resolved
    ? { status: 'resolved', resolvedAt: context.now, resolvedBy: context.caller.user.id }
    : { status: 'open', resolvedAt: undefined, resolvedBy: undefined };
  return context.tx.update(comments, row.id, change as Partial<CommentRow>);
}
