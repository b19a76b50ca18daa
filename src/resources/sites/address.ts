import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import { hashToken } from '../../core/callers.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { Problem } from '../../errors/problem.ts';
import { findOne, type ReadTransaction } from '../../core/store.ts';
import { readTakenSegments, type SiteAddress } from '../site-structure/address.ts';
import { segmentOf } from '../site-structure/paths.ts';
import { shareLinks } from '../site-share-links/rows.ts';

type AddressContext = UrlContext & Pick<ResourceScope, 'organization'>;
type SiteContext = AddressContext & { readonly tx: ReadTransaction; readonly site: SiteRow };

/** Whether a site has a custom hostname that was verified to lead to this server. */
export function hasOwnHost({ hostname, isHostnamePending }: SiteRow): boolean {
  return hostname !== undefined && isHostnamePending !== true;
}

/** Returns the address of a site without its proxy: its own host, or a path of this server. Ends with a slash. */
export function directAddress({ url, organization }: AddressContext, site: SiteRow): string {
  if (hasOwnHost(site)) return `https://${site.hostname}/`;
  return url(`/sites/${segmentOf(organization.hostname)}/${segmentOf(site.basename ?? site.id)}/`);
}

/** Returns the address of a site for readers, published or not. Ends with a slash. */
export function readerAddress(context: AddressContext, site: SiteRow): string {
  return site.proxy === null ? directAddress(context, site) : `https://${site.proxy}/`;
}

/** Returns the address of a published site; undefined if no server shows sites. */
export function shownAddress(context: AddressContext, site: SiteRow): string | undefined {
  const isShown = context.hidesSites !== true || site.proxy !== null || hasOwnHost(site);
  return site.published && isShown ? readerAddress(context, site) : undefined;
}

/** Returns all addresses of a site: of its proxy, its hostname, and the paths of this server. Each ends with a slash. */
export function siteAddresses(context: AddressContext, site: SiteRow): string[] {
  const { url, organization } = context;
  const paths = [site.basename, site.id].flatMap((name) => (name == null ? [] : [segmentOf(name)]));
  return [
    readerAddress(context, site),
    ...(site.hostname === undefined ? [] : [`https://${site.hostname}/`]),
    ...paths.map((name) => url(`/sites/${segmentOf(organization.hostname)}/${name}/`)),
  ];
}

/** Returns the values that the claim `aud` of a visitor token may have for a site. */
export function tokenAudience(context: AddressContext, site: SiteRow): readonly string[] {
  const address = readerAddress(context, site);
  return [site.id, address, address.replace(/\/$/, '')];
}

/** Returns the secret address of a share link. */
export function shareAddress(context: AddressContext, site: SiteRow, key: string): string {
  return `${readerAddress(context, site)}${key}/`;
}

/**
 * Adds the published address of the site to a context, for responses about its structure. It is undefined if the site is not
 * published, if no server shows it, or for a share-link site without the key of an active link.
 */
export async function withAddress<C extends SiteContext>(
  context: C,
  shareKey?: string,
): Promise<C & SiteAddress> {
  const { tx, site } = context;
  const address = await publishedAddress(context, shareKey);
  const hasKey = shareKey !== undefined && address !== undefined && site.visibility === 'share-link';
  return { ...context, address, ...(hasKey ? { shareKey } : {}), taken: await readTakenSegments(tx, site) };
}

async function publishedAddress(
  context: SiteContext,
  shareKey: string | undefined,
): Promise<string | undefined> {
  const { tx, site } = context;
  const address = shownAddress(context, site);
  if (address === undefined || site.visibility !== 'share-link') return address;
  return shareKey !== undefined && (await isActiveKey(tx, site, shareKey))
    ? shareAddress(context, site, shareKey)
    : undefined;
}

/** Checks the key of a share link of a site. @throws Problem(not-found) */
export async function checkShareKey(view: ReadTransaction, site: SiteRow, shareKey?: string): Promise<void> {
  if (site.visibility !== 'share-link' || shareKey === undefined || (await isActiveKey(view, site, shareKey)))
    return;
  throw new Problem('not-found', 'No active share link of the site has this key.', {
    hint: 'Ask for a new share link, or leave the key out.',
  });
}

/** Whether a key belongs to an active share link of a site. */
export async function isActiveKey(view: ReadTransaction, site: SiteRow, shareKey: string): Promise<boolean> {
  const link = await findOne(view, shareLinks, 'byHash', [site.id, hashToken(shareKey)]);
  return link?.active === true;
}
