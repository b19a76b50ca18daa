import { eachItem } from '../../../contract/each-page.ts';
import type { Role } from '../../../contract/shapes.ts';
import { Problem } from '../../../errors/problem.ts';
import * as ofCollection from '../../../resources/permissions/collection/contract.ts';
import * as ofSite from '../../../resources/permissions/site/contract.ts';
import * as ofSpace from '../../../resources/permissions/space/contract.ts';
import { resolveName, resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';

export type PermissionNoun = 'space' | 'collection' | 'site';

/** Titles for examples, by the noun with the permissions. */
export const exampleNames: Readonly<Record<PermissionNoun, string>> = {
  space: 'Guide',
  collection: 'Product',
  site: 'Docs',
};

/** Describes the names of a space, collection or site, for its argument. */
export function describeNames(noun: PermissionNoun): string {
  return `${noun === 'site' ? 'title, basename' : 'title'} or ID of the ${noun}`;
}

const contracts = { space: ofSpace, collection: ofCollection, site: ofSite };

/** The operations on the permissions of one space, collection or site. */
interface PermissionOperations {
  readonly contract: typeof ofSpace;
  readonly organizationId: string;
  readonly params: { readonly spaceId: string };
}

/** Finds a space, collection or site by its title or ID. @throws Problem(usage) without a name */
export async function openPermissions(
  session: Session,
  noun: PermissionNoun,
  name: string | undefined,
  hint: string,
): Promise<PermissionOperations> {
  if (name === undefined) throw new Problem('usage', `No ${noun} is given.`, { hint });
  const organizationId = await resolveOrganization(session);
  const id = await resolveName(session, `${noun}Id`, name, { organizationId });
  // The three operations differ only in their paths and parameters.
  const params = { ...(noun === 'site' && { organizationId }), [`${noun}Id`]: id };
  return {
    contract: contracts[noun] as unknown as typeof ofSpace,
    organizationId,
    params: params as unknown as { spaceId: string },
  };
}

/** A permission of a member or a team. */
interface GivenPermission {
  readonly type: 'team' | 'member';
  readonly name: string;
  readonly email: string | null;
  /** null: no access. */
  readonly permission: Role | null;
  readonly id: string;
}

/** Returns the permissions of teams, followed by those of members. */
export async function readPermissions(
  session: Session,
  { contract, params }: PermissionOperations,
): Promise<GivenPermission[]> {
  const rows: GivenPermission[] = [];
  for await (const { team, permission } of eachItem(session, contract.listTeamPermissions, { params }))
    rows.push({ type: 'team', name: team.title, email: null, permission, id: team.id });
  for await (const { user, permission } of eachItem(session, contract.listUserPermissions, { params })) {
    const { id, displayName: name, email = null } = user;
    rows.push({ type: 'member', name, email, permission, id });
  }
  return rows;
}
