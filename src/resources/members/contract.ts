import { listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type } from '../../contract/schema.ts';
import { Order, RoleOrGuest, roles, User } from '../../contract/shapes.ts';
import { Space } from '../spaces/contract.ts';
import { Team, TeamRole } from '../teams/contract.ts';

/** A user's membership of an organization. */
export const Member = closed({
  object: Type.Literal('member'),
  id: Id,
  role: RoleOrGuest,
  user: User,
  disabled: Type.Boolean(),
  joinedAt: DateTime,
  lastSeenAt: Type.Optional(DateTime),
  sso: Type.Boolean(),
  spaces: Type.Integer({ minimum: 0 }),
  teams: Type.Integer({ minimum: 0 }),
});

const Email = Type.String({ format: 'email' });
const columns = ['user.displayName', 'user.email', 'role', 'joinedAt', 'lastSeenAt', 'id'];

export const listMembers = operation({
  id: 'members.list',
  route: 'GET /orgs/:organizationId/members',
  summary: 'List the members of an organization',
  access: 'org.read',
  query: {
    order: Type.Optional(Order),
    sort: Type.Optional(
      oneOf(['joinedAt', 'lastSeenAt', 'name'], {
        default: 'joinedAt',
        description: 'What they are ordered by; lastSeenAt lists only those who were seen',
      }),
    ),
    role: Type.Optional(oneOf([...roles, 'guest'], { description: 'Only members of this role' })),
    search: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only names and emails that contain this' }),
    ),
  },
  returns: listOf(Member),
  cli: {
    columns,
    examples: ['docsctl members list --role admin', 'docsctl members list --sort lastSeenAt --search ana'],
  },
});

export const getMember = operation({
  id: 'members.get',
  route: 'GET /orgs/:organizationId/members/:userId',
  summary: 'Show a member',
  description: 'Everybody may see themselves; others take the role read.',
  access: 'org.member',
  returns: ok(Member),
  cli: { columns, examples: ['docsctl members get ana@acme.test'] },
});

export const updateMember = operation({
  id: 'members.update',
  route: 'PATCH /orgs/:organizationId/members/:userId',
  summary: 'Change the role of a member',
  description: 'The last administrator keeps the role.',
  access: 'org.admin',
  body: closed({ role: Type.Optional(RoleOrGuest) }),
  returns: ok(Member),
  cli: {
    columns,
    examples: [
      'docsctl members update ana@acme.test --role edit',
      'docsctl members update ana@acme.test --unset role',
    ],
  },
});

export const deleteMember = operation({
  id: 'members.delete',
  route: 'DELETE /orgs/:organizationId/members/:userId',
  summary: 'Remove a member from the organization',
  description:
    'Also takes them out of its teams and revokes their tokens for it. The last administrator stays.',
  access: 'org.admin',
  returns: noContent(),
});

export const markMemberAsSso = operation({
  id: 'members.sso',
  route: 'POST /orgs/:organizationId/members/:userId/sso',
  summary: 'Let a member sign in by single sign-on',
  access: 'org.admin',
  returns: ok(Member),
  cli: { columns },
});

export const listMemberSpaces = operation({
  id: 'members.spaces',
  route: 'GET /orgs/:organizationId/members/:userId/spaces',
  summary: 'List the spaces a member can open, with what they may do there',
  access: 'org.member',
  query: { order: Type.Optional(Order) },
  returns: listOf(closed({ permission: oneOf(roles), space: Space })),
  cli: { columns: ['space.title', 'permission', 'space.id'] },
});

export const listMemberTeams = operation({
  id: 'members.teams',
  route: 'GET /orgs/:organizationId/members/:userId/teams',
  summary: 'List the teams of a member',
  access: 'org.member',
  query: {
    title: Type.Optional(Type.String({ maxLength: 64, description: 'Only titles that contain this' })),
  },
  returns: listOf(closed({ team: Team, member: closed({ role: TeamRole }) })),
  cli: { columns: ['team.title', 'member.role', 'team.id'] },
});

export const inviteMembers = operation({
  id: 'members.invite',
  route: 'POST /orgs/:organizationId/invites',
  summary: 'Add people by email',
  description:
    'They are members at once. Those who are members already stay as they are and are not counted.',
  access: 'org.admin',
  body: closed({
    emails: Type.Array(Type.Union([Email, closed({ email: Email, role: RoleOrGuest })]), {
      minItems: 1,
      maxItems: 500,
    }),
    role: Type.Optional(RoleOrGuest),
    sso: Type.Optional(Type.Boolean({ default: false, description: 'Let them sign in by single sign-on' })),
  }),
  returns: ok(closed({ users: Type.Array(Id), invited: Type.Integer({ minimum: 0 }) })),
  cli: {
    positional: ['emails'],
    columns: ['invited', 'users'],
    examples: ['docsctl members invite ana@acme.test --role edit'],
  },
});
