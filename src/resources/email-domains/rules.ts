import { normalizeDomain } from '../../core/emails.ts';
import { dequeue, enqueue, type JobRequest } from '../../core/jobs.ts';
import { collectRows, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { Problem } from '../../errors/problem.ts';
import { emailDomains, type EmailDomainRow } from './rows.ts';

const kind = 'email-domain';

/** Returns the ID of the row of an email domain of an organization. */
function idOf(organization: string, domain: string): string {
  return `${organization}.${domain}`;
}

/** Returns the job request that checks the proof of a domain. */
export function checkRequest({ id, organization }: EmailDomainRow): JobRequest {
  return { kind, organization, subject: id };
}

/** Whether users of a domain may join its organization: the domain is proven, or no proof was required. */
export function isProven({ proof }: EmailDomainRow): boolean {
  return proof !== 'missing' && proof !== 'unchecked';
}

/** Returns an email domain that an organization lists; undefined if it does not. */
export async function findDomain(
  view: ReadTransaction,
  organization: string,
  domain: string,
): Promise<EmailDomainRow | undefined> {
  return view.get(emailDomains, idOf(organization, normalizeDomain(domain)));
}

/** Returns an email domain that an organization lists. @throws Problem(not-found) */
export async function getDomain(
  view: ReadTransaction,
  organization: string,
  domain: string,
): Promise<EmailDomainRow> {
  const row = await findDomain(view, organization, domain);
  if (row === undefined)
    throw new Problem(
      'not-found',
      `The organization does not list the email domain "${domain.slice(0, 120)}".`,
      {
        hint: `To add it, list it together with the other domains of the organization, separated by commas: \`docsctl orgs update --email-domains OTHERS,${shellWord(domain.slice(0, 120))}\`.`,
      },
    );
  return row;
}

/** Updates the rows of the email domains of an organization from its list, and requests a check of new domains. */
export async function writeEmailDomains(
  tx: WriteTransaction,
  now: string,
  organization: string,
  domains: readonly string[],
): Promise<void> {
  const existing = new Set<string>();
  for (const { id, domain } of await collectRows(tx, emailDomains, 'byOrganization', [organization])) {
    existing.add(domain);
    if (domains.includes(domain)) continue;
    await dequeue(tx, kind, id);
    await tx.remove(emailDomains, id);
  }
  for (const domain of domains) {
    if (existing.has(domain)) continue;
    const row: EmailDomainRow = { id: idOf(organization, domain), domain, organization, proof: 'unchecked' };
    await tx.insert(emailDomains, row);
    await enqueue(tx, now, checkRequest(row));
  }
}

/** Stores the result of a check of a domain. An organization without a proof loses the domain to another one with a proof. */
export async function keepCheck(
  tx: WriteTransaction,
  now: string,
  before: EmailDomainRow,
  { id, domain, proof, checkedAt, error }: EmailDomainRow,
): Promise<void> {
  const current = await tx.get(emailDomains, id);
  // Meanwhile the domain was removed, or another organization has proven it, which requested another check.
  if (current === undefined || current.proof !== before.proof) return;
  await tx.update(emailDomains, id, { proof, checkedAt, error });
  if (proof !== 'found') return;
  for (const other of await collectRows(tx, emailDomains, 'byDomain', [domain]))
    if (other.id !== id && other.proof !== 'found' && isProven(other)) {
      await tx.update(emailDomains, other.id, { proof: 'missing' });
      await enqueue(tx, now, checkRequest(other));
    }
}
