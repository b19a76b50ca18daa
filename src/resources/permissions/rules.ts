import { ownLevel, type EffectiveRole } from '../../core/permissions.ts';
import { organizations, type OrganizationRow } from '../../core/rows/organizations.ts';
import {
  permissionId,
  permissions,
  type ContentType,
  type PermissionRow,
} from '../../core/rows/permissions.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, removeRows, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';

/** A space, collection or site on which permissions are set. */
export interface PermissionTarget {
  readonly type: ContentType;
  readonly id: string;
}

/** Gives a user or team a role on a space, collection or site. Replaces their current role on it. */
export async function setPermission(
  tx: WriteTransaction,
  now: string,
  organization: OrganizationRow,
  { type, id: content }: PermissionTarget,
  who: Pick<PermissionRow, 'kind' | 'subject'>,
  role: EffectiveRole,
): Promise<void> {
  const id = permissionId(content, who.subject);
  const existing = await tx.get(permissions, id);
  if (existing !== undefined) {
    if (existing.role !== role) await tx.update(permissions, id, { role });
    return;
  }
  if (organization.hasPermissions !== true)
    await tx.update(organizations, organization.id, { hasPermissions: true });
  const row = { id, organization: organization.id, type, content, ...who, role, createdAt: now };
  await tx.insert(permissions, row);
}

/** Removes all permissions on a space, collection or site. */
export async function removePermissionsOn(tx: WriteTransaction, content: string): Promise<void> {
  for (const kind of ['user', 'team'] as const)
    await removeRows(tx, permissions, 'byContent', [content, kind]);
}

/** Removes all permissions of a user or team in an organization. */
export async function removePermissionsOf(
  tx: WriteTransaction,
  organization: string,
  subject: string,
): Promise<void> {
  await removeRows(tx, permissions, 'bySubject', [organization, subject]);
}

/**
 * Gives a copy of a space the permissions of the original. Sites do not show the copy, so it also gets the denials that the
 * original inherits from its sites. Otherwise, members could read in the copy what they cannot read in the original.
 */
export async function copyPermissions(tx: WriteTransaction, from: SpaceRow, to: string): Promise<void> {
  for (const row of [...(await permissionsOn(tx, from.id)), ...(await denialsOfSites(tx, from))])
    await tx.insert(permissions, { ...row, id: permissionId(to, row.subject), content: to });
}

/** Gives a space the denials that it inherits from its sites, before it is removed from them. */
export async function keepDenials(tx: WriteTransaction, space: SpaceRow): Promise<void> {
  for (const row of await denialsOfSites(tx, space)) await tx.insert(permissions, row);
}

/** Returns the denials that a space inherits from its sites, as permissions on the space. */
async function denialsOfSites(view: ReadTransaction, space: SpaceRow): Promise<readonly PermissionRow[]> {
  const own = new Set((await permissionsOn(view, space.id)).map(({ subject }) => subject));
  const shown =
    ownLevel(space) === undefined ? await collectRows(view, siteSpaces, 'bySpace', [space.id]) : [];
  const inherited: PermissionRow[] = [];
  for (const site of new Set(shown.map((row) => row.site)))
    inherited.push(...(await permissionsOn(view, site)));
  // If there are permissions on several sites, the highest one counts.
  const allowed = new Set(inherited.filter(({ role }) => role !== null).map(({ subject }) => subject));
  const denials = new Map(
    inherited
      .filter(({ subject }) => !own.has(subject) && !allowed.has(subject))
      .map((row) => [row.subject, { ...row, type: 'space' as const }]),
  );
  return [...denials.values()].map((row) => ({
    ...row,
    id: permissionId(space.id, row.subject),
    content: space.id,
  }));
}

/** Returns all permissions on a space, collection or site: first those of users, then those of teams. */
async function permissionsOn(view: ReadTransaction, content: string): Promise<readonly PermissionRow[]> {
  return [
    ...(await collectRows(view, permissions, 'byContent', [content, 'user'])),
    ...(await collectRows(view, permissions, 'byContent', [content, 'team'])),
  ];
}
