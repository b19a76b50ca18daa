import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { findOne, type ReadTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { insertSiteSpace, type SiteSpaceContext } from '../site-spaces/rules.ts';
import { siteSpaceLevel } from '../site-structure/levels.ts';
import { freePath, slugOf } from '../site-structure/paths.ts';
import { placeIn } from '../site-structure/positions.ts';
import { siteSpaces } from '../site-spaces/rows.ts';
import { siteSections, type SiteSectionRow } from './rows.ts';

/** A section of the site that a path or body names. */
export async function sectionOf(view: ReadTransaction, site: string, id: string): Promise<SiteSectionRow> {
  const row = await view.get(siteSections, id);
  if (row?.site !== site) throw notFound('section', id);
  return row;
}

/** Refuses a path that another section of the site has. */
export async function checkPathFree(view: ReadTransaction, row: SiteSectionRow, path: string): Promise<void> {
  const there = await findOne(view, siteSections, 'byPath', [row.site, path]);
  if (there === undefined || there.id === row.id) return;
  throw new Problem('conflict', `The section "${there.id}" has that path already.`, {
    hint: 'Give another path, or change that one first.',
  });
}

/** Adds a section at the end of a group, or of the root for null, with a space in it. */
export async function insertSection(
  changing: SiteSpaceContext,
  site: SiteRow,
  space: SpaceRow,
  { parent, title, icon }: { parent: string | null; title: string | null; icon: string | null },
): Promise<SiteSectionRow> {
  const id = changing.newId('sitesc');
  const siteSpace = await insertSiteSpace(changing, site, id, space);
  return insertSectionRow(changing, site, {
    id,
    parent,
    title: title ?? titleFrom(space.title),
    icon,
    defaultSiteSpace: siteSpace.id,
  });
}

/** Turns the spaces at the root of a site without sections into its first section, which stays the default. */
export async function rootIntoSection(changing: SiteSpaceContext, site: SiteRow): Promise<void> {
  const { tx, newId } = changing;
  if (site.defaultSiteSpace === null) return;
  const opening = await tx.get(siteSpaces, site.defaultSiteSpace);
  const space = opening === undefined ? undefined : await tx.get(spaces, opening.space);
  const id = newId('sitesc');
  for (const row of await siteSpaceLevel(tx, site.id, null))
    await tx.update(siteSpaces, row.id, { section: id });
  await insertSectionRow(changing, site, {
    id,
    parent: null,
    title: titleFrom(opening?.title ?? space?.title ?? site.title),
    icon: null,
    defaultSiteSpace: site.defaultSiteSpace,
  });
  await tx.update(sites, site.id, { defaultSection: id, defaultSiteSpace: null });
}

async function insertSectionRow(
  { tx, now }: SiteSpaceContext,
  site: SiteRow,
  section: {
    id: string;
    parent: string | null;
    title: string;
    icon: string | null;
    defaultSiteSpace: string;
  },
): Promise<SiteSectionRow> {
  const { icon, ...fields } = section;
  const row: SiteSectionRow = {
    ...fields,
    ...(icon === null ? {} : { icon }),
    organization: site.organization,
    site: site.id,
    path: await freePath(
      slugOf(section.title, 'section'),
      section.id,
      async (path) => (await tx.count(siteSections, 'byPath', [site.id, path])) > 0,
    ),
    position: await placeIn(tx, { of: 'sections', site: site.id, within: section.parent }),
    createdAt: now,
  };
  await tx.insert(siteSections, row);
  return row;
}

/** A title of a section has at least two characters, that of a space need not. */
function titleFrom(title: string): string {
  return title.length < 2 ? `Section ${title}`.trim() : title;
}
