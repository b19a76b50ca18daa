import { emailDomainOf, findUser } from '../../core/emails.ts';
import { createToken, hashToken } from '../../core/callers.ts';
import type { Core } from '../../core/embedded.ts';
import type { ChangeContext } from '../../core/handler.ts';
import {
  memberId,
  members,
  tokens,
  type OrganizationRow,
  type UserRow,
} from '../../core/rows/organizations.ts';
import type { SamlProviderRow } from './rows.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { SignedInUser } from '../../saml/assertion.ts';
import { addMember, disabledProblem } from '../members/rules.ts';
import { joinTeam } from '../teams/rules.ts';
import { findOrCreateUser } from '../users/rules.ts';
import { teams } from '../../core/rows/teams.ts';

type SessionContext = ChangeContext & Pick<Core, 'newId' | 'randomBytes'>;

/**
 * Returns the user of an assertion, as a member who signs in with single sign-on. Adds new users and members.
 *
 * @throws Problem(forbidden) for a disabled member, or for a new one whose email domain the organization does not list
 */
export async function signInMember(
  { tx, now, newId }: SessionContext,
  provider: SamlProviderRow,
  organization: OrganizationRow,
  { email, displayName }: SignedInUser,
): Promise<UserRow> {
  const domain = emailDomainOf(email);
  const existing = await findUser(tx, email);
  const member = existing && (await tx.get(members, memberId(organization.id, existing.id)));
  if (member?.disabled === true) throw disabledProblem(organization);
  if (existing !== undefined && member !== undefined) {
    if (!member.sso) await tx.update(members, member.id, { sso: true });
    return existing;
  }
  // If an organization lists its domains, users of other domains need an invite.
  if (organization.emailDomains.length > 0 && !organization.emailDomains.includes(domain)) {
    throw new Problem('forbidden', `"${organization.title}" does not accept the email domain ${domain}.`, {
      hint: 'Ask an administrator of the organization to invite you.',
    });
  }
  const user = await findOrCreateUser(tx, { now, newId }, email, displayName);
  const added = await addMember(tx, now, organization.id, user, provider.defaultRole, true);
  const team = provider.defaultTeam === null ? undefined : await tx.get(teams, provider.defaultTeam);
  if (added !== undefined && team !== undefined) await joinTeam(tx, now, team.id, added, 'member');
  return user;
}

/** A session to create: its user, the signer of the sign-in, and its end. */
interface NewSession {
  readonly user: string;
  readonly signer: string | undefined;
  readonly expiresAt: string;
}

/** Creates the token of one session. It is valid only for this organization, with the role of the member. */
export async function createSessionToken(
  { tx, now, newId, randomBytes }: SessionContext,
  { id, organization, label }: SamlProviderRow,
  { user, signer, expiresAt }: NewSession,
): Promise<string> {
  const token = createToken(randomBytes);
  await tx.insert(tokens, {
    id: newId('tok'),
    hash: hashToken(token),
    user,
    organization,
    role: 'admin',
    name: `Single sign-on: ${label}`,
    operator: false,
    createdAt: now,
    expiresAt,
    provider: id,
    ...defined({ signer }),
  });
  return token;
}
