import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, Type, Url } from '../../contract/schema.ts';
import {
  ContentPosition,
  contentVisibilities,
  DefaultLevel,
  Language,
  MergeRules,
} from '../../contract/shapes.ts';
import { spaceBase } from '../content/base.ts';
import { pdfOperations } from '../content/pdf/declarations.ts';
import { SearchedPage } from '../search/contract.ts';

const Title = Type.String({ maxLength: 50 });
const Emoji = Type.String({ maxLength: 50 });
const EditMode = oneOf(['live', 'locked']);
const columns = ['title', 'visibility', 'updatedAt', 'parent', 'id'];

export const Space = closed({
  object: Type.Literal('space'),
  id: Id,
  title: Title,
  emoji: Emoji,
  icon: Type.Optional(Type.String({ maxLength: 2048 })),
  visibility: oneOf(contentVisibilities),
  createdAt: DateTime,
  updatedAt: DateTime,
  deletedAt: Type.Optional(DateTime),
  editMode: EditMode,
  mergeRules: MergeRules,
  urls: closed({
    location: Url,
    app: Url,
    published: Type.Optional(Url),
    public: Type.Optional(Url),
    icon: Type.Optional(Url),
  }),
  organization: Id,
  parent: Type.Optional(Id),
  language: Type.Optional(Language),
  revision: Id,
  defaultLevel: DefaultLevel,
  comments: Type.Integer({ minimum: 0 }),
  changeRequests: Type.Integer({ minimum: 0 }),
  changeRequestsOpen: Type.Integer({ minimum: 0 }),
  changeRequestsDraft: Type.Integer({ minimum: 0 }),
  permissions: closed({
    view: Type.Boolean(),
    access: Type.Boolean(),
    admin: Type.Boolean(),
    viewInviteLinks: Type.Boolean(),
    edit: Type.Boolean(),
    triggerGitSync: Type.Boolean(),
    comment: Type.Boolean(),
    merge: Type.Boolean(),
    review: Type.Boolean(),
    installIntegration: Type.Boolean(),
  }),
});

export const listSpaces = operation({
  id: 'spaces.list',
  route: 'GET /orgs/:organizationId/spaces',
  summary: 'List the spaces of an organization',
  access: 'org.read',
  query: {
    title: Type.Optional(Type.String({ maxLength: 50, description: 'Only titles that contain this' })),
  },
  returns: listOf(Space),
  cli: { columns, examples: ['docsctl spaces list --all -o json'] },
});

export const createSpace = operation({
  id: 'spaces.create',
  route: 'POST /orgs/:organizationId/spaces',
  summary: 'Create an empty space',
  access: 'org.create',
  body: closed({
    title: Type.Optional(Title),
    emoji: Type.Optional(Emoji),
    parent: Type.Optional(Id),
    language: Type.Optional(Language),
    editMode: Type.Optional(EditMode),
    empty: Type.Optional(Type.Literal(true, { description: 'Without any page, as every new space is' })),
  }),
  returns: created(Space),
  cli: { columns, examples: ['docsctl spaces create --title Guide --parent Product'] },
});

export const getSpace = operation({
  id: 'spaces.get',
  route: 'GET /spaces/:spaceId',
  summary: 'Show a space',
  access: 'space.read',
  query: {
    shareKey: Type.Optional(
      Type.String({ maxLength: 255, description: 'Key of a share link, to resolve published URLs' }),
    ),
  },
  returns: ok(Space),
  cli: { columns },
});

export const updateSpace = operation({
  id: 'spaces.update',
  route: 'PATCH /spaces/:spaceId',
  summary: 'Change the title, look, language or rules of a space',
  description: 'A space has an emoji or an icon: giving one takes the other away, null takes it away.',
  access: 'space.admin',
  body: closed({
    title: Type.Optional(Title),
    emoji: Type.Optional(nullable(Emoji)),
    icon: Type.Optional(nullable(Url)),
    editMode: Type.Optional(EditMode),
    defaultLevel: Type.Optional(DefaultLevel),
    language: Type.Optional(Language),
    mergeRules: Type.Optional(MergeRules),
  }),
  returns: ok(Space),
  cli: {
    columns,
    flags: [
      {
        name: 'reviewer',
        value: 'MEMBER',
        summary: 'Merging needs the review of this member',
        template: {
          mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: ['$'] }] },
        },
      },
    ],
    examples: [
      'docsctl spaces update Guide --edit-mode locked',
      'docsctl spaces update Guide --unset emoji --unset icon',
    ],
  },
});

export const deleteSpace = operation({
  id: 'spaces.delete',
  route: 'DELETE /spaces/:spaceId',
  summary: 'Delete a space; it can be restored within 7 days',
  access: 'space.admin',
  returns: noContent(),
});

