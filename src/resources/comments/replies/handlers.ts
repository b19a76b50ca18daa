import { listPage } from '../../../core/listing.ts';
import { createUserLookup } from '../../users/user-lookup.ts';
import {
  addToPosts,
  changePosted,
  checkMayChange,
  findComment,
  findReply,
  setResolved,
  type SharedHandler,
} from '../rules.ts';
import { shapeReply } from '../shape.ts';
import type * as contract from '../space-replies/contract.ts';
import { comments, replies, type CommentRow, type ReplyRow } from '../rows.ts';

export const listReplies: SharedHandler<typeof contract.listReplies> = async (context, { params, query }) => {
  const comment = await findComment(context, params.commentId);
  const userOf = createUserLookup(context);
  return listPage(context.tx, { table: replies, index: 'byComment', equals: [comment.id] }, query, (row) =>
    shapeReply(context, row, query.format, userOf),
  );
};

export const createReply: SharedHandler<typeof contract.createReply> = async (
  context,
  { params, query, body },
) => {
  const { tx, now, space } = context;
  const user = context.caller.user.id;
  const comment = await findComment(context, params.commentId);
  const row: ReplyRow = {
    id: context.newId('rep'),
    space: space.id,
    comment: comment.id,
    postedBy: user,
    postedAt: now,
    body: body.body,
    reactions: [],
  };
  await tx.insert(replies, row);
  const count = (comment.repliers.find((one) => one.user === user)?.count ?? 0) + 1;
  const repliers = [...comment.repliers.filter((one) => one.user !== user), { user, count, updatedAt: now }];
  await tx.update(comments, comment.id, { replies: comment.replies + 1, repliers });
  await addToPosts(context, user, 1);
  return shapeReply(context, row, query.format);
};

export const getReply: SharedHandler<typeof contract.getReply> = async (context, { params, query }) => {
  const comment = await findComment(context, params.commentId);
  return shapeReply(context, await findReply(context.tx, comment, params.commentReplyId), query.format);
};

export const updateReply: SharedHandler<typeof contract.updateReply> = async (
  context,
  { params, query, body: { resolved, ...body } },
) => {
  const { tx } = context;
  const comment = await findComment(context, params.commentId);
  let row = await findReply(tx, comment, params.commentReplyId);
  const change = changePosted(context, row, body);
  if (resolved !== undefined) await setResolved(context, comment, resolved);
  if (Object.keys(change).length > 0) row = await tx.update(replies, row.id, change);
  return shapeReply(context, row, query.format);
};

export const deleteReply: SharedHandler<typeof contract.deleteReply> = async (context, { params }) => {
  const { tx } = context;
  const comment = await findComment(context, params.commentId);
  const row = await findReply(tx, comment, params.commentReplyId);
  checkMayChange(context, row);
  await tx.remove(replies, row.id);
  await tx.update(comments, comment.id, {
    replies: comment.replies - 1,
    repliers: withoutReply(comment.repliers, row.postedBy),
  });
  await addToPosts(context, row.postedBy, -1);
};

function withoutReply(repliers: CommentRow['repliers'], user: string): CommentRow['repliers'] {
  return repliers
    .map((one) => (one.user === user ? { ...one, count: one.count - 1 } : one))
    .filter((one) => one.count > 0);
}
