import { table } from '../../core/store.ts';

/** An email domain of an organization. Users with this domain may join once the organization has proven it. */
export interface EmailDomainRow {
  /** `ORGANIZATION.DOMAIN` */
  readonly id: string;
  readonly domain: string;
  readonly organization: string;
  /**
   * Whether the organization has proven the domain. `found`: by a TXT record; `trusted`: no record was required. Absent in rows
   * of earlier versions, which are trusted.
   */
  readonly proof?: 'unchecked' | 'missing' | 'found' | 'trusted' | undefined;
  /** ISO time when the name servers were asked last. */
  readonly checkedAt?: string | undefined;
  /** The reason why the last check had no result. The proof is then unchanged. */
  readonly error?: string | undefined;
}

export const emailDomains = table<EmailDomainRow>()('email_domains', {
  byDomain: { on: ['domain'] },
  byOrganization: { on: ['organization'], by: ['domain'] },
});
