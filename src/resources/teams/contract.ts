import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, nonBlank, oneOf, optional, Type } from '../../contract/schema.ts';

export const nounHelp: NounHelp = {
  description:
    'A team groups members of an organization. A team can have a role on a space, collection or site (see `docsctl spaces permissions set`). All members of the team then have this role. A SAML provider can add the people who join through it to a team.\n\n' +
    'Owners of a team and administrators of the organization can rename the team and change who is in it.',
  examples: [
    'docsctl teams list',
    'docsctl teams create Writers --members ana@example.com,ben@example.com',
    'docsctl teams members list Writers',
  ],
};

const Title = nonBlank({
  maxLength: 64,
  description: 'title of the team, up to 64 characters',
});

/** The role in a team. Owners manage its title and members. */
export const TeamRole = oneOf(['owner', 'member'], {
  description: 'role in the team; owners can rename the team and change its members',
});

export const Team = closed({
  object: Type.Literal('team'),
  id: Id,
  title: Title,
  members: Type.Integer({ minimum: 0 }),
  spaces: Type.Integer({ minimum: 0 }),
  createdAt: DateTime,
  permissions: closed({ admin: Type.Boolean(), view: Type.Boolean() }),
});

export const managementNote =
  'Only administrators of the organization and owners of the team can do this. An owner needs a token with the admin role, even if their own role is lower.';
const columns = ['title', 'members', 'createdAt', 'id'];

export const listTeams = operation({
  id: 'teams.list',
  route: 'GET /orgs/:organizationId/teams',
  summary: 'List the teams of an organization',
  access: 'org.read',
  query: optional({
    owner: Type.String({ maxLength: 255, description: 'list only teams that this member owns' }),
    title: Type.String({ maxLength: 64, description: 'list only teams whose title contains this text' }),
  }),
  returns: listOf(Team),
  cli: {
    columns,
    examples: ['docsctl teams list --title writ', 'docsctl teams list --owner ana@example.com'],
  },
});

export const createTeam = operation({
  id: 'teams.create',
  route: 'PUT /orgs/:organizationId/teams',
  summary: 'Create a team',
  description: 'You become the owner of the team, and the people in `members` become its members.',
  access: 'org.admin',
  body: closed({
    title: Title,
    members: Type.Optional(
      Type.Array(Id, { maxItems: 1000, description: 'members of the organization to put in the team' }),
    ),
  }),
  returns: created(Team),
  cli: {
    positional: ['title'],
    refusesEmails: true,
    columns,
    examples: [
      'docsctl teams create Editors --members ben@example.com,cara@example.com',
      'docsctl teams create Design Sales',
    ],
  },
});

export const getTeam = operation({
  id: 'teams.get',
  route: 'GET /orgs/:organizationId/teams/:teamId',
  summary: 'Show a team',
  access: 'org.member',
  returns: ok(Team),
  cli: { columns, examples: ['docsctl teams get Writers', 'docsctl teams get Writers Support -o json'] },
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
  summary: 'Delete a team',
  description: `Its members stay in the organization. Its roles are removed, including the role \`none\`, so its members may then be able to open content that this role hid from them. ${managementNote}`,
  access: 'org.member',
  returns: noContent(),
  cli: { examples: ['docsctl teams delete Support --yes'] },
});
