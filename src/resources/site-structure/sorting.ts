import type { Static } from '../../contract/schema.ts';
import type { WriteTransaction } from '../../core/store.ts';
import type { SiteStructureItem } from './contract.ts';
import { findItem, placeIn, type Pointer, type Position } from './positions.ts';
import { shapeGroup, shapeSection, shapeSiteSpace, type StructureContext } from './show.ts';
import { siteSpaces } from '../site-spaces/rows.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSectionGroups } from '../site-section-groups/rows.ts';

/** Moves one thing of a site among its neighbours of the same level; gives it as it is then. */
export async function sortItem(
  context: StructureContext & { readonly tx: WriteTransaction },
  item: Pointer,
  position: Position = {},
): Promise<Static<typeof SiteStructureItem>> {
  const { tx, site } = context;
  const { level } = await findItem(tx, site.id, item);
  const place = { position: await placeIn(tx, level, position) };
  if (item.type === 'site-space') return shapeSiteSpace(context, await tx.update(siteSpaces, item.id, place));
  if (item.type === 'site-section')
    return shapeSection(context, await tx.update(siteSections, item.id, place));
  return shapeGroup(context, await tx.update(siteSectionGroups, item.id, place));
}
