import { makeRedirectsField, movedRedirects } from '../site-redirects/schemas.ts';
import { created, listOf, ok, operation, type BodyFlag, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, optional, Type, Url } from '../../contract/schema.ts';
import { RichDocument, User } from '../../contract/shapes.ts';
import { changeRequestBase } from '../content/base.ts';
import { changesQuery, semanticChangesFields } from '../content/changes/schemas.ts';
import { Link, linksQuery, LinkStats } from '../content/links/schemas.ts';
import { pdfOperations } from '../content/pdf/declarations.ts';
import { changeRequestColumns } from './columns.ts';

const path = '/spaces/:spaceId/change-requests/:changeRequestId';
export const statuses = ['draft', 'open', 'archived', 'merged'] as const;
const Subject = Type.String({ maxLength: 100, description: 'summary of the changes in one line' });

export const nounHelp: NounHelp = {
  description: `
A change request is a set of edits to the content of a space. It starts as a draft. Open it when it is ready for
review, and merge it to put its content into the space. Commands take its number in its space, or its ID. \`cr\` is
short for \`change-requests\`.
`,
  examples: [
    'docsctl change-requests list Guide --status all',
    'docsctl change-requests diff 7 --space Guide',
    'docsctl cr merge 7 --space Guide',
  ],
};

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
export const ConflictResolution = closed(
  optional({
    take: oneOf(sides, {
      description:
        'side to keep in all conflicts that no other option resolves: ours is the change request, theirs is the space',
    }),
    resolutions: Type.Array(
      closed(
        {
          page: Type.String({
            minLength: 1,
            maxLength: 2048,
            description: 'ID or path of a page, or ID or name of a file',
          }),
          take: Type.Optional(oneOf(sides)),
          markdown: Type.Optional(
            Type.String({ maxLength: 2_000_000, description: 'the new text of the page' }),
          ),
        },
        { minProperties: 2 },
      ),
      {
        maxItems: 1000,
        description:
          'how to resolve the conflicts of single pages and files: take a side, or give the new text as markdown; page is the path in the error, or an ID',
      },
    ),
  }),
);
const takeFlag = (name: (typeof sides)[number], summary: string): BodyFlag => ({
  name,
  value: 'PAGE',
  summary,
  template: { resolutions: [{ page: '$', take: name }] },
  repeatable: true,
});
const resolutionFlags = [
  takeFlag(
    'ours',
    'keep the side of the change request in the conflicts of this page or file, by the path in the error',
  ),
  takeFlag(
    'theirs',
    'keep the side of the space in the conflicts of this page or file, by the path in the error',
  ),
  {
    name: 'edited',
    value: 'PAGE=@FILE',
    summary: 'replace a page that has conflicts, by the path in the error, with the text of this file',
    template: { resolutions: [{ page: '$key', markdown: '$' }] },
    repeatable: true,
  },
] as const;
const conflictWords =
  'A conflict is a place that the change request and the space changed in different ways. If there are conflicts, nothing is merged, and the error names each page and place with both sides (exit 6). Resolve all conflicts with `take`, or the conflicts of single pages and files with `resolutions`. In both cases, changes without conflicts are merged.';

/** The content references that a template is filled with. */
export const TemplateParams = closed({
  contentRefs: Type.Optional(
    Type.Record(Type.String(), Type.Object({ kind: Type.String() }, { additionalProperties: true })),
  ),
});
export const Template = closed({ id: Id, params: Type.Optional(TemplateParams) });

/** A query parameter that selects the change requests that belong to an id. */
export const idFilter = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }));

/** The filters that every list of change requests takes. */
export const changeRequestFilters = {
  creator: idFilter('only change requests created by this member'),
  contributor: idFilter('only change requests that this member edited'),
  requestedReviewer: idFilter('only change requests that this member was asked to review'),
  conversationsIssuesCluster: idFilter('only change requests that answer this cluster of issues'),
  orderBy: Type.Optional(
    oneOf(['updatedAt', 'createdAt'], {
      default: 'updatedAt',
      description: 'time to sort by, newest first (default: updatedAt)',
    }),
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
      oneOf(statuses, {
        default: 'open',
        description: 'only change requests with this status; a new one is a draft',
      }),
    ),
    ...changeRequestFilters,
  },
  returns: listOf(ChangeRequest),
  cli: { columns: changeRequestColumns },
});

export const createChangeRequest = operation({
  id: 'change-requests.create',
  route: 'POST /spaces/:spaceId/change-requests',
  summary: 'Create a change request for a space',
  description:
    'The change request starts as a draft with the current content of the space. Edit it with `docsctl pages edit` or `docsctl change-requests content update`. To ask for a review, set its status to open or request reviewers. A draft can also be merged. `template` adds the content of another space. `docsctl spaces content apply-template --help` explains the field params.',
  access: 'space.edit',
  // As the API document and the published specification say, other fields are allowed. They have no effect.
  body: Type.Object(
    optional({
      subject: Subject,
      template: { ...Template, description: 'space whose content is added at the end' },
      conversationsIssuesCluster: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'cluster of issues that the change request answers',
      }),
    }),
  ),
  returns: created(ChangeRequest),
  cli: {
    columns: changeRequestColumns,
    examples: [
      'docsctl change-requests create Guide --subject "Fix the install steps"',
      `docsctl change-requests create Guide --template '{"id": "Template"}'`,
    ],
  },
});

