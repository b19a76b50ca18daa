import type { Static } from '../../contract/schema.ts';
import type { WriteTransaction } from '../../core/store.ts';
import type { SiteStructureItem } from './contract.ts';
import { visibleSiteSpaceOf } from '../site-spaces/rules.ts';
import { findItem, positionIn, type Pointer, type Position } from './positions.ts';
import {
  shapeExternalLink,
  shapeGroup,
  shapeSection,
  shapeSiteSpace,
  type StructureContext,
} from './shape.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { siteExternalLinks } from '../site-external-links/rows.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSectionGroups } from '../site-section-groups/rows.ts';

/** Moves an item of a site on its level and returns it in the form of the API. */
export async function sortItem(
  context: StructureContext & { tx: WriteTransaction },
  item: Pointer,
  position: Position = {},
): Promise<Static<typeof SiteStructureItem>> {
  const { tx, site } = context;
  for (const one of [item, position.before, position.after])
    if (one?.type === 'site-space') await visibleSiteSpaceOf(context, one.id);
  const { level } = await findItem(tx, site.id, item);
  const change = { position: await positionIn(tx, level, position) };
  if (item.type === 'site-space')
    return shapeSiteSpace(context, await tx.update(siteSpaces, item.id, change));
  if (item.type === 'site-section')
    return shapeSection(context, await tx.update(siteSections, item.id, change));
  if (item.type === 'site-external-link')
    return shapeExternalLink(await tx.update(siteExternalLinks, item.id, change));
  return shapeGroup(context, await tx.update(siteSectionGroups, item.id, change));
}
