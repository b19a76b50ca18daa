import type { Api } from '../contract/api.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { nounOf } from '../resources/index.ts';
import { optionKey, propertiesIn } from './fields.ts';
import { eachPage } from '../contract/each-page.ts';
import type { Session } from './session.ts';

/** How things of a kind are found by name: the list to look in, and the fields that name them. */
interface Kind {
  readonly word: string;
  readonly list: string;
  /** Dotted paths in a listed item: its id, then the natural names. */
  readonly id: string;
  readonly names: readonly string[];
  /** A filter of the list that narrows it to names that contain the word. */
  readonly filter?: string;
  /** Adds names that listed items do not have themselves. */
  readonly named?: (
    session: Session,
    organizationId: string,
  ) => Promise<(items: readonly unknown[]) => readonly unknown[]>;
}

const kinds = {
  org: { word: 'organization', list: 'orgs.list', id: 'id', names: ['title', 'hostname'] },
  collection: { word: 'collection', list: 'collections.list', id: 'id', names: ['title'], filter: 'title' },
  space: { word: 'space', list: 'spaces.list', id: 'id', names: ['title'], filter: 'title' },
  site: { word: 'site', list: 'sites.list', id: 'id', names: ['title', 'basename'] },
  section: { word: 'section', list: 'sites.sections.list', id: 'id', names: ['path', 'title'] },
  group: { word: 'section group', list: 'sites.section-groups.list', id: 'id', names: ['title'] },
  siteSpace: { word: 'site space', list: 'sites.site-spaces.list', id: 'id', names: ['path', 'title'] },
  shareLink: { word: 'share link', list: 'sites.share-links.list', id: 'id', names: ['name'] },
  team: { word: 'team', list: 'teams.list', id: 'id', names: ['title'] },
  member: { word: 'member', list: 'members.list', id: 'id', names: ['user.email', 'user.displayName'] },
  saml: { word: 'SAML provider', list: 'saml.list', id: 'id', names: ['label'] },
  token: { word: 'token', list: 'tokens.list', id: 'id', names: ['name'] },
  cluster: { word: 'cluster', list: 'conversations.clusters.list', id: 'id', names: ['label'] },
  file: { word: 'file', list: 'spaces.files.list', id: 'id', names: ['name'] },
  spec: { word: 'specification', list: 'openapi.list', id: 'id', names: ['slug'] },
  page: { word: 'page', list: 'spaces.pages.list', id: 'id', names: ['path', 'title', 'git.path'] },
  translation: {
    word: 'translation',
    list: 'translations.list',
    id: 'id',
    names: ['title', 'language', 'languageName'],
    named: async (session, organizationId) =>
      (await import('./commands/translations/names.ts')).nameTranslations(session, organizationId, true),
  },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

/** Path parameters, and fields of bodies and queries, that hold an id of a kind. */
const holders: Record<string, KindName> = {
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
  siteSpaceId: 'siteSpace',
  defaultSiteSpace: 'siteSpace',
  shareLinkId: 'shareLink',
  teamId: 'team',
  defaultTeam: 'team',
  userId: 'member',
  members: 'member',
  owner: 'member',
  creator: 'member',
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
  pageId: 'page',
  targetPage: 'page',
  translationId: 'translation',
};

/** Fields of bodies whose names say too little by themselves: the last words of the operation stand before them. */
const inBodies: Record<string, KindName> = {
  'comments.create page': 'page',
  'reviewers.request users': 'member',
  'content.apply-template id': 'space',
};

const flags: Record<string, string> = {
  organizationId: 'org',
  siteSectionId: 'section',
  siteSectionGroupId: 'group',
  commentReplyId: 'reply',
  userId: 'member',
  samlProviderId: 'provider',
  integrationName: 'integration',
  emailDomain: 'domain',
};

/** The flag of a path parameter: `siteId` → `site`. */
export function paramFlag(name: string): string {
  return (
    flags[name] ??
    name
      .replace(/Id$/, '')
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
  );
}

/** The path parameter or field that a flag stands for: the other way round. */
export function holderOf(flag: string): string {
  return Object.keys(holders).find((name) => paramFlag(name) === flag) ?? optionKey(flag);
}

export interface Names {
  /** The id for what a person wrote, looked up by name where it is not an id. */
  resolve(
    holder: string,
    value: string | undefined,
    params: Readonly<Record<string, string>>,
    operation: string,
  ): Promise<string>;
  resolveBody(
    operation: Operation,
    body: unknown,
    params: Readonly<Record<string, string>>,
  ): Promise<unknown>;
  resolveQuery(
    operation: Operation,
    query: Record<string, unknown>,
    params: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>>;
}

export function createNames(session: Session): Names {
  const resolve: Names['resolve'] = async (holder, value, params, operation) => {
    if (holder === 'organizationId') return resolveOrganization(session, value);
    if (isNumbered(holder, operation) && value !== undefined && /^\d{1,9}$/.test(value))
      return idOfRequest(session, value, params);
    const kind = kindOf(holder, operation);
    if (kind === undefined || value === undefined || looksLikeId(value)) return value ?? '';
    return find(session, kind, value, params);
  };
  const resolveFields = async (
    operation: Operation,
    fields: Record<string, unknown>,
    params: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> => {
    const resolved = { ...fields };
    for (const [name, value] of Object.entries(fields)) {
      if (kindOf(name, operation.id) === undefined && !isNumbered(name, operation.id)) continue;
      if (typeof value === 'string') resolved[name] = await resolve(name, value, params, operation.id);
      else if (Array.isArray(value))
        resolved[name] = await Promise.all(
          value.map((item) => (typeof item === 'string' ? resolve(name, item, params, operation.id) : item)),
        );
    }
    return resolved;
  };
  return {
    resolve,
    resolveBody: async (operation, body, params) =>
      typeof body !== 'object' ||
      body === null ||
      Array.isArray(body) ||
      propertiesIn(operation.body).length === 0
        ? body
        : resolveFields(operation, body as Record<string, unknown>, params),
    resolveQuery: resolveFields,
  };
}

/** The organization of the command: named, or the only one there is. */
export async function resolveOrganization(
  session: Session,
  value = session.settings.org?.value,
): Promise<string> {
  if (value !== undefined) return looksLikeId(value) ? value : find(session, kinds.org, value, {});
  const api = await session.api();
  const { items } = await listCall(api, 'orgs.list', {}, { limit: 3 });
  const [only, second] = items;
  if (only !== undefined && second === undefined) return text(at(only, 'id'));
  throw new Problem(
    'usage',
    only === undefined ? 'There is no organization here that you can see.' : 'Which organization?',
    {
      hint:
        only === undefined
          ? 'Run `docsctl init` for a new store, or `docsctl orgs create`.'
          : 'Give --org ID-or-title or set DOCSCTL_ORG; `docsctl orgs list` shows them.',
    },
  );
}

function kindOf(holder: string, operation: string): Kind | undefined {
  if (holder === 'parent')
    return operation.startsWith('sites.section-groups')
      ? kinds.group
      : /^(collections|spaces)\./.test(operation)
        ? kinds.collection
        : undefined;
  if (holder === 'organization' && operation.endsWith('.transfer')) return kinds.org;
  if (holder === 'owner' && operation === 'integrations.list') return kinds.org;
  const name = holders[holder] ?? inBodies[`${operation.split('.').slice(-2).join('.')} ${holder}`];
  return name === undefined ? undefined : kinds[name];
}

/** A field that holds the id of a change request; in paths the number does as well. */
function isNumbered(holder: string, operation: string): boolean {
  return holder === 'changeRequestId' && operation.endsWith('.apply-template');
}

async function idOfRequest(
  session: Session,
  changeRequestId: string,
  params: Readonly<Record<string, string>>,
): Promise<string> {
  const request = await callOf(
    await session.api(),
    'change-requests.get',
    { ...params, changeRequestId },
    {},
  );
  return text(at(request, 'id'));
}

/** Ids made here (`spc_01J…`) and those of a hosted platform (20 and more letters and digits, mixed). */
export function looksLikeId(value: string): boolean {
  return (
    /^[a-z]{2,6}_[0-9A-Z]{26}$/.test(value) ||
    (/^[A-Za-z0-9]{20,40}$/.test(value) && /[0-9]/.test(value) && /[A-Z]/.test(value))
  );
}

async function find(
  session: Session,
  kind: Kind,
  given: string,
  params: Readonly<Record<string, string>>,
): Promise<string> {
  const api = await session.api();
  // Messages and links write the path of a page with a slash before it.
  const value = kind.word === 'page' ? given.replace(/^\/+(?=.)/, '') : given;
  const exact: unknown[] = [];
  const loose: unknown[] = [];
  const near: string[] = [];
  const others: string[] = [];
  const scope = { ...params };
  const list = inItsPlace(kind.list, scope);
  if (
    kind.list !== 'orgs.list' &&
    scope['organizationId'] === undefined &&
    !/^spaces\.(files|pages)/.test(kind.list)
  )
    scope['organizationId'] = await resolveOrganization(session);
  const filters = {
    ...(list.endsWith('pages.list') ? { texts: false } : { limit: 1000 }),
    ...(kind.filter === undefined ? {} : { [kind.filter]: value.slice(0, 50) }),
  };
  const named = await kind.named?.(session, scope['organizationId']!);
  for await (const { items } of eachPage((page) =>
    listCall(api, list, scope, { ...filters, ...(page === undefined ? {} : { page }) }),
  )) {
    for (const item of named?.(items) ?? items) {
      const names = [kind.id, ...kind.names].map((path) => text(at(item, path)));
      if (names.includes(value)) exact.push(item);
      else if (names.some((name) => name.toLowerCase() === value.toLowerCase())) loose.push(item);
      else if (near.length < 3 && names.some((name) => name.toLowerCase().includes(value.toLowerCase())))
        near.push(names[1] ?? '');
      else others.push(names[1] ?? '');
    }
  }
  const found = exact.length > 0 ? exact : loose;
  if (found.length === 1) return text(at(found[0], kind.id));
  if (found.length === 0) {
    if (near.length === 0) near.push(...(await import('./suggestions.ts')).similarNames(value, others));
    throw new Problem('not-found', `There is no ${kind.word} "${value}".`, {
      hint:
        near.length > 0
          ? `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
          : `\`${await commandOf(list, scope)}\` shows those there are.`,
    });
  }
  throw new Problem(
    'ambiguous',
    `"${value}" names ${found.length} things: ${found
      .slice(0, 10)
      .map((item) => `${text(at(item, kind.id))} (${text(at(item, kind.names[0]!))})`)
      .join(', ')}.`,
    { hint: 'Give the id of the one you mean.' },
  );
}

/** Ids with their names that a holder could take, for completion; the first page only. */
export async function listCandidates(
  session: Session,
  holder: string,
  params: Readonly<Record<string, string>>,
  operation: string,
): Promise<[id: string, name: string][]> {
  const kind = kindOf(holder, operation);
  if (kind === undefined) return [];
  const scope = { ...params };
  if (kind.list !== 'orgs.list') scope['organizationId'] ??= await resolveOrganization(session);
  const list = inItsPlace(kind.list, scope);
  const { items } = await listCall(
    await session.api(),
    list,
    scope,
    list.endsWith('pages.list') ? { texts: false } : { limit: 200 },
  );
  const named = await kind.named?.(session, scope['organizationId']!);
  return (named?.(items) ?? items).map((item) => [text(at(item, kind.id)), text(at(item, kind.names[0]!))]);
}

async function listCall(
  api: Api,
  id: string,
  params: Readonly<Record<string, string>>,
  query: Record<string, unknown>,
): Promise<{ next?: { page: string }; items: readonly unknown[] }> {
  const body = (await callOf(api, id, params, query)) as {
    items?: unknown[];
    pages?: Nested[];
    next?: { page: string };
  };
  return {
    ...(body.next === undefined ? {} : { next: body.next }),
    items: body.items ?? flatten(body.pages ?? []),
  };
}

async function callOf(
  api: Api,
  id: string,
  params: Readonly<Record<string, string>>,
  query: Record<string, unknown>,
): Promise<unknown> {
  const operation = await operationOf(id);
  const own = Object.fromEntries(operation.paramNames.map((name) => [name, params[name] ?? '']));
  return api.call(operation, { params: own, query });
}

async function operationOf(id: string): Promise<Operation> {
  return Object.values(await nounOf(id).contract()).find(
    (value) => (value as Partial<Operation>).id === id,
  ) as Operation;
}

/** The command that lists things of a place, to be typed as it is. */
async function commandOf(id: string, params: Readonly<Record<string, string>>): Promise<string> {
  const { paramNames } = await operationOf(id);
  const places = paramNames.flatMap((name) =>
    name === 'organizationId' || params[name] === undefined ? [] : [`--${paramFlag(name)} ${params[name]}`],
  );
  return ['docsctl', ...id.split('.'), ...places].join(' ');
}

interface Nested {
  readonly pages?: readonly Nested[];
}

function flatten(pages: readonly Nested[]): Nested[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}

/** Pages and files of a change request or of a revision are looked up there, not in the space. */
function inItsPlace(list: string, params: Readonly<Record<string, string>>): string {
  const place =
    params['revisionId'] !== undefined
      ? 'revisions'
      : params['changeRequestId'] !== undefined
        ? 'change-requests'
        : 'spaces';
  return list.replace(/^spaces\.(files|pages)/, `${place}.$1`);
}

function at(item: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], item);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
