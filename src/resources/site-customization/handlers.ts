import type { Static } from '../../contract/schema.ts';
import { defined, isRecord } from '../../contract/values.ts';
import type { Handler } from '../../core/handler.ts';
import { sites } from '../../core/rows/sites.ts';
import { Problem } from '../../errors/problem.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { visibleSiteSpaceOf } from '../site-spaces/rules.ts';
import type * as contract from './contract.ts';
import { mergeSettings } from '../../core/grouped-settings.ts';
import { effectiveSettings, withoutDefaults } from './defaults.ts';
import { patchSettings } from './patch-settings.ts';
import { isGroup, type ChosenSettings } from './schemas.ts';
import { checkSettings } from './rules.ts';
import { customizationOf, type CustomizationContext } from './shape.ts';
import type { SiteSpaceCustomization } from './schemas.ts';

export const getSiteCustomization: Handler<typeof contract.getSiteCustomization> = async (context) =>
  customizationOf(context);

export const replaceSiteCustomization: Handler<typeof contract.replaceSiteCustomization> = async (
  context,
  { body },
) => {
  const { tx, site, now } = context;
  await checkSettings(context, body);
  const customization = { settings: withoutDefaults(body), updatedAt: now };
  return customizationOf({ ...context, site: await tx.update(sites, site.id, { customization }) });
};

export const updateSiteCustomization: Handler<typeof contract.updateSiteCustomization> = async (
  context,
  { body },
) => {
  const { tx, site, now } = context;
  await checkSettings(context, body);
  const settings = patchSettings(effectiveSettings(site.customization?.settings as ChosenSettings), body);
  const customization = { settings: withoutDefaults(settings), updatedAt: now };
  return customizationOf({ ...context, site: await tx.update(sites, site.id, { customization }) });
};

export const getSiteSpaceCustomization: Handler<typeof contract.getSiteSpaceCustomization> = async (
  context,
  { params },
) => shape(context, await visibleSiteSpaceOf(context, params.siteSpaceId));

export const overrideSiteSpaceCustomization: Handler<typeof contract.overrideSiteSpaceCustomization> = async (
  context,
  { params, body },
) => {
  const { tx, now } = context;
  const row = await visibleSiteSpaceOf(context, params.siteSpaceId);
  await checkSettings(context, body);
  const settings = withoutEmptyGroups(mergeSettings(row.customization?.settings ?? {}, body, isGroup));
  const customization = Object.keys(settings).length === 0 ? undefined : { settings, updatedAt: now };
  const changed = await tx.update(siteSpaces, row.id, { customization } as Partial<SiteSpaceRow>);
  return shape(context, changed);
};

export const resetSiteSpaceCustomization: Handler<typeof contract.resetSiteSpaceCustomization> = async (
  context,
  { params },
) => {
  const { tx } = context;
  const row = await visibleSiteSpaceOf(context, params.siteSpaceId);
  if (row.customization === undefined)
    throw new Problem(
      'not-found',
      `The site space ${row.id} overrides nothing of the appearance of the site.`,
    );
  await tx.update(siteSpaces, row.id, { customization: undefined } as unknown as Partial<SiteSpaceRow>);
};

function shape(context: CustomizationContext, row: SiteSpaceRow): Static<typeof SiteSpaceCustomization> {
  return defined({
    ...customizationOf(context, row),
    hasOverrides: row.customization !== undefined,
    overrides: row.customization?.settings,
  });
}

/** Removes empty groups, because an override without settings has no effect. */
function withoutEmptyGroups(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (name === 'favicon' || !isRecord(value)) kept[name] = value;
    else {
      const inner = withoutEmptyGroups(value);
      if (Object.keys(inner).length > 0) kept[name] = inner;
    }
  }
  return kept;
}
