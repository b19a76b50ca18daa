import type { Static } from '../../contract/schema.ts';
import { Problem } from '../../errors/problem.ts';
import {
  getAdaptiveSchema,
  updateAdaptiveSchema,
  type VisitorSchema,
} from '../../resources/site-adaptive-schema/contract.ts';
import { getSite, updateSite, type Site } from '../../resources/sites/contract.ts';
import type { Backend, Call, Field, Located } from '../kind.ts';
import type { MapShape, ScalarShape, Shape } from '../read/shape.ts';
import { isSame } from '../value.ts';
import { bodyOf, nullableShape } from './fields.ts';

interface Adaptive {
  readonly enabled: boolean;
  /** null: visitors have no claims. */
  readonly jsonSchema: VisitorSchema | null;
}

/** The API sets a schema and never takes it away: one without claims says the same. */
const noClaims: VisitorSchema = { type: 'object', properties: {}, additionalProperties: false };

const text: ScalarShape = { kind: 'scalar', types: ['string'] };
const schemaShape = bodyOf(updateAdaptiveSchema).jsonSchema as MapShape;

/** Whether a site adapts to its visitors, and the schema of what is known of them; compared as JSON, and stated both. */
export const adaptiveField: Field<Static<typeof Site>> = {
  shape: {
    kind: 'map',
    fields: {
      enabled: { kind: 'scalar', types: ['boolean'] },
      jsonSchema: nullableShape({ ...schemaShape, fields: { ...schemaShape.fields, properties: claims(5) } }),
    },
    required: ['enabled', 'jsonSchema'],
  },
  call: 'adaptive',
  default: { enabled: false, jsonSchema: null },
  fetch: readAdaptive,
  normalize: (value) => {
    const { enabled, jsonSchema } = value as Adaptive;
    return { enabled, jsonSchema: hasClaims(jsonSchema) ? jsonSchema : null };
  },
};

/** Brings both, the schema first: a site adapts to nothing that is not known. */
export const adaptiveCall: Call = {
  send: async (backend, at, fields) => {
    const { enabled, jsonSchema } = fields['adaptive'] as Adaptive;
    const live = await readAdaptive(backend, at);
    const params = { organizationId: backend.organization, siteId: at.id };
    if (!isSame(live.jsonSchema, jsonSchema))
      await backend.call(updateAdaptiveSchema, { params, body: { jsonSchema: jsonSchema ?? noClaims } });
    if (live.enabled !== enabled)
      await backend.call(updateSite, { params, body: { adaptiveContent: { enabled } } });
  },
};

async function readAdaptive(backend: Backend, { id }: Located): Promise<Adaptive> {
  const params = { organizationId: backend.organization, siteId: id };
  const { adaptiveContent } = await backend.call(getSite, { params });
  const jsonSchema = await readSchema(backend, id);
  return { enabled: adaptiveContent.enabled, jsonSchema: hasClaims(jsonSchema) ? jsonSchema : null };
}

async function readSchema(backend: Backend, siteId: string): Promise<VisitorSchema | null> {
  try {
    return (
      await backend.call(getAdaptiveSchema, { params: { organizationId: backend.organization, siteId } })
    ).jsonSchema;
  } catch (error) {
    if (error instanceof Problem && error.reason === 'not-found') return null;
    throw error;
  }
}

function hasClaims(schema: VisitorSchema | null): boolean {
  return schema !== null && Object.keys(schema.properties).length > 0;
}

/** The claims of a visitor schema, as deep as the API takes them: what is wrong in a file is told with its line. */
function claims(depth: number): Shape {
  const primitives = [
    claim('boolean'),
    claim('number'),
    claim('string', {
      enum: { kind: 'list', item: { ...text, maxLength: 256 }, minItems: 1, maxItems: 100 },
    }),
  ];
  const array = claim('array', { items: { kind: 'oneOf', shapes: primitives } }, ['items']);
  const objects =
    depth === 1
      ? []
      : [
          claim(
            'object',
            {
              properties: claims(depth - 1),
              additionalProperties: { kind: 'scalar', types: ['boolean'], enum: [false] },
            },
            ['properties', 'additionalProperties'],
          ),
        ];
  return {
    kind: 'mapOf',
    value: { kind: 'oneOf', shapes: [...primitives, array, ...objects] },
    keyPattern: '^.{1,100}$',
    maxEntries: 500,
  };
}

function claim(
  type: string,
  more: Readonly<Record<string, Shape>> = {},
  required: readonly string[] = [],
): MapShape {
  return {
    kind: 'map',
    fields: { type: { ...text, enum: [type] }, description: { ...text, maxLength: 1024 }, ...more },
    required: ['type', 'description', ...required],
  };
}
