import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, Type } from '../../contract/schema.ts';
import { RoleOrGuest } from '../../contract/shapes.ts';

export const nounHelp: NounHelp = {
  description:
    'Anyone who knows the ID of an invite link can use it to join the organization, any number of times, until the link is deleted or invite links are turned off. ' +
    'To add people whose email you know, use `docsctl members invite`.',
  examples: [
    'docsctl invites create --role read',
    'docsctl invites list',
    'docsctl orgs update --no-invite-links',
  ],
};

/** A link to join an organization (published specification, InviteLinkToOrganization). */
export const Invite = closed({
  object: Type.Literal('invite'),
  id: Id,
  role: RoleOrGuest,
  redundant: Type.Boolean({ description: 'whether the caller has this role or a higher one' }),
});

const columns = ['role', 'id'];

export const listInvites = operation({
  id: 'invites.list',
  route: 'GET /orgs/:organizationId/link-invites',
  summary: 'List the invite links of an organization',
  description:
    'The oldest links come first. Keep the IDs to yourself: anyone who knows an ID can use it to join.',
  access: 'org.admin',
  returns: listOf(Invite),
  cli: { columns, examples: ['docsctl invites list'] },
});

export const createInvite = operation({
  id: 'invites.create',
  route: 'POST /orgs/:organizationId/link-invites',
  summary: 'Create an invite link for a role',
  description:
    'Give the printed ID to the people who should join; they run `docsctl invites accept ID --org ORGANIZATION`, with the ID of the organization. On a server, they need a token for all organizations, such as the one that `docsctl init` printed. Add people who have no such token with `docsctl members invite`. ' +
    'With `role: null`, the link invites guests. Invite links can be turned off: `docsctl orgs update --no-invite-links`.',
  access: 'org.admin',
  body: closed({
    role: { ...RoleOrGuest, description: 'role of the people who join; null: no role' },
  }),
  returns: created(Invite),
  cli: { columns, examples: ['docsctl invites create --role read', 'docsctl invites create --role guest'] },
});

export const getInvite = operation({
  id: 'invites.get',
  route: 'GET /orgs/:organizationId/link-invites/:inviteId',
  summary: 'Show an invite link',
  access: 'org.admin',
  returns: ok(Invite),
  cli: { columns, composite: true },
});

export const updateInvite = operation({
  id: 'invites.update',
  route: 'PATCH /orgs/:organizationId/link-invites/:inviteId',
  summary: 'Change the role that an invite link gives',
  description:
    'People who join from now on get the new role. People who joined before keep their role. With `role: null`, the link invites guests.',
  access: 'org.admin',
  body: closed({
    role: { ...RoleOrGuest, description: 'role of the people who join; null: no role' },
  }),
  returns: ok(Invite),
  cli: {
    columns,
    examples: ['docsctl invites list -o id | docsctl invites update - --role comment'],
  },
});

export const deleteInvite = operation({
  id: 'invites.delete',
  route: 'DELETE /orgs/:organizationId/link-invites/:inviteId',
  summary: 'Delete an invite link',
  description: 'The link stops working immediately. People who joined through it remain members.',
  access: 'org.admin',
  returns: noContent(),
  cli: { examples: ['docsctl invites list -o id | docsctl invites delete - --yes'] },
});

export const acceptInvite = operation({
  id: 'invites.accept',
  route: 'POST /orgs/:organizationId/invites/:inviteId',
  summary: 'Join an organization through an invite link',
  description:
    'You become a member with the role of the invite. If you are already a member with a lower role, you get the role of the invite. If you have a higher role, you keep it.\n\n' +
    'If you are not a member yet, name the organization by its ID, because titles work only for organizations that you belong to. On a server, you need a token for all organizations, such as the one that `docsctl init` printed.',
  access: 'user.caller',
  returns: ok(closed({})),
  cli: { examples: ['docsctl invites list -o id | docsctl invites accept - --org Acme'] },
});
