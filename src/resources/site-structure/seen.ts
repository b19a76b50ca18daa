import type { Value } from '../../conditions/values.ts';
import type { Static } from '../../contract/schema.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { SiteSectionGroup } from '../site-section-groups/contract.ts';
import type { SiteSection } from '../site-sections/contract.ts';
import { claimSchemaOf } from './conditions.ts';
import type { SiteStructure } from './contract.ts';

type Structure = Static<typeof SiteStructure>;
type Section = Static<typeof SiteSection>;
type Group = Static<typeof SiteSectionGroup>;

/** What of a structure a visitor with these claims sees. A section without a space to show is not seen, nor a group without a section. */
export async function seenBy(structure: Structure, claims: Value, site: SiteRow): Promise<Structure> {
  const { ConditionEvaluator } = await import('../../conditions/condition-evaluator.ts');
  const evaluator = new ConditionEvaluator(claimSchemaOf(site));
  const visitor = { claims: evaluator.filterClaims(claims).claims };
  const holds = ({ condition }: { readonly condition?: string }) =>
    evaluator.evaluate(condition, { visitor }).shown;
  const seenSection = (section: Section): Section[] => {
    const siteSpaces = holds(section) ? section.siteSpaces.filter(holds) : [];
    return siteSpaces.length === 0 ? [] : [{ ...section, siteSpaces }];
  };
  const seenItem = (item: Section | Group): (Section | Group)[] => {
    if (item.object === 'site-section') return seenSection(item);
    const children = item.children.flatMap(seenItem);
    return children.length === 0 ? [] : [{ ...item, children, sections: item.sections.flatMap(seenSection) }];
  };
  if (structure.type === 'siteSpaces')
    return { type: 'siteSpaces', structure: structure.structure.filter(holds) };
  return { type: 'sections', structure: structure.structure.flatMap(seenItem) };
}
