import { Problem } from '../errors/problem.ts';
import type { Caller } from './callers.ts';
import type { EffectiveRole } from './permissions.ts';
import { memberId, members, organizations, type MemberRow } from './rows/organizations.ts';
import type { ReadTransaction } from './store.ts';

export interface Membership {
  /** The role of the membership, without the limit of the token. */
  readonly role: EffectiveRole;
  /** Whether the caller must first sign in through a SAML provider of the organization. */
  readonly needsSignIn: boolean;
  /** The row of the membership; absent for owners of the store and integrations, who have none. */
  readonly member?: MemberRow;
}

/** Returns the caller's membership of an organization; undefined if the caller is no active member. */
export async function membershipOf(
  view: ReadTransaction,
  caller: Caller,
  organization: string,
): Promise<Membership | undefined> {
  if (caller.owner) return { role: 'admin', needsSignIn: false };
  // The scopes of an integration decide what it may do. They have set `maxRole`.
  if (caller.integration !== undefined)
    return caller.organization === null || caller.organization === organization
      ? { role: 'admin', needsSignIn: false }
      : undefined;
  const row = await view.get(members, memberId(organization, caller.user.id));
  if (row === undefined || !isActiveFor(caller, row)) return undefined;
  return { role: row.role, needsSignIn: await needsSignIn(view, caller, row), member: row };
}

/** Whether a membership of the caller is not disabled, and the token is valid for the organization. */
export function isActiveFor(
  caller: Pick<Caller, 'organization'>,
  { disabled, organization }: MemberRow,
): boolean {
  return !disabled && (caller.organization === null || caller.organization === organization);
}

/**
 * Whether a member has to sign in through a SAML provider of the organization: the member is marked as SSO, or the
 * organization enforces it. Administrators never have to, so that they can repair a provider.
 */
export async function mustSignIn(
  view: ReadTransaction,
  { role, sso, organization }: MemberRow,
): Promise<boolean> {
  return role !== 'admin' && (sso || (await view.get(organizations, organization))?.sso === true);
}

/** Whether the caller has to sign in for a membership and has not done so. */
export async function needsSignIn(
  view: ReadTransaction,
  { signedInTo, integration }: Caller,
  row: MemberRow,
): Promise<boolean> {
  const isExempt = signedInTo === 'all' || signedInTo === row.organization || integration !== undefined;
  return !isExempt && (await mustSignIn(view, row));
}

/** Returns the Problem for a request without the sign-in that an organization requires. */
export function signInRequired({ title }: { title: string }): Problem {
  return new Problem(
    'forbidden',
    `"${title}" requires single sign-on, but this token does not come from such a sign-in.`,
    {
      hint: 'Run `docsctl sso list` for the start URL, then `docsctl login --sso START-URL`. If that fails, ask an administrator of the organization.',
    },
  );
}
