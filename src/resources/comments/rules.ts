import type { CheckedInput, Operation, OutputOf } from '../../contract/operation.ts';
import type { Context, ResourceScope, RequestContext } from '../../core/handler.ts';
import { can } from '../../core/permissions.ts';
import { changeRequests, type ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { commenters, comments, replies, type CommentRow, type ReplyRow, commenterId } from './rows.ts';

/** Where comments are acted on; `changeRequest` is there for those of a change request. */
export interface CommentPlace extends RequestContext, ResourceScope {
  readonly space: SpaceRow;
  readonly changeRequest?: ChangeRequestRow;
}

/** A handler for either place: it is typed by the operation on a space, and the one on a change request gives it more. */
export type SharedHandler<O extends Operation> = (
  context: Context<O>,
  input: Pick<CheckedInput<O>, 'params' | 'query' | 'body'>,
) => Promise<OutputOf<O>>;

/** The id under which the comments of a place are kept. */
export function commentPlaceId({ space, changeRequest }: CommentPlace): string {
  return changeRequest?.id ?? space.id;
}

/** The path of the comments of a place. */
export function commentsPath({ space, changeRequest }: CommentPlace): string {
  return changeRequest === undefined
    ? `/v1/spaces/${space.id}/comments`
    : `/v1/spaces/${space.id}/change-requests/${changeRequest.id}/comments`;
}

/** The comment of this id at the place; another place's is as absent. */
export async function findComment(view: ReadTransaction, at: CommentPlace, id: string): Promise<CommentRow> {
  const row = await view.get(comments, id);
  if (row === undefined || row.place !== commentPlaceId(at)) throw notFound('comment', id);
  return row;
}

/** The reply of this id to a comment. */
export async function findReply(view: ReadTransaction, comment: CommentRow, id: string): Promise<ReplyRow> {
  const row = await view.get(replies, id);
  if (row === undefined || row.comment !== comment.id) throw notFound('reply', id);
  return row;
}

/** Whether the caller may change or delete what somebody wrote: its author, or an administrator. */
export function mayChange(at: CommentPlace, row: { readonly postedBy: string }): boolean {
  return can(at.role, 'comment') && (row.postedBy === at.caller.user.id || can(at.role, 'admin'));
}

/** Refuses everybody who may not change or delete what was written. */
export function checkMayChange(at: CommentPlace, row: { readonly postedBy: string }): void {
  if (!mayChange(at, row))
    throw new Problem('forbidden', 'Only its author or an administrator may change or delete this.', {
      hint: 'Reply to it instead, or ask an administrator.',
    });
}

/** Keeps the number of open comments that the space or change request shows. */
export async function addToOpenComments(
  tx: WriteTransaction,
  at: CommentPlace,
  difference: number,
): Promise<void> {
  if (at.changeRequest !== undefined)
    await tx.update(changeRequests, at.changeRequest.id, {
      comments: at.changeRequest.comments + difference,
    });
  else await tx.update(spaces, at.space.id, { comments: at.space.comments + difference });
}

/** Keeps who has how many comments and replies at the place. */
export async function addToPosts(
  tx: WriteTransaction,
  at: CommentPlace,
  user: string,
  difference: number,
): Promise<void> {
  const place = commentPlaceId(at);
  const id = commenterId(place, user);
  const row = await tx.get(commenters, id);
  const count = (row?.count ?? 0) + difference;
  if (row === undefined) await tx.insert(commenters, { id, space: at.space.id, place, user, count });
  else if (count > 0) await tx.update(commenters, id, { count });
  else await tx.remove(commenters, id);
}

/** Resolves a comment or opens it again; one that is so already stays as it was. */
export async function setResolved(
  tx: WriteTransaction,
  at: CommentPlace,
  row: CommentRow,
  resolved: boolean,
): Promise<CommentRow> {
  if (resolved === (row.status === 'resolved')) return row;
  await addToOpenComments(tx, at, resolved ? -1 : 1);
  const change = resolved
    ? { status: 'resolved', resolvedAt: at.now, resolvedBy: at.caller.user.id }
    : { status: 'open', resolvedAt: undefined, resolvedBy: undefined };
  return tx.update(comments, row.id, change as Partial<CommentRow>);
}
