import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/** The result of the last DNS check. */
export interface DnsCheck {
  readonly checkedAt: string;
  /** The host that the hostname should lead to. */
  readonly expected: string;
  readonly cname: readonly string[];
  readonly addresses: readonly string[];
  /** An address is private, so the records are not stored. */
  readonly isPrivate?: true;
  /** Why the check failed. The previous state is kept. */
  readonly error?: string;
}

/**
 * A custom hostname of a site. The id is the hostname in lower case, or `HOSTNAME~ORGANIZATION` as long as the organization has
 * to prove its right to a hostname that another organization has.
 */
export interface CustomHostnameRow {
  readonly id: string;
  /** The hostname, if the id is not the hostname. */
  readonly hostname?: string | undefined;
  readonly organization: string;
  readonly site: string;
  readonly createdAt: string;
  /** Absent until the name servers have been asked. */
  readonly status?: 'dns_passed' | 'dns_wrong_cname' | 'dns_no_cname' | undefined;
  readonly dns?: DnsCheck | undefined;
  /**
   * Whether the organization has proved that it owns the hostname. `found`: a TXT record proves it. `trusted`: no record was
   * required when the hostname became active. Absent in rows of earlier versions, which are trusted.
   */
  readonly proof?: 'unchecked' | 'missing' | 'found' | 'trusted' | undefined;
}

export const customHostnames = audited(
  table<CustomHostnameRow>()('custom_hostnames', {
    byOrganization: { on: ['organization'] },
    bySite: { on: ['site'] },
    byHostname: { on: ['hostname'] },
  }),
  { type: 'custom-hostname', label: 'id', fields: ['organization', 'site', 'status', 'proof'] },
);
