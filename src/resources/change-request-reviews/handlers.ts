import { getOwned } from '../../core/store.ts';
import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { checkActive } from '../change-requests/rules.ts';
import { createUserLookup } from '../users/user-lookup.ts';
import { insertComment, type CommentContext } from '../comments/rules.ts';
import { shapeComment, type TextFormat } from '../comments/shape.ts';
import { defined } from '../../contract/values.ts';
import type * as contract from './contract.ts';
import { comments } from '../comments/rows.ts';
import { reviews, type ReviewRow } from './rows.ts';
import { requestedReviewers } from '../change-request-reviewers/rows.ts';
import { participantId } from '../change-requests/rows.ts';

type ReviewContext = CommentContext & {
  readonly changeRequest: NonNullable<CommentContext['changeRequest']>;
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
  const row = await getOwned(
    context.tx,
    reviews,
    params.reviewId,
    { changeRequest: context.changeRequest.id },
    'review',
  );
  return shapeReview(context, row, query.format);
};

export const submitReview: Handler<typeof contract.submitReview> = async (context, { body }) => {
  const { tx, changeRequest, space, caller, now } = context;
  checkActive(changeRequest);
  const asked = await tx.get(requestedReviewers, participantId(changeRequest.id, caller.user.id));
  const id = context.newId('rvw');
  const comment =
    body.comment === undefined
      ? undefined
      : (await insertComment(context, { body: body.comment, review: id })).id;
  const row: ReviewRow = defined({
    id,
    space: space.id,
    changeRequest: changeRequest.id,
    reviewer: caller.user.id,
    requestedBy: asked?.requestedBy,
    status: body.status,
    revision: changeRequest.revision,
    comment,
    createdAt: now,
  });
  await tx.insert(reviews, row);
  return shapeReview(context, row, undefined);
};

async function shapeReview(
  context: ReviewContext,
  row: ReviewRow,
  format: TextFormat,
): Promise<Static<typeof contract.Review>> {
  const userOf = createUserLookup(context);
  const comment = row.comment === undefined ? undefined : await context.tx.get(comments, row.comment);
  return defined({
    object: 'change-request-review',
    id: row.id,
    revision: row.revision,
    reviewer: await userOf(row.reviewer),
    requestedBy: row.requestedBy === undefined ? undefined : await userOf(row.requestedBy),
    status: row.status,
    outdated: row.revision !== context.changeRequest.revision,
    comment: comment === undefined ? undefined : await shapeComment(context, comment, format, userOf),
    createdAt: row.createdAt,
    updatedAt: row.createdAt,
    urls: {
      location: context.url(`/v1/spaces/${row.space}/change-requests/${row.changeRequest}/reviews/${row.id}`),
    },
  });
}
