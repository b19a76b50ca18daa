import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { Problem } from '../errors/problem.ts';
import { allowPrivate, howToAllowPrivate } from './allow-private.ts';
import { normalizedHost, portOf, isAddressReachable, isHostAllowed, type AllowList } from './allow-list.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** Returns all addresses of a host. Rejects with the error codes of Node.js. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

/** Ports above 1023 of services that HTTP requests could control or attack. */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 5984,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8500, 9200, 9300, 10_080, 10_250, 10_255,
  11_211, 27_017,
]);

/** An allowed URL, and the only addresses to connect to; none if a proxy resolves its host. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

/** Returns the origin of a URL for messages. Its path and query may contain secrets. */
export function describeOrigin({ protocol, host }: URL): string {
  return `${protocol}//${host}`.slice(0, 270);
}

/**
 * Parses the URL of a request or redirect.
 * @throws Problem(forbidden) for an invalid URL, or a scheme, credentials or port that is not allowed
 */
export function readTarget(
  text: string,
  base: string | undefined,
  { allow, trusted }: { allow: AllowList; trusted: boolean },
): URL {
  const url = parseUrl(text, base);
  if (url === undefined)
    throw new Problem('forbidden', 'The address is not a URL.', {
      hint: 'Use a complete URL, such as https://docs.example.com/openapi.json.',
    });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Problem(
      'forbidden',
      `Only http and https addresses are allowed, not "${url.protocol.slice(0, 40)}".`,
      { hint: 'Use an http or https URL.' },
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('forbidden', 'The address must not contain a user name or password.', {
      hint: 'Remove the part before the "@".',
    });
  }
  const port = portOf(url);
  const isOpen = port === 80 || port === 443 || (port > 1023 && !blockedPorts.has(port));
  if (!isOpen && !trusted && !isHostAllowed(allow, normalizedHost(url), port).port) {
    throw new Problem('forbidden', `Port ${port} is not allowed for ${url.protocol.slice(0, -1)}.`, {
      hint: `Use another port, such as 80, 443 or 8443, or allow this one with ${allowPrivate}=HOST:PORT.`,
    });
  }
  url.hash = '';
  return url;
}

/**
 * Resolves a host and checks all its addresses, even if a proxy connects to it. The proxy then gets a checked address, so that it
 * cannot reach another one. Only a host that is trusted or allowed by name is resolved by the proxy.
 *
 * @throws Problem(forbidden) if one of the addresses is neither public nor allowed
 */
export async function resolveTarget(
  url: URL,
  rules: {
    readonly allow: AllowList;
    readonly trusted: boolean;
    readonly isProxied: boolean;
    readonly lookup: Lookup;
  },
): Promise<Target> {
  const { allow, trusted, isProxied, lookup } = rules;
  const host = normalizedHost(url);
  const family = isIP(host);
  const isExempt = trusted || isHostAllowed(allow, host, portOf(url)).host;
  if (isExempt && isProxied) return { url, addresses: [] };
  const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
  if (addresses.length === 0) throw Object.assign(new Error('no addresses'), { code: 'ENOTFOUND' });
  if (!isExempt && !addresses.every(({ address }) => isAddressReachable(allow, address)))
    throw notPublic(url);
  return { url, addresses };
}

/**
 * Checks a URL without resolving its host.
 *
 * @throws Problem(forbidden) for a private literal address, localhost, or a URL that `readTarget` rejects
 */
export function checkOutgoingUrl(text: string, allow: AllowList): void {
  const url = readTarget(text, undefined, { allow, trusted: false });
  const host = normalizedHost(url);
  const addresses =
    isIP(host) !== 0 ? [host] : /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : undefined;
  if (addresses === undefined || isHostAllowed(allow, host, portOf(url)).host) return;
  if (!addresses.some((address) => isAddressReachable(allow, address))) throw notPublic(url);
}

/** The message does not contain the address, which could reveal the internal network. */
function notPublic(url: URL): Problem {
  return new Problem(
    'forbidden',
    `${describeOrigin(url)} is not on the public internet, but docsctl sends requests only to public addresses.`,
    { hint: howToAllowPrivate },
  );
}
