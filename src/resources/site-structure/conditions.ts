import type { ClaimSchema } from '../../conditions/claims.ts';
import type { SiteRow } from '../../core/rows/sites.ts';

/** The visitor schema of a site, as conditions are checked against. */
export function claimSchemaOf(site: SiteRow): ClaimSchema | undefined {
  return site.adaptiveSchema?.jsonSchema as ClaimSchema | undefined;
}

/** Refuses a new condition of a section or site space that is none, or does not fit the visitor schema. One that was there stays. */
export async function acceptSiteCondition(
  site: SiteRow,
  condition: string | null | undefined,
  before: string | undefined,
): Promise<void> {
  if (condition === undefined || condition === null || condition === before) return;
  const { assertValidCondition } = await import('../../conditions/condition-evaluator.ts');
  assertValidCondition(condition, '/body/condition', claimSchemaOf(site));
}
