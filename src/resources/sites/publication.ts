import { siteVisibilities } from '../../contract/shapes.ts';
import { defined, groupBy } from '../../contract/values.ts';
import type { UrlContext } from '../../core/handler.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, getExisting, type ReadTransaction } from '../../core/store.ts';
import { findSiteSpaceAddress } from '../site-structure/address.ts';
import { isActiveKey, shareAddress, shownAddress } from './address.ts';

/** The context for reading a publication. `places` is for lists: see `readPlaces`. `taken` is that of `site`. */
export type PublicationContext = UrlContext & {
  readonly tx: ReadTransaction;
  readonly places?: Places | undefined;
  readonly site?: SiteRow;
  readonly taken?: ReadonlySet<string>;
};

/** The places of spaces on published sites, by the ID of the space. */
type Places = ReadonlyMap<string, readonly PublishedPlace[]>;

/** The visibility of a space on published sites, and its address. */
export interface Publication {
  /** The visibility of the published site with the widest audience that shows the space; `private` if there is none. */
  readonly visibility: SiteRow['visibility'] | 'private';
  /** Ends with a slash. Absent for a private space, if no server shows the site, and for share links without an active key. */
  readonly address?: string;
  /** The address that everybody can open. Only for a public space. */
  readonly publicAddress?: string;
}

interface PublishedPlace {
  readonly site: SiteRow;
  readonly row: SiteSpaceRow;
}

/**
 * Returns whether and where published sites show a space. Uses the site of the share key; without a key, the first site with the
 * widest audience.
 */
export async function publicationOf(
  context: PublicationContext,
  space: Pick<SpaceRow, 'id' | 'organization'>,
  shareKey?: string,
): Promise<Publication> {
  const places =
    context.places === undefined
      ? await listPlaces(context.tx, space.id)
      : (context.places.get(space.id) ?? []);
  const visibility = visibilityIn(places);
  const widest = places.find(({ site }) => site.visibility === visibility);
  if (widest === undefined) return { visibility };
  const open = visibility === 'share-link' ? undefined : await addressOf(context, widest);
  const shared = shareKey === undefined ? undefined : await findShared(context.tx, places, shareKey);
  const address = shared === undefined ? open : await addressOf(context, shared, shareKey);
  return defined({ visibility, address, publicAddress: visibility === 'public' ? open : undefined });
}

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

/** Returns the widest visibility among the published sites that show a space. */
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

/**
 * Maximum numbers of sites and site spaces that are read at once for a list. If there are more, each space of the list is looked
 * up individually.
 */
const [maxSites, maxSiteSpaces] = [20, 200];

/**
 * Reads the places of all spaces of an organization, for lists of many spaces. Returns undefined if the organization has so many
 * sites that looking up each space is faster.
 */
export async function readPlaces(view: ReadTransaction, organization: string): Promise<Places | undefined> {
  const found = await view.find(sites, {
    index: 'byOrganization',
    equals: [organization],
    limit: maxSites + 1,
  });
  const published = found.filter((site) => site.published);
  const total = published.reduce((sum, site) => sum + site.siteSpaces, 0);
  if (found.length > maxSites || total > maxSiteSpaces) return undefined;
  const places: PublishedPlace[] = [];
  for (const site of published)
    for (const row of await collectRows(view, siteSpaces, 'bySite', [site.id])) places.push({ site, row });
  // The same order as in the index of site spaces by space.
  return groupBy(
    places.toSorted(({ row: one }, { row: other }) => (one.id < other.id ? -1 : 1)),
    ({ row }) => row.space,
  );
}

function visibilityIn(places: readonly PublishedPlace[]): Publication['visibility'] {
  return siteVisibilities.find((name) => places.some(({ site }) => site.visibility === name)) ?? 'private';
}

async function addressOf(
  { tx, url, hidesSites, ...known }: PublicationContext,
  { site, row }: PublishedPlace,
  shareKey?: string,
): Promise<string | undefined> {
  const organization = await getExisting(tx, organizations, site.organization);
  const context = { url, organization, ...defined({ hidesSites }) };
  const address = shownAddress(context, site);
  if (address === undefined) return undefined;
  const root = shareKey === undefined ? address : shareAddress(context, site, shareKey);
  return findSiteSpaceAddress(tx, root, site, row, known.site?.id === site.id ? known.taken : undefined);
}
