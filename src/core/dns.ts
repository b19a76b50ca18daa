/** What the name servers say about a host. Both lists are empty for a name that does not exist. */
export interface HostRecords {
  /** The targets of its CNAME records, in lower case and without a final dot. */
  readonly cname: readonly string[];
  /** Its IPv4 and IPv6 addresses. */
  readonly addresses: readonly string[];
  /** One of the addresses is neither public nor allowed, so the records are not for users. */
  readonly isPrivate: boolean;
}

/**
 * Asks the name servers about a host.
 *
 * @throws Problem(unreachable), Problem(timed-out) if they do not answer
 */
export type DnsLookup = (host: string) => Promise<HostRecords>;

/**
 * Asks the name servers for the TXT records of a name. Empty for a name that does not exist.
 *
 * @throws Problem(unreachable), Problem(timed-out) if they do not answer
 */
export type TextLookup = (name: string) => Promise<readonly string[]>;
