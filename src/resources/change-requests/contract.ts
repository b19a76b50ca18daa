import { created, listOf, ok, operation, type BodyFlag } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type, Url } from '../../contract/schema.ts';
import { RichDocument, User } from '../../contract/shapes.ts';
import { changeRequestBase } from '../content/base.ts';
import { changesQuery, semanticChangesFields } from '../content/changes/schemas.ts';
import { pdfOperations } from '../content/pdf/declarations.ts';

const path = '/spaces/:spaceId/change-requests/:changeRequestId';
const statuses = ['draft', 'open', 'archived', 'merged'] as const;
const Subject = Type.String({ maxLength: 100 });
export const changeRequestColumns = ['number', 'subject', 'status', 'outdated', 'updatedAt', 'id'];

/** A set of proposed edits of a space. */
export const ChangeRequest = closed({
  object: Type.Literal('change-request'),
  id: Id,
  number: Type.Integer({ minimum: 1 }),
  status: oneOf(statuses),
  subject: Subject,
  description: Type.Optional(RichDocument),
  createdBy: User,
  createdAt: DateTime,
  updatedAt: DateTime,
  space: Id,
  revision: Id,
  revisionInitial: Id,
  revisionMergedAncestor: Type.Optional(Id),
  revisionMerged: Type.Optional(Id),
  comments: Type.Integer({ minimum: 0 }),
  outdated: Type.Boolean(),
  conversationsIssuesCluster: Type.Optional(Id),
  urls: closed({ app: Url, location: Url }),
});

const sides = ['ours', 'theirs'] as const;
/** How to resolve conflicts between the changes of a change request (ours) and of its space (theirs). */
export const ConflictResolution = closed({
  take: Type.Optional(
    oneOf(sides, {
      description:
        'Whose to take at every conflict that nothing else resolves: ours is the change request, theirs the space',
    }),
  ),
  resolutions: Type.Optional(
    Type.Array(
      closed(
        {
          page: Type.String({
            minLength: 1,
            maxLength: 2048,
            description: 'Id or path of a page; id or name of a file',
          }),
          take: Type.Optional(oneOf(sides)),
          markdown: Type.Optional(
            Type.String({ maxLength: 2_000_000, description: 'The whole text that the page shall have' }),
          ),
        },
        { minProperties: 2 },
      ),
      { maxItems: 1000, description: 'What to do about the conflicts of single pages' },
    ),
  ),
});
const takeFlag = (name: (typeof sides)[number], summary: string): BodyFlag => ({
  name,
  value: 'PAGE',
  summary,
  template: { resolutions: [{ page: '$', take: name }] },
  repeatable: true,
});
const resolutionFlags = [
  takeFlag('ours', 'At the conflicts of this page take what the change request says'),
  takeFlag('theirs', 'At the conflicts of this page take what the space says'),
  {
    name: 'edited',
    value: 'PAGE=@FILE',
    summary: 'Give a page with conflicts the text of this file',
    template: { resolutions: [{ page: '$key', markdown: '$' }] },
    repeatable: true,
  },
] as const;
const conflictWords =
  'What both sides changed, each in its own way, is a conflict: nothing is done then, and the answer (409) names each page, place and both sides. Resolutions decide the conflicts of a page; what does not clash is merged all the same. A body is not in the official API.';

/** A template, and the content references that it is filled with. */
export const Template = closed({
  id: Id,
  params: Type.Optional(
    closed({
      contentRefs: Type.Optional(
        Type.Record(Type.String(), Type.Object({ kind: Type.String() }, { additionalProperties: true })),
      ),
    }),
  ),
});

/** A query parameter that keeps the change requests that belong to an id. */
export const idFilter = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }));

/** The filters that every list of change requests takes. */
export const changeRequestFilters = {
  creator: idFilter('Only those made by this user'),
  contributor: idFilter('Only those whose content this user edited'),
  requestedReviewer: idFilter('Only those this user was asked to review'),
  conversationsIssuesCluster: idFilter('Only those made for this cluster of issues'),
  orderBy: Type.Optional(
    oneOf(['updatedAt', 'createdAt'], { default: 'updatedAt', description: 'Newest first by this time' }),
  ),
};
export const Status = oneOf(statuses);

