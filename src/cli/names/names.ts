import { normalizeEmail } from '../../core/emails.ts';
import type { Operation, PathParams } from '../../contract/operation.ts';
import { hasFormat } from '../../contract/check.ts';
import { eachPage } from '../../contract/each-page.ts';
import { valueAt } from '../../contract/paths.ts';
import { displayText } from '../output/cell.ts';
import { defined, flattenPages, isRecord, joinOr, plural, truncate } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import type { PageBody } from '../../resources/content/schemas.ts';
import { propertiesIn } from '../input/field-schema.ts';
import { paramDefaults } from '../input/flags.ts';
import { readArguments } from '../input/files.ts';
import { listCommand, operationById } from '../find-operation.ts';
import { looksLikeId, resolveIdEnding } from './id-endings.ts';
import { chooseOne } from './choose.ts';
import { isChangeRequestNumber, kindOf, kinds, listIn, type Kind } from './name-kinds.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { idEnding } from '../output/short-ids.ts';
import { canAsk, type Session } from '../session/session.ts';
import { unusedSetting } from '../settings/settings.ts';
import { notAMember, withSource } from './name-source.ts';

/** Returns the ID for the value of a field. `params` tell where to search. An ID is returned unchanged. */
export async function resolveName(
  session: Session,
  field: string,
  value: string | undefined,
  params: PathParams = {},
  operationId = '',
): Promise<string> {
  const id = await findNamed(session, field, value, params, operationId);
  if (value !== undefined && id !== value) session.typedWords.set(id, value);
  return id;
}

async function findNamed(
  session: Session,
  field: string,
  value: string | undefined,
  params: PathParams,
  operationId: string,
): Promise<string> {
  if (field === 'organizationId') return resolveOrganization(session, value);
  if (isChangeRequestNumber(field, operationId) && value !== undefined && /^\d{1,9}$/.test(value)) {
    const request = await callById(session, 'change-requests.get', { ...params, changeRequestId: value }, {});
    return textAt(request, 'id');
  }
  const kind = kindOf(field, operationId);
  if (value === undefined || value === paramDefaults[field] || looksLikeId(value)) return value ?? '';
  const draft = kind === kinds.redirect ? kinds.draftRedirect : undefined;
  if (kind !== undefined)
    return operationId === 'spaces.delete'
      ? findEither(session, [kind, kinds.deletedSpace], value, params)
      : findEither(session, [kind, draft], value, params).catch(async (error: unknown) => {
          const { describeRefusedLookup } = await import('./refused-lookup.ts');
          const setting = field === 'spaceId' ? 'space' : field === 'siteId' ? 'site' : undefined;
          const sourced = setting === undefined ? error : withSource(session, setting, value, error);
          throw await describeRefusedLookup(sourced, {
            name: value,
            word: kind.word,
            listId: listIn(kind, params),
            operationId,
          });
        });
  return field.endsWith('Id') ? resolveIdEnding(session, value, params, operationId) : value;
}

/** Resolves the names in the fields of a body or query. */
export async function resolveFields(
  session: Session,
  operation: Operation,
  fields: Record<string, unknown>,
  params: PathParams,
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
  params: PathParams,
): Promise<unknown> {
  if (operation.id.startsWith('sites.customization.'))
    return (await import('./link-names.ts')).resolveLinks(session, body, params);
  if (operation.id.startsWith('spaces.git.') && isRecord(body) && typeof body['url'] === 'string') {
    const { repositoryAddress } = await import('../input/repository-address.ts');
    return { ...body, url: await repositoryAddress(session, body['url']) };
  }
  return isRecord(body) && propertiesIn(operation.body).length > 0
    ? resolveFields(session, operation, body, params)
    : body;
}

