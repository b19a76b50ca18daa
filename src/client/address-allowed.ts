import { Problem } from '../errors/problem.ts';
import {
  parseAddress,
  unwrapIPv4,
  isWithin,
  parseNetwork,
  type AddressBytes,
  type Network,
} from '../core/addresses.ts';

/** What whoever runs docsctl lets outgoing requests reach beside the public internet. */
export interface AllowList {
  readonly networks: readonly Network[];
  /** Hosts in small letters with the one port that is open there; undefined for any that is open on the internet. */
  readonly hosts: readonly { readonly host: string; readonly port: number | undefined }[];
}

const hint =
  'Give addresses (10.1.2.3), networks (10.1.0.0/16, fd00::/8) or hosts with a port (specs.internal:8080, [::1]:3000), with commas between them.';

/** Reads DOCSCTL_ALLOW_PRIVATE. */
export function readAllowed(text: string | undefined): AllowList {
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
      'usage',
      `DOCSCTL_ALLOW_PRIVATE has an entry that names no address, network or host: "${entry.slice(0, 100)}".`,
      { hint },
    );
  const [, name, digits] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === undefined || port === 0 || (port ?? 0) > 65_535 || !URL.canParse(`http://${name}/`))
    throw wrong();
  // As the addresses of requests are compared: "127.1" and "LOCALHOST" have one form.
  return { host: hostOf(new URL(`http://${name}/`)), port };
}

/** The host of a URL in the form that is compared and resolved: without the brackets of IPv6 and the dot of a full name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Whether an operator named this host and port; `port` tells whether the port itself was named. */
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

export function isAddressAllowed({ networks }: AllowList, address: AddressBytes): boolean {
  return networks.some((network) => isWithin(address, network) || isWithin(unwrapIPv4(address), network));
}
