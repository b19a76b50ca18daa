import type { SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { decodePercent } from '../../contract/values.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { siteSections, type SiteSectionRow } from '../site-sections/rows.ts';
import { segmentOf } from './paths.ts';

/**
 * Returns the address segment of an item of a site. By default it is derived from the item's path; previews of structure changes
 * use other segments.
 */
type SegmentOf = (item: Item) => string;

/** A section or site space. */
interface Item {
  readonly id: string;
  readonly path: string;
}

/** The published address of a site, which may be unknown, and the segments below it that belong to sections. */
export interface SiteAddress {
  readonly address: string | undefined;
  /** The key of a share link, if the address contains one. */
  readonly shareKey?: string;
  /** See `takenSegments`. */
  readonly taken: ReadonlySet<string>;
}

const ownSegment: SegmentOf = ({ path }) => segmentOf(path);

/** Returns the address of a section below the address of its site. The default section has no segment. Ends with a slash. */
export function sectionAddress(
  root: string,
  site: Pick<SiteRow, 'defaultSection'>,
  section: Item,
  segment = ownSegment,
): string {
  return section.id === site.defaultSection ? root : `${root}${segment(section)}/`;
}

/** Returns the segments that sections other than the default one have at the root of their site. */
export function takenSegments(
  sections: readonly Item[],
  { defaultSection }: Pick<SiteRow, 'defaultSection'>,
  segment = ownSegment,
): ReadonlySet<string> {
  return new Set(sections.filter(({ id }) => id !== defaultSection).map((row) => comparable(segment(row))));
}

/** Reads the sections of a site and returns their `takenSegments`. */
export async function readTakenSegments(view: ReadTransaction, site: SiteRow): Promise<ReadonlySet<string>> {
  const hasSections = site.defaultSection !== null;
  return takenSegments(hasSections ? await collectRows(view, siteSections, 'bySite', [site.id]) : [], site);
}

/**
 * Returns the address of a site space below the address of its site. Defaults have no segment, except that the default section
 * has one where a space in it would have the address of another section. Ends with a slash.
 */
export function siteSpaceAddress(
  root: string,
  site: Pick<SiteRow, 'defaultSection' | 'defaultSiteSpace'>,
  section: (Item & Pick<SiteSectionRow, 'defaultSiteSpace'>) | undefined,
  row: Item,
  taken: ReadonlySet<string>,
  segment = ownSegment,
): string {
  const base = section === undefined ? root : sectionAddress(root, site, section, segment);
  if (row.id === (section ?? site).defaultSiteSpace) return base;
  const own = segment(row);
  const isTaken = section !== undefined && base === root && taken.has(comparable(own));
  return `${isTaken ? `${base}${segment(section)}/` : base}${own}/`;
}

/** Returns the path of a site space below the address of its site, from answers of the API. Starts and ends with a slash. */
export function siteSpacePath(
  sections: readonly (Item & { default: boolean })[],
  section: Item | undefined,
  row: Item & { default: boolean },
  segment = ownSegment,
): string {
  const defaultSiteSpace = row.default ? row.id : '';
  const site = { defaultSection: sections.find((one) => one.default)?.id ?? null, defaultSiteSpace };
  const within = section && { ...section, defaultSiteSpace };
  return siteSpaceAddress('/', site, within, row, takenSegments(sections, site, segment), segment);
}

/** Returns the address of a site space. It reads its section, and the other sections only if their paths matter. */
export async function findSiteSpaceAddress(
  view: ReadTransaction,
  root: string,
  site: SiteRow,
  row: SiteSpaceRow,
  known?: ReadonlySet<string>,
): Promise<string> {
  const section = row.section === null ? undefined : await view.get(siteSections, row.section);
  const matter = section?.id === site.defaultSection && section?.defaultSiteSpace !== row.id;
  const taken = known ?? (matter ? await readTakenSegments(view, site) : new Set<string>());
  return siteSpaceAddress(root, site, section, row, taken);
}

function comparable(segment: string): string {
  return (decodePercent(segment) ?? segment).toLowerCase();
}
