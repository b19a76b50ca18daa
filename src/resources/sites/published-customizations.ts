import { ConditionEvaluator } from '../../conditions/condition-evaluator.ts';
import type { Value } from '../../conditions/values.ts';
import type { Static } from '../../contract/schema.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import type { SiteCustomization } from '../site-customization/schemas.ts';
import { customizationOf } from '../site-customization/shape.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { claimSchemaOf } from '../site-structure/conditions.ts';
import type { SiteStructure } from '../site-structure/contract.ts';

type Customization = Static<typeof SiteCustomization>;
type Structure = Static<typeof SiteStructure>;
type StructureItem = Structure['structure'][number];

/**
 * Returns the appearance of a published site, and of each shown space that overrides parts of it. With the claims of a visitor,
 * the header contains only the links for this visitor.
 */
export async function publishedCustomizations(
  { tx, site }: { tx: ReadTransaction; site: SiteRow },
  structure: Structure,
  claims: Value | undefined,
): Promise<{ site: Customization; siteSpaces: Record<string, Customization> }> {
  const evaluator = new ConditionEvaluator(claimSchemaOf(site));
  const visitor = claims === undefined ? undefined : { claims: evaluator.filterClaims(claims).claims };
  const forVisitor = (settings: Customization): Customization => ({
    ...settings,
    header: {
      ...settings.header,
      links: settings.header.links.filter(
        ({ condition }) => visitor === undefined || evaluator.evaluate(condition, { visitor }).shown,
      ),
    },
  });
  const shown = new Set(structure.structure.flatMap(siteSpaceIds));
  const overridden: Record<string, Customization> = {};
  for (const row of await collectRows(tx, siteSpaces, 'bySite', [site.id]))
    if (row.customization !== undefined && shown.has(row.id))
      overridden[row.id] = forVisitor(customizationOf({ site }, row));
  return { site: forVisitor(customizationOf({ site })), siteSpaces: overridden };
}

function siteSpaceIds(item: StructureItem): string[] {
  if (item.object === 'site-space') return [item.id];
  if (item.object === 'site-section') return item.siteSpaces.map(({ id }) => id);
  return item.object === 'site-external-link' ? [] : item.children.flatMap(siteSpaceIds);
}
