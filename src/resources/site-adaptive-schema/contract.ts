import { ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Type } from '../../contract/schema.ts';

export type PrimitiveClaim =
  | { type: 'boolean' | 'number'; description: string }
  | { type: 'string'; description: string; enum?: string[] };
export interface ObjectClaim {
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
    $schema: Type.Optional(Type.Literal('http://json-schema.org/draft-07/schema#')),
    type: Type.Literal('object'),
    properties: Type.Object({}, { additionalProperties: true }),
    additionalProperties: Type.Literal(false),
  }),
);

/** The claims that conditions of a site can use. */
export const SiteAdaptiveSchema = closed({
  object: Type.Literal('site-adaptive-schema'),
  jsonSchema: AdaptiveJsonSchema,
  updatedAt: DateTime,
});

const columns = ['updatedAt', 'jsonSchema'];

export const getAdaptiveSchema = operation({
  id: 'sites.adaptive-schema.get',
  route: 'GET /orgs/:organizationId/sites/:siteId/adaptive-schema',
  summary: 'Show the visitor schema of a site',
  access: 'site.read',
  returns: ok(SiteAdaptiveSchema),
  cli: { columns, examples: ['docsctl sites adaptive-schema get Docs -o json'] },
});

export const updateAdaptiveSchema = operation({
  id: 'sites.adaptive-schema.update',
  route: 'PUT /orgs/:organizationId/sites/:siteId/adaptive-schema',
  summary: 'Set the visitor schema of a site',
  description:
    'A JSON Schema of draft 7 whose properties are claims of the kinds boolean, string (with or without enum), number, array and object, each with a description. The claim "unsigned" is the object of unsigned claims.',
  access: 'site.admin',
  body: closed({ jsonSchema: AdaptiveJsonSchema }),
  returns: ok(SiteAdaptiveSchema),
  cli: { columns, examples: ['docsctl sites adaptive-schema update Docs --json-schema @claims.json'] },
});

export const listTemplateConditions = operation({
  id: 'sites.adaptive-schema.conditions',
  route: 'GET /orgs/:organizationId/sites/:siteId/adaptive-schema/template-conditions',
  summary: 'Suggest conditions made from the visitor schema of a site',
  access: 'site.read',
  returns: ok(
    closed({
      items: Type.Array(closed({ description: Type.String(), condition: Type.String({ maxLength: 1024 }) })),
    }),
  ),
  cli: { columns: ['condition', 'description'], examples: ['docsctl sites adaptive-schema conditions Docs'] },
});
