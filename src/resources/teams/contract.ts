import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type } from '../../contract/schema.ts';

const Title = Type.String({ minLength: 1, maxLength: 64 });

/** The role in a team. Owners manage its title and members. */
export const TeamRole = oneOf(['owner', 'member']);

export const Team = closed({
  object: Type.Literal('team'),
  id: Id,
  title: Title,
  members: Type.Integer({ minimum: 0 }),
  spaces: Type.Integer({ minimum: 0 }),
  createdAt: DateTime,
  permissions: closed({ admin: Type.Boolean(), view: Type.Boolean() }),
});

export const managementNote = 'Takes an administrator of the organization or an owner of the team.';
const columns = ['title', 'members', 'createdAt', 'id'];

export const listTeams = operation({
  id: 'teams.list',
  route: 'GET /orgs/:organizationId/teams',
  summary: 'List the teams of an organization',
  access: 'org.read',
  query: {
    owner: Type.Optional(Type.String({ maxLength: 255, description: 'Only teams that this member owns' })),
    title: Type.Optional(Type.String({ maxLength: 64, description: 'Only titles that contain this' })),
  },
  returns: listOf(Team),
  cli: { columns, examples: ['docsctl teams list --title docs'] },
});

export const createTeam = operation({
  id: 'teams.create',
  route: 'PUT /orgs/:organizationId/teams',
  summary: 'Create a team',
  description: 'You own it; those named are its members.',
  access: 'org.admin',
  body: closed({ title: Title, members: Type.Optional(Type.Array(Id, { maxItems: 1000 })) }),
  returns: created(Team),
  cli: { positional: ['title'], columns, examples: ['docsctl teams create Writers --members ana@acme.test'] },
});

export const getTeam = operation({
  id: 'teams.get',
  route: 'GET /orgs/:organizationId/teams/:teamId',
  summary: 'Show a team',
  access: 'org.member',
  returns: ok(Team),
  cli: { columns },
});

export const updateTeam = operation({
  id: 'teams.update',
  route: 'PATCH /orgs/:organizationId/teams/:teamId',
  summary: 'Rename a team',
  description: managementNote,
  access: 'org.member',
  body: closed({ title: Title }),
  returns: ok(Team),
  cli: { columns, examples: ['docsctl teams update Writers --title Authors'] },
});

export const deleteTeam = operation({
  id: 'teams.delete',
  route: 'DELETE /orgs/:organizationId/teams/:teamId',
  summary: 'Delete a team; its members stay in the organization',
  description: managementNote,
  access: 'org.member',
  returns: noContent(),
});
