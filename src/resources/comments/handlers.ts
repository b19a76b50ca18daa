import { listPage, type Selection } from '../../core/listing.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import { getExisting } from '../../core/store.ts';
import { shapeMember } from '../members/shape.ts';
import { checkTarget } from './check-target.ts';
import { createUserLookup } from '../users/user-lookup.ts';
import {
  changePosted,
  checkMayChange,
  commentPlaceId,
  findComment,
  insertComment,
  removeComment,
  setResolved,
  type CommentContext,
  type SharedHandler,
} from './rules.ts';
import { shapeComment } from './shape.ts';
import type * as contract from './space/contract.ts';
import { commenters, comments, type CommenterRow, type CommentRow } from './rows.ts';

export const listComments: SharedHandler<typeof contract.listComments> = async (context, { query }) => {
  const userOf = createUserLookup(context);
  return listPage(context.tx, selectComments(context, query), query, (row) =>
    shapeComment(context, row, query.format, userOf),
  );
};

function selectComments(
  context: CommentContext,
  {
    order = 'desc',
    status = 'all',
    targetPage,
    authors,
  }: { order?: 'asc' | 'desc'; status?: string; targetPage?: string; authors?: string[] },
): Selection<CommentRow, 'byPlace' | 'byStatus' | 'byPage'> {
  const place = commentPlaceId(context);
  const filtersStatus = status !== 'all' && targetPage !== undefined;
  const filter =
    authors === undefined && !filtersStatus
      ? undefined
      : (row: CommentRow) =>
          (authors?.includes(row.postedBy) ?? true) && (!filtersStatus || row.status === status);
  const rest = { table: comments, order, filter };
  if (targetPage !== undefined) return { ...rest, index: 'byPage', equals: [place, targetPage] };
  if (status !== 'all') return { ...rest, index: 'byStatus', equals: [place, status] };
  return { ...rest, index: 'byPlace', equals: [place] };
}

export const createComment: SharedHandler<typeof contract.createComment> = async (
  context,
  { query, body },
) => {
  await checkTarget(context, body);
  return shapeComment(context, await insertComment(context, body), query.format);
};

export const getComment: SharedHandler<typeof contract.getComment> = async (context, { params, query }) =>
  shapeComment(context, await findComment(context, params.commentId), query.format);

export const updateComment: SharedHandler<typeof contract.updateComment> = async (
  context,
  { params, query, body: { resolved, ...body } },
) => {
  const before = await findComment(context, params.commentId);
  const change = changePosted(context, before, body);
  let row: CommentRow = resolved === undefined ? before : await setResolved(context, before, resolved);
  if (Object.keys(change).length > 0) row = await context.tx.update(comments, row.id, change);
  return shapeComment(context, row, query.format);
};

export const deleteComment: SharedHandler<typeof contract.deleteComment> = async (context, { params }) => {
  const row = await findComment(context, params.commentId);
  checkMayChange(context, row);
  await removeComment(context, row);
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
