import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';
import { checkActive } from '../change-requests/rules.ts';
import { createUserLookup } from '../users/user-lookup.ts';
import { addToOpenComments, addToPosts, type CommentPlace } from '../comments/rules.ts';
import { shapeComment, type TextFormat } from '../comments/shape.ts';
import type * as contract from './contract.ts';
import { comments, type CommentRow, type CommentText } from '../comments/rows.ts';
import { reviews, type ReviewRow } from './rows.ts';
import { requestedReviewers } from '../change-request-reviewers/rows.ts';
import { participantId } from '../change-requests/rows.ts';

type ReviewPlace = CommentPlace & {
  readonly tx: ReadTransaction;
  readonly changeRequest: NonNullable<CommentPlace['changeRequest']>;
};

export const listReviews: Handler<typeof contract.listReviews> = async (context, { query }) => {
  const { tx, changeRequest } = context;
  const keep =
    query.outdated === undefined
      ? undefined
      : (row: ReviewRow) => (row.revision !== changeRequest.revision) === query.outdated;
  return listPage(
    tx,
    { table: reviews, index: 'byChangeRequest', equals: [changeRequest.id], filter: keep },
    query,
    (row) => shapeReview(context, row, query.format),
  );
};

export const getReview: Handler<typeof contract.getReview> = async (context, { params, query }) => {
  const row = await context.tx.get(reviews, params.reviewId);
  if (row === undefined || row.changeRequest !== context.changeRequest.id)
    throw notFound('review', params.reviewId);
  return shapeReview(context, row, query.format);
};

export const submitReview: Handler<typeof contract.submitReview> = async (context, { body }) => {
  const { tx, changeRequest, space, caller, now } = context;
  checkActive(changeRequest);
  const asked = await tx.get(requestedReviewers, participantId(changeRequest.id, caller.user.id));
  const row: ReviewRow = {
    id: context.newId('rvw'),
    space: space.id,
    changeRequest: changeRequest.id,
    reviewer: caller.user.id,
    ...(asked === undefined ? {} : { requestedBy: asked.requestedBy }),
    status: body.status,
    revision: changeRequest.revision,
    ...(body.comment === undefined ? {} : { comment: await addComment(tx, context, body.comment) }),
    createdAt: now,
  };
  await tx.insert(reviews, row);
  return shapeReview(context, row, undefined);
};

/** Leaves the text of a review as a comment on the change request, and gives its id. */
async function addComment(tx: WriteTransaction, at: ReviewPlace, body: CommentText): Promise<string> {
  const { id: place, revision } = at.changeRequest;
  const postedBy = at.caller.user.id;
  const row: CommentRow = {
    id: at.newId('com'),
    space: at.space.id,
    place,
    changeRequest: place,
    revision,
    status: 'open',
    postedBy,
    postedAt: at.now,
    body,
    reactions: [],
    replies: 0,
    repliers: [],
  };
  await tx.insert(comments, row);
  await addToOpenComments(tx, at, 1);
  await addToPosts(tx, at, postedBy, 1);
  return row.id;
}

async function shapeReview(
  at: ReviewPlace,
  row: ReviewRow,
  format: TextFormat,
): Promise<Static<typeof contract.Review>> {
  const userOf = createUserLookup(at.tx, at);
  const comment = row.comment === undefined ? undefined : await at.tx.get(comments, row.comment);
  return {
    object: 'change-request-review',
    id: row.id,
    revision: row.revision,
    reviewer: await userOf(row.reviewer),
    ...(row.requestedBy === undefined ? {} : { requestedBy: await userOf(row.requestedBy) }),
    status: row.status,
    outdated: row.revision !== at.changeRequest.revision,
    ...(comment === undefined ? {} : { comment: await shapeComment(at, comment, format, userOf) }),
    createdAt: row.createdAt,
    updatedAt: row.createdAt,
    urls: {
      location: at.url(`/v1/spaces/${row.space}/change-requests/${row.changeRequest}/reviews/${row.id}`),
    },
  };
}
