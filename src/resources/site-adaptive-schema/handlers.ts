import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { Problem } from '../../errors/problem.ts';
import { suggestConditions } from './conditions.ts';
import type * as contract from './contract.ts';
import { checkClaims } from './rules.ts';

export const getAdaptiveSchema: Handler<typeof contract.getAdaptiveSchema> = async ({ site }) => shape(site);

export const updateAdaptiveSchema: Handler<typeof contract.updateAdaptiveSchema> = async (
  { tx, site, now },
  { body },
) => {
  checkClaims(body.jsonSchema.properties);
  return shape(
    await tx.update(sites, site.id, { adaptiveSchema: { jsonSchema: body.jsonSchema, updatedAt: now } }),
  );
};

export const listTemplateConditions: Handler<typeof contract.listTemplateConditions> = async ({ site }) => ({
  items:
    site.adaptiveSchema === undefined
      ? []
      : suggestConditions((site.adaptiveSchema.jsonSchema as contract.VisitorSchema).properties),
});

function shape(site: SiteRow): Static<typeof contract.SiteAdaptiveSchema> {
  if (site.adaptiveSchema === undefined) {
    throw new Problem('not-found', `The site "${site.title}" has no visitor schema.`, {
      hint: `Set one: docsctl sites adaptive-schema update ${site.id} --json-schema @claims.json`,
    });
  }
  const { jsonSchema, updatedAt } = site.adaptiveSchema;
  return { object: 'site-adaptive-schema', jsonSchema: jsonSchema as contract.VisitorSchema, updatedAt };
}
