import { listOf, noContent, operation } from '../../contract/operation.ts';
import { closed, Id, Type } from '../../contract/schema.ts';
import { Member } from '../members/contract.ts';
import { managementNote, TeamRole } from '../teams/contract.ts';

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
  summary: 'Add, change and remove members of a team, all in one',
  description: `Removes first, then adds, then sets the roles of memberships. ${managementNote}`,
  access: 'org.member',
  body: closed({
    add: usersOrEmails('Ids or emails of those to add'),
    memberships: Type.Optional(
      Type.Record(Id, closed({ role: TeamRole }), {
        maxProperties: 1000,
        description: 'Role for each user id',
      }),
    ),
    remove: usersOrEmails('Ids or emails of those to remove'),
  }),
  returns: noContent(),
  cli: {
    positional: ['teamId'],
    examples: ['docsctl teams members update Writers --add ana@acme.test --remove bo@acme.test'],
  },
});

export const addTeamMember = operation({
  id: 'teams.members.add',
  route: 'PUT /orgs/:organizationId/teams/:teamId/members/:userId',
  summary: 'Add a member to a team, or change their role in it',
  description: managementNote,
  access: 'org.member',
  body: closed({ role: Type.Optional(TeamRole) }),
  returns: noContent(),
  cli: { examples: ['docsctl teams members add ana@acme.test --team Writers --role owner'] },
});

export const deleteTeamMember = operation({
  id: 'teams.members.delete',
  route: 'DELETE /orgs/:organizationId/teams/:teamId/members/:userId',
  summary: 'Take a member out of a team',
  description: managementNote,
  access: 'org.member',
  returns: noContent(),
});
