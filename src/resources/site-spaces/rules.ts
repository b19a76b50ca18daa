import type { RequestContext } from '../../core/handler.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { findOne, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { freePath, slugOf } from '../site-structure/paths.ts';
import { placeIn } from '../site-structure/positions.ts';
import { siteSpaces, type SiteSpaceRow } from './rows.ts';
import { defined } from '../../contract/values.ts';

/** What the rules of a site need to write. */
export type SiteSpaceContext = Pick<RequestContext, 'newId' | 'now'> & { readonly tx: WriteTransaction };

/** A live space of the organization that a body names. */
export async function spaceOf(view: ReadTransaction, organization: string, id: string): Promise<SpaceRow> {
  const space = await view.get(spaces, id);
  if (space === undefined || space.organization !== organization || space.state !== 'live')
    throw notFound('space', id);
  return space;
}

/** A site space of the site that a path or body names. */
export async function siteSpaceOf(view: ReadTransaction, site: string, id: string): Promise<SiteSpaceRow> {
  const row = await view.get(siteSpaces, id);
  if (row?.site !== site) throw notFound('site space', id);
  return row;
}

/** Refuses a space that the section, or the root, has already. */
export async function checkNotThere(
  view: ReadTransaction,
  site: string,
  section: string | null,
  space: string,
): Promise<void> {
  const there = await findOne(view, siteSpaces, 'bySectionSpace', [site, section, space]);
  if (there === undefined) return;
  throw new Problem('conflict', `The space is already there, as site space "${there.id}".`, {
    hint: 'Give another space, or add it to another section.',
  });
}

/** Refuses a path that another site space of the same section, or of the root, has. */
export async function checkPathFree(view: ReadTransaction, row: SiteSpaceRow, path: string): Promise<void> {
  const there = await findOne(view, siteSpaces, 'byPath', [row.site, row.section, path]);
  if (there === undefined || there.id === row.id) return;
  throw new Problem('conflict', `The site space "${there.id}" has that path already.`, {
    hint: 'Give another path, or change that one first.',
  });
}

/** Puts a space at the end of a section, or of the root for null. The caller sees to the default and the count. */
export async function insertSiteSpace(
  { tx, newId, now }: SiteSpaceContext,
  site: SiteRow,
  section: string | null,
  space: SpaceRow,
  title?: string,
): Promise<SiteSpaceRow> {
  const id = newId('sitesp');
  const row: SiteSpaceRow = defined({
    id,
    organization: site.organization,
    site: site.id,
    section,
    space: space.id,
    path: await freePath(
      slugOf(title ?? space.title, 'docs'),
      id,
      async (path) => (await tx.count(siteSpaces, 'byPath', [site.id, section, path])) > 0,
    ),
    title,
    hidden: false,
    position: await placeIn(tx, { of: 'spaces', site: site.id, within: section }),
    createdAt: now,
  });
  await tx.insert(siteSpaces, row);
  return row;
}
