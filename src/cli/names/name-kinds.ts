import type { PathParams } from '../../contract/operation.ts';
import { optionKey, paramFlag } from '../input/flags.ts';
import type { Session } from '../session/session.ts';

/** How to find resources of a kind by name. */
export interface Kind {
  readonly word: string;
  readonly list: string;
  /** The dotted paths of the names in a listed item. The first one is shown. */
  readonly names: readonly [string, ...string[]];
  /** The dotted paths of the fields that describe an item without a name. */
  readonly details?: readonly string[];
  /** A filter of the list for items whose name contains a text. */
  readonly filter?: string;
  /** Fixed parameters of the list, such as those that select deleted resources. */
  readonly query?: Readonly<Record<string, boolean>>;
  /** Adds names that listed items do not contain. */
  readonly addNames?: (
    session: Session,
    organizationId: string,
  ) => Promise<(items: readonly unknown[]) => readonly unknown[]>;
}

export const kinds = {
  org: { word: 'organization', list: 'orgs.list', names: ['title', 'hostname'] },
  collection: { word: 'collection', list: 'collections.list', names: ['title'], filter: 'title' },
  space: { word: 'space', list: 'spaces.list', names: ['title'], filter: 'title' },
  deletedSpace: {
    word: 'deleted space',
    list: 'spaces.list',
    names: ['title'],
    filter: 'title',
    query: { deleted: true },
  },
  site: { word: 'site', list: 'sites.list', names: ['title', 'basename'] },
  section: { word: 'section', list: 'sites.sections.list', names: ['path', 'title'] },
  group: { word: 'section group', list: 'sites.section-groups.list', names: ['title'] },
  siteSpace: { word: 'site space', list: 'sites.site-spaces.list', names: ['path', 'title'] },
  externalLink: { word: 'external link', list: 'sites.external-links.list', names: ['title'] },
  shareLink: { word: 'share link', list: 'sites.share-links.list', names: ['name'] },
  redirect: { word: 'redirect', list: 'sites.redirects.list', names: ['source'], filter: 'search' },
  draftRedirect: {
    word: 'redirect',
    list: 'sites.redirects.list',
    query: { draft: true },
    names: ['source'],
    filter: 'search',
  },
  team: { word: 'team', list: 'teams.list', names: ['title'] },
  member: { word: 'member', list: 'members.list', names: ['user.email', 'user.displayName'] },
  saml: { word: 'SAML provider', list: 'saml.list', names: ['label'] },
  token: {
    word: 'token',
    list: 'tokens.list',
    names: ['name'],
    details: ['role', 'user.email', 'createdAt'],
  },
  cluster: { word: 'cluster', list: 'conversations.clusters.list', names: ['label'] },
  file: { word: 'file', list: 'spaces.files.list', names: ['name', 'git.path'] },
  spec: { word: 'specification', list: 'openapi.list', names: ['slug'] },
  version: { word: 'version', list: 'openapi.versions', names: ['version'] },
  page: { word: 'page', list: 'spaces.pages.list', names: ['path', 'title', 'git.path'] },
  reusableContent: {
    word: 'reusable content',
    list: 'spaces.reusable-contents.list',
    names: ['title', 'git.path'],
  },
  translation: {
    word: 'translation',
    list: 'translations.list',
    names: ['title', 'language', 'languageName'],
    addNames: async (session, organizationId) =>
      (await import('../commands/translations/names.ts')).nameTranslations(session, organizationId, true),
  },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

/** Path parameters, and fields of bodies and queries, that contain the ID of a kind. */
const kindsOfFields: Record<string, KindName> = {
  organizationId: 'org',
  organization: 'org',
  collectionId: 'collection',
  spaceId: 'space',
  space: 'space',
  spaces: 'space',
  siteId: 'site',
  siteSectionId: 'section',
  sectionId: 'section',
  sections: 'section',
  defaultSiteSection: 'section',
  siteSectionGroupId: 'group',
  parentSectionGroupId: 'group',
  siteSpaceId: 'siteSpace',
  defaultSiteSpace: 'siteSpace',
  siteExternalLinkId: 'externalLink',
  shareLinkId: 'shareLink',
  siteRedirectId: 'redirect',
  teamId: 'team',
  defaultTeam: 'team',
  userId: 'member',
  members: 'member',
  owner: 'member',
  creator: 'member',
  actor: 'member',
  contributor: 'member',
  requestedReviewer: 'member',
  authors: 'member',
  samlProviderId: 'saml',
  tokenId: 'token',
  clusterId: 'cluster',
  cluster: 'cluster',
  conversationsIssuesCluster: 'cluster',
  fileId: 'file',
  specId: 'spec',
  versionId: 'version',
  pageId: 'page',
  targetPage: 'page',
  reusableContentId: 'reusableContent',
  translationId: 'translation',
};

/** Fields of bodies that contain an ID only in some operations. The key starts with the last two words of the operation. */
const kindsOfBodyFields: Record<string, KindName> = {
  'comments.create page': 'page',
  'reviewers.request users': 'member',
  'tokens.create user': 'member',
  'permissions.set users': 'member',
  'permissions.set teams': 'team',
  'permissions.effective team': 'team',
  'content.apply-template id': 'space',
};

/** Returns the path parameter or field of a flag: `site` → `siteId`. */
export function fieldOf(flag: string): string {
  return Object.keys(kindsOfFields).find((name) => paramFlag(name) === flag) ?? optionKey(flag);
}

/** Returns the kind of resources that a field of an operation refers to. */
export function kindOf(field: string, operationId: string): Kind | undefined {
  if (field === 'spaceId' && operationId === 'spaces.restore') return kinds.deletedSpace;
  if (field === 'parent') {
    if (/^sites\.(section-groups|external-links)\./.test(operationId)) return kinds.group;
    return /^(collections|spaces)\./.test(operationId) ? kinds.collection : undefined;
  }
  if (field === 'organization' && operationId.endsWith('.transfer')) return kinds.org;
  if (field === 'owner' && operationId.endsWith('integrations.list')) return kinds.org;
  const name =
    kindsOfFields[field] ?? kindsOfBodyFields[`${operationId.split('.').slice(-2).join('.')} ${field}`];
  return name === undefined ? undefined : kinds[name];
}

/** Returns the list operation of a kind. With a change request or revision in `params`, it is the list of that content. */
export function listIn(kind: Kind, params: PathParams): string {
  const noun =
    params['revisionId'] !== undefined
      ? 'revisions'
      : params['changeRequestId'] !== undefined
        ? 'change-requests'
        : 'spaces';
  return kind.list.replace(/^spaces\.(files|pages|reusable-contents)/, `${noun}.$1`);
}

/**
 * Returns the word for the resource of a field or path parameter, and the names that it accepts besides the ID: "title", "email".
 */
export function namesFor(field: string, operationId: string): { word: string; names: readonly string[] } {
  if (field === 'changeRequestId') return { word: 'change request', names: ['number'] };
  const kind = field === 'organizationId' ? kinds.org : kindOf(field, operationId);
  if (kind === undefined)
    return { word: wordsOfParams[field] ?? paramFlag(field).replaceAll('-', ' '), names: [] };
  return { word: kind.word, names: [...new Set(kind.names.map((path) => nameWords[path] ?? path))] };
}

/** The words for path parameters without a kind. */
const wordsOfParams: Readonly<Record<string, string>> = {
  specSlug: 'specification',
  pagePath: 'path of the page',
  inviteId: 'invite link',
  emailDomain: 'email domain',
};

/** Words for names that differ from their field names. */
const nameWords: Readonly<Record<string, string>> = {
  'user.email': 'email',
  'user.displayName': 'name',
  'git.path': 'path',
  languageName: 'language',
};

/** Whether a field of a body is the ID of a change request, which users know by its number. */
export function isChangeRequestNumber(field: string, operationId: string): boolean {
  return field === 'changeRequestId' && operationId.endsWith('.apply-template');
}
