import {
  closed,
  nullable,
  Type,
  type Static,
  type TProperties,
  type TSchema,
} from '../../contract/schema.ts';
import { orUndefined } from '../../errors/problem.ts';
import {
  AdaptiveJsonSchema,
  getAdaptiveSchema,
  updateAdaptiveSchema,
  type VisitorSchema,
} from '../../resources/site-adaptive-schema/contract.ts';
import { getSite, updateSite, type Site } from '../../resources/sites/contract.ts';
import type { Backend, Call, Field, Located } from '../kind.ts';
import { isSame } from '../value.ts';
import { callFor } from './fields.ts';

interface Adaptive {
  readonly enabled: boolean;
  /** null: visitors have no claims. */
  readonly jsonSchema: VisitorSchema | null;
}

/** The API cannot remove a schema. A schema without claims has the same effect. */
const noClaims: VisitorSchema = { type: 'object', properties: {}, additionalProperties: false };

/** Whether a site adapts to its visitors, and the schema of their claims. Both are stated together and compared as JSON. */
export const adaptiveField: Field<Static<typeof Site>> = {
  schema: closed(
    {
      enabled: Type.Boolean({
        description: 'whether adaptive content is enabled, so that conditions can use the claims of visitors',
      }),
      jsonSchema: nullable(
        closed(
          { ...(AdaptiveJsonSchema['properties'] as TProperties), properties: claims(5) },
          { description: 'JSON Schema of the claims of a visitor; null: no claims' },
        ),
      ),
    },
    { description: 'adaptive content: the claims of visitors that conditions can use' },
  ),
  call: 'adaptive',
  default: { enabled: false, jsonSchema: null },
  fetch: readAdaptive,
  normalize: (value) => {
    const { enabled, jsonSchema } = value as Adaptive;
    return { enabled, jsonSchema: orNull(jsonSchema) };
  },
};

/** Sends both, the schema first, because a site cannot adapt to claims that are not declared. */
export const adaptiveCall: Call = {
  send: async (backend, at, fields) => {
    const { enabled, jsonSchema } = fields['adaptive'] as Adaptive;
    const live = await readAdaptive(backend, at);
    if (!isSame(live.jsonSchema, jsonSchema))
      await callFor(backend, updateAdaptiveSchema, at, { jsonSchema: jsonSchema ?? noClaims });
    if (live.enabled !== enabled) await callFor(backend, updateSite, at, { adaptiveContent: { enabled } });
  },
};

async function readAdaptive(backend: Backend, at: Located): Promise<Adaptive> {
  const { adaptiveContent } = await callFor(backend, getSite, at);
  return { enabled: adaptiveContent.enabled, jsonSchema: orNull(await readSchema(backend, at)) };
}

async function readSchema(backend: Backend, at: Located): Promise<VisitorSchema | null> {
  const schema = await orUndefined(callFor(backend, getAdaptiveSchema, at), 'not-found');
  return schema?.jsonSchema ?? null;
}

function orNull(schema: VisitorSchema | null): VisitorSchema | null {
  return schema !== null && Object.keys(schema.properties).length > 0 ? schema : null;
}

/** The claims of an adaptive schema, to the depth that the API accepts. So faults have a location in the file. */
function claims(depth: number): TSchema {
  const choices = Type.Array(Type.String({ maxLength: 256 }), {
    minItems: 1,
    maxItems: 100,
    description: 'the values that are allowed',
  });
  const primitives = [claim('boolean'), claim('number'), claim('string', { enum: Type.Optional(choices) })];
  const kinds = [
    ...primitives,
    claim('array', { items: Type.Union(primitives, { description: 'form of each item' }) }),
  ];
  if (depth > 1)
    kinds.push(
      claim('object', {
        properties: claims(depth - 1),
        additionalProperties: Type.Literal(false, { description: 'always false' }),
      }),
    );
  return Type.Record(Type.String({ pattern: '^.{1,100}$' }), Type.Union(kinds), {
    maxProperties: 500,
    description: 'claims by name',
  });
}

function claim(type: string, more: TProperties = {}): TSchema {
  return closed({
    type: Type.Literal(type, { description: 'type of the value' }),
    description: Type.String({ maxLength: 1024, description: 'what the value means' }),
    ...more,
  });
}
