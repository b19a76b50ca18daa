import type { RequestContext, ResourceScope } from '../../core/handler.ts';
import { requireRoleOn } from '../../core/missing-role.ts';
import type { Subject } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { findOne, getOwned, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { siteSpaceLevel } from '../site-structure/levels.ts';
import { findByPath, freePath, slugOf } from '../site-structure/paths.ts';
import { positionIn } from '../site-structure/positions.ts';
import { isVisibleSpace } from '../site-structure/visible-space.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { defined } from '../../contract/values.ts';

export type SiteSpaceContext = Pick<RequestContext, 'newId' | 'now'> & { readonly tx: WriteTransaction };

/**
 * Returns a live space to add to a site. To add it to an existing site, the caller must be an administrator of the space, because
 * spaces inherit the permissions on the site.
 *
 * @throws Problem(not-found); Problem(forbidden) if the caller's role on the space is too low
 */
export async function spaceOf(
  context: ResourceScope & { tx: ReadTransaction },
  id: string,
  level: 'read' | 'admin' = 'admin',
): Promise<SpaceRow> {
  const owner = { organization: context.organization.id, state: 'live' } as const;
  const space = await getOwned(context.tx, spaces, id, owner, 'space');
  await requireRoleOn(
    context.tx,
    context,
    'space',
    space,
    { action: 'add a space to a site', level },
    'Ask an administrator of the space to do this, or to give you the role.',
  );
  return space;
}

/** Returns a site space of a site. @throws Problem(not-found) */
export function siteSpaceOf(view: ReadTransaction, site: string, id: string): Promise<SiteSpaceRow> {
  return getOwned(view, siteSpaces, id, { site }, 'site space');
}

/** Returns a site space of a site if the caller can open its space. @throws Problem(not-found) */
export async function visibleSiteSpaceOf(
  context: Subject & { tx: ReadTransaction; site: SiteRow },
  id: string,
): Promise<SiteSpaceRow> {
  const row = await siteSpaceOf(context.tx, context.site.id, id);
  if (await isVisibleSpace(context, row)) return row;
  throw notFound('site space', id);
}

/** Checks that a section, or the root for null, does not contain a space yet. @throws Problem(conflict) */
export async function checkSpaceNotUsed(
  view: ReadTransaction,
  site: string,
  section: string | null,
  space: string,
): Promise<void> {
  const conflicting = await findOne(view, siteSpaces, 'bySectionSpace', [site, section, space]);
  if (conflicting === undefined) return;
  const path = section === null ? undefined : (await view.get(siteSections, section))?.path;
  throw new Problem(
    'conflict',
    `The ${path === undefined ? 'site' : `section "${path}"`} already shows this space, as the site space ${conflicting.id}.`,
    {
      hint: 'Choose another space or section. Without a section, the default section is used.',
    },
  );
}

/** Checks that no other site space of the same section, or of the root, has a path. @throws Problem(conflict) */
export async function checkPathFree(
  context: Subject & { tx: ReadTransaction },
  row: SiteSpaceRow,
  path: string,
): Promise<void> {
  const level = await siteSpaceLevel(context.tx, row.site, row.section);
  const other = findByPath(
    level.filter(({ id }) => id !== row.id),
    path,
  );
  if (other === undefined) return;
  if (!(await isVisibleSpace(context, other)))
    throw new Problem('conflict', 'A site space that you cannot see already has this path.', {
      hint: 'Choose another path.',
    });
  throw new Problem('conflict', `The site space ${other.id} already has this path.`, {
    hint: 'Choose another path, or change the other site space first.',
  });
}

/** Adds a space at the end of a section, or of the root for null. The caller has to update the default and the count. */
export async function insertSiteSpace(
  { tx, newId, now }: SiteSpaceContext,
  site: SiteRow,
  section: string | null,
  space: SpaceRow,
  title?: string,
): Promise<SiteSpaceRow> {
  const id = newId('sitesp');
  const level = await siteSpaceLevel(tx, site.id, section);
  const row: SiteSpaceRow = defined({
    id,
    organization: site.organization,
    site: site.id,
    section,
    space: space.id,
    path: await freePath(
      slugOf(title ?? space.title, 'docs'),
      id,
      async (path) => findByPath(level, path) !== undefined,
    ),
    title,
    hidden: false,
    position: await positionIn(tx, { of: 'spaces', site: site.id, within: section }),
    createdAt: now,
  });
  await tx.insert(siteSpaces, row);
  return row;
}
