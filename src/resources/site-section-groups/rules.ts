import { generateNKeysBetween } from 'fractional-indexing';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { maxGroupDepth } from './contract.ts';
import { sectionLevel } from '../site-structure/levels.ts';
import { neighbour } from '../site-structure/positions.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSectionGroups, type SiteSectionGroupRow } from './rows.ts';

/** A section group of the site that a path or body names. */
export async function groupOf(view: ReadTransaction, site: string, id: string): Promise<SiteSectionGroupRow> {
  const row = await view.get(siteSectionGroups, id);
  if (row?.site !== site) throw notFound('section group', id);
  return row;
}

/** Refuses a parent that is the group itself, lies inside it, or makes the groups lie too deep. */
export async function checkNesting(
  view: ReadTransaction,
  moved: SiteSectionGroupRow | undefined,
  parent: SiteSectionGroupRow | null,
): Promise<void> {
  let above = 0;
  for (let at: SiteSectionGroupRow | undefined = parent ?? undefined; at !== undefined; above++) {
    if (at.id === moved?.id)
      throw new Problem('conflict', 'A section group cannot be moved into itself or into one that it holds.');
    at = at.parent === null ? undefined : await view.get(siteSectionGroups, at.parent);
  }
  const own = moved === undefined ? 1 : await heightOf(view, moved);
  if (above + own > maxGroupDepth)
    throw new Problem('conflict', `Section groups can lie at most ${maxGroupDepth} deep.`, {
      hint: 'Give a parent nearer to the root, or none.',
    });
}

async function heightOf(view: ReadTransaction, group: SiteSectionGroupRow): Promise<number> {
  let most = 0;
  for (const item of await sectionLevel(view, group.site, group.id)) {
    if (item.type === 'site-section-group') most = Math.max(most, await heightOf(view, item.row));
  }
  return most + 1;
}

/** Deletes a group; what it holds takes its place, in order. */
export async function dissolve(tx: WriteTransaction, group: SiteSectionGroupRow): Promise<void> {
  const items = await sectionLevel(tx, group.site, group.id);
  const next = await neighbour(
    tx,
    { of: 'sections', site: group.site, within: group.parent },
    'asc',
    group.position,
  );
  const places = generateNKeysBetween(group.position, next, items.length);
  await tx.remove(siteSectionGroups, group.id);
  for (const [index, item] of items.entries()) {
    const change = { parent: group.parent, position: places[index]! };
    if (item.type === 'site-section') await tx.update(siteSections, item.row.id, change);
    else await tx.update(siteSectionGroups, item.row.id, change);
  }
}
