import type { SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { SiteSectionRow } from '../site-sections/rows.ts';
import { segmentOf } from './paths.ts';

/**
 * Returns the address segment of an item of a site. By default it is derived from the item's path; previews of structure changes
 * use other segments.
 */
type SegmentOf = (item: { readonly id: string; readonly path: string }) => string;

const ownSegment: SegmentOf = ({ path }) => segmentOf(path);

/** Returns the address of a section below the address of its site. The default section has no segment. Ends with a slash. */
export function sectionAddress(
  root: string,
  site: Pick<SiteRow, 'defaultSection'>,
  section: SiteSectionRow,
  segment = ownSegment,
): string {
  return section.id === site.defaultSection ? root : `${root}${segment(section)}/`;
}

/** Returns the address of a site space below the address of its site. Defaults have no segment. Ends with a slash. */
export function siteSpaceAddress(
  root: string,
  site: Pick<SiteRow, 'defaultSection' | 'defaultSiteSpace'>,
  section: SiteSectionRow | undefined,
  row: SiteSpaceRow,
  segment = ownSegment,
): string {
  const base = section === undefined ? root : sectionAddress(root, site, section, segment);
  return row.id === (section ?? site).defaultSiteSpace ? base : `${base}${segment(row)}/`;
}
