import { defined } from '../../contract/values.ts';
import { emailDomainOf, normalizeEmail } from '../../core/emails.ts';
import { loadedHandler, type Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { isActiveFor, needsSignIn } from '../../core/membership.ts';
import { minRole } from '../../core/permissions.ts';
import { memberId, members, organizations, type MemberRow } from '../../core/rows/organizations.ts';
import { getExisting } from '../../core/store.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { addMember, disabledProblem } from '../members/rules.ts';
import { checkMergeRules } from '../spaces/rules.ts';
import { checkMayJoin } from '../sso/rules.ts';
import { findDomain, isProven, writeEmailDomains } from '../email-domains/rules.ts';
import type * as contract from './contract.ts';
import { checkHostname } from './hostname.ts';
import { provisionOrganization } from './provision.ts';
import {
  checkDefaultContent,
  checkOperatorFields,
  checkTokenOrganization,
  checkTokenRole,
  normalizeDomains,
  insertOrganization,
} from './rules.ts';
import { shapeOrganization } from './shape.ts';

export const listOrganizations: Handler<typeof contract.listOrganizations> = async (context, { query }) => {
  const { tx, caller } = context;
  const user = caller.user.id;
  if (caller.owner)
    return listPage(tx, { table: organizations, index: 'all', equals: [] }, query, (row) =>
      shapeOrganization(context, row, { user, role: 'admin' }),
    );
  const keep = (row: MemberRow) => isActiveFor(caller, row);
  return listPage(tx, { table: members, index: 'byUser', equals: [user], filter: keep }, query, async (row) =>
    shapeOrganization(
      context,
      await getExisting(tx, organizations, row.organization),
      // The organization is listed even before its required sign-in, so that its start URL can be found by title.
      (await needsSignIn(tx, caller, row)) ? undefined : { user, role: minRole(row.role, caller.maxRole) },
    ),
  );
};

export const findBrokenLinks = loadedHandler<typeof contract.findBrokenLinks>(
  async () => (await import('./broken-links.ts')).findBrokenLinks,
);

export const getOrganization: Handler<typeof contract.getOrganization> = async (context) =>
  shapeOrganization(context, context.organization, { user: context.caller.user.id, role: context.role });

export const createOrganization: Handler<typeof contract.createOrganization> = async (context, { body }) => {
  const { tx, caller } = context;
  checkTokenOrganization(caller);
  checkTokenRole(caller, 'admin');
  const row = await insertOrganization(tx, context, body, caller.user);
  return shapeOrganization(context, row, { user: caller.user.id, role: 'admin' });
};

export const provision: Handler<typeof contract.provision> = async (context, { body }) => {
  const { tx, caller } = context;
  checkTokenOrganization(caller);
  if (!caller.operator && normalizeEmail(body.email) !== normalizeEmail(caller.user.email)) {
    throw new Problem(
      'forbidden',
      'Only the operator of the server can create an organization for another user.',
      { hint: `Use your own email: \`--email ${caller.user.email}\`.` },
    );
  }
  checkTokenRole(caller, 'admin');
  return (await provisionOrganization(tx, context, body, { operator: false })).made;
};

export const updateOrganization: Handler<typeof contract.updateOrganization> = async (context, { body }) => {
  const { tx, organization, caller, role } = context;
  const { mergeRules } = body;
  checkOperatorFields(caller, body);
  if (mergeRules?.type === 'inherit')
    throw invalid(
      '/body/mergeRules/type',
      'An organization cannot inherit merge rules.',
      'Use the type "none" or "rules".',
    );
  if (mergeRules !== undefined) await checkMergeRules(tx, organization.id, mergeRules);
  if (body.hostname !== undefined) await checkHostname(tx, body.hostname, organization.id);
  if (body.defaultContent !== undefined) await checkDefaultContent(tx, organization.id, body.defaultContent);
  const domains = body.emailDomains === undefined ? undefined : normalizeDomains(body.emailDomains);
  if (domains !== undefined) await writeEmailDomains(tx, context.now, organization.id, domains);
  const row = await tx.update(organizations, organization.id, {
    ...body,
    ...defined({ emailDomains: domains }),
  });
  return shapeOrganization(context, row, { user: caller.user.id, role });
};

export const joinOrganization: Handler<typeof contract.joinOrganization> = async (
  { tx, caller, now },
  { params },
) => {
  checkTokenOrganization(caller, params.organizationId);
  const organization = await tx.get(organizations, params.organizationId);
  if (organization === undefined) throw notFound('organization', params.organizationId);
  const member = await tx.get(members, memberId(organization.id, caller.user.id));
  if (member?.disabled === true) throw disabledProblem(organization);
  if (member !== undefined) return;
  const domain = emailDomainOf(caller.user.email);
  const listed = await findDomain(tx, organization.id, domain);
  // Other callers must not learn which domains an organization has claimed without a proof.
  if (listed === undefined || !isProven(listed)) {
    throw new Problem('invalid-input', `This organization does not accept the email domain ${domain}.`, {
      hint: 'Ask an administrator of the organization to invite you.',
    });
  }
  checkMayJoin(organization);
  checkTokenRole(caller, organization.defaultRole);
  await addMember(tx, now, organization.id, caller.user, organization.defaultRole);
};

export const pingOrganization: Handler<typeof contract.pingOrganization> = async ({
  tx,
  organization,
  caller,
  now,
}) => {
  const id = memberId(organization.id, caller.user.id);
  // The owner of the store may not be a member of the organization.
  if ((await tx.get(members, id)) !== undefined) await tx.update(members, id, { lastSeenAt: now, seen: 1 });
  return {};
};
