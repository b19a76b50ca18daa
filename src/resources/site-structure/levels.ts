import { eachRow, type ReadTransaction } from '../../core/store.ts';
import { siteSpaces, type SiteSpaceRow } from '../site-spaces/rows.ts';
import { siteSections, type SiteSectionRow } from '../site-sections/rows.ts';
import { siteSectionGroups, type SiteSectionGroupRow } from '../site-section-groups/rows.ts';

export type LevelItem =
  | { readonly type: 'site-section'; readonly row: SiteSectionRow }
  | { readonly type: 'site-section-group'; readonly row: SiteSectionGroupRow };

/** The sections and groups in a group, or at the root for null, in their common order. */
export async function sectionLevel(
  view: ReadTransaction,
  site: string,
  parent: string | null,
): Promise<LevelItem[]> {
  const items: LevelItem[] = [];
  for await (const row of eachRow(view, siteSections, 'byParent', [site, parent]))
    items.push({ type: 'site-section', row });
  for await (const row of eachRow(view, siteSectionGroups, 'byParent', [site, parent]))
    items.push({ type: 'site-section-group', row });
  return items.sort((one, other) => (one.row.position < other.row.position ? -1 : 1));
}

/** The spaces of a section, or at the root for null, in their order. */
export async function siteSpaceLevel(
  view: ReadTransaction,
  site: string,
  section: string | null,
): Promise<SiteSpaceRow[]> {
  const rows: SiteSpaceRow[] = [];
  for await (const row of eachRow(view, siteSpaces, 'bySection', [site, section])) rows.push(row);
  return rows;
}

/** The first section from the top, groups included; undefined where there is none. */
export async function firstSection(
  view: ReadTransaction,
  site: string,
  parent: string | null = null,
): Promise<SiteSectionRow | undefined> {
  for (const item of await sectionLevel(view, site, parent)) {
    const found = item.type === 'site-section' ? item.row : await firstSection(view, site, item.row.id);
    if (found !== undefined) return found;
  }
  return undefined;
}
