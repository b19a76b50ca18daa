import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { collectRows, type WriteTransaction } from '../../core/store.ts';
import { firstSection, siteSpaceLevel } from './levels.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { siteSections } from '../site-sections/rows.ts';

/** Deletes a section with its site spaces. If it was the default, the first remaining section becomes the default. */
export async function removeSection(tx: WriteTransaction, site: string, id: string): Promise<void> {
  for (const row of await siteSpaceLevel(tx, site, id)) await tx.remove(siteSpaces, row.id);
  await tx.remove(siteSections, id);
  const row = await tx.get(sites, site);
  if (row?.defaultSection === id)
    await tx.update(sites, site, { defaultSection: (await firstSection(tx, site))?.id ?? null });
}

/** Updates the number of spaces of a site and returns the updated site. */
export async function recountSpaces(tx: WriteTransaction, site: string): Promise<SiteRow> {
  return tx.update(sites, site, { siteSpaces: await tx.count(siteSpaces, 'bySite', [site]) });
}

/**
 * Removes a space from a site. If it was the default, the first remaining space becomes the default. The caller has to check that
 * a section keeps at least one space.
 */
export async function removeSiteSpace(tx: WriteTransaction, row: SiteSpaceRow): Promise<void> {
  await tx.remove(siteSpaces, row.id);
  const [first] = await tx.find(siteSpaces, {
    index: 'bySection',
    equals: [row.site, row.section],
    limit: 1,
  });
  if (row.section === null) {
    const site = await tx.get(sites, row.site);
    if (site?.defaultSiteSpace === row.id)
      await tx.update(sites, row.site, { defaultSiteSpace: first?.id ?? null });
  } else if (first !== undefined) {
    const section = await tx.get(siteSections, row.section);
    if (section?.defaultSiteSpace === row.id)
      await tx.update(siteSections, row.section, { defaultSiteSpace: first.id });
  }
  await recountSpaces(tx, row.site);
}

/**
 * Removes a space from every site that shows it. A section that contained only this space is removed too; a site may become
 * empty.
 */
export async function removeFromSites(tx: WriteTransaction, space: string): Promise<void> {
  for (const row of await collectRows(tx, siteSpaces, 'bySpace', [space])) {
    const { site, section } = row;
    if (section !== null && (await tx.count(siteSpaces, 'bySection', [site, section])) === 1) {
      await removeSection(tx, site, section);
      await recountSpaces(tx, site);
    } else await removeSiteSpace(tx, row);
  }
}