export const restoreSpace = operation({
  id: 'spaces.restore',
  route: 'POST /spaces/:spaceId/restore',
  summary: 'Bring back a space that was deleted less than 7 days ago',
  access: 'deleted-space.admin',
  returns: ok(Space),
  cli: { columns },
});

export const duplicateSpace = operation({
  id: 'spaces.duplicate',
  route: 'POST /spaces/:spaceId/duplicate',
  summary: 'Make a second space with the same content beside a space',
  access: 'space.create',
  returns: created(Space),
  cli: { columns },
});

/** Where a space or collection moves: into a collection, to the top level (null), or beside another one. */
export const Move = closed({
  parent: Type.Optional(nullable(Id)),
  position: Type.Optional(ContentPosition),
});
export const moveFlags = [
  {
    name: 'before',
    value: 'SPACE',
    summary: 'Put it before this space',
    template: { position: { before: { type: 'space', space: '$' } } },
  },
  {
    name: 'after',
    value: 'SPACE',
    summary: 'Put it after this space',
    template: { position: { after: { type: 'space', space: '$' } } },
  },
];

export const moveSpace = operation({
  id: 'spaces.move',
  route: 'POST /spaces/:spaceId/move',
  summary: 'Move a space into a collection or to another place',
  access: 'space.admin',
  body: Move,
  returns: ok(Space),
  cli: {
    columns,
    flags: moveFlags,
    examples: ['docsctl spaces move Guide --parent Product'],
  },
});

export const transferSpace = operation({
  id: 'spaces.transfer',
  route: 'POST /spaces/:spaceId/transfer',
  summary: 'Give a space to another organization',
  access: 'space.admin',
  body: closed({ organization: Id }),
  returns: ok(Space),
  cli: { columns, destructive: true },
});

const linkStatuses = ['ok', 'broken', 'in-app'] as const;

/** Something that links lead to or come from. */
export const ContentLocation = closed({
  kind: oneOf(['file', 'url', 'page', 'user', 'collection', 'space', 'reusable-content', 'openapi']),
  organization: Type.Optional(Id),
  space: Type.Optional(Id),
  versionContext: Type.Optional(
    closed({
      type: oneOf(['revision', 'changeRequest']),
      revision: Type.Optional(Id),
      changeRequest: Type.Optional(Id),
    }),
  ),
  file: Type.Optional(Id),
  page: Type.Optional(Id),
  anchor: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  user: Type.Optional(Id),
  collection: Type.Optional(Id),
  reusableContent: Type.Optional(Id),
  openAPISpec: Type.Optional(Id),
});

/** The text of a link and its position. Not in the official API. */
const linkSource = {
  href: Type.Optional(Type.String()),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  source: Type.Optional(
    closed({
      kind: oneOf(['page', 'reusable-content']),
      id: Id,
      title: Type.String(),
      path: Type.Optional(Type.String()),
      file: Type.Optional(Type.String()),
    }),
  ),
};

/** A page or reusable content that links to a page or file, with the first of its links. */
export const Backlink = closed({ ...ContentLocation.properties, ...linkSource });

export const Link = closed({
  status: oneOf(linkStatuses),
  relation: oneOf(['reference', 'dependsOn']),
  targetReference: Type.Optional(ContentLocation),
  locationReferences: Type.Array(ContentLocation),
  ...linkSource,
});

/** The number of links, and of those that lead nowhere. */
export const LinkStats = closed({
  total: Type.Integer({ minimum: 0 }),
  broken: closed({
    total: Type.Integer({ minimum: 0 }),
    changeRequest: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
});

export const listSpaceLinks = operation({
  id: 'spaces.links',
  route: 'GET /spaces/:spaceId/links',
  summary: 'List the links in a space, and which are broken',
  description:
    'One item for each link that is written: in Markdown, in HTML and in tags such as content-ref; not in code. They come page by page; href, line and source say what is written where, and are not in the official API. An anchor that does not exist does not break a link.',
  access: 'space.read',
  query: { status: Type.Optional(oneOf(linkStatuses)) },
  returns: listOf(Link, { stats: LinkStats }),
  cli: { composite: true, columns: ['status', 'source.path', 'line', 'href'] },
});

export const searchSpace = operation({
  id: 'spaces.search',
  route: 'GET /spaces/:spaceId/search',
  summary: 'Search the pages of a space',
  access: 'space.read',
  query: { query: Type.String({ minLength: 1, maxLength: 512, description: 'What to look for' }) },
  returns: listOf(SearchedPage),
  cli: {
    columns: ['path', 'title'],
    positional: ['spaceId', 'query'],
    examples: ['docsctl spaces search Guide api key'],
  },
});

export const { exportPdf: exportSpacePdf, downloadPdf: downloadSpacePdf } = pdfOperations(spaceBase);
