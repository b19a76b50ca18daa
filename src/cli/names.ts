import type { Operation } from '../contract/operation.ts';
import { eachPage } from '../contract/each-page.ts';
import { valueAt } from '../contract/paths.ts';
import { defined, isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { nounOf } from '../resources/index.ts';
import { propertiesIn } from './field-schema.ts';
import { readArguments } from './files.ts';
import { optionKey, paramFlag } from './flags.ts';
import type { Session } from './session.ts';

type Params = Readonly<Record<string, string>>;

/** How resources of a kind are found by name. */
interface Kind {
  readonly word: string;
  /** The operation that lists them. */
  readonly list: string;
  /** Dotted paths of the names in a listed item; the first is shown. */
  readonly names: readonly [string, ...string[]];
  /** A filter of the list that narrows it to names that contain the word. */
  readonly filter?: string;
  /** Adds names that listed items do not have themselves. */
  readonly addNames?: (
    session: Session,
    organizationId: string,
  ) => Promise<(items: readonly unknown[]) => readonly unknown[]>;
}

const kinds = {
  org: { word: 'organization', list: 'orgs.list', names: ['title', 'hostname'] },
  collection: { word: 'collection', list: 'collections.list', names: ['title'], filter: 'title' },
  space: { word: 'space', list: 'spaces.list', names: ['title'], filter: 'title' },
  site: { word: 'site', list: 'sites.list', names: ['title', 'basename'] },
  section: { word: 'section', list: 'sites.sections.list', names: ['path', 'title'] },
  group: { word: 'section group', list: 'sites.section-groups.list', names: ['title'] },
  siteSpace: { word: 'site space', list: 'sites.site-spaces.list', names: ['path', 'title'] },
  shareLink: { word: 'share link', list: 'sites.share-links.list', names: ['name'] },
  team: { word: 'team', list: 'teams.list', names: ['title'] },
  member: { word: 'member', list: 'members.list', names: ['user.email', 'user.displayName'] },
  saml: { word: 'SAML provider', list: 'saml.list', names: ['label'] },
  token: { word: 'token', list: 'tokens.list', names: ['name'] },
  cluster: { word: 'cluster', list: 'conversations.clusters.list', names: ['label'] },
  file: { word: 'file', list: 'spaces.files.list', names: ['name'] },
  spec: { word: 'specification', list: 'openapi.list', names: ['slug'] },
  page: { word: 'page', list: 'spaces.pages.list', names: ['path', 'title', 'git.path'] },
  translation: {
    word: 'translation',
    list: 'translations.list',
    names: ['title', 'language', 'languageName'],
    addNames: async (session, organizationId) =>
      (await import('./commands/translations/names.ts')).nameTranslations(session, organizationId, true),
  },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

/** Path parameters, and fields of bodies and queries, that hold an id of a kind. */
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

/** Fields of bodies that hold an id only in some operations; the last two words of the operation come first. */
const kindsOfBodyFields: Record<string, KindName> = {
  'comments.create page': 'page',
  'reviewers.request users': 'member',
  'content.apply-template id': 'space',
};

/** The path parameter or field of a flag: `site` → `siteId`. */
export function fieldOf(flag: string): string {
  return Object.keys(kindsOfFields).find((name) => paramFlag(name) === flag) ?? optionKey(flag);
}

/** The id of what a field names; `params` tell where to look. A value that is an id already stays as it is. */
export async function resolveName(
  session: Session,
  field: string,
  value: string | undefined,
  params: Params = {},
  operationId = '',
): Promise<string> {
  if (field === 'organizationId') return resolveOrganization(session, value);
  if (isChangeRequestNumber(field, operationId) && value !== undefined && /^\d{1,9}$/.test(value)) {
    const request = await callById(session, 'change-requests.get', { ...params, changeRequestId: value }, {});
    return textAt(request, 'id');
  }
  const kind = kindOf(field, operationId);
  if (kind === undefined || value === undefined || looksLikeId(value)) return value ?? '';
  return find(session, kind, value, params);
}

/** Resolves the names in the fields of a body or query. */
export async function resolveFields(
  session: Session,
  operation: Operation,
  fields: Record<string, unknown>,
  params: Params,
): Promise<Record<string, unknown>> {
  const resolved = { ...fields };
  for (const [name, value] of Object.entries(fields)) {
    if (kindOf(name, operation.id) === undefined && !isChangeRequestNumber(name, operation.id)) continue;
    const resolve = (item: unknown) =>
      typeof item === 'string' ? resolveName(session, name, item, params, operation.id) : item;
    resolved[name] = Array.isArray(value) ? await Promise.all(value.map(resolve)) : await resolve(value);
  }
  return resolved;
}

/** Resolves the names in a body, if it is an object with declared fields. */
export async function resolveBody(
  session: Session,
  operation: Operation,
  body: unknown,
  params: Params,
): Promise<unknown> {
  return isRecord(body) && propertiesIn(operation.body).length > 0
    ? resolveFields(session, operation, body, params)
    : body;
}

/** The organization of the command: the given one, else the only one that the caller sees. */
export async function resolveOrganization(
  session: Session,
  value = session.settings.org?.value,
): Promise<string> {
  if (value !== undefined) return looksLikeId(value) ? value : find(session, kinds.org, value, {});
  const { items } = await list(session, 'orgs.list', {}, { limit: 3 });
  if (items.length === 1) return textAt(items[0], 'id');
  throw items.length === 0
    ? new Problem('usage', 'There is no organization here that you can see.', {
        hint: 'Run `docsctl init` for a new store, or `docsctl orgs create`.',
      })
    : new Problem('usage', 'Which organization?', {
        hint: 'Give --org ID-or-title or set DOCSCTL_ORG; `docsctl orgs list` shows them.',
      });
}

/**
 * Resolves the words of a variadic argument ("-" reads them from standard input) in the organization of the command.
 * @throws Problem(usage) with this question without words
 */
export async function resolveArguments<Param extends string>(
  session: Session,
  param: Param,
  words: readonly string[],
  question = '',
  hint = '',
): Promise<(Record<Param, string> & { readonly organizationId: string })[]> {
  if (words.length === 0) throw new Problem('usage', question, { hint });
  const organizationId = await resolveOrganization(session);
  const targets = [];
  for (const word of await readArguments(session, words)) {
    const id = await resolveName(session, param, word, { organizationId });
    targets.push({ organizationId, [param]: id });
  }
  return targets as (Record<Param, string> & { readonly organizationId: string })[];
}

function kindOf(field: string, operationId: string): Kind | undefined {
  if (field === 'parent') {
    if (operationId.startsWith('sites.section-groups')) return kinds.group;
    return /^(collections|spaces)\./.test(operationId) ? kinds.collection : undefined;
  }
  if (field === 'organization' && operationId.endsWith('.transfer')) return kinds.org;
  if (field === 'owner' && operationId === 'integrations.list') return kinds.org;
  const name =
    kindsOfFields[field] ?? kindsOfBodyFields[`${operationId.split('.').slice(-2).join('.')} ${field}`];
  return name === undefined ? undefined : kinds[name];
}

/** What a field or path parameter names, and the names that it takes beside the ID: "title", "email". */
export function namesFor(field: string, operationId: string): { word: string; names: readonly string[] } {
  if (field === 'changeRequestId') return { word: 'change request', names: ['number'] };
  const kind = field === 'organizationId' ? kinds.org : kindOf(field, operationId);
  if (kind === undefined) return { word: paramFlag(field).replaceAll('-', ' '), names: [] };
  return { word: kind.word, names: [...new Set(kind.names.map((path) => nameWords[path] ?? path))] };
}

/** Names that are called otherwise than their fields. */
const nameWords: Readonly<Record<string, string>> = {
  'user.email': 'email',
  'user.displayName': 'name',
  'git.path': 'path',
  languageName: 'language',
};

/** Whether a field of a body holds the id of a change request, which users know by its number. */
function isChangeRequestNumber(field: string, operationId: string): boolean {
  return field === 'changeRequestId' && operationId.endsWith('.apply-template');
}

/** Whether a value is an id of docsctl (`spc_01J…`), or of a hosted platform (20 to 40 letters and digits). */
function looksLikeId(value: string): boolean {
  return (
    /^[a-z]{2,6}_[0-9A-Z]{26}$/.test(value) ||
    (/^[A-Za-z0-9]{20,40}$/.test(value) && /[0-9]/.test(value) && /[A-Z]/.test(value))
  );
}

async function find(session: Session, kind: Kind, given: string, params: Params): Promise<string> {
  // Messages and links write the path of a page with a slash before it.
  const value = kind.word === 'page' ? given.replace(/^\/+(?=.)/, '') : given;
  const lower = value.toLowerCase();
  const exact: unknown[] = [];
  const ignoringCase: unknown[] = [];
  const containing: string[] = [];
  const others: string[] = [];
  const needsOrganization = kind.list !== 'orgs.list' && !/^spaces\.(files|pages)/.test(kind.list);
  const scope = needsOrganization ? await withOrganization(session, params) : params;
  const listId = listIn(kind, scope);
  const query = {
    ...(isPageList(listId) ? { texts: false } : { limit: 1000 }),
    ...(kind.filter === undefined ? {} : { [kind.filter]: value.slice(0, 50) }),
  };
  const addNames = await kind.addNames?.(session, scope['organizationId'] ?? '');
  for await (const { items } of eachPage((page) =>
    list(session, listId, scope, { ...query, ...defined({ page }) }),
  )) {
    for (const item of addNames?.(items) ?? items) {
      const names = ['id', ...kind.names].map((path) => textAt(item, path));
      const [, name = ''] = names;
      if (names.includes(value)) exact.push(item);
      else if (names.some((one) => one.toLowerCase() === lower)) ignoringCase.push(item);
      else if (containing.length < 3 && names.some((one) => one.toLowerCase().includes(lower)))
        containing.push(name);
      else others.push(name);
    }
  }
  const found = exact.length > 0 ? exact : ignoringCase;
  const [first] = found;
  if (first === undefined) {
    const near =
      containing.length > 0 ? containing : (await import('./suggestions.ts')).similarNames(value, others);
    throw new Problem('not-found', `There is no ${kind.word} "${value}".`, {
      hint:
        near.length > 0
          ? `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
          : `\`${await listCommand(listId, scope)}\` shows those there are.`,
    });
  }
  if (found.length === 1) return textAt(first, 'id');
  const some = found.slice(0, 10).map((item) => `${textAt(item, 'id')} (${textAt(item, kind.names[0])})`);
  throw new Problem('ambiguous', `"${value}" names ${found.length} things: ${some.join(', ')}.`, {
    hint: 'Give the id of the one you mean.',
  });
}

/** The ids and names that a field could take, for completion; the first page only. */
export async function listCandidates(
  session: Session,
  field: string,
  params: Params,
  operationId: string,
): Promise<[id: string, name: string][]> {
  const kind = kindOf(field, operationId);
  if (kind === undefined) return [];
  const scope = kind.list === 'orgs.list' ? params : await withOrganization(session, params);
  const listId = listIn(kind, scope);
  const { items } = await list(
    session,
    listId,
    scope,
    isPageList(listId) ? { texts: false } : { limit: 200 },
  );
  const addNames = await kind.addNames?.(session, scope['organizationId'] ?? '');
  return (addNames?.(items) ?? items).map((item) => [textAt(item, 'id'), textAt(item, kind.names[0])]);
}

async function withOrganization(session: Session, params: Params): Promise<Params> {
  return params['organizationId'] === undefined
    ? { ...params, organizationId: await resolveOrganization(session) }
    : params;
}

async function list(
  session: Session,
  operationId: string,
  params: Params,
  query: Record<string, unknown>,
): Promise<{ readonly next?: { readonly page: string }; readonly items: readonly unknown[] }> {
  const {
    items,
    pages = [],
    next,
  } = (await callById(session, operationId, params, query)) as {
    readonly items?: readonly unknown[];
    readonly pages?: readonly Nested[];
    readonly next?: { readonly page: string };
  };
  return { ...defined({ next }), items: items ?? flatten(pages) };
}

async function callById(
  { call }: Session,
  id: string,
  params: Params,
  query: Record<string, unknown>,
): Promise<unknown> {
  const operation = await operationById(id);
  const own = Object.fromEntries(operation.paramNames.map((name) => [name, params[name] ?? '']));
  return call(operation, { params: own, query });
}

/** Loads the declaration of an operation. */
export async function operationById(id: string): Promise<Operation> {
  const declarations: readonly Partial<Operation>[] = Object.values(await nounOf(id).contract());
  return declarations.find((operation) => operation.id === id) as Operation;
}

/** The command that lists resources, ready to be pasted. */
async function listCommand(operationId: string, params: Params): Promise<string> {
  const { paramNames } = await operationById(operationId);
  const flags = paramNames.flatMap((name) =>
    name === 'organizationId' || params[name] === undefined ? [] : [`--${paramFlag(name)} ${params[name]}`],
  );
  return ['docsctl', ...operationId.split('.'), ...flags].join(' ');
}

interface Nested {
  readonly pages?: readonly Nested[];
}

function flatten(pages: readonly Nested[]): Nested[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}

/** The list of a kind. Pages and files of a change request or revision are listed there, not in the space. */
function listIn(kind: Kind, params: Params): string {
  const noun =
    params['revisionId'] !== undefined
      ? 'revisions'
      : params['changeRequestId'] !== undefined
        ? 'change-requests'
        : 'spaces';
  return kind.list.replace(/^spaces\.(files|pages)/, `${noun}.$1`);
}

/** Lists of pages come whole, and with texts unless they are told not to. */
function isPageList(operationId: string): boolean {
  return operationId.endsWith('pages.list');
}

function textAt(item: unknown, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' ? value : '';
}
