import { siteVisibilities } from '../../contract/shapes.ts';
import { defined } from '../../contract/values.ts';
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
  /** The address that everybody can open. Only for a public space. */
  readonly publicAddress?: string;
}

/** A place of a space on a published site. */
interface PublishedPlace {
  readonly site: SiteRow;
  readonly row: SiteSpaceRow;
}

/**
 * Finds out whether published sites show a space, and where. The site with the key counts; without one, that with the widest
 * audience, and of these the first.
 */
export async function publicationOf(
  context: Context,
  space: Pick<SpaceRow, 'id' | 'organization'>,
  shareKey?: string,
): Promise<Publication> {
  const places = await listPlaces(context.tx, space.id);
  const visibility = visibilityIn(places);
  const widest = places.find(({ site }) => site.visibility === visibility);
  if (widest === undefined) return { visibility };
  const open = visibility === 'share-link' ? undefined : await addressOf(context, widest);
  const shared = shareKey === undefined ? undefined : await findShared(context.tx, places, shareKey);
  const address = shared === undefined ? open : await addressOf(context, shared, shareKey);
  return defined({ visibility, address, publicAddress: visibility === 'public' ? open : undefined });
}

/** The place on a site that has a share link with this key. */
async function findShared(
  view: ReadTransaction,
  places: readonly PublishedPlace[],
  shareKey: string,
): Promise<PublishedPlace | undefined> {
  for (const place of places)
    if (place.site.visibility === 'share-link' && (await isActiveKey(view, place.site, shareKey)))
      return place;
  return undefined;
}

/** The widest audience of the published sites that show a space. */
export async function visibilityOf(view: ReadTransaction, space: string): Promise<Publication['visibility']> {
  return visibilityIn(await listPlaces(view, space));
}

async function listPlaces(view: ReadTransaction, space: string): Promise<PublishedPlace[]> {
  const places: PublishedPlace[] = [];
  for (const row of await collectRows(view, siteSpaces, 'bySpace', [space])) {
    const site = await getExisting(view, sites, row.site);
    if (site.published) places.push({ site, row });
  }
  return places;
}

function visibilityIn(places: readonly PublishedPlace[]): Publication['visibility'] {
  return siteVisibilities.find((name) => places.some(({ site }) => site.visibility === name)) ?? 'private';
}

async function addressOf(
  { tx, url }: Context,
  { site, row }: PublishedPlace,
  shareKey?: string,
): Promise<string> {
  const context = { url, organization: await getExisting(tx, organizations, site.organization) };
  const root = shareKey === undefined ? readerAddress(context, site) : shareAddress(context, site, shareKey);
  const section = row.section === null ? undefined : await tx.get(siteSections, row.section);
  return siteSpaceAddress(root, site, section, row);
}
