import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import { hashToken } from '../../core/callers.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { findOne, type ReadTransaction } from '../../core/store.ts';
import { segmentOf } from '../site-structure/paths.ts';
import { shareLinks } from '../site-share-links/rows.ts';

type AddressContext = UrlContext & Pick<ResourceScope, 'organization'>;

/** Where a site answers without its proxy: its own host, or a path of this server. Ends with a slash. */
export function directAddress({ url, organization }: AddressContext, site: SiteRow): string {
  if (site.hostname !== undefined) return `https://${site.hostname}/`;
  return url(`/sites/${segmentOf(organization.hostname)}/${segmentOf(site.basename ?? site.id)}/`);
}

/** Where readers find a site, published or not. Ends with a slash. */
export function readerAddress(context: AddressContext, site: SiteRow): string {
  return site.proxy === null ? directAddress(context, site) : `https://${site.proxy}/`;
}

/** Where the secret address of a share link leads. */
export function shareAddress(context: AddressContext, site: SiteRow, key: string): string {
  return `${readerAddress(context, site)}${key}/`;
}

/** The published address, if there is one to tell: that of a share-link site takes the key of an active link. */
export async function publishedAddress(
  context: AddressContext & { readonly tx: ReadTransaction },
  site: SiteRow,
  shareKey: string | undefined,
): Promise<string | undefined> {
  if (!site.published) return undefined;
  if (site.visibility !== 'share-link') return readerAddress(context, site);
  return shareKey !== undefined && (await isActiveKey(context.tx, site, shareKey))
    ? shareAddress(context, site, shareKey)
    : undefined;
}

/** Whether a key is that of an active share link of this site. */
export async function isActiveKey(view: ReadTransaction, site: SiteRow, shareKey: string): Promise<boolean> {
  const link = await findOne(view, shareLinks, 'byHash', [site.id, hashToken(shareKey)]);
  return link?.active === true;
}
