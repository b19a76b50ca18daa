import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { Problem } from '../../errors/problem.ts';
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
    throw new Problem('not-found', `The site "${site.title}" has no adaptive schema.`, {
      hint: `Set one: \`docsctl sites adaptive-schema update ${site.id} --json-schema @schema.json\``,
    });
  }
  const { jsonSchema, updatedAt } = site.adaptiveSchema;
  return { object: 'site-adaptive-schema', jsonSchema: jsonSchema as contract.VisitorSchema, updatedAt };
}

interface TemplateCondition {
  description: string;
  condition: string;
}

/** Maximum length of a stored condition. Longer ones are not suggested. */
const maxConditionLength = 1024;

/** Returns suggested conditions for an adaptive schema: two for each boolean claim, and one for each possible value of a text. */
function suggestConditions(properties: Readonly<Record<string, contract.Claim>>): TemplateCondition[] {
  return [...suggestWithin(properties, 'visitor.claims', '')].filter(
    ({ condition }) => condition.length <= maxConditionLength,
  );
}

function* suggestWithin(
  properties: Readonly<Record<string, contract.Claim>>,
  path: string,
  label: string,
): Generator<TemplateCondition> {
  for (const [name, claim] of Object.entries(properties)) {
    const at = /^[a-z_$][\w$]*$/i.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
    const title = label === '' ? name : `${label} ${name}`;
    if (claim.type === 'object') yield* suggestWithin(claim.properties, at, title);
    else if (claim.type === 'boolean') {
      yield { description: `Visitors for whom ${title} is true`, condition: `${at} == true` };
      yield { description: `Visitors for whom ${title} is false`, condition: `${at} == false` };
    } else if (claim.type === 'string') {
      for (const value of claim.enum ?? [])
        yield {
          description: `Visitors whose ${title} is ${value}`,
          condition: `${at} == ${JSON.stringify(value)}`,
        };
    }
  }
}
