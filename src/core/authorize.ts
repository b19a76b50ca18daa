import type { Level, Operation, Scope } from '../contract/operation.ts';
import { notFound, Problem } from '../errors/problem.ts';
import type { Caller } from './callers.ts';
import type { Place } from './handler.ts';
import { can, contentPower, lesser, type Power } from './permissions.ts';
import { changeRequests, type ChangeRequestRow } from './rows/change-requests.ts';
import { collections, spaces, type SpaceRow } from './rows/content.ts';
import { integrations, installations, type IntegrationRow } from './rows/integrations.ts';
import { memberId, members, organizations } from './rows/organizations.ts';
import { revisions } from './rows/revisions.ts';
import { sites } from './rows/sites.ts';
import { eachRow, findOne, type Reading } from './store.ts';

/**
 * Finds where an operation acts and whether the caller may act there. What is not there and what belongs to an
 * organization the caller is not in get the same not-found; too little power is forbidden.
 */
export async function authorize(
  view: Reading,
  caller: Caller | undefined,
  operation: Operation,
  params: Readonly<Record<string, string>>,
): Promise<Partial<Place>> {
  const dot = operation.access.lastIndexOf('.');
  const scope = operation.access.slice(0, dot) as Scope;
  const level = operation.access.slice(dot + 1) as Level;
  if (level === 'any') return {};
  if (caller === undefined) {
    throw new Problem('unauthenticated', 'This needs a token, and none was sent.', {
      hint: 'Run `docsctl login` or set DOCSCTL_TOKEN; over HTTP send "Authorization: Bearer TOKEN".',
    });
  }
  const place = await locate(view, caller, scope, params);
  if (place !== undefined && !can(place.power, level)) {
    throw new Problem(
      'forbidden',
      `${operation.id} needs the role "${level}" here; you have ${place.power === null ? 'no role (guest)' : `"${place.power}"`}.`,
      {
        hint: 'Ask an administrator of the organization for the role, or use a token that has it.',
      },
    );
  }
  return place ?? {};
}

async function locate(
  view: Reading,
  caller: Caller,
  scope: Scope,
  params: Readonly<Record<string, string>>,
): Promise<Place | undefined> {
  const id = (name: string): string => params[name] ?? '';
  switch (scope) {
    case 'none':
    case 'user':
      return undefined;
    case 'integration':
      return integrationPlace(view, caller, id('integrationName'));
    case 'org':
      return organizationPlace(view, caller, id('organizationId'), () =>
        notFound('organization', id('organizationId')),
      );
    case 'site': {
      const place = await organizationPlace(view, caller, id('organizationId'), () =>
        notFound('organization', id('organizationId')),
      );
      const site = await view.get(sites, id('siteId'));
      if (site === undefined || site.organization !== place.organization.id)
        throw notFound('site', id('siteId'));
      return { ...place, site } as Place;
    }
    case 'collection': {
      const missing = () => notFound('collection', id('collectionId'));
      const collection = await view.get(collections, id('collectionId'));
      if (collection === undefined) throw missing();
      const place = await organizationPlace(view, caller, collection.organization, missing);
      return {
        ...place,
        power: await contentPower(view, place.member, place.cap, collection),
        collection,
      } as Place;
    }
    case 'space':
    case 'deleted-space':
      return spacePlace(view, caller, id('spaceId'), scope === 'deleted-space');
    case 'change-request': {
      const place = await spacePlace(view, caller, id('spaceId'), false);
      return {
        ...place,
        changeRequest: await changeRequestOf(view, place.space, id('changeRequestId')),
      } as Place;
    }
    case 'revision': {
      const place = await spacePlace(view, caller, id('spaceId'), false);
      const revision = await view.get(revisions, id('revisionId'));
      if (revision === undefined || revision.space !== place.space.id)
        throw notFound('revision', id('revisionId'));
      return { ...place, revision } as Place;
    }
  }
}

async function spacePlace(
  view: Reading,
  caller: Caller,
  id: string,
  deleted: boolean,
): Promise<Place & { space: SpaceRow }> {
  const missing = () => notFound('space', id);
  const space = await view.get(spaces, id);
  if (space === undefined || (space.state === 'deleted' && !deleted)) throw missing();
  const place = await organizationPlace(view, caller, space.organization, missing);
  return { ...place, power: await contentPower(view, place.member, place.cap, space), space };
}

async function changeRequestOf(
  view: Reading,
  space: SpaceRow,
  idOrNumber: string,
): Promise<ChangeRequestRow> {
  const row = /^\d{1,9}$/.test(idOrNumber)
    ? await findOne(view, changeRequests, 'byNumber', [space.id, Number(idOrNumber)])
    : await view.get(changeRequests, idOrNumber);
  if (row === undefined || row.space !== space.id) throw notFound('change request', idOrNumber);
  return row;
}

async function integrationPlace(
  view: Reading,
  caller: Caller,
  name: string,
): Promise<Place & { integration: IntegrationRow }> {
  const integration = await view.get(integrations, name);
  if (integration === undefined || !(await seesIntegration(view, caller, integration)))
    throw notFound('integration', name);
  const organization = (await view.get(organizations, integration.organization))!;
  const member = (await membership(view, caller, organization.id)) ?? null;
  return { organization, member, cap: caller.cap, power: lesser(member, caller.cap), integration };
}

/** Whether a caller may know of an integration: it is not private, or it belongs to or is in use by an organization of the caller's. */
async function seesIntegration(
  view: Reading,
  caller: Caller,
  { id, visibility, organization }: IntegrationRow,
): Promise<boolean> {
  if (visibility !== 'private' || (await membership(view, caller, organization)) !== undefined) return true;
  for await (const row of eachRow(view, installations, 'byIntegration', [id]))
    if ((await membership(view, caller, row.organization)) !== undefined) return true;
  return false;
}

/** The caller's power in an organization; undefined where the caller is no member. */
export async function powerIn(
  view: Reading,
  caller: Caller,
  organization: string,
): Promise<Power | undefined> {
  const member = await membership(view, caller, organization);
  return member === undefined ? undefined : lesser(member, caller.cap);
}

/** The caller's place in an organization; throws what `missing` makes where the caller has none. */
export async function organizationPlace(
  view: Reading,
  caller: Caller,
  id: string,
  missing: () => Problem,
): Promise<Place> {
  const organization = await view.get(organizations, id);
  if (organization === undefined) throw missing();
  const member = await membership(view, caller, id);
  if (member === undefined) throw missing();
  return { organization, member, cap: caller.cap, power: lesser(member, caller.cap) };
}

async function membership(view: Reading, caller: Caller, organization: string): Promise<Power | undefined> {
  if (caller.owner) return 'admin';
  if (caller.organization !== null && caller.organization !== organization) return undefined;
  const row = await view.get(members, memberId(organization, caller.user.id));
  return row === undefined || row.disabled ? undefined : row.role;
}
