import { Problem } from '../errors/problem.ts';
import {
  parseAddress,
  unwrapIPv4,
  isPublic,
  isWithin,
  parseNetwork,
  type AddressBytes,
  type Network,
} from '../core/addresses.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** The private hosts and networks to which outgoing requests are allowed. */
export interface AllowList {
  readonly networks: readonly Network[];
  /** Hosts in lower case with their allowed port; undefined for every port that is allowed on the internet. */
  readonly hosts: readonly { readonly host: string; readonly port: number | undefined }[];
}

const hint =
  'Separate addresses (10.1.2.3), networks (10.1.0.0/16, fd00::/8) and hosts with a port (specs.internal:8080, [::1]:3000) by commas.';

/**
 * Parses DOCSCTL_ALLOW_PRIVATE.
 *
 * @throws Problem(invalid-input)
 */
export function readAllowList(text: string | undefined): AllowList {
  const entries = (text ?? '').split(',').map((entry) => entry.trim());
  const networks: Network[] = [];
  const hosts: { host: string; port: number | undefined }[] = [];
  for (const entry of entries.filter((given) => given !== '')) {
    const network = parseNetwork(entry.replace(/^\[(.*)\]$/, '$1'));
    if (network === undefined) hosts.push(readHost(entry));
    else networks.push(network);
  }
  return { networks, hosts };
}

function readHost(entry: string): { host: string; port: number | undefined } {
  const wrong = (): Problem =>
    new Problem(
      'invalid-input',
      `DOCSCTL_ALLOW_PRIVATE has an entry that is not an address, a network or a host: "${entry.slice(0, 100)}".`,
      { hint },
    );
  const [, name, digits] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === undefined || port === 0 || (port ?? 0) > 65_535 || parseUrl(`http://${name}/`) === undefined)
    throw wrong();
  // Normalized like the addresses of requests, such as "127.1" and "LOCALHOST".
  return { host: normalizedHost(new URL(`http://${name}/`)), port };
}

/** Returns the host of a URL without the brackets of IPv6 and without a final dot. */
export function normalizedHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Returns the port of a URL, even if it is the default port. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Whether the list allows a host on a port. The returned `port` is true only for an entry with an explicit port. */
export function isHostAllowed(
  { hosts }: AllowList,
  host: string,
  port: number,
): { readonly host: boolean; readonly port: boolean } {
  const named = hosts.filter(
    (entry) =>
      entry.host === host ||
      (parseAddress(host) !== undefined && parseAddress(entry.host)?.join() === parseAddress(host)?.join()),
  );
  return {
    host: named.some((entry) => entry.port === undefined || entry.port === port),
    port: named.some((entry) => entry.port === port),
  };
}

/** Whether an IP address is in one of the allowed networks, also as an IPv4-mapped or NAT64 address. */
export function isAddressAllowed({ networks }: AllowList, address: AddressBytes): boolean {
  return networks.some((network) => isWithin(address, network) || isWithin(unwrapIPv4(address), network));
}

/** Whether an IP address may be reached: it is public, or in one of the allowed networks. */
export function isAddressReachable(allow: AllowList, address: string): boolean {
  const bytes = parseAddress(address);
  return bytes !== undefined && (isPublic(bytes) || isAddressAllowed(allow, bytes));
}
