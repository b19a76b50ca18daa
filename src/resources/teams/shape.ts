import type { Static } from '../../contract/schema.ts';
import type { ResourceScope, RequestContext } from '../../core/handler.ts';
import { loadTeamGrants } from '../../core/grants.ts';
import { can, countSpaces } from '../../core/permissions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { Team } from './contract.ts';
import { teamMembers, type TeamRow, teamMemberId } from '../../core/rows/teams.ts';

/** The caller for whom a team is shaped, with the role in its organization. */
export type TeamViewer = Pick<ResourceScope, 'role'> &
  Pick<RequestContext, 'caller'> & { readonly tx: ReadTransaction };

/** Returns the caller's permissions on a team: administrators and owners of the team manage it, its members see it. */
export async function teamPermissions(
  { tx, role, caller }: TeamViewer,
  team: TeamRow,
): Promise<{ admin: boolean; view: boolean }> {
  const membership = await tx.get(teamMembers, teamMemberId(team.id, caller.user.id));
  return {
    admin: can(role, 'admin') || (membership?.role === 'owner' && caller.maxRole === 'admin'),
    view: can(role, 'read') || membership !== undefined,
  };
}

/** Returns a team in the form of the API for the caller. */
export async function shapeTeam(viewer: TeamViewer, row: TeamRow): Promise<Static<typeof Team>> {
  const permissions = await teamPermissions(viewer, row);
  return {
    object: 'team',
    id: row.id,
    title: row.title,
    members: row.members,
    spaces: await countSpaces(viewer.tx, row.organization, {
      memberRole: null,
      maxRole: 'admin',
      grants: await loadTeamGrants(viewer.tx, row.organization, row.id),
    }),
    createdAt: row.createdAt,
    permissions,
  };
}
