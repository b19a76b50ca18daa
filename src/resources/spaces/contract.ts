import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import {
  closed,
  DateTime,
  Id,
  nonBlank,
  nullable,
  oneOf,
  optional,
  Type,
  Url,
  WebUrl,
} from '../../contract/schema.ts';
import {
  ContentPosition,
  contentVisibilities,
  DefaultLevel,
  Language,
  MergeRules,
} from '../../contract/shapes.ts';
import { spaceBase } from '../content/base.ts';
import { Link, linksQuery, LinkStats } from '../content/links/schemas.ts';
import { pdfOperations } from '../content/pdf/declarations.ts';
import { SearchedPage } from '../search/contract.ts';
import { GitSyncState } from '../git-sync/schemas.ts';

const Title = nonBlank({ maxLength: 50, description: 'title of the space' });
const Emoji = Type.String({ maxLength: 50, format: 'emoji', description: 'emoji shown before the title' });
const EditMode = oneOf(['live', 'locked'], {
  description:
    'live allows edits through change requests; locked refuses every edit, even in change requests',
});
const Count = Type.Integer({ minimum: 0 });
const columns = ['title', 'visibility', 'updatedAt', 'parent', 'id'];

/** Number of days during which a deleted space can be restored. */
export const daysToRestore = 7;

export const nounHelp: NounHelp = {
  description:
    'A space holds pages and files. You edit its content in change requests, and every change adds a revision. Collections group spaces, and sites publish spaces.',
  examples: [
    'docsctl spaces list',
    'docsctl spaces create --title Handbook --parent Product',
    'docsctl spaces import Guide ./docs',
  ],
};

export const Space = closed({
  object: Type.Literal('space'),
  id: Id,
  title: Type.String({ maxLength: 50, description: 'title of the space' }),
  // Values that were stored before they were checked may be any text.
  emoji: Type.String({ maxLength: 50, description: 'emoji shown before the title' }),
  icon: Type.Optional(Type.String({ maxLength: 2048 })),
  visibility: oneOf(contentVisibilities, {
    description: 'widest audience of the published sites that show the space; private where none does',
  }),
  createdAt: DateTime,
  updatedAt: DateTime,
  deletedAt: Type.Optional(DateTime),
  editMode: EditMode,
  mergeRules: MergeRules,
  urls: closed({
    location: Url,
    app: Url,
    ...optional({
      published: Url,
      public: Url,
      icon: Url,
    }),
  }),
  organization: Id,
  ...optional({
    parent: Id,
    language: Language,
    gitSync: GitSyncState,
    visitorAuth: closed({ backend: Type.Literal('custom') }),
  }),
  revision: Id,
  defaultLevel: DefaultLevel,
  comments: Count,
  changeRequests: Count,
  changeRequestsOpen: Count,
  changeRequestsDraft: Count,
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
  description:
    'Lists the spaces that you can open: first those at the top level, then those in each collection, both in the order that `docsctl spaces move` sets. A guest sees only spaces that they have a permission on, directly or through a collection or site.',
  access: 'org.member',
  query: optional({
    title: Type.String({ maxLength: 50, description: 'only spaces whose title contains this text' }),
    deleted: Type.Boolean({
      description: 'list the deleted spaces that can still be restored (not in the official API of GitBook)',
    }),
  }),
  returns: listOf(Space),
  cli: {
    columns,
    examples: [
      'docsctl spaces list',
      'docsctl spaces list --title guide --all -o json',
      'docsctl spaces list --deleted',
    ],
  },
});

export const createSpace = operation({
  id: 'spaces.create',
  route: 'POST /orgs/:organizationId/spaces',
  summary: 'Create an empty space',
  description:
    'A new space has no pages. Fill it with `docsctl spaces import`, or create pages with `docsctl pages create`. With `parent`, you need the create role on that collection. Otherwise, you need this role in the organization.',
  access: 'org.member',
  body: closed(
    optional({
      title: { ...Title, description: 'title of the space (default: Untitled)' },
      emoji: Emoji,
      parent: Type.String({
        ...Id,
        description: 'collection to create the space in (default: the top level)',
      }),
      language: Language,
      editMode: { ...EditMode, description: `${EditMode.description} (default: live)` },
      empty: Type.Literal(true, { description: 'no effect: every new space is empty; false is refused' }),
    }),
  ),
  returns: created(Space),
  cli: {
    columns,
    positional: ['title'],
    examples: [
      'docsctl spaces create --title Handbook --parent Product',
      'docsctl spaces create "User guide" "Admin guide" --parent Product',
      'docsctl spaces create --skeleton > space.yaml',
    ],
  },
});

