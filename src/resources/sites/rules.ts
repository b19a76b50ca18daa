import type { ChangeContext } from '../../core/handler.ts';
import { type Subject, visibleTo } from '../../core/permissions.ts';
import { organizations, type OrganizationRow } from '../../core/rows/organizations.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { spaces } from '../../core/rows/spaces.ts';
import {
  findOne,
  removeRows,
  type ReadTransaction,
  type Row,
  type WriteTransaction,
} from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { uninstallAllFromSite } from '../integrations/removal.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import { sectionOf } from '../site-sections/rules.ts';
import { visibleSiteSpaceOf } from '../site-spaces/rules.ts';
import { freePath, slugOf } from '../site-structure/paths.ts';
import { removeHostnames } from '../custom-hostnames/rules.ts';
import { requestCleanup } from '../site-insights/retention.ts';
import { siteEvents } from '../site-insights/rows.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteExternalLinks } from '../site-external-links/rows.ts';
import { siteSectionGroups } from '../site-section-groups/rows.ts';
import { visitorKeys } from '../site-publishing-auth/rows.ts';
import { siteRedirects } from '../site-redirects/rows.ts';
import { shareLinks } from '../site-share-links/rows.ts';
import { spacesOfSite } from './visibility-events.ts';

/** Returns a basename for a new site, derived from its title, that no other site of the organization has. */
export async function createBasename(
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

/**
 * Checks that no other site of the organization has a basename, or an ID that is the same, because sites are also found by ID.
 *
 * @throws Problem(conflict)
 */
export async function checkBasenameFree(
  view: ReadTransaction,
  site: SiteRow,
  basename: string,
): Promise<void> {
  const conflicting =
    (await findOne(view, sites, 'byBasename', [site.organization, basename])) ??
    (await view.get(sites, basename));
  if (conflicting?.organization !== site.organization || conflicting.id === site.id) return;
  const what = conflicting.id === basename ? 'ID' : 'basename';
  throw new Problem(
    'conflict',
    `The site "${conflicting.title}" (${conflicting.id}) already has this ${what}.`,
    { hint: `Choose another basename${what === 'ID' ? '' : ', or change the other site first'}.` },
  );
}

/**
 * Sets the default section, and the default site space of the root or of the default section.
 *
 * @throws Problem(invalid-input) for a site space in another section
 */
export async function setDefaults(
  context: Subject & { tx: WriteTransaction; site: SiteRow },
  section: string | undefined,
  siteSpace: string | undefined,
): Promise<void> {
  const { tx, site } = context;
  const defaultSection =
    section === undefined ? site.defaultSection : (await sectionOf(tx, site.id, section)).id;
  if (section !== undefined) await tx.update(sites, site.id, { defaultSection });
  if (siteSpace === undefined) return;
  const row = await visibleSiteSpaceOf(context, siteSpace);
  if (row.section !== defaultSection) {
    throw invalid(
      '/body/defaultSiteSpace',
      'The site space is not in the default section.',
      `To set the default of its section, run \`docsctl sites sections update ${row.section} --site ${site.id} --default-site-space ${row.id}\`. Or make this section the default of the site as well.`,
    );
  }
  if (row.section === null) await tx.update(sites, site.id, { defaultSiteSpace: row.id });
  else await tx.update(siteSections, row.section, { defaultSiteSpace: row.id });
}

/**
 * Checks that the caller can open these spaces of a site (default: all). Required before more people can read them, and before
 * the caller gets a secret that gives access to the site.
 *
 * @throws Problem(forbidden)
 */
export async function checkOpensAll(
  context: Subject & { tx: ReadTransaction; site: SiteRow },
  ids?: readonly string[],
): Promise<void> {
  const { tx, site } = context;
  const isVisible = visibleTo(tx, context);
  if (isVisible === undefined) return;
  for (const id of ids ?? (await spacesOfSite(tx, site.id))) {
    const space = await tx.get(spaces, id);
    if (space?.state !== 'live' || (await isVisible(space))) continue;
    throw new Problem('forbidden', `The site "${site.title}" shows spaces that you cannot open.`, {
      hint: 'Ask someone who can open them, such as an administrator of the organization, to let more people read the site.',
    });
  }
}

/**
 * Deletes a site with its structure, share links, redirects and keys. If it was the default content of the organization, there is
 * none afterwards.
 */
export async function removeSite(
  { tx, now }: ChangeContext,
  site: SiteRow,
  organization: OrganizationRow,
): Promise<void> {
  await uninstallAllFromSite({ tx, now }, site.id);
  await removeHostnames(tx, site.id);
  // A job removes the events, because there may be too many for one transaction.
  if ((await tx.count(siteEvents, 'bySite', [site.id])) > 0) await requestCleanup(tx, now, site, now);
  for (const table of [
    siteSpaces,
    siteSections,
    siteSectionGroups,
    siteExternalLinks,
    shareLinks,
    siteRedirects,
  ])
    await removeRows<Row, 'bySite'>(tx, table, 'bySite', [site.id]);
  await tx.remove(visitorKeys, site.id);
  await removePermissionsOn(tx, site.id);
  if (organization.defaultContent?.site === site.id)
    await tx.update(organizations, organization.id, { defaultContent: null });
  await tx.remove(sites, site.id);
}
