import type { CheckedInput } from '../contract/check.ts';
import { type Level, type Operation, type Scope, splitAccess } from '../contract/operation.ts';
import { actionOf } from '../contract/required-role.ts';
import { notFound, Problem } from '../errors/problem.ts';
import type { Caller } from './callers.ts';
import type { ResourceScope } from './handler.ts';
import { checkInstalledOn, listInstalledOn } from './integration-access.ts';
import { loadGrants, noGrants } from './grants.ts';
import { can, contentRole, minRole, type EffectiveRole, type Subject } from './permissions.ts';
import { changeRequests, type ChangeRequestRow } from './rows/change-requests.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from './rows/spaces.ts';
import { integrations, installations, type IntegrationRow } from './rows/integrations.ts';
import { missingRole } from './missing-role.ts';
import { membershipOf, signInRequired, type Membership } from './membership.ts';
import { organizations, type MemberRow, type OrganizationRow } from './rows/organizations.ts';
import { revisions } from './rows/revisions.ts';
import { customHostnames, type CustomHostnameRow } from './rows/custom-hostnames.ts';
import { sites, type SiteRow } from './rows/sites.ts';
import { collectRows, eachRow, findOne, getExisting, getOwned, type ReadTransaction } from './store.ts';

/**
 * Finds the scope that an operation acts on and checks that the caller may act there.
 *
 * @throws Problem(unauthenticated) without a caller; Problem(not-found) if the scope does not exist or belongs to an organization
 * that the caller is not a member of; Problem(forbidden) if the caller's role is too low
 */
export async function authorize(
  view: ReadTransaction,
  caller: Caller | undefined,
  operation: Operation,
  input: Pick<CheckedInput, 'params' | 'query'>,
): Promise<Partial<ResourceScope>> {
  const [kind, level] = splitAccess(operation.access);
  if (level === 'any') return {};
  requireCaller(operation, caller);
  const scope = await findScope(view, operation.signInOptional ? withSignIn(caller) : caller, kind, input);
  if (scope !== undefined && !can(scope.role, level))
    throw await refuse(view, caller, operation, level, scope);
  return scope ?? {};
}

/** Returns the Problem for a missing role. It says whether the token limits a person who has the role. */
async function refuse(
  view: ReadTransaction,
  caller: Caller,
  operation: Operation,
  level: Level,
  scope: ResourceScope & {
    readonly [Kind in 'space' | 'collection' | 'site']?: SpaceRow | CollectionRow | SiteRow;
  } & { readonly integration?: IntegrationRow },
): Promise<Problem> {
  const { role, maxRole, memberRole, space, collection, site, integration } = scope;
  const row = space ?? collection ?? site;
  const ownRole =
    integration !== undefined
      ? await roleIn(view, { ...caller, maxRole: 'admin' }, integration.organization)
      : row === undefined
        ? memberRole
        : await contentRole(view, { ...scope, maxRole: 'admin' }, row);
  const kind = space ? 'space' : collection ? 'collection' : site ? 'site' : undefined;
  const place = integration ? 'in the organization that publishes the integration' : kind && `on the ${kind}`;
  // An integration has no role. Its scopes decide what it may do.
  return missingRole(
    { memberRole: caller.integration === undefined ? ownRole : role, maxRole },
    { action: actionOf(operation), level, place, email: caller.user.email },
  );
}

/** Refuses an anonymous caller, unless the operation is for everyone. @throws Problem(unauthenticated) */
export function requireCaller(operation: Operation, caller: Caller | undefined): asserts caller is Caller {
  if (caller === undefined && !operation.access.endsWith('.any')) {
    throw new Problem('unauthenticated', 'This requires a token, but none was sent.', {
      hint: 'Run `docsctl login`, or set DOCSCTL_TOKEN to a token from `docsctl tokens create`.',
    });
  }
}