export const getSpace = operation({
  id: 'spaces.get',
  route: 'GET /spaces/:spaceId',
  summary: 'Show a space',
  access: 'space.read',
  query: {
    shareKey: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'key of an active share link of a site; the published address then contains this key',
      }),
    ),
  },
  returns: ok(Space),
  cli: {
    columns,
    examples: [
      'docsctl spaces get Guide',
      'docsctl spaces get Guide -o json',
      'docsctl spaces get Guide --web',
    ],
  },
});

export const updateSpace = operation({
  id: 'spaces.update',
  route: 'PATCH /spaces/:spaceId',
  summary: 'Change the title, emoji, icon, language or rules of a space',
  description:
    'Only the given fields change. A space has either an emoji or an icon: setting one removes the other.',
  access: 'space.admin',
  body: closed(
    optional({
      title: Title,
      emoji: nullable(Emoji, { description: 'emoji shown before the title' }),
      icon: nullable(WebUrl, { description: 'address of an image that members see instead of an emoji' }),
      editMode: EditMode,
      defaultLevel: DefaultLevel,
      language: Language,
      mergeRules: {
        ...MergeRules,
        description:
          'conditions that a change request must meet before it is merged; `docsctl explain spaces.update` lists the rules',
      },
    }),
  ),
  returns: ok(Space),
  cli: {
    columns,
    flags: [
      {
        name: 'reviewer',
        value: 'MEMBER',
        summary: 'require the approval of this member before a merge; replaces all merge rules',
        template: {
          mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: ['$'] }] },
        },
      },
    ],
    examples: [
      'docsctl spaces update Guide --edit-mode locked',
      'docsctl spaces update Guide --unset emoji --unset icon',
      `docsctl spaces update Guide --merge-rules '{"type": "rules", "rules": [{"rule": "require_at_least_one_review"}]}'`,
      'docsctl spaces update Guide --edit # opens your editor',
    ],
  },
});

export const deleteSpace = operation({
  id: 'spaces.delete',
  route: 'DELETE /spaces/:spaceId',
  summary: 'Delete a space. It can be restored for 7 days',
  description:
    'The pages, files, change requests and comments are hidden, and removed for good after 7 days. Sites no longer show the space, even after it is restored; `docsctl spaces restore` names these sites. With `now`, the space is removed for good immediately, even if it was deleted before.',
  access: 'deleted-space.admin',
  query: {
    now: Type.Optional(
      Type.Boolean({ description: 'remove the space for good now (not in the official API of GitBook)' }),
    ),
  },
  returns: noContent(),
  cli: {
    examples: ['docsctl spaces delete Template --yes', 'docsctl spaces delete Template API --now --yes'],
  },
});

/** The sites that showed a restored space before its deletion. Not in the official API. */
const FormerSites = Type.Array(
  closed({
    id: Id,
    title: Type.String(),
    ...optional({
      section: nullable(Id),
      sectionTitle: Type.String(),
      sectionGroup: Id,
    }),
  }),
);

export const restoreSpace = operation({
  id: 'spaces.restore',
  route: 'POST /spaces/:spaceId/restore',
  summary: 'Restore a space that was deleted less than 7 days ago',
  description:
    'The space returns with its content, change requests and comments. Sites that showed it before do not show it again. The command lists these sites, and says how to add the space to them. `docsctl spaces list --deleted` lists the spaces that can be restored.',
  access: 'deleted-space.admin',
  returns: ok(closed({ ...Space.properties, formerSites: Type.Optional(FormerSites) })),
  cli: { columns, examples: ['docsctl spaces restore Trash'] },
});

