import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Type } from '../../contract/schema.ts';

type PrimitiveClaim =
  | { type: 'boolean' | 'number'; description: string }
  | { type: 'string'; description: string; enum?: string[] };
interface ObjectClaim {
  type: 'object';
  description: string;
  properties: Record<string, Claim>;
  additionalProperties: false;
}
export type Claim =
  | PrimitiveClaim
  | { type: 'array'; description: string; items: PrimitiveClaim }
  | ObjectClaim;
export interface VisitorSchema {
  $schema?: 'http://json-schema.org/draft-07/schema#';
  type: 'object';
  properties: Record<string, Claim>;
  additionalProperties: false;
}

/** The JSON Schema of visitors. Its properties are claims, which rules.ts checks at any depth. */
export const AdaptiveJsonSchema = Type.Unsafe<VisitorSchema>(
  closed({
    $schema: Type.Optional(
      Type.Literal('http://json-schema.org/draft-07/schema#', { description: 'version of JSON Schema' }),
    ),
    type: Type.Literal('object', { description: 'always object' }),
    properties: Type.Object({}, { additionalProperties: true, description: 'claims by name' }),
    additionalProperties: Type.Literal(false, { description: 'always false' }),
  }),
);

/** The claims that conditions of a site can use. */
export const SiteAdaptiveSchema = closed({
  object: Type.Literal('site-adaptive-schema'),
  jsonSchema: AdaptiveJsonSchema,
  updatedAt: DateTime,
});

export const nounHelp: NounHelp = {
  description: `
A claim is a fact about a visitor, such as the plan that they pay for. The adaptive schema of a site declares the
claims that the site can know. Conditions of sections, spaces and pages use these claims:
\`visitor.claims.plan == "pro"\`.

Adaptive content is disabled until you run \`docsctl sites update SITE --set adaptiveContent.enabled=true\`. While it is
disabled, a site with visibility visitor-auth knows only the signed claims in visitor tokens, and other sites know no
claims. Everything whose condition needs another claim is hidden.`,
  examples: [
    'docsctl sites adaptive-schema get Docs -o json',
    'docsctl sites adaptive-schema update Docs --body schema.json',
  ],
};

const columns = ['updatedAt', 'jsonSchema'];

export const getAdaptiveSchema = operation({
  id: 'sites.adaptive-schema.get',
  route: 'GET /orgs/:organizationId/sites/:siteId/adaptive-schema',
  summary: 'Show which claims of visitors a site knows: its adaptive schema',
  access: 'site.read',
  returns: ok(SiteAdaptiveSchema),
  cli: { columns, examples: ['docsctl sites adaptive-schema get Docs -o json'] },
});

export const updateAdaptiveSchema = operation({
  id: 'sites.adaptive-schema.update',
  route: 'PUT /orgs/:organizationId/sites/:siteId/adaptive-schema',
  summary: 'Replace the adaptive schema of a site',
  description:
    'The schema is a JSON Schema (draft 7). Each property is a claim of the type boolean, string (with or without enum), number, array or object, and needs a description, such as {"type": "boolean", "description": "Beta tester"}. The claim "unsigned" is an object with the claims that a visitor may state without a signature; its description must be "Unsigned claims of the site visitor.".\n\nThe schema is replaced as a whole. The body has the schema in its field jsonSchema. Sections, spaces and pages are hidden while their condition uses a claim that the new schema does not have.',
  access: 'site.admin',
  body: closed({
    jsonSchema: Type.Unsafe<VisitorSchema>({ ...AdaptiveJsonSchema, description: 'the schema' }),
  }),
  returns: ok(SiteAdaptiveSchema),
  cli: { columns, examples: ['docsctl sites adaptive-schema update Docs --body schema.json'] },
});

export const listTemplateConditions = operation({
  id: 'sites.adaptive-schema.conditions',
  route: 'GET /orgs/:organizationId/sites/:siteId/adaptive-schema/template-conditions',
  summary: 'Suggest conditions that use the claims of a site',
  description:
    'Lists conditions that you can copy and adapt. They use the claims in the adaptive schema of the site; see `docsctl sites adaptive-schema --help`.',
  access: 'site.read',
  returns: ok(
    closed({
      items: Type.Array(closed({ description: Type.String(), condition: Type.String({ maxLength: 1024 }) })),
    }),
  ),
  cli: { columns: ['condition', 'description'], examples: ['docsctl sites adaptive-schema conditions Docs'] },
});
