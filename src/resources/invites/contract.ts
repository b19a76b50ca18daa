import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, Id, Type } from '../../contract/schema.ts';
import { RoleOrGuest } from '../../contract/shapes.ts';

/** A link to join an organization (published specification, InviteLinkToOrganization). */
export const Invite = closed({
  object: Type.Literal('invite'),
  id: Id,
  role: RoleOrGuest,
  redundant: Type.Boolean({ description: 'You have that role, or a higher one, already' }),
});

const columns = ['role', 'id'];

export const listInvites = operation({
  id: 'invites.list',
  route: 'GET /orgs/:organizationId/link-invites',
  summary: 'List the invite links of an organization, oldest first',
  description: 'Whoever knows the id of one can join, so this takes an administrator.',
  access: 'org.admin',
  returns: listOf(Invite),
  cli: { columns },
});

export const createInvite = operation({
  id: 'invites.create',
  route: 'POST /orgs/:organizationId/link-invites',
  summary: 'Create an invite link for a role',
  access: 'org.admin',
  body: closed({ role: RoleOrGuest }),
  returns: created(Invite),
  cli: { columns, examples: ['docsctl invites create --role read', 'docsctl invites create --unset role'] },
});

export const deleteInvite = operation({
  id: 'invites.delete',
  route: 'DELETE /orgs/:organizationId/link-invites/:inviteId',
  summary: 'Delete an invite link; nobody can join by it any more',
  access: 'org.admin',
  returns: noContent(),
});

export const acceptInvite = operation({
  id: 'invites.accept',
  route: 'POST /orgs/:organizationId/invites/:inviteId',
  summary: 'Join an organization by an invite link',
  description: 'A member of a lower role gets the role of the invite.',
  access: 'user.caller',
  returns: ok(closed({})),
  cli: { examples: ['docsctl invites accept inv_… --org org_01J…'] },
});
