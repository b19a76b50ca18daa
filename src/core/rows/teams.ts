import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';
import { users } from './organizations.ts';

export interface TeamRow {
  readonly id: string;
  readonly organization: string;
  readonly title: string;
  readonly createdAt: string;
  readonly members: number;
}

export const teams = audited(table<TeamRow>()('teams', { byOrganization: { on: ['organization'] } }), {
  type: 'team',
  label: 'title',
  fields: ['title'],
});

export interface TeamMemberRow {
  /** `<team>.<user>`: see teamMemberId. */
  readonly id: string;
  readonly organization: string;
  readonly team: string;
  readonly user: string;
  readonly role: 'owner' | 'member';
  readonly joinedAt: string;
}

export const teamMembers = audited(
  table<TeamMemberRow>()('team_members', {
    byTeam: { on: ['team'], by: ['joinedAt'] },
    byUser: { on: ['organization', 'user'] },
    byUserRole: { on: ['organization', 'user', 'role'] },
  }),
  {
    type: 'team-member',
    id: 'user',
    fields: ['team', 'user', 'role'],
    describe: ({ user, role, team }) => [
      { table: users, id: user },
      role === 'owner' ? ' as owner of team ' : ' in team ',
      { table: teams, id: team },
    ],
  },
);

/** Returns the ID of the membership of a user in a team. */
export function teamMemberId(team: string, user: string): string {
  return `${team}.${user}`;
}
