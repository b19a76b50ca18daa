import { parseUrl } from '../../contract/parse-url.ts';
import { parseAddress } from '../../core/addresses.ts';
import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import { dequeue, enqueue, type JobRequest } from '../../core/jobs.ts';
import { customHostnames, type CustomHostnameRow } from '../../core/rows/custom-hostnames.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { collectRows, getExisting, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { claimId, hostnameOf, isProof } from './proof.ts';

const kind = 'custom-hostname';

/** Returns the job request that checks the DNS records of a hostname. */
export function checkRequest({ id, organization }: CustomHostnameRow): JobRequest {
  return { kind, organization, subject: id };
}

/** Removes the hostname of a site, and a queued check. Does not change the row of the site. */
export async function removeHostnames(tx: WriteTransaction, site: string): Promise<void> {
  for (const { id } of await collectRows(tx, customHostnames, 'bySite', [site])) await removeHostname(tx, id);
}

async function removeHostname(tx: WriteTransaction, id: string): Promise<void> {
  await dequeue(tx, kind, id);
  await tx.remove(customHostnames, id);
}

/**
 * Stores the result of a check, and returns the new row. An organization that proves a hostname takes it over from one without a
 * proof, which then has to prove it in turn. `texts` are the TXT records that were read now; none if the name servers did not
 * answer.
 */
export async function keepCheck(
  tx: WriteTransaction,
  now: string,
  row: CustomHostnameRow,
  texts: readonly string[],
): Promise<CustomHostnameRow> {
  const { id, status, proof, dns } = row;
  if (row.hostname === undefined) return tx.update(customHostnames, id, { status, proof, dns });
  const holder = await tx.get(customHostnames, row.hostname);
  const isProvenBy = (organization: string) => isProof(texts, row.hostname ?? '', organization);
  if (holder !== undefined && (!isProvenBy(row.organization) || isProvenBy(holder.organization)))
    return tx.update(customHostnames, id, { status, proof, dns });
  if (holder !== undefined) {
    await removeHostname(tx, holder.id);
    const waiting = {
      ...holder,
      id: claimId(holder.id, holder.organization),
      hostname: holder.id,
      proof: 'missing',
    } as const;
    await tx.insert(customHostnames, waiting);
    await tx.update(sites, holder.site, { isHostnamePending: true });
    await enqueue(tx, now, checkRequest(waiting));
  }
  await tx.remove(customHostnames, id);
  const { hostname, ...rest } = row;
  const own = { ...rest, id: hostname };
  await tx.insert(customHostnames, own);
  await enqueue(tx, now, checkRequest(own));
  return own;
}

type SiteContext = UrlContext &
  Pick<ResourceScope, 'organization'> & { readonly tx: ReadTransaction; readonly site: SiteRow };

/**
 * Checks that a site can have a hostname. Returns the row if the site already has it; otherwise the ID of a new row. This ID
 * differs from the hostname if another organization has it. The other organization's site is not revealed.
 *
 * @throws Problem(invalid-input) for an IP address, a name that no address can have, or the host of this server;
 * Problem(conflict) if another site of the organization has it
 */
export async function checkHostname(
  { tx, url, site, organization }: SiteContext,
  hostname: string,
): Promise<{ existing?: CustomHostnameRow; id: string }> {
  if (parseAddress(hostname) !== undefined)
    throw invalid(
      '/body/hostname',
      `"${hostname}" is an IP address.`,
      'Use a hostname, such as docs.example.com.',
    );
  // In a URL, some names become an IP address, such as 1.1.1.0x1, and others are refused, such as xn--a.example.com.
  if (parseUrl(`https://${hostname}/`)?.hostname !== hostname)
    throw invalid(
      '/body/hostname',
      `Browsers cannot open "${hostname}".`,
      'Use a hostname, such as docs.example.com. Write letters such as "ü" in Punycode.',
    );
  if (serverHosts(url).includes(hostname))
    throw invalid(
      '/body/hostname',
      `"${hostname}" is the host of this server.`,
      'Use another hostname, whose CNAME record points to it.',
    );
  const holder = await tx.get(customHostnames, hostname);
  if (holder === undefined) return { id: hostname };
  const id = holder.organization === organization.id ? hostname : claimId(hostname, organization.id);
  const existing = id === hostname ? holder : await tx.get(customHostnames, id);
  if (existing === undefined) return { id };
  if (existing.site === site.id) return { existing, id };
  const other = await getExisting(tx, sites, existing.site);
  throw new Problem(
    'conflict',
    `The site "${other.title}" (${other.id}) already has the hostname "${hostname}".`,
    {
      hint: `Remove it there first: \`docsctl custom-hostnames delete ${hostnameOf(existing)}\``,
    },
  );
}

/** Returns the host that custom hostnames should lead to: the host at which the server shows sites. */
export function sitesHost(url: UrlContext['url']): string {
  return new URL(url('/sites/')).hostname.toLowerCase();
}

/** Returns the hosts of the server: the host of sites and the host of the API. No site may use them. */
export function serverHosts(url: UrlContext['url']): readonly string[] {
  return [sitesHost(url), new URL(url('/')).hostname.toLowerCase()];
}
