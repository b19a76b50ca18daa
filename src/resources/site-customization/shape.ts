import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { EffectiveRole } from '../../core/permissions.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { effectiveSettings } from './defaults.ts';
import type { ChosenSettings, SiteCustomization } from './schemas.ts';

export interface CustomizationContext {
  readonly site: SiteRow;
  /** Absent for visitors of the site. */
  readonly role?: EffectiveRole;
}

/**
 * Returns the effective settings of a site, or of one of its site spaces. Only administrators see the instructions of the
 * assistant.
 */
export function customizationOf(
  { site, role }: CustomizationContext,
  siteSpace?: SiteSpaceRow,
): Static<typeof SiteCustomization> {
  const { ai, ...settings } = effectiveSettings(
    site.customization?.settings as ChosenSettings | undefined,
    siteSpace?.customization?.settings,
  );
  const { instructions, ...shown } = ai;
  return defined({
    ...settings,
    ai: defined({ ...shown, instructions: role === 'admin' ? instructions : undefined }),
    updatedAt: siteSpace?.customization?.updatedAt ?? site.customization?.updatedAt,
  });
}
