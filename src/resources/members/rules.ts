import type { Role } from '../../contract/shapes.ts';
import { findUser } from '../../core/emails.ts';
import { memberId, members, tokens, type MemberRow, type UserRow } from '../../core/rows/organizations.ts';
import { collectRows, eachRow, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { lastAdminProblem } from './last-admin.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { removePermissionsOf } from '../permissions/rules.ts';
import { leaveTeam } from '../teams/rules.ts';
import { teamMembers } from '../../core/rows/teams.ts';

/** Finds the member of an organization with a user id. @throws Problem(not-found) */
export async function requireMember(
  view: ReadTransaction,
  organization: string,
  user: string,
): Promise<MemberRow> {
  const row = await view.get(members, memberId(organization, user));
  if (row === undefined) throw notFound('member', user);
  return row;
}

/** Finds the member of an organization with a user id or email. @throws Problem(not-found) */
export async function findMember(
  view: ReadTransaction,
  organization: string,
  idOrEmail: string,
): Promise<MemberRow> {
  const user = idOrEmail.includes('@') ? await findUser(view, idOrEmail) : undefined;
  const row = await view.get(members, memberId(organization, user?.id ?? idOrEmail));
  if (row === undefined) throw notFound('member', idOrEmail);
  return row;
}

/** Makes a user a member. Returns undefined if the user already is a member. */
export async function addMember(
  tx: WriteTransaction,
  now: string,
  organization: string,
  user: UserRow,
  role: Role | null,
  sso = false,
): Promise<MemberRow | undefined> {
  const id = memberId(organization, user.id);
  if ((await tx.get(members, id)) !== undefined) return undefined;
  const { displayName, email } = user;
  const row: MemberRow = {
    id,
    organization,
    user: user.id,
    role,
    disabled: false,
    joinedAt: now,
    lastSeenAt: null,
    sso,
    displayName,
    email,
    teams: 0,
  };
  await tx.insert(members, row);
  return row;
}

/** Returns Problem(forbidden) for a disabled member who signs in or joins. */
export function disabledProblem({ title }: { title: string }): Problem {
  return new Problem('forbidden', `Your account in "${title}" is disabled.`, {
    hint: 'Ask an administrator of the organization.',
  });
}

/**
 * Checks that an organization has another active administrator, because otherwise nobody could grant the role again.
 *
 * @throws Problem(conflict)
 */
export async function checkAdminStays(view: ReadTransaction, row: MemberRow): Promise<void> {
  if (row.role !== 'admin') return;
  for await (const other of eachRow(view, members, 'byRole', [row.organization, 'admin'])) {
    if (other.id !== row.id && !other.disabled) return;
  }
  throw lastAdminProblem(row.email);
}

/**
 * Removes a member from an organization and its teams with the permissions there, and revokes the tokens that are valid only
 * there.
 */
export async function removeMember(tx: WriteTransaction, row: MemberRow): Promise<void> {
  const { organization, user } = row;
  for (const membership of await collectRows(tx, teamMembers, 'byUser', [organization, user]))
    await leaveTeam(tx, membership);
  await removePermissionsOf(tx, organization, user);
  for (const token of await collectRows(tx, tokens, 'byUser', [user]))
    if (token.organization === organization) await tx.remove(tokens, token.id);
  await tx.remove(members, row.id);
}
