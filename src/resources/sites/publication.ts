import { contentVisibilities } from '../../contract/shapes.ts';
import type { UrlContext } from '../../core/handler.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, getExisting, type ReadTransaction } from '../../core/store.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSpaceAddress } from '../site-structure/address.ts';
import { isActiveKey, readerAddress, shareAddress } from './address.ts';

type Context = UrlContext & { readonly tx: ReadTransaction };

/** Who can read a space, and where. */
export interface Publication {
  /** The widest audience of the published sites that show the space; `private` where none does. */
  readonly visibility: SiteRow['visibility'] | 'private';
  /** Ends with a slash. Absent for a private space, and for share links without the key of an active one. */
  readonly address?: string;
}

/** Finds out whether published sites show a space. The site with the widest audience counts, and of these the first. */
export async function publicationOf(
  context: Context,
  space: Pick<SpaceRow, 'id' | 'organization'>,
  shareKey?: string,
): Promise<Publication> {
  const { tx } = context;
  const widest = await findWidest(tx, space.id);
  if (widest === undefined) return { visibility: 'private' };
  const { site, row } = widest;
  const root = await rootOf(context, site, shareKey);
  if (root === undefined) return { visibility: site.visibility };
  const section = row.section === null ? undefined : await tx.get(siteSections, row.section);
  return { visibility: site.visibility, address: siteSpaceAddress(root, site, section, row) };
}

/** The widest audience of the published sites that show a space. */
export async function visibilityOf(view: ReadTransaction, space: string): Promise<Publication['visibility']> {
  return (await findWidest(view, space))?.site.visibility ?? 'private';
}

async function findWidest(
  view: ReadTransaction,
  space: string,
): Promise<{ readonly site: SiteRow; readonly row: SiteSpaceRow } | undefined> {
  let widest: { readonly site: SiteRow; readonly row: SiteSpaceRow } | undefined;
  for (const row of await collectRows(view, siteSpaces, 'bySpace', [space])) {
    const site = await getExisting(view, sites, row.site);
    if (site.published && (widest === undefined || isWider(site, widest.site))) widest = { site, row };
  }
  return widest;
}

function isWider(one: SiteRow, other: SiteRow): boolean {
  const rank = ({ visibility }: SiteRow) => contentVisibilities.indexOf(visibility);
  return rank(one) < rank(other);
}

async function rootOf({ tx, url }: Context, site: SiteRow, shareKey?: string): Promise<string | undefined> {
  const context = { url, organization: await getExisting(tx, organizations, site.organization) };
  if (site.visibility !== 'share-link') return readerAddress(context, site);
  return shareKey !== undefined && (await isActiveKey(tx, site, shareKey))
    ? shareAddress(context, site, shareKey)
    : undefined;
}
