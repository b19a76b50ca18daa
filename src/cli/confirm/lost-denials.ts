import { eachItem } from '../../contract/each-page.ts';
import type { PathParams } from '../../contract/operation.ts';
import { listSome } from '../../contract/values.ts';
import { orUndefined } from '../../errors/problem.ts';
import { listCollections } from '../../resources/collections/contract.ts';
import * as onCollection from '../../resources/permissions/collection/contract.ts';
import * as onSite from '../../resources/permissions/site/contract.ts';
import * as onSpace from '../../resources/permissions/space/contract.ts';
import { listSites } from '../../resources/sites/contract.ts';
import { listSpaces } from '../../resources/spaces/contract.ts';
import type { Session } from '../session/session.ts';

/** Maximum number of names in a sentence. */
const maxNames = 5;

/**
 * Describes who gets access back when an operation deletes a team or collection, because the role `none` is removed with it.
 * Undefined if there is no such role that the caller may see.
 */
export async function describeLostDenials(
  session: Session,
  id: 'teams.delete' | 'collections.delete',
  calls: readonly { readonly params: PathParams }[],
): Promise<string | undefined> {
  const found: string[] = [];
  for (const { params } of calls)
    found.push(
      ...(id === 'teams.delete' ? await contentDenied(session, params) : await denied(session, params)),
    );
  if (found.length === 0) return undefined;
  const names = listSome(found, maxNames);
  return id === 'teams.delete'
    ? `The role none of the team is removed, so its members may get access to ${names}.`
    : `The role none on the collection is removed, so its spaces may open to ${names}.`;
}

/** Returns the members and teams that have no access to a collection. */
async function denied(session: Session, { collectionId = '' }: PathParams): Promise<readonly string[]> {
  const params = { collectionId };
  return readable(async (names) => {
    for await (const { permission, user } of eachItem(session, onCollection.listUserPermissions, { params }))
      if (permission === null) names.push(user.email ?? user.displayName);
    for await (const { permission, team } of eachItem(session, onCollection.listTeamPermissions, { params }))
      if (permission === null) names.push(`the team "${team.title}"`);
  });
}

/** Returns the collections, spaces and sites to which a team has no access. */
async function contentDenied(
  session: Session,
  { organizationId = '', teamId }: PathParams,
): Promise<readonly string[]> {
  const params = { organizationId };
  const isDenied = async (teams: AsyncIterable<{ permission: string | null; team: { id: string } }>) => {
    const names = await readable(async (ids) => {
      for await (const { permission, team } of teams) if (permission === null) ids.push(team.id);
    });
    return names.includes(teamId ?? '');
  };
  return readable(async (names) => {
    for await (const { id, title } of eachItem(session, listCollections, { params }))
      if (
        await isDenied(eachItem(session, onCollection.listTeamPermissions, { params: { collectionId: id } }))
      )
        names.push(`the collection "${title}"`);
    for await (const { id, title } of eachItem(session, listSpaces, { params }))
      if (await isDenied(eachItem(session, onSpace.listTeamPermissions, { params: { spaceId: id } })))
        names.push(`the space "${title}"`);
    for await (const { id, title } of eachItem(session, listSites, { params }))
      if (
        await isDenied(eachItem(session, onSite.listTeamPermissions, { params: { ...params, siteId: id } }))
      )
        names.push(`the site "${title}"`);
  });
}

/** Returns what `read` collects, as far as the caller may read it. */
async function readable(read: (found: string[]) => Promise<void>): Promise<readonly string[]> {
  const found: string[] = [];
  await orUndefined(read(found), 'not-found', 'forbidden', 'not-implemented', 'method-not-allowed');
  return found;
}
