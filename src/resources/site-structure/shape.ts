import type { Static } from '../../contract/schema.ts';
import type { UrlContext } from '../../core/handler.ts';
import { contentRole, type Subject } from '../../core/permissions.ts';
import { spaces } from '../../core/rows/spaces.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { notFound } from '../../errors/problem.ts';
import type { ChosenSettings } from '../site-customization/schemas.ts';
import type { SiteExternalLink } from '../site-external-links/contract.ts';
import type { SiteExternalLinkRow } from '../site-external-links/rows.ts';
import type { SiteSectionGroup } from '../site-section-groups/contract.ts';
import type { SiteSection } from '../site-sections/contract.ts';
import type { SiteSpace } from '../site-spaces/contract.ts';
import { shapeSpace } from '../spaces/shape.ts';
import { sectionAddress, siteSpaceAddress, type SiteAddress } from './address.ts';
import type { SiteStructure } from './contract.ts';
import { sectionLevel, siteSpaceLevel, type LevelItem } from './levels.ts';
import { isVisibleSpace } from './visible-space.ts';
import type { SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { siteSections, type SiteSectionRow } from '../site-sections/rows.ts';
import type { SiteSectionGroupRow } from '../site-section-groups/rows.ts';

/** The site, the roles of the caller, and the published address of the site if the caller may know it. */
export type StructureContext = UrlContext &
  Subject &
  SiteAddress & { readonly tx: ReadTransaction; readonly site: SiteRow };

/** Returns a site space in the form of the API. */
export async function shapeSiteSpace(
  context: StructureContext,
  row: SiteSpaceRow,
  section?: SiteSectionRow,
): Promise<Static<typeof SiteSpace>> {
  const { tx, site, address, shareKey, taken } = context;
  const space = await tx.get(spaces, row.space);
  if (space === undefined) throw notFound('space', row.space);
  const within = section ?? (row.section === null ? undefined : await tx.get(siteSections, row.section));
  const chosen = site.customization?.settings as ChosenSettings | undefined;
  const isDefault = row.id === (within === undefined ? site.defaultSiteSpace : within.defaultSiteSpace);
  return defined({
    object: 'site-space',
    id: row.id,
    path: row.path,
    section: row.section ?? undefined,
    space: await shapeSpace(context, space, await contentRole(tx, context, space), shareKey),
    title: row.title ?? space.title,
    default: isDefault,
    condition: row.condition,
    hasAdvancedCustomizationFeature: chosen?.advancedCustomization?.enabled ?? false,
    hidden: row.hidden,
    urls: address === undefined ? {} : { published: siteSpaceAddress(address, site, within, row, taken) },
  });
}

/** Returns a section in the form of the API, with its spaces. */
export async function shapeSection(
  context: StructureContext,
  row: SiteSectionRow,
): Promise<Static<typeof SiteSection>> {
  const { address, site } = context;
  const siteSpaces: Static<typeof SiteSpace>[] = [];
  for (const siteSpace of await siteSpaceLevel(context.tx, row.site, row.id))
    if (await isVisibleSpace(context, siteSpace))
      siteSpaces.push(await shapeSiteSpace(context, siteSpace, row));
  return defined({
    object: 'site-section',
    id: row.id,
    title: row.title,
    description: row.description,
    default: row.id === site.defaultSection,
    path: row.path,
    condition: row.condition,
    sectionGroup: row.parent ?? undefined,
    icon: row.icon,
    siteSpaces,
    urls: address === undefined ? {} : { published: sectionAddress(address, site, row) },
  });
}

/** Returns a section group in the form of the API, with its sections, groups and external links. */
export async function shapeGroup(
  context: StructureContext,
  row: SiteSectionGroupRow,
): Promise<Static<typeof SiteSectionGroup>> {
  const children = await shapeLevel(context, await sectionLevel(context.tx, row.site, row.id));
  return defined({
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    sectionGroup: row.parent ?? undefined,
    icon: row.icon,
    sections: children.filter((child) => child.object === 'site-section'),
    children,
  });
}

/** Returns an external link in the form of the API. */
export function shapeExternalLink(row: SiteExternalLinkRow): Static<typeof SiteExternalLink> {
  const { id, title, description, icon, url, parent, draft, condition } = row;
  return defined({
    object: 'site-external-link',
    id,
    title,
    description,
    icon,
    url,
    sectionGroup: parent ?? undefined,
    draft,
    condition,
  });
}

/** Returns the whole structure of a site in the form of the API. It contains groups only if no spaces are at the root. */
export async function shapeStructure(context: StructureContext): Promise<Static<typeof SiteStructure>> {
  const { tx, site } = context;
  const items = site.defaultSiteSpace === null ? await sectionLevel(tx, site.id, null) : [];
  if (items.length > 0) return { type: 'sections', structure: await shapeLevel(context, items) };
  const structure: Static<typeof SiteSpace>[] = [];
  for (const row of await siteSpaceLevel(tx, site.id, null))
    if (await isVisibleSpace(context, row)) structure.push(await shapeSiteSpace(context, row));
  return { type: 'siteSpaces', structure };
}

async function shapeLevel(context: StructureContext, items: readonly LevelItem[]) {
  const shaped: Static<typeof SiteSectionGroup>['children'] = [];
  for (const item of items)
    if (item.type === 'site-external-link') shaped.push(shapeExternalLink(item.row));
    else
      shaped.push(
        item.type === 'site-section'
          ? await shapeSection(context, item.row)
          : await shapeGroup(context, item.row),
      );
  return shaped;
}
