import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/** What the last look at the name servers found. */
export interface DnsCheck {
  readonly checkedAt: string;
  /** The host that the hostname should lead to. */
  readonly expected: string;
  readonly cname: readonly string[];
  readonly addresses: readonly string[];
  /** An address is private, so the records are not kept. */
  readonly isPrivate?: true;
  /** Why nothing could be found out. The state before is kept. */
  readonly error?: string;
}

/**
 * A hostname of its own that a site has. Its id is the hostname, in lower case. While an organization has to prove that it may
 * have a hostname of another one, the id is `HOSTNAME~ORGANIZATION`.
 */
export interface CustomHostnameRow {
  readonly id: string;
  /** The hostname, if the id is not. */
  readonly hostname?: string | undefined;
  readonly organization: string;
  readonly site: string;
  readonly createdAt: string;
  /** Absent until the name servers have been asked. */
  readonly status?: 'dns_passed' | 'dns_wrong_cname' | 'dns_no_cname' | undefined;
  readonly dns?: DnsCheck | undefined;
  /**
   * Whether the organization has shown that the hostname is its own. `found`: by a TXT record. `trusted`: none was asked for when
   * the hostname became active. Absent in rows of earlier versions, which are trusted.
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
