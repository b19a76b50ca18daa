import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, optional, Type } from '../../contract/schema.ts';
import { memberOrder, Order, RoleOrGuest, roles, User } from '../../contract/shapes.ts';
import { Space } from '../spaces/contract.ts';
import { Team, TeamRole } from '../teams/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'A member is a user of an organization with a role: admin, create, review, edit, comment or read, where each role includes the ones after it. ' +
    'A member without a role is a guest, who can open only what they have a permission on (see `docsctl spaces permissions set`).\n\n' +
    'Commands take the email address, name or ID of a member; `me` stands for you. Teams group members, and can have roles on spaces, collections and sites.',
  examples: [
    'docsctl members list --role admin',
    'docsctl members invite dan@example.com eva@example.com --role edit',
    'docsctl members update ben@example.com --role review',
  ],
};

/** A user's membership of an organization. */
export const Member = closed({
  object: Type.Literal('member'),
  id: Id,
  role: RoleOrGuest,
  user: User,
  disabled: Type.Boolean(),
  joinedAt: DateTime,
  lastSeenAt: Type.Optional(DateTime),
  lastActiveAt: Type.Optional(DateTime),
  sso: Type.Boolean(),
  spaces: Type.Integer({ minimum: 0 }),
  teams: Type.Integer({ minimum: 0 }),
});

const Email = Type.String({ format: 'email', description: 'email address' });
const columns = ['user.displayName', 'user.email', 'role', 'joinedAt', 'lastSeenAt', 'id'];

export const listMembers = operation({
  id: 'members.list',
  route: 'GET /orgs/:organizationId/members',
  summary: 'List the members of an organization',
  description:
    'The newest members come first. `lastSeenAt` is the time of the last `docsctl orgs ping` of a member; nothing else sets it. With `activity`, `lastActiveAt` is the time of the last audit event of a member, or `lastSeenAt` if that is later. Audit events are kept for 365 days unless `docsctl audit keep` says otherwise. Reading is not recorded.',
  access: 'org.read',
  query: optional({
    order: Order,
    sort: memberOrder,
    role: oneOf([...roles, 'guest'], { description: 'list only members with this role' }),
    search: Type.String({
      maxLength: 255,
      description: 'list only members whose name or email contains this text',
    }),
    activity: Type.Boolean({
      description:
        'add `lastActiveAt`, the time when a member last changed something, signed in or was seen; requires the admin role',
    }),
  }),
  returns: listOf(Member),
  cli: {
    columns,
    examples: [
      'docsctl members list --role admin',
      'docsctl members list --sort lastSeenAt --search ana',
      'docsctl members list --activity --sort-by lastActiveAt --all',
    ],
  },
});

export const getMember = operation({
  id: 'members.get',
  route: 'GET /orgs/:organizationId/members/:userId',
  summary: 'Show a member',
  description: 'Guests can see only themselves; seeing others requires the read role.',
  access: 'org.member',
  returns: ok(Member),
  cli: {
    columns,
    examples: [
      'docsctl members get ana@example.com',
      'docsctl members get ben@example.com cara@example.com -o json',
    ],
  },
});

export const updateMember = operation({
  id: 'members.update',
  route: 'PATCH /orgs/:organizationId/members/:userId',
  summary: 'Change the role of a member, or disable the member',
  description:
    'Fields that are not given keep their values. With `role: null`, the member has no role, and can open only what they have a permission on. The last administrator can be neither given another role nor disabled, so that the organization always has one. If you take away your own admin role, the command asks for confirmation.\n\n' +
    'A disabled member keeps their role, teams and content, but can do nothing in the organization.',
  access: 'org.admin',
  body: closed(
    optional({
      role: RoleOrGuest,
      disabled: Type.Boolean({
        description: 'whether the member is disabled, and can do nothing in the organization',
      }),
      sso: Type.Boolean({ description: 'whether the member has to sign in by single sign-on' }),
    }),
  ),
  returns: ok(Member),
  cli: {
    asksAboutOneself: true,
    columns,
    examples: [
      'docsctl members update ben@example.com --role review',
      'docsctl members update ben@example.com cara@example.com --role create',
      'docsctl members update cara@example.com --role guest',
    ],
  },
});

