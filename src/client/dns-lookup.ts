import { isAddressReachable, type AllowList } from './allow-list.ts';
import type { DnsLookup, TextLookup } from '../core/dns.ts';
import { Problem } from '../errors/problem.ts';

/** The used part of a Node.js resolver. Rejects with the error codes of Node.js. */
export interface HostResolver {
  resolveCname(host: string): Promise<readonly string[]>;
  resolve4(host: string): Promise<readonly string[]>;
  resolve6(host: string): Promise<readonly string[]>;
  /** A long text consists of several parts. */
  resolveTxt(host: string): Promise<readonly (readonly string[])[]>;
}

/** The name has no such records, or does not exist. */
const emptyCodes: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND']);
const timeoutCodes: ReadonlySet<unknown> = new Set(['ETIMEOUT', 'ECANCELLED', 'ETIMEDOUT']);

/** Creates a function that resolves hosts with the name servers of this machine. Private addresses are marked. */
export function createDnsLookup({
  allow,
  resolver,
}: {
  allow: AllowList;
  resolver: HostResolver;
}): DnsLookup {
  return async (host) => {
    const [cname, ipv4, ipv6] = await Promise.all([
      recordsOf(host, resolver.resolveCname(host)),
      recordsOf(host, resolver.resolve4(host)),
      recordsOf(host, resolver.resolve6(host)),
    ]);
    const addresses = [...ipv4, ...ipv6];
    return {
      cname: cname.map((name) => name.toLowerCase().replace(/\.$/, '')),
      addresses,
      isPrivate: !addresses.every((address) => isAddressReachable(allow, address)),
    };
  };
}

/** Creates a function that looks up TXT records with the name servers of this machine. */
export function createTextLookup(resolver: Pick<HostResolver, 'resolveTxt'>): TextLookup {
  return async (name) => (await recordsOf(name, resolver.resolveTxt(name))).map((parts) => parts.join(''));
}

async function recordsOf<T>(host: string, answer: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (emptyCodes.has(code)) return [];
    throw timeoutCodes.has(code)
      ? new Problem('timed-out', `The name server did not answer in time for "${host}".`)
      : new Problem('unreachable', `The name server could not answer for "${host}" (${String(code)}).`);
  }
}

/** Returns a resolver that makes two attempts of at most 5 seconds. */
export async function systemResolver(): Promise<HostResolver> {
  const { Resolver } = await import('node:dns/promises');
  return new Resolver({ timeout: 5000, tries: 2 });
}
