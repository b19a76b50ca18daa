import type { Role } from '../../contract/shapes.ts';
import type { Caller } from '../../core/callers.ts';
import { organizations, type OrganizationRow, type UserRow } from '../../core/rows/organizations.ts';
import type { RequestContext } from '../../core/handler.ts';
import { minRole } from '../../core/permissions.ts';
import { sites } from '../../core/rows/sites.ts';
import { eachRow, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { addMember } from '../members/rules.ts';
import { chooseHostname } from './hostname.ts';
import { emailDomains } from '../email-domains/rows.ts';

export interface NewOrganization {
  readonly title: string;
  readonly emailDomains?: readonly string[];
}

/** Makes an organization and its first administrator. */
export async function insertOrganization(
  tx: WriteTransaction,
  { now, newId }: Pick<RequestContext, 'now' | 'newId'>,
  made: NewOrganization,
  administrator: UserRow,
): Promise<OrganizationRow> {
  const id = newId('org');
  const domains = normalizeDomains(made.emailDomains ?? []);
  const row: OrganizationRow = {
    id,
    title: made.title,
    createdAt: now,
    emailDomains: domains,
    hostname: await chooseHostname(tx, made.title, id),
    defaultRole: null,
    defaultContent: null,
    logo: null,
    sso: false,
    ai: true,
    inviteLinks: true,
    mergeRules: { type: 'none' },
  };
  await tx.insert(organizations, row);
  await writeEmailDomains(tx, id, domains);
  await addMember(tx, now, id, administrator, 'admin');
  return row;
}

export function normalizeDomains(domains: readonly string[]): string[] {
  return [...new Set(domains.map((domain) => domain.toLowerCase()))];
}

/** Keeps the rows that find organizations by email domain the same as the organization's own list. */
export async function writeEmailDomains(
  tx: WriteTransaction,
  organization: string,
  domains: readonly string[],
): Promise<void> {
  const known: string[] = [];
  for await (const row of eachRow(tx, emailDomains, 'byOrganization', [organization])) known.push(row.domain);
  const idOf = (domain: string): string => `${organization}.${domain}`;
  for (const domain of known) if (!domains.includes(domain)) await tx.remove(emailDomains, idOf(domain));
  for (const domain of domains)
    if (!known.includes(domain)) await tx.insert(emailDomains, { id: idOf(domain), domain, organization });
}

/** Refuses default content that is no site of the organization. */
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
      '`docsctl sites list` shows those there are.',
    );
  }
}

/** Refuses to give a caller's user more, by way of a token, than the token itself may do. */
export function checkTokenOrganization(caller: Caller, organization?: string): void {
  if (caller.organization === null || caller.organization === organization) return;
  throw new Problem('forbidden', 'Your token is good for one organization only, and this is about another.', {
    hint: 'Use a token that is good for all of yours, such as the one that `docsctl init` gave.',
  });
}

/** Refuses to give a role that is beyond the token of the caller. */
export function checkTokenRole(caller: Caller, role: Role | null): void {
  if (minRole(caller.maxRole, role) !== role) {
    throw new Problem('forbidden', `Your token is too weak to make you "${role}" of an organization.`, {
      hint: 'Use a token with at least that role.',
    });
  }
}
