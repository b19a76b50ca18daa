import { generateNKeysBetween } from 'fractional-indexing';
import { getOwned, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { maxGroupDepth } from './contract.ts';
import { sectionLevel } from '../site-structure/levels.ts';
import { nearestPosition } from '../../core/position-next-to.ts';
import { rowsOfLevel } from '../site-structure/positions.ts';
import { siteExternalLinks } from '../site-external-links/rows.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSectionGroups, type SiteSectionGroupRow } from './rows.ts';

/** Returns a section group of a site. @throws Problem(not-found) */
export function groupOf(view: ReadTransaction, site: string, id: string): Promise<SiteSectionGroupRow> {
  return getOwned(view, siteSectionGroups, id, { site }, 'section group');
}

/**
 * Checks that a group can be moved into a parent, or that a new group (undefined) can be added to it.
 *
 * @throws Problem(conflict) if the parent is the group itself or inside it, or if groups would be nested too deep
 */
export async function checkNesting(
  view: ReadTransaction,
  moved: SiteSectionGroupRow | undefined,
  parent: SiteSectionGroupRow | null,
): Promise<void> {
  let above = 0;
  for (let at: SiteSectionGroupRow | undefined = parent ?? undefined; at !== undefined; above++) {
    if (at.id === moved?.id)
      throw new Problem('conflict', `"${at.title}" cannot be moved into itself or into a group inside it.`);
    at = at.parent === null ? undefined : await view.get(siteSectionGroups, at.parent);
  }
  const own = moved === undefined ? 1 : await heightOf(view, moved);
  if (above + own > maxGroupDepth)
    throw new Problem('conflict', `Section groups can be nested at most ${maxGroupDepth} levels deep.`, {
      hint: 'Choose a group at a higher level, or leave the parent out.',
    });
}

async function heightOf(view: ReadTransaction, group: SiteSectionGroupRow): Promise<number> {
  let max = 0;
  for (const item of await sectionLevel(view, group.site, group.id)) {
    if (item.type === 'site-section-group') max = Math.max(max, await heightOf(view, item.row));
  }
  return max + 1;
}

/** Deletes a group. Its sections, groups and external links move to its position, in their order. */
export async function removeGroup(tx: WriteTransaction, group: SiteSectionGroupRow): Promise<void> {
  const items = await sectionLevel(tx, group.site, group.id);
  const level = { of: 'sections', site: group.site, within: group.parent } as const;
  const next = await nearestPosition(rowsOfLevel(tx, level), 'asc', group.position);
  const positions = generateNKeysBetween(group.position, next, items.length);
  await tx.remove(siteSectionGroups, group.id);
  for (const [index, item] of items.entries()) {
    const change = { parent: group.parent, position: positions[index]! };
    if (item.type === 'site-section') await tx.update(siteSections, item.row.id, change);
    else if (item.type === 'site-section-group') await tx.update(siteSectionGroups, item.row.id, change);
    else await tx.update(siteExternalLinks, item.row.id, change);
  }
}
