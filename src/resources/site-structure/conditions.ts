import type { ClaimSchema } from '../../conditions/claims.ts';
import type { SiteRow } from '../../core/rows/sites.ts';

/** The visitor schema of a site, against which conditions are checked. */
export function claimSchemaOf(site: SiteRow): ClaimSchema | undefined {
  return site.adaptiveSchema?.jsonSchema as ClaimSchema | undefined;
}

/** Checks a condition of a section or site space, unless it is unchanged. @throws Problem(invalid-input) */
export async function checkSiteCondition(
  site: SiteRow,
  condition: string | null | undefined,
  before: string | undefined,
): Promise<void> {
  if (condition === undefined || condition === null || condition === before) return;
  const { assertValidCondition } = await import('../../conditions/condition-evaluator.ts');
  assertValidCondition(condition, '/body/condition', claimSchemaOf(site));
}
