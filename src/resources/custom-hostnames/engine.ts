import { isPublic, parseAddress } from '../../core/addresses.ts';
import { isoTime } from '../../core/clock.ts';
import type { DnsLookup, HostRecords } from '../../core/dns.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import { customHostnames, type CustomHostnameRow, type DnsCheck } from '../../core/rows/custom-hostnames.ts';
import { sites } from '../../core/rows/sites.ts';
import { Problem } from '../../errors/problem.ts';
import { sitesHost } from './rules.ts';

/** Hours until the next check, if the records are as they should be, and if not. */
const checkHours = { passed: 24, failed: 1 };

type Check = Pick<CustomHostnameRow, 'status'> & { readonly dns: DnsCheck };

/** Looks up whether a custom hostname leads to this server, and makes it the address of its site if it does. */
export const engine: Engine = {
  async run(context) {
    const { job, read, now } = context;
    const row = await read((view) => view.get(customHostnames, job.subject));
    if (row === undefined) return undefined;
    const { dns, status = row.status } = await check(context, row.id);
    const isActive = status === 'dns_passed';
    const hours = isActive && dns.error === undefined ? checkHours.passed : checkHours.failed;
    return {
      async write(tx) {
        // The hostname was set anew meanwhile, which requested another check.
        if ((await tx.get(customHostnames, row.id))?.site !== row.site) return;
        await tx.update(customHostnames, row.id, { dns, ...(status === undefined ? {} : { status }) });
        await tx.update(sites, row.site, { isHostnamePending: !isActive });
      },
      repeatAt: isoTime(Date.parse(now()) + hours * 3_600_000),
    };
  },
};

/** Compares the records of a hostname with those of this server. Without a status, nothing was found out. */
async function check({ lookUpHost, url, now }: JobContext, hostname: string): Promise<Check> {
  const expected = sitesHost(url);
  const dns = { checkedAt: now(), expected, cname: [], addresses: [] };
  if (lookUpHost === undefined) return { dns: { ...dns, error: 'This process asks no name servers.' } };
  if (isThisMachine(expected))
    return {
      dns: {
        ...dns,
        error: `This server shows sites at ${new URL(url('/sites/')).origin}, which no other machine can reach. Set the address with \`docsctl serve --sites-url URL\`.`,
      },
    };
  try {
    const found = await lookUpHost(hostname);
    const status = await judge(found, expected, lookUpHost);
    if (found.isPrivate) return { status, dns: { ...dns, isPrivate: true } };
    return { status, dns: { ...dns, cname: found.cname, addresses: found.addresses } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { dns: { ...dns, error: error.message } };
  }
}

async function judge(
  { cname, addresses }: HostRecords,
  expected: string,
  lookUpHost: DnsLookup,
): Promise<NonNullable<CustomHostnameRow['status']>> {
  if (cname.includes(expected)) return 'dns_passed';
  const own =
    parseAddress(bare(expected)) === undefined ? (await lookUpHost(expected)).addresses : [bare(expected)];
  if (addresses.some((address) => own.includes(address))) return 'dns_passed';
  return cname.length > 0 ? 'dns_wrong_cname' : 'dns_no_cname';
}

/** Whether a host is `localhost` or a loopback address. */
function isThisMachine(host: string): boolean {
  const bytes = parseAddress(bare(host));
  if (bytes === undefined) return /(^|\.)localhost$/.test(host);
  return !isPublic(bytes) && (bytes[0] === 127 || bare(host) === '::1');
}

/** The host of a URL without the brackets of IPv6. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
