import type { Role } from '../../contract/shapes.ts';
import {
  memberId,
  members,
  tokens,
  users,
  type MemberRow,
  type UserRow,
} from '../../core/rows/organizations.ts';
import { eachRow, findOne, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { leaveTeam } from '../teams/rules.ts';
import { teamMembers } from '../teams/rows.ts';

/** The member of an organization with a user id. */
export async function requireMember(
  view: ReadTransaction,
  organization: string,
  user: string,
): Promise<MemberRow> {
  const row = await view.get(members, memberId(organization, user));
  if (row === undefined) throw notFound('member', user);
  return row;
}

/** The member of an organization with a user id or email. */
export async function findMember(
  view: ReadTransaction,
  organization: string,
  idOrEmail: string,
): Promise<MemberRow> {
  const user = idOrEmail.includes('@')
    ? await findOne(view, users, 'byEmail', [idOrEmail.toLowerCase()])
    : undefined;
  const row = await view.get(members, memberId(organization, user?.id ?? idOrEmail));
  if (row === undefined) throw notFound('member', idOrEmail);
  return row;
}

/** Makes a user a member; undefined where they are one already. */
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

/** Refuses to take the role from the only administrator, since nobody could give it back. */
export async function checkAdminStays(view: ReadTransaction, row: MemberRow): Promise<void> {
  if (row.role !== 'admin') return;
  for await (const other of eachRow(view, members, 'byRole', [row.organization, 'admin'])) {
    if (other.id !== row.id && !other.disabled) return;
  }
  throw new Problem('conflict', `${row.email} is the last administrator of the organization.`, {
    hint: 'Make another member administrator first: docsctl members update MEMBER --role admin.',
  });
}

/** Takes somebody out of an organization and its teams, and revokes the tokens that are good only there. */
export async function removeMember(tx: WriteTransaction, row: MemberRow): Promise<void> {
  const inTeams = [];
  for await (const place of eachRow(tx, teamMembers, 'byUser', [row.organization, row.user]))
    inTeams.push(place);
  for (const place of inTeams) await leaveTeam(tx, place);
  const held = [];
  for await (const token of eachRow(tx, tokens, 'byUser', [row.user]))
    if (token.organization === row.organization) held.push(token.id);
  for (const token of held) await tx.remove(tokens, token);
  await tx.remove(members, row.id);
}
