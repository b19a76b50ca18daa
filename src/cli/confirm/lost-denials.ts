import { eachItem } from '../../contract/each-page.ts';
import type { PathParams } from '../../contract/operation.ts';
import { listSome } from '../../contract/values.ts';
import { orUndefined } from '../../errors/problem.ts';
import { listTeamPermissions, listUserPermissions } from '../../resources/permissions/collection/contract.ts';
import type { Session } from '../session/session.ts';

/** Maximum number of names in a sentence. */
const maxNames = 5;

/**
 * Describes who may get access to spaces when their collections are deleted, because the role `none` on a collection is removed
 * with it. Undefined if there is no such role that the caller may see.
 */
export async function describeLostDenials(
  session: Session,
  calls: readonly { params: PathParams }[],
): Promise<string | undefined> {
  const found: string[] = [];
  for (const { params } of calls)
    await orUndefined(findDenied(session, params, found), 'not-found', 'forbidden');
  return found.length === 0
    ? undefined
    : `The role "none" on the collection is removed, which may give access to its spaces to ${listSome(found, maxNames)}.`;
}

/** Adds the members and teams that have the role `none` on a collection. */
async function findDenied(
  session: Session,
  { collectionId = '' }: PathParams,
  found: string[],
): Promise<void> {
  const params = { collectionId };
  for await (const { permission, user } of eachItem(session, listUserPermissions, { params }))
    if (permission === null) found.push(user.email ?? user.displayName);
  for await (const { permission, team } of eachItem(session, listTeamPermissions, { params }))
    if (permission === null) found.push(`the team "${team.title}"`);
}
