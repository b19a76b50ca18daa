import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { siteExternalLinks, type SiteExternalLinkRow } from '../site-external-links/rows.ts';
import { siteSections, type SiteSectionRow } from '../site-sections/rows.ts';
import { siteSectionGroups, type SiteSectionGroupRow } from '../site-section-groups/rows.ts';

export type LevelItem =
  | { readonly type: 'site-section'; readonly row: SiteSectionRow }
  | { readonly type: 'site-section-group'; readonly row: SiteSectionGroupRow }
  | { readonly type: 'site-external-link'; readonly row: SiteExternalLinkRow };

/** Returns the sections, groups and external links of a group, or of the root for null, in their common order. */
export async function sectionLevel(
  view: ReadTransaction,
  site: string,
  parent: string | null,
): Promise<LevelItem[]> {
  const sections = await collectRows(view, siteSections, 'byParent', [site, parent]);
  const groups = await collectRows(view, siteSectionGroups, 'byParent', [site, parent]);
  const links = await collectRows(view, siteExternalLinks, 'byParent', [site, parent]);
  return [
    ...sections.map((row) => ({ type: 'site-section', row }) as const),
    ...groups.map((row) => ({ type: 'site-section-group', row }) as const),
    ...links.map((row) => ({ type: 'site-external-link', row }) as const),
  ].sort((one, other) => (one.row.position < other.row.position ? -1 : 1));
}

/** Returns the spaces of a section, or of the root for null, in their order. */
export function siteSpaceLevel(
  view: ReadTransaction,
  site: string,
  section: string | null,
): Promise<SiteSpaceRow[]> {
  return collectRows(view, siteSpaces, 'bySection', [site, section]);
}

/** Returns the first section in reading order, at any depth, excluding removed ones; undefined if there is none. */
export async function firstSection(
  view: ReadTransaction,
  site: string,
  parent: string | null = null,
  isGone: (id: string) => boolean = () => false,
): Promise<SiteSectionRow | undefined> {
  for (const item of await sectionLevel(view, site, parent)) {
    if (item.type === 'site-external-link' || isGone(item.row.id)) continue;
    const found =
      item.type === 'site-section' ? item.row : await firstSection(view, site, item.row.id, isGone);
    if (found !== undefined) return found;
  }
  return undefined;
}
