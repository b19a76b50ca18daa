import { createToken, hashToken } from '../../core/callers.ts';
import type { Core } from '../../core/embedded.ts';
import {
  memberId,
  members,
  tokens,
  users,
  type OrganizationRow,
  type UserRow,
} from '../../core/rows/organizations.ts';
import type { SamlProviderRow } from './rows.ts';
import { findOne, type WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import type { SignedInUser } from '../../saml/assertion.ts';
import { addMember } from '../members/rules.ts';
import { joinTeam } from '../teams/rules.ts';
import { emailDomainOf, findOrCreateUser } from '../users/rules.ts';
import { teams } from '../teams/rows.ts';

/** The user whom an assertion speaks of, as a member who signs in this way. */
export async function letIn(
  tx: WriteTransaction,
  core: Pick<Core, 'newId' | 'randomBytes'>,
  provider: SamlProviderRow,
  organization: OrganizationRow,
  { email, displayName }: SignedInUser,
  now: string,
): Promise<UserRow> {
  const domain = emailDomainOf(email);
  const known = await findOne(tx, users, 'byEmail', [email]);
  const member = known === undefined ? undefined : await tx.get(members, memberId(organization.id, known.id));
  if (member?.disabled === true)
    throw new Problem('forbidden', 'You are no longer let into this organization.', {
      hint: 'Ask one of its administrators.',
    });
  if (member !== undefined) {
    if (!member.sso) await tx.update(members, member.id, { sso: true });
    return known!;
  }
  // Where an organization lists its domains, others come in by invite only.
  if (organization.emailDomains.length > 0 && !organization.emailDomains.includes(domain)) {
    throw new Problem('forbidden', `Emails of ${domain} may not join this organization.`, {
      hint: 'Ask one of its administrators for an invite.',
    });
  }
  const user = await findOrCreateUser(tx, { now, newId: core.newId }, email, displayName);
  const made = await addMember(tx, now, organization.id, user, provider.defaultRole, true);
  const team = provider.defaultTeam === null ? undefined : await tx.get(teams, provider.defaultTeam);
  if (made !== undefined && team !== undefined) await joinTeam(tx, now, team.id, made, 'member');
  return user;
}

/** A token of one session: good for this organization only, and for what the member may do there. */
export async function makeToken(
  tx: WriteTransaction,
  core: Pick<Core, 'newId' | 'randomBytes'>,
  provider: SamlProviderRow,
  user: string,
  expiresAt: string,
  now: string,
): Promise<string> {
  const token = createToken(core.randomBytes);
  const { organization, label } = provider;
  await tx.insert(tokens, {
    id: core.newId('tok'),
    hash: hashToken(token),
    user,
    organization,
    role: 'admin',
    name: `Single sign-on: ${label}`,
    operator: false,
    createdAt: now,
    expiresAt,
  });
  return token;
}
