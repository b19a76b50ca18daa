import { listOf, noContent, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, Type } from '../../contract/schema.ts';
import { Member } from '../members/contract.ts';
import { managementNote, TeamRole } from '../teams/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'The members of a team are members of its organization with a role in the team: owner or member. ' +
    'Owners can rename the team and change who is in it.',
  examples: [
    'docsctl teams members list Writers',
    'docsctl teams members add cara@example.com --team Writers',
    'docsctl teams members update Writers --add cara@example.com --remove ben@example.com',
  ],
};

/** A member with their role in a team (published specification, OrganizationTeamMember). */
export const TeamMember = closed({
  organization: Member,
  team: closed({ role: TeamRole }),
  permissions: closed({ view: Type.Boolean() }),
});

const usersOrEmails = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 1000, description }));

export const listTeamMembers = operation({
  id: 'teams.members.list',
  route: 'GET /orgs/:organizationId/teams/:teamId/members',
  summary: 'List the members of a team',
  description: 'The oldest memberships come first. Guests can list only teams that they are in.',
  access: 'org.member',
  returns: listOf(TeamMember),
  cli: {
    positional: ['teamId'],
    columns: ['organization.user.displayName', 'organization.user.email', 'team.role', 'organization.id'],
    examples: ['docsctl teams members list Writers'],
  },
});

export const updateTeamMembers = operation({
  id: 'teams.members.update',
  route: 'PUT /orgs/:organizationId/teams/:teamId/members',
  summary: 'Add and remove members of a team and change their roles in one request',
  description: `Members are removed first, then added, then given their roles. If a member is not found, nothing is changed. ${managementNote}`,
  access: 'org.member',
  body: closed({
    add: usersOrEmails('members to add, by email or ID'),
    memberships: Type.Optional(
      Type.Record(Id, closed({ role: TeamRole }), {
        maxProperties: 1000,
        additionalProperties: false,
        description: 'roles in the team, by user ID; also adds members who are not in the team',
      }),
    ),
    remove: usersOrEmails('members to remove, by email or ID'),
  }),
  returns: noContent(),
  cli: {
    positional: ['teamId'],
    examples: ['docsctl teams members update Writers --add cara@example.com --remove ben@example.com'],
  },
});

export const addTeamMember = operation({
  id: 'teams.members.add',
  route: 'PUT /orgs/:organizationId/teams/:teamId/members/:userId',
  summary: 'Add a member to a team, or change their role in it',
  description: `Without \`role\`, a new member gets the role "member", and an existing member keeps their role. ${managementNote}`,
  access: 'org.member',
  body: closed({ role: Type.Optional(TeamRole) }),
  returns: noContent(),
  cli: {
    examples: [
      'docsctl teams members add ben@example.com cara@example.com --team Support',
      'docsctl teams members add ben@example.com --team Writers --role owner',
    ],
  },
});

export const deleteTeamMember = operation({
  id: 'teams.members.delete',
  route: 'DELETE /orgs/:organizationId/teams/:teamId/members/:userId',
  summary: 'Remove a member from a team',
  description: `The member stays in the organization. ${managementNote}`,
  access: 'org.member',
  returns: noContent(),
  cli: {
    destructive: 'The member stays in the organization.',
    examples: ['docsctl teams members delete ben@example.com --team Writers --yes'],
  },
});