async function findScope(
  view: ReadTransaction,
  caller: Caller,
  kind: Scope,
  { params, query }: Pick<CheckedInput, 'params' | 'query'>,
): Promise<ResourceScope | undefined> {
  const id = (name: string): string => params[name] ?? '';
  const organizationOfPath = (): Promise<ResourceScope> =>
    organizationScope(view, caller, id('organizationId'), () =>
      notFound('organization', id('organizationId')),
    );
  switch (kind) {
    case 'none':
    case 'user':
      return undefined;
    case 'integration':
      return integrationScope(view, caller, id('integrationName'));
    case 'org':
      return organizationOfPath();
    case 'site': {
      const scope = await organizationOfPath();
      const missing = () => notFound('site', id('siteId'));
      const site = await view.get(sites, id('siteId'));
      if (site === undefined || site.organization !== scope.organization.id) throw missing();
      await checkInstalledOn(view, caller, 'site', site.id);
      return { ...scope, role: await roleOn(view, scope, site, missing), site } as ResourceScope;
    }
    case 'hostname':
      return hostnameScope(view, caller, id('hostname'), query['organization']);
    case 'collection': {
      const missing = () => notFound('collection', id('collectionId'));
      const collection = await view.get(collections, id('collectionId'));
      if (collection === undefined) throw missing();
      const scope = await organizationScope(view, caller, collection.organization, missing);
      return {
        ...scope,
        role: await roleOn(view, scope, collection, missing),
        collection,
      } as ResourceScope;
    }
    case 'space':
    case 'deleted-space':
      return spaceScope(view, caller, id('spaceId'), kind === 'deleted-space');
    case 'change-request': {
      const scope = await spaceScope(view, caller, id('spaceId'), false);
      return {
        ...scope,
        changeRequest: await changeRequestOf(view, scope.space, id('changeRequestId')),
      } as ResourceScope;
    }
    case 'revision': {
      const scope = await spaceScope(view, caller, id('spaceId'), false);
      const owner = { space: scope.space.id };
      const revision = await getOwned(view, revisions, id('revisionId'), owner, 'revision');
      return { ...scope, revision } as ResourceScope;
    }
  }
}

async function spaceScope(
  view: ReadTransaction,
  caller: Caller,
  id: string,
  includeDeleted: boolean,
): Promise<ResourceScope & { space: SpaceRow }> {
  const missing = () => notFound('space', id);
  const space = await view.get(spaces, id);
  if (space === undefined || space.state === 'removed' || (space.state === 'deleted' && !includeDeleted))
    throw missing();
  const scope = await organizationScope(view, caller, space.organization, missing);
  await checkInstalledOn(view, caller, 'space', space.id);
  return { ...scope, role: await roleOn(view, scope, space, missing), space };
}

/**
 * Finds a custom hostname in an organization of the caller. Several organizations may have requested the same hostname.
 *
 * @throws Problem(ambiguous) if several organizations of the caller have it, and none of them is named
 */
async function hostnameScope(
  view: ReadTransaction,
  caller: Caller,
  given: string,
  named: unknown,
): Promise<ResourceScope & { readonly site: SiteRow; readonly customHostname: CustomHostnameRow }> {
  const missing = () => notFound('custom hostname', given);
  const hostname = given.toLowerCase();
  const holder = await view.get(customHostnames, hostname);
  const waiting = await collectRows(view, customHostnames, 'byHostname', [hostname]);
  const found: CustomHostnameRow[] = [];
  for (const row of [...(holder === undefined ? [] : [holder]), ...waiting])
    if (
      (named === undefined || named === row.organization) &&
      (await membershipOf(view, caller, row.organization)) !== undefined
    )
      found.push(row);
  const [customHostname, another] = found;
  if (customHostname === undefined) throw missing();
  if (another !== undefined)
    throw new Problem('ambiguous', `Several of your organizations have the custom hostname "${hostname}".`, {
      hint: 'Name one of them with --org.',
    });
  const scope = await organizationScope(view, caller, customHostname.organization, missing);
  const site = await getExisting(view, sites, customHostname.site);
  return { ...scope, role: await roleOn(view, scope, site, missing), site, customHostname };
}

/**
 * Returns the role of the caller on a space, collection or site.
 *
 * @throws the Problem of `missing` if the person cannot open it, even without the limit of the token
 */
async function roleOn(
  view: ReadTransaction,
  subject: Subject,
  row: SpaceRow | CollectionRow | SiteRow,
  missing: () => Problem,
): Promise<EffectiveRole> {
  const role = await contentRole(view, { ...subject, maxRole: 'admin' }, row);
  if (role === null) throw missing();
  return minRole(role, subject.maxRole);
}

/**
 * Finds a change request of a space by its number or ID.
 * @throws Problem(not-found)
 */
export async function changeRequestOf(
  view: ReadTransaction,
  space: SpaceRow,
  idOrNumber: string,
): Promise<ChangeRequestRow> {
  const row = /^\d{1,9}$/.test(idOrNumber)
    ? await findOne(view, changeRequests, 'byNumber', [space.id, Number(idOrNumber)])
    : await view.get(changeRequests, idOrNumber);
  if (row === undefined || row.space !== space.id) throw notFound('change request', idOrNumber);
  return row;
}

