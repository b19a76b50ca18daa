import type { ChangeContext } from '../../core/handler.ts';
import { organizations, type OrganizationRow } from '../../core/rows/organizations.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import {
  eachRow,
  findOne,
  type ReadTransaction,
  type Row,
  type Table,
  type WriteTransaction,
} from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { uninstallAllFromSite } from '../integrations/removal.ts';
import { sectionOf } from '../site-sections/rules.ts';
import { siteSpaceOf } from '../site-spaces/rules.ts';
import { freePath, slugOf } from '../site-structure/paths.ts';
import { siteSpaces } from '../site-spaces/rows.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSectionGroups } from '../site-section-groups/rows.ts';
import { visitorKeys } from '../site-publishing-auth/rows.ts';
import { shareLinks } from '../site-share-links/rows.ts';

/** A basename for a new site, made from its title, that no other site of the organization has. */
export async function newBasename(
  view: ReadTransaction,
  organization: string,
  title: string,
  id: string,
): Promise<string> {
  return freePath(
    slugOf(title, 'site'),
    id,
    async (path) => (await findOne(view, sites, 'byBasename', [organization, path])) !== undefined,
  );
}

/** Refuses a basename that another site of the organization has. */
export async function checkBasenameFree(
  view: ReadTransaction,
  site: SiteRow,
  basename: string,
): Promise<void> {
  const there = await findOne(view, sites, 'byBasename', [site.organization, basename]);
  if (there === undefined || there.id === site.id) return;
  throw new Problem('conflict', `The site "${there.title}" (${there.id}) has that basename already.`, {
    hint: 'Give another basename, or change that one first.',
  });
}

/** Sets what opens first: a section, then a site space at the root or in the default section. */
export async function setDefaults(
  tx: WriteTransaction,
  site: SiteRow,
  section: string | undefined,
  siteSpace: string | undefined,
): Promise<void> {
  const defaultSection =
    section === undefined ? site.defaultSection : (await sectionOf(tx, site.id, section)).id;
  if (section !== undefined) await tx.update(sites, site.id, { defaultSection });
  if (siteSpace === undefined) return;
  const row = await siteSpaceOf(tx, site.id, siteSpace);
  if (row.section !== defaultSection) {
    throw invalid(
      '/body/defaultSiteSpace',
      'The site space is not in the default section.',
      'Set the default of its section with `sites sections update`, or make that the default section too.',
    );
  }
  if (row.section === null) await tx.update(sites, site.id, { defaultSiteSpace: row.id });
  else await tx.update(siteSections, row.section, { defaultSiteSpace: row.id });
}

/** Deletes a site and all that belongs to it alone; where the organization opened with it, it no longer does. */
export async function removeSite(
  { tx, now }: ChangeContext,
  site: SiteRow,
  organization: OrganizationRow,
): Promise<void> {
  await uninstallAllFromSite({ tx, now }, site.id);
  for (const table of [siteSpaces, siteSections, siteSectionGroups, shareLinks])
    await removeAll(tx, table, site.id);
  await tx.remove(visitorKeys, site.id);
  if (organization.defaultContent?.site === site.id)
    await tx.update(organizations, organization.id, { defaultContent: null });
  await tx.remove(sites, site.id);
}

async function removeAll(tx: WriteTransaction, from: Table<Row, 'bySite'>, site: string): Promise<void> {
  const ids: string[] = [];
  for await (const row of eachRow(tx, from, 'bySite', [site])) ids.push(row.id);
  for (const id of ids) await tx.remove(from, id);
}
