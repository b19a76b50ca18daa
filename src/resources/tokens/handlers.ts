import type { Static } from '../../contract/schema.ts';
import * as secrets from '../../core/callers.ts';
import type { Handler, RequestContext, ReadContext } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { isoTime } from '../../core/clock.ts';
import { defined } from '../../contract/values.ts';
import {
  memberId,
  members,
  tokens,
  users,
  type MemberRow,
  type TokenRow,
} from '../../core/rows/organizations.ts';
import { eachRow, getExisting, type ReadTransaction } from '../../core/store.ts';
import { mustSignIn } from '../../core/membership.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { findMember } from '../members/rules.ts';
import { samlProviders } from '../saml/rows.ts';
import { signersOf } from '../saml/rules.ts';
import { shapeUser } from '../users/shape.ts';
import type * as contract from './contract.ts';

export const listTokens: Handler<typeof contract.listTokens> = async (context, { query }) => {
  const { tx, organization, caller } = context;
  const keep = (row: TokenRow) => row.organization === organization.id || isOwnUnrestricted(row, caller);
  const selection =
    query.mine === true
      ? ({ index: 'byUser', equals: [caller.user.id], filter: keep } as const)
      : ({ index: 'byOrganization', equals: [organization.id] } as const);
  return listPage(tx, { table: tokens, order: 'desc', ...selection }, query, (row) =>
    shapeToken(context, row),
  );
};

export const createToken: Handler<typeof contract.createToken> = async (context, { body }) => {
  const { tx, organization, caller, now } = context;
  const { expiresAt: lastEnd, ...origin } = await findOrigin(tx, caller);
  const expiresAt = body.expiresAt === undefined ? lastEnd : isoTime(Date.parse(body.expiresAt));
  if (expiresAt !== null && expiresAt <= now)
    throw invalid(
      '/body/expiresAt',
      `The expiry time ${expiresAt} is in the past.`,
      'Use a time in the future, such as 2030-01-31T09:00:00Z.',
    );
  if (expiresAt !== null && lastEnd !== null && expiresAt > lastEnd)
    throw invalid(
      '/body/expiresAt',
      `The token would outlive the certificate of the identity provider that you signed in with, which is valid until ${lastEnd}.`,
      'Use an earlier time, or leave it out.',
    );
  const member =
    body.user === undefined
      ? await findTokenMember(tx, organization.id, caller.user.id)
      : await findMember(tx, organization.id, body.user);
  if (await mustSignIn(tx, member))
    throw new Problem(
      'conflict',
      `${member.email} has to sign in with single sign-on, so a token made here would not work.`,
      { hint: 'They get one with `docsctl login --sso START-URL`; `docsctl sso list` shows the start URL.' },
    );
  const token = secrets.createToken(context.randomBytes);
  const row: TokenRow = {
    id: context.newId('tok'),
    hash: secrets.hashToken(token),
    user: member.user,
    organization: organization.id,
    role: body.role,
    name: body.name ?? null,
    operator: false,
    createdAt: now,
    expiresAt,
    ...origin,
  };
  await tx.insert(tokens, row);
  return { ...(await shapeToken(context, row)), token };
};

export const deleteToken: Handler<typeof contract.deleteToken> = async (
  { tx, organization, caller },
  { params },
) => {
  const row = await tx.get(tokens, params.tokenId);
  if (row === undefined || (row.organization !== organization.id && !isOwnUnrestricted(row, caller)))
    throw notFound('token', params.tokenId);
  await tx.remove(tokens, row.id);
};

/**
 * Returns the fields that a new token inherits from the token that creates it. If that token comes from single sign-on, the new
 * one is revoked with the provider, and expires at the latest with the certificate that signed the sign-in.
 */
async function findOrigin(
  view: ReadTransaction,
  { token }: RequestContext['caller'],
): Promise<Pick<TokenRow, 'expiresAt' | 'provider' | 'signer' | 'isDerived'>> {
  const { provider, signer } = (token === undefined ? undefined : await view.get(tokens, token)) ?? {};
  if (provider === undefined) return { expiresAt: null };
  const row = await view.get(samlProviders, provider);
  const certificate = row === undefined || signer === undefined ? undefined : signersOf(row).get(signer);
  return {
    expiresAt: certificate === undefined ? null : isoTime(certificate.validTo),
    provider,
    ...defined({ signer }),
    isDerived: true,
  };
}

/**
 * Whether a token for every organization belongs to the caller. Only its user can see and revoke it, and only with a token for
 * every organization, because administrators can create tokens of any member for their own organization.
 */
function isOwnUnrestricted(row: TokenRow, caller: RequestContext['caller']): boolean {
  return row.organization === null && row.user === caller.user.id && caller.organization === null;
}

/**
 * Returns the membership of the caller. For an owner of the store who is not a member, returns the membership of the first
 * administrator who is not disabled.
 */
async function findTokenMember(
  view: ReadTransaction,
  organization: string,
  user: string,
): Promise<MemberRow> {
  const membership = await view.get(members, memberId(organization, user));
  if (membership !== undefined) return membership;
  for await (const admin of eachRow(view, members, 'byRole', [organization, 'admin']))
    if (!admin.disabled) return admin;
  throw notFound('administrator of the organization', organization);
}

async function shapeToken(context: ReadContext, row: TokenRow): Promise<Static<typeof contract.Token>> {
  const { id, role, name, organization, createdAt, expiresAt } = row;
  return {
    object: 'token',
    id,
    role,
    name,
    user: shapeUser(context, await getExisting(context.tx, users, row.user)),
    organization,
    createdAt,
    expiresAt,
  };
}