export const listChangeRequests = operation({
  id: 'change-requests.list',
  route: 'GET /spaces/:spaceId/change-requests',
  summary: 'List the change requests of a space',
  access: 'space.read',
  query: {
    status: Type.Optional(
      oneOf(statuses, { default: 'open', description: 'Only those in this state; a new one is a draft' }),
    ),
    ...changeRequestFilters,
  },
  returns: listOf(ChangeRequest),
  cli: {
    columns: changeRequestColumns,
    examples: ['docsctl change-requests list Guide', 'docsctl change-requests list Guide --status all'],
  },
});

export const createChangeRequest = operation({
  id: 'change-requests.create',
  route: 'POST /spaces/:spaceId/change-requests',
  summary: 'Create a change request, a draft on the current content of a space',
  description:
    'It starts as a draft. Opening it (status open) or asking somebody to review it says that it is ready; a draft can be merged too. Templates come with a later version.',
  access: 'space.edit',
  body: closed({
    subject: Type.Optional(Subject),
    template: Type.Optional(Template),
    conversationsIssuesCluster: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'The cluster of issues that it is made for' }),
    ),
  }),
  returns: created(ChangeRequest),
  cli: {
    columns: changeRequestColumns,
    examples: ['docsctl change-requests create Guide --subject "Fix the install steps"'],
  },
});

export const getChangeRequest = operation({
  id: 'change-requests.get',
  route: `GET ${path}`,
  summary: 'Show a change request, by its id or its number in the space',
  access: 'change-request.read',
  returns: ok(ChangeRequest),
  cli: { columns: changeRequestColumns, examples: ['docsctl change-requests get 7 --space Guide'] },
});

export const updateChangeRequest = operation({
  id: 'change-requests.update',
  route: `PATCH ${path}`,
  summary: 'Change the subject, description or state of a change request',
  description: 'Draft, open and archived lead to each other; merged is reached by merging, and is the end.',
  access: 'change-request.edit',
  body: closed({
    subject: Type.Optional(Subject),
    description: Type.Optional(RichDocument),
    status: Type.Optional(oneOf(['draft', 'open', 'archived'])),
  }),
  returns: ok(ChangeRequest),
  cli: {
    columns: changeRequestColumns,
    examples: ['docsctl change-requests update 7 --space Guide --status open'],
  },
});

export const mergeChangeRequest = operation({
  id: 'change-requests.merge',
  route: `POST ${path}/merge`,
  summary: 'Make the content of a change request the content of its space',
  description: `Refused while the merge rules of the space or its organization are not met. What the space has changed since the change request was made or brought up to date is kept: both are merged by page, field and line. ${conflictWords}`,
  access: 'change-request.review',
  body: ConflictResolution,
  returns: ok(closed({ revision: Id, result: oneOf(['merge', 'conflicts']) })),
  cli: {
    flags: resolutionFlags,
    examples: [
      'docsctl change-requests merge 7 --space Guide',
      'docsctl change-requests merge 7 --space Guide --theirs /guides/start',
    ],
  },
});

export const syncChangeRequest = operation({
  id: 'change-requests.sync',
  route: `POST ${path}/update`,
  summary: 'Bring a change request up to date with the content of its space',
  description: conflictWords,
  access: 'change-request.edit',
  body: ConflictResolution,
  returns: ok(closed({ revision: Id, result: oneOf(['update', 'conflicts']) })),
  cli: {
    flags: resolutionFlags,
    examples: [
      'docsctl change-requests sync 7 --space Guide',
      'docsctl change-requests sync 7 --space Guide --ours /guides/start --edited /intro=@intro.md',
    ],
  },
});

export const listChanges = operation({
  id: 'change-requests.changes',
  route: `GET ${path}/changes`,
  summary: 'Show what a change request changes: pages, files, reusable contents and variables',
  description: 'Since it was made or last brought up to date.',
  access: 'change-request.read',
  query: changesQuery,
  returns: ok(closed(semanticChangesFields)),
  cli: { examples: ['docsctl change-requests changes 7 --space Guide --limit 100'] },
});

export const { exportPdf: exportChangeRequestPdf, downloadPdf: downloadChangeRequestPdf } =
  pdfOperations(changeRequestBase);

export const listContributors = operation({
  id: 'change-requests.contributors',
  route: `GET ${path}/contributors`,
  summary: 'List who edited the content of a change request',
  access: 'change-request.read',
  returns: listOf(
    closed({
      user: User,
      actionType: oneOf(['edit', 'comment']),
      count: Type.Integer({ minimum: 0 }),
      updatedAt: DateTime,
    }),
  ),
  cli: { columns: ['user.displayName', 'user.email', 'actionType', 'updatedAt'] },
});
