import { listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type } from '../../contract/schema.ts';
import { User } from '../../contract/shapes.ts';

const path = '/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers';
const columns = ['user.displayName', 'user.email', 'createdAt', 'user.id'];

/** A member who was asked to review a change request. */
export const RequestedReviewer = closed({
  object: Type.Literal('change-request-requested-reviewer'),
  kind: Type.Literal('user'),
  user: User,
  revision: Id,
  requestedBy: User,
  createdAt: DateTime,
});

export const listReviewers = operation({
  id: 'change-requests.reviewers.list',
  route: `GET ${path}`,
  summary: 'List who was asked to review a change request',
  access: 'change-request.read',
  returns: listOf(RequestedReviewer),
  cli: { columns },
});

export const requestReviewers = operation({
  id: 'change-requests.reviewers.request',
  route: `POST ${path}`,
  summary: 'Ask members to review a change request',
  description: 'It says that the change request is ready: a draft becomes open.',
  access: 'change-request.edit',
  body: closed({
    users: Type.Array(Id, { minItems: 1, maxItems: 100 }),
    subject: Type.Optional(
      Type.String({ maxLength: 100, description: 'Also a new subject for the change request' }),
    ),
  }),
  returns: ok(closed({ users: Type.Array(RequestedReviewer) })),
  cli: {
    columns,
    examples: [
      'docsctl change-requests reviewers request 7 --space Guide --users bob@example.com,eva@example.com',
    ],
  },
});

export const removeReviewer = operation({
  id: 'change-requests.reviewers.remove',
  route: `DELETE ${path}/:userId`,
  summary: 'No longer ask a member to review a change request',
  access: 'change-request.edit',
  returns: noContent(),
});
