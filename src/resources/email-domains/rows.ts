import { table } from '../../core/store.ts';

/** An email domain of an organization, whose users may join it once the organization has proven the domain. */
export interface EmailDomainRow {
  /** `ORGANIZATION.DOMAIN` */
  readonly id: string;
  readonly domain: string;
  readonly organization: string;
  /**
   * Whether the organization has shown that the domain is its own. `found`: by a TXT record. `trusted`: none was asked for.
   * Absent in rows of earlier versions, which are trusted.
   */
  readonly proof?: 'unchecked' | 'missing' | 'found' | 'trusted' | undefined;
  /** ISO time when the name servers were asked last. */
  readonly checkedAt?: string | undefined;
  /** Why the last check found nothing out. The proof before is kept. */
  readonly error?: string | undefined;
}

export const emailDomains = table<EmailDomainRow>()('email_domains', {
  byDomain: { on: ['domain'] },
  byOrganization: { on: ['organization'], by: ['domain'] },
});
