import type { ClaimSchema } from '../../conditions/claims.ts';
import type { Value } from '../../conditions/values.ts';
import type { SiteRow } from '../../core/rows/sites.ts';

/** Returns the adaptive schema of a site, against which conditions are checked. */
export function claimSchemaOf(site: SiteRow): ClaimSchema | undefined {
  return site.adaptiveSchema?.jsonSchema as ClaimSchema | undefined;
}

/**
 * Returns those of a visitor's claims that the site uses. Without adaptive content, a site uses only signed claims, and only if
 * its visitors sign in. Visitors with a share link have no signed claims.
 */
export function claimsOnSite(
  { visibility, adaptiveContent }: Pick<SiteRow, 'visibility' | 'adaptiveContent'>,
  { unsigned, ...signed }: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  if (!adaptiveContent) return visibility === 'visitor-auth' ? signed : {};
  const given = unsigned === undefined ? {} : { unsigned };
  return visibility === 'share-link' ? given : { ...signed, ...given };
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
