import { decodePercent } from '../contract/values.ts';
import { customHostnames } from '../core/rows/custom-hostnames.ts';
import { organizations, type OrganizationRow } from '../core/rows/organizations.ts';
import { sites, type SiteRow } from '../core/rows/sites.ts';
import { findOne, type ReadTransaction } from '../core/store.ts';
import { hasOwnHost } from '../resources/sites/address.ts';
import type { SiteRequest } from './site-request.ts';

/** A published site, and the part of a request's path that is below it. */
export interface LocatedSite {
  readonly site: SiteRow;
  readonly organization: OrganizationRow;
  /** The path at which the request found the site. Ends with a slash. */
  readonly base: string;
  /** The path without the proxy of the site, if `base` is the path of the proxy. */
  readonly directBase?: string;
  /** Decoded segments after the base. */
  readonly segments: readonly string[];
}

/**
 * Finds the published site that a request is for: the one with the hostname, or else the one that the path names
 * (`/sites/ORGANIZATION/SITE/…`, with the basename or the ID of the site).
 */
export async function locateSite(
  view: ReadTransaction,
  { host, path }: Pick<SiteRequest, 'host' | 'path'>,
): Promise<LocatedSite | undefined> {
  const found = await findSite(view, { host, path });
  return found?.site.published === true ? found : undefined;
}

/** Finds the site for a request like `locateSite`, but it need not be published. */
export async function findSite(
  view: ReadTransaction,
  { host, path }: Pick<SiteRequest, 'host' | 'path'>,
): Promise<LocatedSite | undefined> {
  const [, ...encoded] = path.split('/');
  const segments = encoded.map(decodePercent);
  if (!path.startsWith('/') || !segments.every((segment) => segment !== undefined)) return undefined;
  const own = await siteWithHost(view, host);
  if (own !== undefined) return locate(view, own, '/', segments);
  const [prefix, hostname = '', name = '', ...rest] = segments;
  if (prefix !== 'sites') return undefined;
  const organization = await findOne(view, organizations, 'byHostname', [hostname.toLowerCase()]);
  if (organization === undefined) return undefined;
  const called = (basename: string): Promise<SiteRow | undefined> =>
    findOne(view, sites, 'byBasename', [organization.id, basename]);
  const site = (await called(name)) ?? (await called(name.toLowerCase())) ?? (await view.get(sites, name));
  return site?.organization === organization.id
    ? locate(view, site, `/sites/${encoded[1]}/${encoded[2]}/`, rest)
    : undefined;
}

/**
 * Finds the published site for the address of an organization, `/sites/ORGANIZATION/`: its default content or, if it has none,
 * its only public site. If the store has a single organization, this also applies to `/`.
 */
export async function findDefaultSite(
  view: ReadTransaction,
  path: string,
): Promise<Pick<LocatedSite, 'site' | 'organization'> | undefined> {
  const [isMatch, encoded = ''] = /^\/(?:sites\/([^/]+)\/?)?$/.exec(path) ?? [];
  const hostname = decodePercent(encoded)?.toLowerCase() ?? '';
  const [organization, other] =
    isMatch === undefined
      ? []
      : hostname === ''
        ? await view.find(organizations, { index: 'all', equals: [], limit: 2 })
        : [await findOne(view, organizations, 'byHostname', [hostname])];
  if (organization === undefined || other !== undefined) return undefined;
  const id = organization.defaultContent?.site;
  const site = id === undefined ? await findOnlyPublic(view, organization.id) : await view.get(sites, id);
  // The address of a site with share links needs a key.
  const isShown = site?.published === true && site.visibility !== 'share-link';
  return isShown ? { site, organization } : undefined;
}

/** Returns the public site of an organization if it is the only one. */
async function findOnlyPublic(view: ReadTransaction, organization: string): Promise<SiteRow | undefined> {
  const rows = await view.find(sites, { index: 'byOrganization', equals: [organization], limit: 100 });
  const [site, other] = rows.filter(({ published, visibility }) => published && visibility === 'public');
  return other === undefined && rows.length < 100 ? site : undefined;
}

/** Finds the site with a custom hostname. */
async function siteWithHost(view: ReadTransaction, host: string): Promise<SiteRow | undefined> {
  const hostname = host.replace(/:\d+$/, '').toLowerCase();
  const row = hostname === '' ? undefined : await view.get(customHostnames, hostname);
  const site = row === undefined ? undefined : await view.get(sites, row.site);
  return site?.hostname === hostname && hasOwnHost(site) ? site : undefined;
}

async function locate(
  view: ReadTransaction,
  site: SiteRow,
  base: string,
  segments: readonly string[],
): Promise<LocatedSite | undefined> {
  const organization = await view.get(organizations, site.organization);
  // Empty segments, from double slashes or a slash at the end, do not count.
  return organization && { site, organization, base, segments: segments.filter((segment) => segment !== '') };
}
