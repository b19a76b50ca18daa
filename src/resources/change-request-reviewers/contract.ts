import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type } from '../../contract/schema.ts';
import { User } from '../../contract/shapes.ts';

const path = '/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers';
const columns = ['user.displayName', 'user.email', 'createdAt', 'user.id'];

export const nounHelp: NounHelp = {
  description:
    'Reviewers are the members who are asked to review a change request. `docsctl change-requests reviews list` lists their reviews.',
  examples: ['docsctl change-requests reviewers request 7 --space Guide --users ben@example.com'],
};

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
  summary: 'List the members who are asked to review a change request',
  access: 'change-request.read',
  returns: listOf(RequestedReviewer),
  cli: { columns, examples: ['docsctl change-requests reviewers list 7 --space Guide'] },
});

export const requestReviewers = operation({
  id: 'change-requests.reviewers.request',
  route: `POST ${path}`,
  summary: 'Ask members to review a change request',
  description:
    'If the change request is a draft, it is opened. Earlier requests to other members are kept. The members must be able to open the space; to submit a review, they need the review role on it.',
  access: 'change-request.edit',
  body: closed({
    users: Type.Array(Id, { minItems: 1, maxItems: 100, description: 'members to ask' }),
    subject: Type.Optional(Type.String({ maxLength: 100, description: 'new subject of the change request' })),
  }),
  returns: ok(closed({ users: Type.Array(RequestedReviewer) })),
  cli: {
    columns,
    examples: [
      'docsctl change-requests reviewers request 7 --space Guide --users ben@example.com',
      'docsctl change-requests reviewers request 4 --space Guide --users ben@example.com --users cara@example.com',
    ],
  },
});

export const removeReviewer = operation({
  id: 'change-requests.reviewers.remove',
  route: `DELETE ${path}/:userId`,
  summary: 'Stop asking a member to review a change request',
  description: 'Reviews that the member has submitted are kept.',
  access: 'change-request.edit',
  returns: noContent(),
  cli: {
    examples: [
      'docsctl change-requests reviewers remove cara@example.com --space Guide --change-request 7 --yes',
    ],
  },
});