export const deleteMember = operation({
  id: 'members.delete',
  route: 'DELETE /orgs/:organizationId/members/:userId',
  summary: 'Remove a member from the organization',
  description:
    'Also removes the member from the teams of the organization, and revokes their tokens for this organization. Content that they wrote is kept.\n\n' +
    'The last administrator cannot be removed.',
  access: 'org.admin',
  returns: noContent(),
  cli: { examples: ['docsctl members delete cara@example.com --yes'] },
});

export const markMemberAsSso = operation({
  id: 'members.sso',
  route: 'POST /orgs/:organizationId/members/:userId/sso',
  summary: 'Require a member to sign in by single sign-on',
  description:
    'From then on, only tokens from a sign-in through a SAML provider of the organization work for the member; other tokens are refused (HTTP status 403, exit code 11). Administrators are exempt, so that they can repair a provider. ' +
    'A member who signs in through a SAML provider is also required to do so from then on. To remove the requirement, run `docsctl members update MEMBER --no-sso`.',
  access: 'org.admin',
  returns: ok(Member),
  cli: { columns, examples: ['docsctl members sso ben@example.com'] },
});

export const listMemberSpaces = operation({
  id: 'members.spaces',
  route: 'GET /orgs/:organizationId/members/:userId/spaces',
  summary: "List the spaces that a member can open, with the member's role in each",
  description:
    'By default, the spaces come in the reverse order of `docsctl spaces list`. Guests can open only spaces that they have a permission on. Spaces that you cannot open yourself are left out.',
  access: 'org.member',
  query: {
    order: Type.Optional({
      ...Order,
      description:
        'asc: in the order of the spaces of the organization; desc: in reverse order (default: desc)',
    }),
  },
  returns: listOf(closed({ permission: oneOf(roles), space: Space })),
  cli: {
    columns: ['space.title', 'permission', 'space.id'],
    examples: [
      'docsctl members spaces ben@example.com',
      'docsctl members spaces ben@example.com --all -o csv',
    ],
  },
});

export const listMemberTeams = operation({
  id: 'members.teams',
  route: 'GET /orgs/:organizationId/members/:userId/teams',
  summary: 'List the teams of a member',
  description: 'Guests can list only their own teams.',
  access: 'org.member',
  query: {
    title: Type.Optional(
      Type.String({ maxLength: 64, description: 'list only teams whose title contains this text' }),
    ),
  },
  returns: listOf(closed({ team: Team, member: closed({ role: TeamRole }) })),
  cli: {
    columns: ['team.title', 'member.role', 'team.id'],
    examples: ['docsctl members teams ben@example.com'],
  },
});

export const inviteMembers = operation({
  id: 'members.invite',
  route: 'POST /orgs/:organizationId/invites',
  summary: 'Add people to an organization by email',
  description:
    'The people become members immediately; no email is sent. Without `role`, they get the default role of the organization. ' +
    'People who are already members are skipped and keep their role.',
  access: 'org.admin',
  body: closed({
    emails: Type.Array(Type.Union([Email, closed({ email: Email, role: RoleOrGuest })]), {
      minItems: 1,
      maxItems: 500,
      description: 'email addresses of the people to add, up to 500',
    }),
    role: Type.Optional(RoleOrGuest),
    sso: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'whether these people have to sign in by single sign-on (default: false)',
      }),
    ),
  }),
  returns: ok(closed({ users: Type.Array(Id), invited: Type.Integer({ minimum: 0 }) })),
  cli: {
    positional: ['emails'],
    columns: ['invited', 'users'],
    examples: [
      'docsctl members invite dan@example.com --role edit',
      'docsctl members invite dan@example.com eva@example.com finn@example.com --role read',
      'docsctl members invite gus@example.com --role guest',
    ],
  },
});