async function integrationScope(
  view: ReadTransaction,
  caller: Caller,
  name: string,
): Promise<ResourceScope & { integration: IntegrationRow }> {
  const integration = await view.get(integrations, name);
  if (integration === undefined || !(await canSeeIntegration(view, caller, integration)))
    throw notFound('integration', name);
  const organization = await getExisting(view, organizations, integration.organization);
  const subject = (await subjectIn(view, caller, organization)) ?? noMember(caller);
  return { organization, ...subject, role: minRole(subject.memberRole, caller.maxRole), integration };
}

/**
 * Whether a caller may see an integration: it is not private, or an organization of the caller owns or installed it.
 */
async function canSeeIntegration(
  view: ReadTransaction,
  caller: Caller,
  { id, visibility, organization }: IntegrationRow,
): Promise<boolean> {
  if (caller.integration?.name === id) return true;
  if (visibility !== 'private' || (await activeMembership(view, caller, organization)) !== undefined)
    return true;
  for await (const row of eachRow(view, installations, 'byIntegration', [id]))
    if ((await activeMembership(view, caller, row.organization)) !== undefined) return true;
  return false;
}

/** Returns the caller's role in an organization; undefined if the caller is not a member or has to sign in first. */
export async function roleIn(
  view: ReadTransaction,
  caller: Caller,
  organization: string,
): Promise<EffectiveRole | undefined> {
  const member = await activeMembership(view, caller, organization);
  return member === undefined ? undefined : minRole(member.role, caller.maxRole);
}

/**
 * Returns an organization with the caller's roles in it.
 *
 * @throws the Problem of `missing` if the caller is not a member; Problem(forbidden) if the caller has to sign in first
 */
export async function organizationScope(
  view: ReadTransaction,
  caller: Caller,
  id: string,
  missing: () => Problem,
): Promise<ResourceScope> {
  const organization = await view.get(organizations, id);
  if (organization === undefined) throw missing();
  const membership = await membershipOf(view, caller, id);
  if (membership === undefined) throw missing();
  if (membership.needsSignIn) throw signInRequired(organization);
  const subject = await asSubject(view, caller, organization, membership);
  return { organization, ...subject, role: minRole(subject.memberRole, caller.maxRole) };
}

/**
 * Returns the caller as a member of an organization, with their permissions on its content; undefined if the caller is
 * not a member, or has to sign in first.
 */
export async function subjectIn(
  view: ReadTransaction,
  caller: Caller,
  organization: OrganizationRow,
): Promise<Subject | undefined> {
  const membership = await activeMembership(view, caller, organization.id);
  return membership === undefined ? undefined : asSubject(view, caller, organization, membership);
}

async function asSubject(
  view: ReadTransaction,
  caller: Caller,
  organization: OrganizationRow,
  { role, member }: Membership,
): Promise<Subject> {
  const { maxRole } = caller;
  if (member !== undefined) return subjectOf(view, organization, member, maxRole);
  return {
    memberRole: role,
    maxRole,
    grants: { ...noGrants, installedOn: await listInstalledOn(view, caller) },
  };
}

/** Returns a member with their permissions on the content of the organization, limited by `maxRole`. */
export async function subjectOf(
  view: ReadTransaction,
  organization: OrganizationRow,
  { user, role, teams }: MemberRow,
  maxRole: EffectiveRole,
): Promise<Subject> {
  const grants =
    organization.hasPermissions !== true || role === 'admin'
      ? noGrants
      : await loadGrants(view, organization.id, user, teams > 0);
  return { memberRole: role, maxRole, grants };
}

/** Returns the current role of a member on a space, limited by `maxRole`; null for none, and for a disabled member. */
export async function roleOfMember(
  view: ReadTransaction,
  organization: OrganizationRow,
  member: MemberRow,
  space: SpaceRow,
  maxRole: EffectiveRole = 'admin',
): Promise<EffectiveRole> {
  if (member.disabled) return null;
  return contentRole(view, await subjectOf(view, organization, member, maxRole), space);
}

function noMember({ maxRole }: Caller): Subject {
  return { memberRole: null, maxRole, grants: noGrants };
}

/** Returns the caller's membership; undefined if there is none, or if the caller has to sign in first. */
async function activeMembership(
  view: ReadTransaction,
  caller: Caller,
  organization: string,
): Promise<Membership | undefined> {
  const membership = await membershipOf(view, caller, organization);
  return membership?.needsSignIn === true ? undefined : membership;
}

/** Returns the caller as if signed in everywhere, for operations that are needed to sign in. */
function withSignIn(caller: Caller): Caller {
  return { ...caller, signedInTo: 'all' };
}
