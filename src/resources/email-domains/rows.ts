import { table } from '../../core/store.ts';

/** An email domain of an organization, whose users may join it. */
export interface EmailDomainRow {
  readonly id: string;
  readonly domain: string;
  readonly organization: string;
}

export const emailDomains = table<EmailDomainRow>()('email_domains', {
  byDomain: { on: ['domain'] },
  byOrganization: { on: ['organization'] },
});
