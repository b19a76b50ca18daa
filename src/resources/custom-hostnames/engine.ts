import { defined } from '../../contract/values.ts';
import { isPublic, parseAddress } from '../../core/addresses.ts';
import { addTime, hour } from '../../core/clock.ts';
import type { DnsLookup, HostRecords } from '../../core/dns.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import { customHostnames, type CustomHostnameRow, type DnsCheck } from '../../core/rows/custom-hostnames.ts';
import { sites } from '../../core/rows/sites.ts';
import { Problem } from '../../errors/problem.ts';
import { hostnameOf, isActive, isProof, proofRecord, trustsHostnames } from './proof.ts';
import { keepCheck, sitesHost } from './rules.ts';

/** Hours until the next check, if the records are correct, and if not. */
const checkHours = { passed: 24, failed: 1 };

/** The result of a DNS check. Without a status, the name servers did not answer. */
type Check = Pick<CustomHostnameRow, 'status' | 'proof'> & {
  readonly dns: DnsCheck;
  /** The TXT records that prove who may use the hostname; absent if they were not queried. */
  readonly texts?: readonly string[];
};

/**
 * Checks whether a custom hostname leads to this server and whether the organization may use it. If both are true, it becomes the
 * address of its site.
 */
export const engine: Engine = {
  async run(context) {
    const { job, read, now } = context;
    const row = await read((view) => view.get(customHostnames, job.subject));
    if (row === undefined) return undefined;
    const { texts = [], ...found } = await check(context, row);
    const checked = { ...row, ...found };
    const isDone = isActive(checked) && found.dns.error === undefined;
    return {
      async write(tx) {
        // The hostname was set again meanwhile, which requested another check.
        if ((await tx.get(customHostnames, row.id))?.site !== row.site) return;
        const kept = await keepCheck(tx, now(), checked, texts);
        await tx.update(sites, row.site, { isHostnamePending: !isActive(kept) });
      },
      repeatAt: addTime(now(), (isDone ? checkHours.passed : checkHours.failed) * hour),
    };
  },
};

/** Queries the name servers for a hostname: whether it leads to this server, and whether its organization may use it. */
async function check(context: JobContext, row: CustomHostnameRow): Promise<Check> {
  const { lookUpHost, lookUpText, url, now, read, env } = context;
  const hostname = hostnameOf(row);
  const expected = sitesHost(url);
  const dns = { checkedAt: now(), expected, cname: [], addresses: [] };
  if (lookUpHost === undefined) return { dns: { ...dns, error: 'This process cannot look up DNS records.' } };
  if (isThisMachine(expected))
    return {
      dns: {
        ...dns,
        error:
          'No server shows the sites of this store where other machines can reach them. Start one with `docsctl serve --sites-port 8081 --sites-url URL`, and give the URL that readers use.',
      },
    };
  try {
    const isTrusting = row.hostname === undefined && (await read((view) => trustsHostnames(view, env)));
    const found = await lookUpHost(hostname);
    const status = await judge(found, expected, lookUpHost);
    const texts = isTrusting ? undefined : ((await lookUpText?.(proofRecord(hostname, '').name)) ?? []);
    return {
      status,
      proof: proofOf(row, status, texts),
      dns: found.isPrivate
        ? { ...dns, isPrivate: true }
        : { ...dns, cname: found.cname, addresses: found.addresses },
      ...defined({ texts }),
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { dns: { ...dns, error: error.message } };
  }
}

/** Returns the new state of the proof for a hostname, after its TXT records were read, or were not queried. */
function proofOf(
  row: CustomHostnameRow,
  status: NonNullable<CustomHostnameRow['status']>,
  texts: readonly string[] | undefined,
): CustomHostnameRow['proof'] {
  const { organization, proof } = row;
  // Once the records were found, they may be removed. The hostname is lost only to another organization that has one.
  if (proof === 'found' || isProof(texts ?? [], hostnameOf(row), organization)) return 'found';
  // Hostnames that were active before proofs were required stay active.
  if (proof === 'trusted' || (proof === undefined && row.status === 'dns_passed')) return 'trusted';
  if (texts !== undefined) return 'missing';
  return status === 'dns_passed' ? 'trusted' : undefined;
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

/** Returns the host of a URL without the brackets of IPv6. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
