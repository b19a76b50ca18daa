import type { Value } from '../../conditions/values.ts';
import type { Static } from '../../contract/schema.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { SiteExternalLink } from '../site-external-links/contract.ts';
import type { SiteSectionGroup } from '../site-section-groups/contract.ts';
import type { SiteSection } from '../site-sections/contract.ts';
import { claimSchemaOf } from '../site-structure/conditions.ts';
import type { SiteStructure } from '../site-structure/contract.ts';

type Structure = Static<typeof SiteStructure>;
type Section = Static<typeof SiteSection>;
type Group = Static<typeof SiteSectionGroup>;
type Link = Static<typeof SiteExternalLink>;
type Item = Section | Group | Link;

/**
 * Returns the published part of a structure: without drafts, and for a visitor with claims only items whose conditions are true.
 * Sections and groups without a visible item are left out.
 */
export async function publishedStructure(
  structure: Structure,
  claims: Value | undefined,
  site: SiteRow,
): Promise<Structure> {
  return claims === undefined
    ? withoutDrafts(structure)
    : filterStructure(withoutDrafts(structure), claims, site);
}

function withoutDrafts(structure: Structure): Structure {
  if (structure.type === 'siteSpaces') return structure;
  const published = (item: Item): Item[] => {
    if (item.object === 'site-external-link') return item.draft ? [] : [item];
    return item.object === 'site-section'
      ? [item]
      : [{ ...item, children: item.children.flatMap(published) }];
  };
  return { type: 'sections', structure: structure.structure.flatMap(published) };
}

async function filterStructure(structure: Structure, claims: Value, site: SiteRow): Promise<Structure> {
  const { ConditionEvaluator } = await import('../../conditions/condition-evaluator.ts');
  const evaluator = new ConditionEvaluator(claimSchemaOf(site));
  const visitor = { claims: evaluator.filterClaims(claims).claims };
  const holds = ({ condition }: { condition?: string }) => evaluator.evaluate(condition, { visitor }).shown;
  const visibleSection = (section: Section): Section[] => {
    const visible = holds(section) ? section.siteSpaces.filter(holds) : [];
    return visible.length === 0 ? [] : [{ ...section, siteSpaces: visible }];
  };
  const visibleItem = (item: Item): Item[] => {
    if (item.object === 'site-section') return visibleSection(item);
    if (item.object === 'site-external-link') return holds(item) ? [item] : [];
    const children = item.children.flatMap(visibleItem);
    return children.length === 0
      ? []
      : [{ ...item, children, sections: item.sections.flatMap(visibleSection) }];
  };
  if (structure.type === 'siteSpaces')
    return { type: 'siteSpaces', structure: structure.structure.filter(holds) };
  return { type: 'sections', structure: structure.structure.flatMap(visibleItem) };
}