export const getChangeRequest = operation({
  id: 'change-requests.get',
  route: `GET ${path}`,
  summary: 'Show a change request',
  access: 'change-request.read',
  returns: ok(ChangeRequest),
  cli: {
    columns: changeRequestColumns,
    examples: ['docsctl change-requests get 7 --space Guide', 'docsctl cr get 7 --space Guide -o json'],
  },
});

export const updateChangeRequest = operation({
  id: 'change-requests.update',
  route: `PATCH ${path}`,
  summary: 'Change the subject, description or status of a change request',
  description:
    'The status can change between draft, open and archived at any time. A merge sets the status merged, which cannot be changed afterwards.',
  access: 'change-request.edit',
  body: closed(
    optional({
      subject: Subject,
      description: { ...RichDocument, description: 'what changes and why' },
      status: oneOf(['draft', 'open', 'archived'], {
        description:
          'draft while it is edited, open when it is ready for review, archived when it is abandoned',
      }),
    }),
  ),
  returns: ok(ChangeRequest),
  cli: {
    columns: changeRequestColumns,
    examples: [
      'docsctl change-requests update 4 --space Guide --status open',
      'docsctl change-requests update 4 --space Guide --subject "Rewrite the welcome page"',
    ],
  },
});

export const mergeChangeRequest = operation({
  id: 'change-requests.merge',
  route: `POST ${path}/merge`,
  summary: 'Merge a change request into its space',
  description: `A merge is refused until the merge rules are met: those of the space or, if the space inherits them, those of the organization. Members named by the rule allow_bypass need not meet them. If the rules require a review, conflicts cannot be resolved with new text, because nobody has reviewed this text. Changes made in the space since the change request was created or synced are kept: both sides are merged by page, field and line.\n\n${conflictWords}\n\nWith \`requireLinks\`, a merge that would break a link or an anchor is refused (exit 9), and the error names each of them.\n\nIf the merge moves or renames pages that a published site shows, the result lists the redirects that their old paths need. With \`redirects\`, the merge also creates them. If the change request is already merged, \`redirects\` creates those that are still missing.`,
  access: 'change-request.review',
  body: closed({
    ...ConflictResolution.properties,
    requireLinks: Type.Optional(
      Type.Boolean({ description: 'refuse to merge if that would break a link or an anchor (exit 9)' }),
    ),
    ...makeRedirectsField,
  }),
  returns: ok(closed({ revision: Id, result: oneOf(['merge', 'conflicts']), ...movedRedirects })),
  cli: { columns: ['revision', 'result'], flags: resolutionFlags },
});

export const syncChangeRequest = operation({
  id: 'change-requests.sync',
  route: `POST ${path}/update`,
  summary: 'Update a change request with the current content of its space',
  description: `Use this command before a review if the space has changed since the change request was created. The space itself does not change.\n\n${conflictWords}`,
  access: 'change-request.edit',
  body: ConflictResolution,
  returns: ok(closed({ revision: Id, result: oneOf(['update', 'conflicts']) })),
  cli: { flags: resolutionFlags },
});

export const listChanges = operation({
  id: 'change-requests.changes',
  route: `GET ${path}/changes`,
  summary: 'List the pages, files and variables that a change request changes',
  description:
    'Compares the change request with the revision of the space that it was created from or last synced with. `docsctl change-requests diff` shows the changed lines.',
  access: 'change-request.read',
  query: changesQuery,
  returns: ok(closed(semanticChangesFields)),
  cli: { examples: ['docsctl change-requests changes 7 --space Guide --limit 100'] },
});

export const listChangeRequestLinks = operation({
  id: 'change-requests.links',
  route: `GET ${path}/links`,
  summary: 'List the links in a change request and find the broken ones',
  description:
    'Lists all links in the content of the change request, not only those that it adds. In `-o json`, `stats.broken.changeRequest` counts the links that are broken in the change request, but not in the space. `docsctl change-requests diff` lists the links that the merge would break. This operation is not in the official API of GitBook.',
  access: 'change-request.read',
  query: linksQuery,
  returns: listOf(Link, { stats: LinkStats }),
  cli: {
    columns: ['status', 'source.path=path', 'line', 'href', 'message'],
    examples: ['docsctl change-requests links 7 --space Guide --status broken --anchors'],
  },
});

export const { exportPdf: exportChangeRequestPdf, downloadPdf: downloadChangeRequestPdf } =
  pdfOperations(changeRequestBase);

export const listContributors = operation({
  id: 'change-requests.contributors',
  route: `GET ${path}/contributors`,
  summary: 'List the members who edited a change request or commented on it',
  description:
    'Shows the number of edits of each member, and the number of their comments and replies. Comments of reviews count as comments.',
  access: 'change-request.read',
  returns: listOf(
    closed({
      user: User,
      actionType: oneOf(['edit', 'comment']),
      count: Type.Integer({ minimum: 0 }),
      updatedAt: DateTime,
    }),
  ),
  cli: {
    columns: ['user.displayName', 'user.email', 'actionType', 'count', 'updatedAt'],
    examples: ['docsctl change-requests contributors 7 --space Guide'],
  },
});
