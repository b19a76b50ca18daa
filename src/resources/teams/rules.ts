import { memberId, members, type MemberRow, type OrganizationRow } from '../../core/rows/organizations.ts';
import { getExisting, getOwned, type WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { teamPermissions, type TeamViewer } from './shape.ts';
import { teamMembers, teams, type TeamMemberRow, type TeamRow, teamMemberId } from '../../core/rows/teams.ts';

/** Finds a team of the organization. @throws Problem(not-found), Problem(forbidden) if the caller may not see or manage it */
export async function requireTeam(
  viewer: TeamViewer & { organization: OrganizationRow },
  id: string,
  need: 'view' | 'admin',
): Promise<TeamRow> {
  const team = await getOwned(viewer.tx, teams, id, { organization: viewer.organization.id }, 'team');
  const permissions = await teamPermissions(viewer, team);
  if (!permissions[need]) {
    throw new Problem(
      'forbidden',
      need === 'admin'
        ? `Only administrators of the organization and owners of the team can change "${team.title}".`
        : 'Guests can see only teams that they are in.',
      {
        hint:
          need === 'admin'
            ? 'Ask one of them. An owner of the team needs a token with the admin role.'
            : 'Ask an administrator of the organization or an owner of the team.',
      },
    );
  }
  return team;
}

/** Adds a member to a team or changes the member's role, and updates the counts of both. */
export async function joinTeam(
  tx: WriteTransaction,
  now: string,
  team: string,
  member: MemberRow,
  role: TeamMemberRow['role'],
): Promise<void> {
  const id = teamMemberId(team, member.user);
  const existing = await tx.get(teamMembers, id);
  if (existing !== undefined) {
    if (existing.role !== role) await tx.update(teamMembers, id, { role });
    return;
  }
  await tx.insert(teamMembers, {
    id,
    organization: member.organization,
    team,
    user: member.user,
    role,
    joinedAt: now,
  });
  await addToCounts(tx, team, member.id, 1);
}

/** Removes a member from a team, and updates the counts of both. */
export async function leaveTeam(
  tx: WriteTransaction,
  { id, team, organization, user }: TeamMemberRow,
): Promise<void> {
  await tx.remove(teamMembers, id);
  await addToCounts(tx, team, memberId(organization, user), -1);
}

async function addToCounts(tx: WriteTransaction, team: string, member: string, by: 1 | -1): Promise<void> {
  await tx.update(teams, team, { members: (await getExisting(tx, teams, team)).members + by });
  await tx.update(members, member, { teams: (await getExisting(tx, members, member)).teams + by });
}
