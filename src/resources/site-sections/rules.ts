import type { Subject } from '../../core/permissions.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, getOwned, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { insertSiteSpace, type SiteSpaceContext } from '../site-spaces/rules.ts';
import { siteSpaceLevel } from '../site-structure/levels.ts';
import { findByPath, freePath, slugOf } from '../site-structure/paths.ts';
import { positionIn } from '../site-structure/positions.ts';
import { isVisibleSpace } from '../site-structure/visible-space.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { siteSections, type SiteSectionRow } from './rows.ts';

/** Returns a section of a site. @throws Problem(not-found) */
export function sectionOf(view: ReadTransaction, site: string, id: string): Promise<SiteSectionRow> {
  return getOwned(view, siteSections, id, { site }, 'section');
}

/** Checks that no other section of the site has a path. @throws Problem(conflict) */
export async function checkPathFree(view: ReadTransaction, row: SiteSectionRow, path: string): Promise<void> {
  const sections = await collectRows(view, siteSections, 'bySite', [row.site]);
  const conflicting = findByPath(
    sections.filter(({ id }) => id !== row.id),
    path,
  );
  if (conflicting === undefined) return;
  throw new Problem(
    'conflict',
    `The section "${conflicting.title}" (${conflicting.id}) already has this path.`,
    {
      hint: 'Choose another path, or change the other section first.',
    },
  );
}

/** Adds a section with a space at the end of a group, or of the root for null. */
export async function insertSection(
  context: SiteSpaceContext,
  site: SiteRow,
  space: SpaceRow,
  { parent, title, icon }: { parent: string | null; title: string | null; icon: string | null },
): Promise<SiteSectionRow> {
  const id = context.newId('sitesc');
  const siteSpace = await insertSiteSpace(context, site, id, space);
  return insertSectionRow(context, site, {
    id,
    parent,
    title: title ?? sectionTitle(space.title),
    icon,
    defaultSiteSpace: siteSpace.id,
  });
}

/** Moves the spaces at the root of a site without sections into a first section, which becomes the default section. */
export async function moveRootIntoSection(context: SiteSpaceContext & Subject, site: SiteRow): Promise<void> {
  const { tx, newId } = context;
  if (site.defaultSiteSpace === null) return;
  const defaultSpace = await tx.get(siteSpaces, site.defaultSiteSpace);
  const space =
    defaultSpace !== undefined && (await isVisibleSpace(context, defaultSpace))
      ? await tx.get(spaces, defaultSpace.space)
      : undefined;
  const id = newId('sitesc');
  for (const row of await siteSpaceLevel(tx, site.id, null))
    await tx.update(siteSpaces, row.id, { section: id });
  await insertSectionRow(context, site, {
    id,
    parent: null,
    title: sectionTitle(defaultSpace?.title ?? space?.title ?? site.title),
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
  const sections = await collectRows(tx, siteSections, 'bySite', [site.id]);
  const row: SiteSectionRow = {
    ...fields,
    ...(icon === null ? {} : { icon }),
    organization: site.organization,
    site: site.id,
    path: await freePath(
      slugOf(section.title, 'section'),
      section.id,
      async (path) => findByPath(sections, path) !== undefined,
    ),
    position: await positionIn(tx, { of: 'sections', site: site.id, within: section.parent }),
    createdAt: now,
  };
  await tx.insert(siteSections, row);
  return row;
}

/** Returns a section title, which has at least two characters, for the title of a space. */
function sectionTitle(title: string): string {
  return title.length < 2 ? `Section ${title}`.trim() : title;
}
