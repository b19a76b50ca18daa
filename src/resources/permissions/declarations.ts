import { listOf, noContent, operation } from '../../contract/operation.ts';
import {
  closed,
  DateTime,
  Id,
  nullable,
  oneOf,
  optional,
  Type,
  withNullWord,
} from '../../contract/schema.ts';
import { memberOrder, Order, roles, User } from '../../contract/shapes.ts';
import { Team } from '../teams/contract.ts';

/** The differences between the permissions of spaces, collections and sites. */
export const bases = {
  space: {
    words: 'spaces',
    path: '/spaces/:spaceId',
    scope: 'space',
    flags: '--space Guide',
    example: 'Guide',
  },
  collection: {
    words: 'collections',
    path: '/collections/:collectionId',
    scope: 'collection',
    flags: '--collection Product',
    example: 'Product',
  },
  site: {
    words: 'sites',
    path: '/orgs/:organizationId/sites/:siteId',
    scope: 'site',
    flags: '--site Docs',
    example: 'Docs',
  },
} as const;
type Base = (typeof bases)[keyof typeof bases];

const PermissionRole = withNullWord(
  nullable(oneOf(roles), {
    description: 'role to give; null removes all access',
  }),
  'none',
);

/** The origin of a person's role (published specification, UserSitePermissionOrigin). */
const Origin = closed({
  type: oneOf(['space', 'collection', 'site', 'organization']),
  ...optional({
    space: Id,
    collection: Id,
    site: Id,
    organization: Id,
    reason: oneOf(['member', 'team', 'default']),
    team: Id,
  }),
});

/** The permission of a user (published specification, UserSitePermissionOverride). */
export const UserPermission = closed({ permission: PermissionRole, user: User });

/** The permission of a team (published specification, TeamSitePermissionOverride). */
export const TeamPermission = closed({ permission: PermissionRole, team: Team });

/** A person who can open a resource, with the role and its origin (UserSitePermission). */
export const EffectivePermission = closed({
  permission: oneOf(roles),
  user: User,
  origin: Origin,
  disabled: Type.Boolean({ description: 'whether the member is disabled, and so cannot sign in' }),
  lastSeenAt: Type.Optional(DateTime),
});

const ids = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 1000, description }),
  );
const userColumns = ['user.displayName', 'user.email', 'permission', 'user.id'];

/** Declares the operations on the permissions of spaces, collections or sites. */
export function permissionOperations<const B extends Base>({ words, path, scope, flags, example }: B) {
  const access = `${scope as B['scope']}.admin` as const;
  const base = `${path as B['path']}/permissions` as const;
  return {
    setPermissions: operation({
      id: `${words}.permissions.set`,
      route: `POST ${base}`,
      summary: `Give members and teams a role on a ${scope}`,
      description: `Give \`users\`, \`teams\` or both. The new role replaces an earlier role on the ${scope}, and applies instead of an inherited role. \`role: null\` removes all access. Administrators of the organization always keep the admin role.`,
      access,
      body: closed({
        role: PermissionRole,
        users: ids('members who get the role'),
        teams: ids('teams that get the role'),
      }),
      returns: noContent(),
      cli: {
        examples: [
          `docsctl ${words} permissions set ${example} --users ben@example.com --role review`,
          `docsctl ${words} permissions set ${example} --teams Writers --role edit`,
          `docsctl ${words} permissions set ${example} --users cara@example.com --role none`,
        ],
      },
    }),
    listEffectivePermissions: operation({
      id: `${words}.permissions.effective`,
      route: `GET ${base}/aggregate`,
      summary: `List everyone who can open a ${scope}, with their role and where it comes from`,
      description:
        'Members who are disabled are listed too, with `disabled: true`. They cannot open anything.',
      access,
      query: optional({
        role: oneOf(roles, { description: 'only members with this role' }),
        search: Type.String({
          maxLength: 255,
          description: 'only members whose name or email contains this text',
        }),
        team: Type.String({ ...Id, description: 'only members of this team' }),
        sort: memberOrder,
        order: Order,
      }),
      returns: listOf(EffectivePermission),
      cli: {
        columns: ['user.displayName', 'user.email', 'permission', 'origin.type', 'origin.reason', 'user.id'],
        examples: [`docsctl ${words} permissions effective ${example} --role edit`],
      },
    }),
    listUserPermissions: operation({
      id: `${words}.permissions.users`,
      route: `GET ${base}/users`,
      summary: `List the members who were given a role on a ${scope}`,
      description: 'The oldest permissions come first. Inherited roles are not listed.',
      access,
      returns: listOf(UserPermission),
      cli: { columns: userColumns, examples: [`docsctl ${words} permissions users ${example}`] },
    }),
    updateUserPermission: operation({
      id: `${words}.permissions.update-user`,
      route: `PATCH ${base}/users/:userId`,
      summary: `Set the role of a member on a ${scope}`,
      description: `This role applies instead of an inherited one until \`docsctl ${words} permissions remove-user\` removes it. Administrators of the organization always keep the admin role.`,
      access,
      body: closed({ role: Type.Optional(PermissionRole) }),
      returns: noContent(),
      cli: {
        examples: [`docsctl ${words} permissions update-user cara@example.com ${flags} --role comment`],
      },
    }),
    removeUserPermission: operation({
      id: `${words}.permissions.remove-user`,
      route: `DELETE ${base}/users/:userId`,
      summary: `Remove the role of a member on a ${scope}`,
      description:
        'Afterwards, the member has the role that was given to one of their teams, or else an inherited role.',
      access,
      returns: noContent(),
      cli: { examples: [`docsctl ${words} permissions remove-user cara@example.com ${flags} --yes`] },
    }),
    listTeamPermissions: operation({
      id: `${words}.permissions.teams`,
      route: `GET ${base}/teams`,
      summary: `List the teams that were given a role on a ${scope}`,
      description: 'The oldest permissions come first.',
      access,
      returns: listOf(TeamPermission),
      cli: {
        columns: ['team.title', 'permission', 'team.members', 'team.id'],
        examples: [`docsctl ${words} permissions teams ${example}`],
      },
    }),
    updateTeamPermission: operation({
      id: `${words}.permissions.update-team`,
      route: `PATCH ${base}/teams/:teamId`,
      summary: `Set the role of a team on a ${scope}`,
      description: `This role applies instead of an inherited one until \`docsctl ${words} permissions remove-team\` removes it.`,
      access,
      body: closed({ role: Type.Optional(PermissionRole) }),
      returns: noContent(),
      cli: { examples: [`docsctl ${words} permissions update-team Support ${flags} --role read`] },
    }),
    removeTeamPermission: operation({
      id: `${words}.permissions.remove-team`,
      route: `DELETE ${base}/teams/:teamId`,
      summary: `Remove the role of a team on a ${scope}`,
      description:
        'Afterwards, each member of the team has the role that was given to them or to another of their teams, or else an inherited role.',
      access,
      returns: noContent(),
      cli: { examples: [`docsctl ${words} permissions remove-team Support ${flags} --yes`] },
    }),
  };
}
