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

/** A hostname of its own that a site has. Its id is the hostname, in lower case. */
export interface CustomHostnameRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  readonly createdAt: string;
  /** Absent until the name servers have been asked. */
  readonly status?: 'dns_passed' | 'dns_wrong_cname' | 'dns_no_cname';
  readonly dns?: DnsCheck;
}

export const customHostnames = audited(
  table<CustomHostnameRow>()('custom_hostnames', {
    byOrganization: { on: ['organization'] },
    bySite: { on: ['site'] },
  }),
  { type: 'custom-hostname', label: 'id', fields: ['organization', 'site', 'status'] },
);
