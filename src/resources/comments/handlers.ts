import { listPage, type Selection } from '../../core/listing.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import { eachRow, getExisting } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';
import { readPage } from '../../content/revisions.ts';
import { shapeMember } from '../members/shape.ts';
import { createUserLookup } from '../users/user-lookup.ts';
import { changeReactions } from './reactions.ts';
import {
  addToOpenComments,
  addToPosts,
  checkMayChange,
  findComment,
  commentPlaceId,
  setResolved,
  type CommentPlace,
  type SharedHandler,
} from './rules.ts';
import { shapeComment } from './shape.ts';
import type * as contract from './space/contract.ts';
import { commenters, comments, replies, type CommenterRow, type CommentRow } from './rows.ts';

export const listComments: SharedHandler<typeof contract.listComments> = async (context, { query }) => {
  const userOf = createUserLookup(context.tx, context);
  return listPage(context.tx, selectComments(context, query), query, (row) =>
    shapeComment(context, row, query.format, userOf),
  );
};

function selectComments(
  at: CommentPlace,
  {
    order = 'desc',
    status = 'all',
    targetPage,
    authors,
  }: { order?: 'asc' | 'desc'; status?: string; targetPage?: string; authors?: string[] },
): Selection<CommentRow, 'byPlace' | 'byStatus' | 'byPage'> {
  const place = commentPlaceId(at);
  const keepsStatus = status !== 'all' && targetPage !== undefined;
  const keep =
    authors === undefined && !keepsStatus
      ? undefined
      : (row: CommentRow) =>
          (authors?.includes(row.postedBy) ?? true) && (!keepsStatus || row.status === status);
  if (targetPage !== undefined)
    return { table: comments, index: 'byPage', equals: [place, targetPage], order, filter: keep };
  if (status !== 'all')
    return { table: comments, index: 'byStatus', equals: [place, status], order, filter: keep };
  return { table: comments, index: 'byPlace', equals: [place], order, filter: keep };
}

export const createComment: SharedHandler<typeof contract.createComment> = async (
  context,
  { query, body },
) => {
  const at: CommentPlace = context;
  const { revision } = at.changeRequest ?? at.space;
  if (body.page !== undefined && (await readPage(context.tx, revision, body.page)) === undefined)
    throw notFound('page', body.page);
  const row: CommentRow = {
    id: context.newId('com'),
    space: at.space.id,
    place: commentPlaceId(at),
    ...(at.changeRequest === undefined ? {} : { changeRequest: at.changeRequest.id }),
    revision,
    ...(body.page === undefined ? {} : { page: body.page }),
    ...(body.node === undefined ? {} : { node: body.node }),
    ...(body.tableCell === undefined ? {} : { tableCell: body.tableCell }),
    status: 'open',
    postedBy: at.caller.user.id,
    postedAt: at.now,
    body: body.body,
    reactions: [],
    replies: 0,
    repliers: [],
  };
  await context.tx.insert(comments, row);
  await addToOpenComments(context.tx, at, 1);
  await addToPosts(context.tx, at, row.postedBy, 1);
  return shapeComment(at, row, query.format, createUserLookup(context.tx, context));
};

export const getComment: SharedHandler<typeof contract.getComment> = async (context, { params, query }) =>
  shapeComment(
    context,
    await findComment(context.tx, context, params.commentId),
    query.format,
    createUserLookup(context.tx, context),
  );

export const updateComment: SharedHandler<typeof contract.updateComment> = async (
  context,
  { params, query, body },
) => {
  const { tx, now, caller } = context;
  const before = await findComment(tx, context, params.commentId);
  if (body.body !== undefined) checkMayChange(context, before);
  const reactions = changeReactions(before.reactions, caller.user.id, now, body);
  let row = body.resolved === undefined ? before : await setResolved(tx, context, before, body.resolved);
  const change = {
    ...(body.body === undefined ? {} : { body: body.body, editedAt: now }),
    ...(reactions === undefined ? {} : { reactions }),
  };
  if (Object.keys(change).length > 0) row = await tx.update(comments, row.id, change);
  return shapeComment(context, row, query.format, createUserLookup(tx, context));
};

export const deleteComment: SharedHandler<typeof contract.deleteComment> = async (context, { params }) => {
  const { tx } = context;
  const row = await findComment(tx, context, params.commentId);
  checkMayChange(context, row);
  const ids: string[] = [];
  for await (const reply of eachRow(tx, replies, 'byComment', [row.id])) ids.push(reply.id);
  for (const id of ids) await tx.remove(replies, id);
  for (const { user, count } of row.repliers) await addToPosts(tx, context, user, -count);
  await addToPosts(tx, context, row.postedBy, -1);
  if (row.status === 'open') await addToOpenComments(tx, context, -1);
  await tx.remove(comments, row.id);
};

export const listCommenters: SharedHandler<typeof contract.listCommenters> = async (context, { query }) => {
  const { tx, organization } = context;
  const idOf = ({ user }: CommenterRow) => memberId(organization.id, user);
  const keep = async (row: CommenterRow) => (await tx.get(members, idOf(row))) !== undefined;
  return listPage(
    tx,
    { table: commenters, index: 'byPlace', equals: [commentPlaceId(context)], filter: keep },
    query,
    async (row) => shapeMember(context, await getExisting(tx, members, idOf(row))),
  );
};
