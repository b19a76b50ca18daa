import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, nullable, oneOf, Type } from '../../contract/schema.ts';
import { roles } from '../../contract/shapes.ts';

export const nounHelp: NounHelp = {
  description:
    'Access is what a member can do with spaces, collections and sites. It comes from the role in the organization, from default levels (roles that spaces and collections give to all members), and from permissions of the member and of their teams.',
  examples: [
    'docsctl access explain ben@example.com Guide',
    'docsctl access report --fail-on guest,unseen:90d',
  ],
};

const Role = nullable(oneOf(roles));

/** Something that gives a member a role. */
export const AccessReason = closed({
  kind: oneOf(['user', 'team', 'default', 'organization'], {
    description: 'permission of the member or of a team, default level, or role in the organization',
  }),
  role: Role,
  content: Type.Optional(
    closed({ type: oneOf(['space', 'collection', 'site']), id: Id, title: Type.String() }),
  ),
  team: Type.Optional(closed({ id: Id, title: Type.String() })),
});

const idOf = (noun: string) =>
  Type.Optional(Type.String({ ...Id, description: `${noun} to explain the access to` }));

export const explainAccess = operation({
  id: 'access.explain',
  route: 'GET /orgs/:organizationId/members/:userId/access',
  summary: 'Show the role of a member on a space, collection or site, and where it comes from',
  description:
    'The first reason decides; it overrides the others. A token of the member can limit the role further. This operation is not in the official API of GitBook.',
  access: 'org.admin',
  query: { space: idOf('space'), collection: idOf('collection'), site: idOf('site') },
  returns: ok(
    closed({
      object: Type.Literal('access'),
      user: Id,
      role: Role,
      disabled: Type.Boolean({ description: 'whether the member is disabled, and so can do nothing' }),
      reasons: Type.Array(AccessReason, { minItems: 1 }),
    }),
  ),
  cli: { composite: true },
});
