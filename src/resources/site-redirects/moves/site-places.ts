import { comparable } from '../../../core/redirect-paths.ts';
import type { SiteRow } from '../../../core/rows/sites.ts';
import { siteSpaces } from '../../../core/rows/site-spaces.ts';
import { spaces } from '../../../core/rows/spaces.ts';
import { collectRows, type ReadTransaction } from '../../../core/store.ts';
import { siteSections } from '../../site-sections/rows.ts';
import { siteSpaceAddress, takenSegments } from '../../site-structure/address.ts';
import { firstSection } from '../../site-structure/levels.ts';
import { isReservedPath, segmentOf } from '../../site-structure/paths.ts';
import type { StructureChange } from '../../sites/published-spaces.ts';
import type { RedirectDestination } from '../rows.ts';
import type { AddressReader } from './page-addresses.ts';

/** The place of a space on a site, and the content that the site shows there. */
export interface SitePlace {
  /** ID of the site space. */
  readonly id: string;
  readonly space: string;
  /** ID of its section; null at the root of the site. */
  readonly section: string | null;
  /** The path of the space on the site. Starts and ends with a slash. */
  readonly base: string;
  readonly revision: string;
}

/** Planned changes of a site: other revisions of spaces (undefined for deleted ones), and changes of its structure. */
interface PlannedSite {
  readonly revisions?: ReadonlyMap<string, string | undefined>;
  readonly structure?: ReadonlyMap<string, StructureChange>;
}

/** Returns the places of the spaces of a site, with planned changes applied. */
export async function readPlaces(
  view: ReadTransaction,
  site: SiteRow,
  { revisions = new Map(), structure = new Map() }: PlannedSite = {},
): Promise<SitePlace[]> {
  const isGone = (id: string) => structure.get(id)?.deleted === true;
  const segment = ({ id, path }: { id: string; path: string }) => segmentOf(structure.get(id)?.path ?? path);
  const sections = new Map(
    (await collectRows(view, siteSections, 'bySite', [site.id])).map((row) => [row.id, row] as const),
  );
  const places: SitePlace[] = [];
  if (isGone(site.id)) return places;
  const rows = await collectRows(view, siteSpaces, 'bySite', [site.id]);
  /**
   * Returns the default in a section or at the root of the site. If it is deleted, the first remaining one becomes the default.
   */
  const firstIn = <T extends string | null>(section: string | null, now: T): T | string => {
    const level = rows.filter((row) => row.section === section && !isGone(row.id));
    const stated = level.find(({ id }) => structure.get(id)?.default === true);
    if (stated !== undefined || now === null || !isGone(now)) return stated?.id ?? now;
    return level.sort((one, other) => (one.position < other.position ? -1 : 1))[0]?.id ?? now;
  };
  const first =
    site.defaultSection !== null && isGone(site.defaultSection)
      ? ((await firstSection(view, site.id, null, isGone))?.id ?? null)
      : site.defaultSection;
  const shown = {
    defaultSection:
      [...sections.keys()].find((id) => structure.get(id)?.default === true && !isGone(id)) ?? first,
    defaultSiteSpace: firstIn(null, site.defaultSiteSpace),
  };
  const remaining = [...sections.values()].filter(({ id }) => !isGone(id));
  const taken = takenSegments(remaining, shown, segment);
  for (const row of rows) {
    const found = row.section === null ? undefined : sections.get(row.section);
    const section = found && { ...found, defaultSiteSpace: firstIn(found.id, found.defaultSiteSpace) };
    if (isGone(row.id) || (section !== undefined && isGone(section.id))) continue;
    const space = await view.get(spaces, row.space);
    const revision = revisions.has(row.space) ? revisions.get(row.space) : space?.revision;
    if (space?.state !== 'live' || revision === undefined) continue;
    const base = siteSpaceAddress('/', shown, section, row, taken, segment);
    places.push({ id: row.id, space: row.space, section: row.section, base, revision });
  }
  return places;
}

/** Finds the space to which a path belongs: the one whose path is the longest match. */
export function placeAt(places: readonly SitePlace[], path: string): SitePlace | undefined {
  const key = keyOf(path);
  return places
    .filter(({ base }) => key.startsWith(comparable(base)))
    .sort((one, other) => other.base.length - one.base.length)[0];
}

/** Finds the page that a site has at a path. */
export async function pageAt(
  places: readonly SitePlace[],
  path: string,
  readAddresses: AddressReader,
): Promise<{ place: SitePlace; page: string } | undefined> {
  const place = placeAt(places, path);
  if (place === undefined) return undefined;
  const rest = keyOf(path).slice(comparable(place.base).length).replace(/\/$/, '');
  const page = (await readAddresses(place.revision)).byPath.get(rest);
  return page === undefined ? undefined : { place, page };
}

/** Whether a site itself answers at a path, such as /llms.txt, whatever its pages and redirects are. */
export function isOwnPath(places: readonly SitePlace[], path: string): boolean {
  const key = comparable(path);
  if (isReservedPath(key.slice(1))) return true;
  const place = placeAt(places, path);
  return place !== undefined && isReservedPath(key.slice(comparable(place.base).length), { inSpace: true });
}

function keyOf(path: string): string {
  return `${comparable(path).replace(/\/$/, '')}/`;
}

/** Whether the destination of a redirect exists on a site. */
export async function leadsSomewhere(
  destination: RedirectDestination,
  places: readonly SitePlace[],
  read: AddressReader,
): Promise<boolean> {
  if (destination.kind === 'external') return true;
  if (destination.kind === 'site-section')
    return places.some(({ section }) => section === destination.siteSectionId);
  const place = places.find(({ id }) => id === destination.siteSpaceId);
  if (place === undefined || destination.kind === 'site-space') return place !== undefined;
  return (await read(place.revision)).byId.has(destination.pageId);
}