export const duplicateSpace = operation({
  id: 'spaces.duplicate',
  route: 'POST /spaces/:spaceId/duplicate',
  summary: 'Copy a space with its content and settings',
  description:
    'The copy is put into the same collection, where you need the create role. If the space is at the top level, you need this role in the organization. The copy gets the default level and the permissions of the space. Sites do not show the copy. Members who cannot open the space because a site denies them access cannot open the copy either. The pages, files and reusable contents of the copy get new IDs, and links between them use the new IDs. Change requests, comments and earlier revisions are not copied. `title` is not in the official API of GitBook.',
  access: 'space.create',
  body: closed({
    title: Type.Optional({ ...Title, description: 'title of the copy (default: title of the space)' }),
  }),
  returns: created(Space),
  cli: { columns, examples: ['docsctl spaces duplicate Template --title "Release notes"'] },
});

/** The new place of a space or collection: in a collection, at the top level (null), or next to a sibling. */
export const Move = closed(
  optional({
    parent: nullable(Id, { description: 'collection to move into' }),
    position: {
      ...ContentPosition,
      description: 'space or collection next to the new position',
    },
  }),
);
export const moveFlags = (['before', 'after'] as const).flatMap((side) => [
  {
    name: side,
    value: 'SPACE',
    summary: `move it ${side} the space with this title or ID`,
    template: { position: { [side]: { type: 'space', space: '$' } } },
  },
  {
    name: `${side}-collection`,
    value: 'COLLECTION',
    summary: `move it ${side} the collection with this title or ID`,
    template: { position: { [side]: { type: 'collection', collection: '$' } } },
  },
]);

export const moveSpace = operation({
  id: 'spaces.move',
  route: 'POST /spaces/:spaceId/move',
  summary: 'Move a space to another collection or position',
  description:
    'Without `parent`, the space stays in its collection; `parent: null` moves it to the top level. Without `position`, it goes to the end. You need the create role on the collection that the space moves into, or in the organization if it moves to the top level.',
  access: 'space.admin',
  body: Move,
  returns: ok(Space),
  cli: {
    columns,
    flags: moveFlags,
    examples: [
      'docsctl spaces move Guide --parent Product',
      'docsctl spaces move Guide --unset parent',
      'docsctl spaces move Guide --after-collection Product',
      'docsctl spaces move API --before spc_1',
    ],
  },
});

export const transferSpace = operation({
  id: 'spaces.transfer',
  route: 'POST /spaces/:spaceId/transfer',
  summary: 'Move a space to another organization',
  description:
    'You need the create role in the organization that receives the space. On a server, you need a token for all organizations, such as the one that `docsctl init` printed. The space keeps its content, change requests and comments. Sites stop showing the space.',
  access: 'space.admin',
  body: closed({ organization: Type.String({ ...Id, description: 'organization that receives the space' }) }),
  returns: ok(Space),
  cli: {
    columns,
    destructive: true,
    examples: ['docsctl spaces transfer Template --organization "Acme Labs" --yes'],
  },
});

export const listSpaceLinks = operation({
  id: 'spaces.links',
  route: 'GET /spaces/:spaceId/links',
  summary: 'List the links in a space and find the broken ones',
  description:
    'Lists every link in Markdown, in HTML and in tags such as content-ref, page by page. Links in code are not listed. The fields href, line, source, missing, reason and message are not in the official API of GitBook. A missing anchor makes a link broken only with `anchors`.',
  access: 'space.read',
  query: linksQuery,
  returns: listOf(Link, { stats: LinkStats }),
  cli: { composite: true, columns: ['status', 'source.path', 'line', 'href', 'message'] },
});

export const searchSpace = operation({
  id: 'spaces.search',
  route: 'GET /spaces/:spaceId/search',
  summary: 'Search the pages of a space',
  description:
    'Searches the titles and text of the pages of the space. Changes that are not merged yet are not found. If no page contains all the words, pages with some of them are listed. Words in double quotes must follow each other. A question such as "How do I install it?" is a search for "install".',
  access: 'space.read',
  query: { query: Type.String({ minLength: 1, maxLength: 512, description: 'words to search for' }) },
  returns: listOf(SearchedPage),
  cli: {
    columns: ['path', 'title'],
    positional: ['spaceId', 'query'],
    examples: ['docsctl spaces search Guide api key', `docsctl spaces search Guide '"api key"'`],
  },
});

export const { exportPdf: exportSpacePdf, downloadPdf: downloadSpacePdf } = pdfOperations(spaceBase);
