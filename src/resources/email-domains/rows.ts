import { table } from '../../core/store.ts';

/** One row for each email domain of an organization: who may join, and who else has the domain. */
export interface EmailDomainRow {
  readonly id: string;
  readonly domain: string;
  readonly organization: string;
}

export const emailDomains = table<EmailDomainRow>()('email_domains', {
  byDomain: { on: ['domain'] },
  byOrganization: { on: ['organization'] },
});
