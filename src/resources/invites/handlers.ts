import type { Static } from '../../contract/schema.ts';
import { createSecret } from '../../core/secrets.ts';
import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { needsSignIn, signInRequired } from '../../core/membership.ts';
import { minRole, type EffectiveRole } from '../../core/permissions.ts';
import { memberId, members, organizations } from '../../core/rows/organizations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { addMember, disabledProblem } from '../members/rules.ts';
import { checkTokenOrganization, checkTokenRole } from '../organizations/rules.ts';
import { checkMayJoin } from '../sso/rules.ts';
import type * as contract from './contract.ts';
import { invites, type InviteRow } from './rows.ts';

export const listInvites: Handler<typeof contract.listInvites> = async (
  { tx, organization, role },
  { query },
) =>
  listPage(tx, { table: invites, index: 'byOrganization', equals: [organization.id] }, query, (row) =>
    shapeInvite(row, role),
  );

export const createInvite: Handler<typeof contract.createInvite> = async (context, { body }) => {
  const { tx, organization, role, now } = context;
  if (!organization.inviteLinks)
    throw new Problem('conflict', 'Invite links are turned off in this organization.', {
      hint: 'Turn them on with `docsctl orgs update --invite-links`, or add people by email with `docsctl members invite EMAIL`.',
    });
  // The ids of newId are sequential, but the id of an invite must not be guessable.
  const id = `inv_${createSecret(context.randomBytes, 18)}`;
  const row: InviteRow = { id, organization: organization.id, role: body.role, createdAt: now };
  await tx.insert(invites, row);
  return shapeInvite(row, role);
};

export const getInvite: Handler<typeof contract.getInvite> = async ({ tx, organization, role }, { params }) =>
  shapeInvite(await inviteOf(tx, organization.id, params.inviteId), role);

export const updateInvite: Handler<typeof contract.updateInvite> = async (
  { tx, organization, role },
  { params, body },
) => {
  const { id } = await inviteOf(tx, organization.id, params.inviteId);
  return shapeInvite(await tx.update(invites, id, { role: body.role }), role);
};

export const deleteInvite: Handler<typeof contract.deleteInvite> = async (
  { tx, organization },
  { params },
) => {
  await tx.remove(invites, (await inviteOf(tx, organization.id, params.inviteId)).id);
};

/** Returns an invite link of an organization. @throws Problem(not-found) */
async function inviteOf(view: ReadTransaction, organization: string, id: string): Promise<InviteRow> {
  const row = await view.get(invites, id);
  if (row?.organization !== organization)
    throw new Problem('not-found', 'The organization has no invite link with this ID.', {
      hint: 'To see the invite links, run `docsctl invites list`.',
    });
  return row;
}

export const acceptInvite: Handler<typeof contract.acceptInvite> = async (
  { tx, caller, now },
  { params },
) => {
  checkTokenOrganization(caller, params.organizationId);
  const row = await tx.get(invites, params.inviteId);
  const organization = row === undefined ? undefined : await tx.get(organizations, row.organization);
  if (row === undefined || organization?.id !== params.organizationId || !organization.inviteLinks)
    throw new Problem(
      'not-found',
      'The organization has no invite with this ID, or its invite links are turned off.',
      {
        hint: 'Check the ID and --org. If both are right, ask the person who invited you to add you with `docsctl members invite EMAIL`.',
      },
    );
  const membership = await tx.get(members, memberId(organization.id, caller.user.id));
  if (membership?.disabled === true) throw disabledProblem(organization);
  if (membership !== undefined && isCovered(membership.role, row.role)) return {};
  if (membership === undefined) checkMayJoin(organization);
  // Otherwise, an invite for a higher role would bypass the sign-in.
  else if (await needsSignIn(tx, caller, membership)) throw signInRequired(organization);
  checkTokenRole(caller, row.role);
  if (membership === undefined) await addMember(tx, now, organization.id, caller.user, row.role);
  else await tx.update(members, membership.id, { role: row.role });
  return {};
};

function isCovered(own: EffectiveRole, role: EffectiveRole): boolean {
  return minRole(own, role) === role;
}

function shapeInvite(row: InviteRow, role: EffectiveRole): Static<typeof contract.Invite> {
  return { object: 'invite', id: row.id, role: row.role, redundant: isCovered(role, row.role) };
}
