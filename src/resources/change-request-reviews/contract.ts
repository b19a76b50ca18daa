import { created, listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type, Url } from '../../contract/schema.ts';
import { User } from '../../contract/shapes.ts';
import { Comment, CommentBody, format } from '../comments/contract.ts';

const path = '/spaces/:spaceId/change-requests/:changeRequestId/reviews';
const Verdict = oneOf(['changes-requested', 'approved'], { description: 'verdict of the review' });
const columns = ['reviewer.displayName', 'status', 'outdated', 'createdAt', 'id'];

export const nounHelp: NounHelp = {
  description:
    'A review approves a change request or asks for changes. It applies to the content at the time of the review. When someone edits the change request, the review becomes outdated.',
  examples: [
    'docsctl change-requests reviews list 7 --space Guide',
    'docsctl change-requests reviews submit 7 --space Guide --status approved',
  ],
};

export const Review = closed({
  object: Type.Literal('change-request-review'),
  id: Id,
  revision: Id,
  reviewer: User,
  requestedBy: Type.Optional(User),
  status: Verdict,
  outdated: Type.Boolean(),
  comment: Type.Optional(Comment),
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: closed({ location: Url }),
});

export const listReviews = operation({
  id: 'change-requests.reviews.list',
  route: `GET ${path}`,
  summary: 'List the reviews of a change request, oldest first',
  access: 'change-request.read',
  query: {
    format,
    outdated: Type.Optional(
      Type.Boolean({
        description:
          'true: only reviews of earlier versions of the change request; false: only reviews of its current version (default: all reviews)',
      }),
    ),
  },
  returns: listOf(Review),
  cli: { columns, examples: ['docsctl change-requests reviews list 7 --space Guide'] },
});

export const getReview = operation({
  id: 'change-requests.reviews.get',
  route: `GET ${path}/:reviewId`,
  summary: 'Show a review of a change request',
  access: 'change-request.read',
  query: { format },
  returns: ok(Review),
  cli: {
    columns,
    examples: ['docsctl change-requests reviews get rvw_1 --space Guide --change-request 7'],
  },
});

export const submitReview = operation({
  id: 'change-requests.reviews.submit',
  route: `POST ${path}`,
  summary: 'Approve a change request or ask for changes',
  description:
    'The review applies to the current content of the change request. A later edit makes the review outdated. Merge rules count only reviews that are not outdated, by members who still have the review role on the space. If you created or edited the change request, your approval counts only for rules that name you. Reviews by integrations meet no merge rule, but their requests for changes count for the rule require_all_reviews_approved.',
  access: 'change-request.review',
  body: closed({
    status: Verdict,
    comment: Type.Optional({ ...CommentBody, description: 'comment of the reviewer' }),
  }),
  returns: created(Review),
  cli: {
    columns,
    examples: [
      'docsctl change-requests reviews submit 7 --space Guide --status approved --comment "Looks good."',
    ],
  },
});
