import type { Role } from '../../contract/shapes.ts';
import { normalizeDomain } from '../../core/emails.ts';
import type { Caller } from '../../core/callers.ts';
import { organizations, type OrganizationRow, type UserRow } from '../../core/rows/organizations.ts';
import type { RequestContext } from '../../core/handler.ts';
import { minRole } from '../../core/permissions.ts';
import { sites } from '../../core/rows/sites.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { addMember } from '../members/rules.ts';
import { chooseHostname } from './hostname.ts';
import { writeEmailDomains } from '../email-domains/rules.ts';

/** Adds an organization with its first administrator. */
export async function insertOrganization(
  tx: WriteTransaction,
  { now, newId }: Pick<RequestContext, 'now' | 'newId'>,
  { title, emailDomains: given = [] }: { title: string; emailDomains?: readonly string[] },
  administrator: UserRow,
): Promise<OrganizationRow> {
  const id = newId('org');
  const domains = normalizeDomains(given);
  const row: OrganizationRow = {
    id,
    title,
    createdAt: now,
    emailDomains: domains,
    hostname: await chooseHostname(tx, title, id),
    defaultRole: null,
    defaultContent: null,
    logo: null,
    sso: false,
    ai: true,
    inviteLinks: true,
    mergeRules: { type: 'none' },
  };
  await tx.insert(organizations, row);
  await writeEmailDomains(tx, now, id, domains);
  await addMember(tx, now, id, administrator, 'admin');
  return row;
}

/**
 * Returns email domains as of `normalizeDomain`, without duplicates.
 *
 * @throws Problem(invalid-input) for one that has no Punycode
 */
export function normalizeDomains(domains: readonly string[]): string[] {
  const normalized = domains.map((domain, at) => {
    const ascii = normalizeDomain(domain);
    if (ascii.length <= 253 && /^(?:[a-z0-9-]{1,63}(?:\.|$))+$/.test(ascii)) return ascii;
    throw invalid(`/body/emailDomains/${at}`, `"${domain}" is not the name of a domain.`);
  });
  return [...new Set(normalized)];
}

/** Checks that the default content is a site of the organization. @throws Problem(invalid-input) */
export async function checkDefaultContent(
  view: ReadTransaction,
  organization: string,
  content: OrganizationRow['defaultContent'],
): Promise<void> {
  if (content === null) return;
  const site = await view.get(sites, content.site);
  if (site?.organization !== organization) {
    throw invalid(
      '/body/defaultContent/site',
      `There is no site "${content.site}" in the organization.`,
      'To see the sites, run `docsctl sites list`.',
    );
  }
}

/** Checks that the caller's token is not restricted to another organization. @throws Problem(forbidden) */
export function checkTokenOrganization(caller: Caller, organization?: string): void {
  if (caller.organization === null || caller.organization === organization) return;
  if (organization !== undefined)
    throw new Problem('forbidden', 'Your token is valid for another organization only.', {
      hint: 'Ask an administrator of the organization to add you with `docsctl members invite`, and to create a token for you.',
    });
  throw new Problem(
    'forbidden',
    'Your token is valid for one organization only, but this requires a token for all of your organizations.',
    {
      hint: 'Use the token that `docsctl init` printed, which is valid for all organizations. Tokens from `docsctl tokens create` are valid for only one.',
    },
  );
}

/** Checks that a role is not higher than the role of the caller's token. @throws Problem(forbidden) */
export function checkTokenRole(caller: Caller, role: Role | null): void {
  if (minRole(caller.maxRole, role) !== role) {
    throw new Problem(
      'forbidden',
      `Your token cannot give you the ${role ?? 'guest'} role in an organization, because its own role is lower.`,
      {
        hint: 'Use a token with at least this role.',
      },
    );
  }
}

const operatorFields = ['type', 'plan', 'trial'] as const;

/** Checks that fields which only the operator of the server may set are set by the operator. @throws Problem(forbidden) */
export function checkOperatorFields(
  { operator }: Caller,
  body: Readonly<Partial<Record<(typeof operatorFields)[number], unknown>>>,
): void {
  const field = operatorFields.find((name) => body[name] !== undefined);
  if (operator || field === undefined) return;
  throw new Problem('forbidden', `Only the operator of the server can set the ${field} of an organization.`, {
    hint: 'Use the token that `docsctl init` printed, or run docsctl on the store itself.',
  });
}