/** Returns the organization of the command: the given one, or else the only one that the caller can see. */
export async function resolveOrganization(
  session: Session,
  value = session.settings.org?.value,
): Promise<string> {
  if (value !== undefined) {
    if (looksLikeId(value)) return value;
    try {
      return await find(session, kinds.org, value, {});
    } catch (error) {
      throw withSource(session, 'org', value, error);
    }
  }
  const { items } = await list(session, 'orgs.list', {}, { limit: 3 });
  if (items.length === 1) return textAt(items[0], 'id');
  if (items.length > 0 && canAsk(session)) {
    const titles = await namesById(session, 'organizationId', {}, '');
    return chooseOne(
      session,
      'Which organization?',
      [...titles].map(([id, name]) => ({ id, name })),
    );
  }
  const why = unusedSetting(session.runtime, session.settings, 'org');
  throw items.length === 0
    ? notAMember()
    : new Problem('usage', 'There are several organizations, but none is chosen.', {
        hint: `${
          why === undefined
            ? 'Add --org with a title or ID, or set a default with `docsctl config set org ORG`.'
            : `Add --org with a title or ID. The default organization is not used here: ${why}.`
        } To see them, run \`docsctl orgs list\`.`,
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
): Promise<(Record<Param, string> & { organizationId: string })[]> {
  if (words.length === 0) throw new Problem('usage', question, { hint });
  const organizationId = await resolveOrganization(session);
  const targets = [];
  for (const word of await readArguments(session, words)) {
    const id = await resolveName(session, param, word, { organizationId });
    targets.push({ organizationId, [param]: id });
  }
  return targets as (Record<Param, string> & { organizationId: string })[];
}

/** Finds a resource of the first kind, or else of the second: a space that may be deleted, a redirect that may be a draft. */
async function findEither(
  session: Session,
  [kind, other]: readonly [Kind, Kind | undefined],
  value: string,
  params: PathParams,
): Promise<string> {
  try {
    return await find(session, kind, value, params);
  } catch (error) {
    if (other === undefined || !isProblem(error, 'not-found')) throw error;
    try {
      return await find(session, other, value, params);
    } catch (inner) {
      throw isProblem(inner, 'not-found') ? error : inner;
    }
  }
}

async function find(
  session: Session,
  kind: Kind,
  given: string,
  params: PathParams,
  shown = given,
): Promise<string> {
  // Messages and links contain paths of pages with a leading slash.
  const value = kind.word === 'page' ? given.replace(/^\/+(?=.)/, '') : given;
  // Checked before the list of members, because any member can have the name "me".
  if (kind.word === 'member' && value === 'me')
    return (await session.call((await import('../../resources/users/contract.ts')).me, {})).id;
  // An email identifies one member, even if another member has it as their name.
  const isEmail = kind.word === 'member' && hasFormat(value, 'email');
  const namePaths = isEmail ? kind.names.slice(0, 1) : kind.names;
  const fold = isEmail ? normalizeEmail : (text: string): string => text.toLowerCase();
  const lower = fold(value);
  const exact: unknown[] = [];
  const ignoringCase: unknown[] = [];
  const ending = idEnding(value);
  const endingSo: unknown[] = [];
  const containing: string[] = [];
  const others: string[][] = [];
  const needsOrganization =
    kind.list !== 'orgs.list' && !/^spaces\.(files|pages|reusable-contents)/.test(kind.list);
  const scope = needsOrganization ? await withOrganization(session, params) : params;
  const listId = listIn(kind, scope);
  const query = {
    ...kind.query,
    ...(isPageList(listId) ? { texts: false } : { limit: 1000 }),
    ...(kind.filter === undefined || ending !== undefined ? {} : { [kind.filter]: truncate(value, 50) }),
  };
  const addNames = await kind.addNames?.(session, scope['organizationId'] ?? '');
  for await (const items of eachListed(session, listId, scope, query)) {
    for (const item of addNames?.(items) ?? items) {
      const [id = '', ...names] = ['id', ...namePaths].map((path) => textAt(item, path));
      const [name = ''] = names;
      // A path identifies one page, even if another page has it as its title.
      if (kind.word === 'page' && name === value) return id;
      if (id === value || names.includes(value)) exact.push(item);
      else if ([id, ...names].some((one) => fold(one) === lower)) ignoringCase.push(item);
      else if (ending !== undefined && id.endsWith(ending)) endingSo.push(item);
      else if (
        lower.length > 1 &&
        containing.length < 3 &&
        names.some((one) => one.toLowerCase().includes(lower))
      )
        containing.push(name);
      else others.push(names);
    }
  }
  const found = [exact, ignoringCase].find((items) => items.length > 0) ?? endingSo;
  const [first] = found;
  if (first === undefined) {
    const inRoot = await (await import('./without-root.ts')).withoutRoot(session, kind, value, params);
    if (inRoot !== undefined) return find(session, kind, inRoot, params, shown);
    // A filtered list leaves out similar names, which are needed for suggestions.
    if (kind.filter !== undefined && ending === undefined && containing.length === 0) {
      const { items } = await list(session, listId, scope, { ...kind.query, limit: 1000 });
      for (const item of addNames?.(items) ?? items)
        others.push(kind.names.map((path) => textAt(item, path)));
    }
    const near =
      containing.length > 0 ? containing : (await import('../suggestions.ts')).similarThings(value, others);
    const isOrganization = kind === kinds.org;
    if (isOrganization && others.length + containing.length === 0) throw notAMember();
    const known = isOrganization ? ' that you can see' : '';
    throw new Problem('not-found', `There is no ${kind.word} "${shown}"${known}.`, {
      hint:
        near.length > 0
          ? `Did you mean ${joinOr(near.map((name) => `"${name}"`))}?`
          : `To see the ${kind.word}s, run \`${await listCommand(listId, scope, kind)}\`.`,
    });
  }
  if (found.length === 1) return textAt(first, 'id');
  if (canAsk(session)) {
    const described = await describeAll(session, kind, found);
    const choices = found.map((item, index) => ({ id: textAt(item, 'id'), name: described[index] ?? '' }));
    return chooseOne(session, `Which ${kind.word} is "${shown}"?`, choices);
  }
  const some = await describeNamed(session, kind, found.slice(0, 10));
  throw new Problem(
    'ambiguous',
    `"${shown}" matches ${plural(found.length, kind.word)}: ${some.join(', ')}.`,
    { hint: 'Use the ID instead of the name.' },
  );
}

/** Returns the ID of each resource of a kind, with its name and what distinguishes it from others with this name. */
export async function describeNamed(
  session: Session,
  kind: Kind,
  items: readonly unknown[],
): Promise<readonly string[]> {
  const described = await describeAll(session, kind, items);
  return items.map((item, index) => `${textAt(item, 'id')} (${described[index] ?? ''})`);
}

async function describeAll(session: Session, kind: Kind, items: readonly unknown[]): Promise<string[]> {
  const { describeMatches } = await import('./describe-matches.ts');
  const inCollections = /^(?:spaces|collections)\.list$/.test(kind.list);
  const hasParents = inCollections && items.some((item) => textAt(item, 'parent') !== '');
  const collections = hasParents ? await namesById(session, 'parent', {}, 'spaces.list') : new Map();
  return describeMatches(items, kind.names, collections);
}

/** Returns the first name, or else the details, of each resource that a field could use, by ID. */
export async function namesById(
  session: Session,
  field: string,
  params: PathParams,
  operationId: string,
): Promise<ReadonlyMap<string, string>> {
  const kind = kindOf(field, operationId);
  const names = new Map<string, string>();
  if (kind === undefined) return names;
  const scope = kind.list === 'orgs.list' ? params : await withOrganization(session, params);
  const addNames = await kind.addNames?.(session, scope['organizationId'] ?? '');
  const query = { ...kind.query, ...(isPageList(kind.list) ? { texts: false } : { limit: 1000 }) };
  for await (const items of eachListed(session, listIn(kind, scope), scope, query))
    for (const item of addNames?.(items) ?? items) {
      const name = kind.names.map((path) => textAt(item, path)).find((text) => text !== '');
      const details = kind.details?.map((path) => displayText(valueAt(item, path)));
      names.set(textAt(item, 'id'), name ?? details?.join(' ') ?? '');
    }
  return names;
}

/**
 * Returns the words that a field accepts, with descriptions, for completion: names, and IDs of resources without a unique name.
 * Only the first page is read. If the start of an ID is typed, all words are IDs.
 */
export async function listCandidates(
  session: Session,
  field: string,
  params: PathParams,
  operationId: string,
  typed: string,
): Promise<[word: string, note: string][]> {
  const kind = kindOf(field, operationId);
  if (kind === undefined) return [];
  const isId = /^[a-z]{2,6}_/.test(typed);
  const filter =
    kind.filter === undefined || isId || typed === '' ? {} : { [kind.filter]: truncate(typed, 50) };
  const scope = kind.list === 'orgs.list' ? params : await withOrganization(session, params);
  const listId = listIn(kind, scope);
  const { items } = await list(
    session,
    listId,
    scope,
    isPageList(listId) ? { texts: false } : { ...kind.query, ...filter, limit: 200 },
  );
  const addNames = await kind.addNames?.(session, scope['organizationId'] ?? '');
  const named = addNames?.(items) ?? items;
  const names = named.map((item) => textAt(item, kind.names[0]));
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const notes = await describeAll(session, kind, names.some(isShared) ? named : []);
  return named.map((item, index) => {
    const [id, name = ''] = [textAt(item, 'id'), names[index]];
    // A name such as --yes would be parsed as an option, and shells cannot read control characters.
    return name === '' || name.startsWith('-') || escapeControls(name) !== name || isShared(name) || isId
      ? [id, notes[index] ?? name]
      : [name, id];
  });
}

/** Returns the parameters of a path with the organization of the command. */
export async function withOrganization(session: Session, params: PathParams): Promise<PathParams> {
  return params['organizationId'] === undefined
    ? { ...params, organizationId: await resolveOrganization(session) }
    : params;
}

/** Yields the items of a list, page by page. */
export async function* eachListed(
  session: Session,
  operationId: string,
  params: PathParams,
  query: Record<string, unknown>,
): AsyncGenerator<readonly unknown[]> {
  const pages = eachPage((page) => list(session, operationId, params, { ...query, ...defined({ page }) }));
  for await (const { items } of pages) yield items;
}

async function list(
  session: Session,
  operationId: string,
  params: PathParams,
  query: Record<string, unknown>,
): Promise<{ next?: { page: string }; items: readonly unknown[] }> {
  const {
    items,
    pages = [],
    next,
  } = (await callById(session, operationId, params, query)) as {
    items?: readonly unknown[];
    pages?: readonly PageBody[];
    next?: { page: string };
  };
  return { ...defined({ next }), items: items ?? flattenPages(pages) };
}

async function callById(
  { call }: Session,
  id: string,
  params: PathParams,
  query: Record<string, unknown>,
): Promise<unknown> {
  const operation = await operationById(id);
  const own = Object.fromEntries(operation.paramNames.map((name) => [name, params[name] ?? '']));
  return call(operation, { params: own, query });
}

/** Whether an operation lists pages. Such lists have no pagination, and contain texts unless the query excludes them. */
function isPageList(operationId: string): boolean {
  return operationId.endsWith('pages.list');
}

function textAt(item: unknown, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' ? value : '';
}
