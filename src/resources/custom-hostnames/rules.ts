import { parseAddress } from '../../core/addresses.ts';
import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import { dequeue, type JobRequest } from '../../core/jobs.ts';
import { customHostnames, type CustomHostnameRow } from '../../core/rows/custom-hostnames.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { collectRows, getExisting, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';

const kind = 'custom-hostname';

/** Returns the request for a check of the DNS records of a hostname. */
export function checkRequest({ id, organization }: CustomHostnameRow): JobRequest {
  return { kind, organization, subject: id };
}

/** Removes the hostname of a site, and the check that may be waiting. The row of the site is left to the caller. */
export async function removeHostnames(tx: WriteTransaction, site: string): Promise<void> {
  for (const { id } of await collectRows(tx, customHostnames, 'bySite', [site])) {
    await dequeue(tx, kind, id);
    await tx.remove(customHostnames, id);
  }
}

type SiteContext = UrlContext &
  Pick<ResourceScope, 'organization'> & { readonly tx: ReadTransaction; readonly site: SiteRow };

/**
 * Checks that a site can have a hostname. Returns the row if it has it already. The site of another organization is not
 * named.
 *
 * @throws Problem(invalid-input) for an IP address or the host of this server; Problem(conflict) if it is in use
 */
export async function checkHostname(
  { tx, url, site, organization }: SiteContext,
  hostname: string,
): Promise<CustomHostnameRow | undefined> {
  if (parseAddress(hostname) !== undefined)
    throw invalid(
      '/body/hostname',
      `"${hostname}" is an IP address.`,
      'Use a hostname, such as docs.example.com.',
    );
  if (serverHosts(url).includes(hostname))
    throw invalid(
      '/body/hostname',
      `"${hostname}" is the host of this server.`,
      'Use another hostname, whose CNAME record points to it.',
    );
  const existing = await tx.get(customHostnames, hostname);
  if (existing === undefined || existing.site === site.id) return existing;
  if (existing.organization !== organization.id)
    throw new Problem('conflict', `The hostname "${hostname}" is in use on this server.`, {
      hint: 'Choose another hostname, or ask the operator of the server who uses it.',
    });
  const other = await getExisting(tx, sites, existing.site);
  throw new Problem('conflict', `The site "${other.title}" (${other.id}) has the hostname "${hostname}".`, {
    hint: `Remove it there first: \`docsctl custom-hostnames delete ${hostname}\``,
  });
}

/** Returns the host that custom hostnames should lead to: the one at which the server shows sites. */
export function sitesHost(url: UrlContext['url']): string {
  return new URL(url('/sites/')).hostname.toLowerCase();
}

/** Returns the hosts of the server: where it shows sites, and that of its API. No site may have one of them for itself. */
export function serverHosts(url: UrlContext['url']): readonly string[] {
  return [sitesHost(url), new URL(url('/')).hostname.toLowerCase()];
}
