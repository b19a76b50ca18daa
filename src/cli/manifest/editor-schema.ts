import { defined } from '../../contract/values.ts';
import {
  acceptsNull,
  branchesOf,
  choicesOf,
  isIdSchema,
  recordOf,
  typeOf,
  withoutNull,
  type Schema,
} from '../../manifest/read/schema.ts';

import { shareSchemas } from './share-schemas.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The pattern of the file in `!file path` for a map or a list, in any case. */
const valueFile = '\\.([jJ][sS][oO][nN]|[yY][aA]?[mM][lL])$';

/** Values that may replace other values, by their name in `$defs`. */
const tagged = {
  variable: {
    type: 'string',
    pattern: '\\$\\{\\s*(var|env)\\.',
    description: 'a text with a variable: ${var.name} or ${env.NAME}',
  },
  reference: {
    description: 'an ID, !ref block, or !lookup { field: value }',
    type: ['string', 'object'],
    minLength: 1,
    minProperties: 1,
  },
} satisfies Record<string, JsonSchema>;

const variable: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    required: { type: 'boolean' },
    default: { type: ['string', 'number', 'boolean', 'null'] },
    type: { enum: ['string', 'number', 'boolean'] },
    description: { type: 'string' },
  },
};

const fileFields: JsonSchema = {
  $schema: { type: 'string' },
  version: { const: 1, description: 'The version of the manifest format; always 1' },
  include: {
    type: 'array',
    items: { type: 'string' },
    description: 'More files of the manifest, relative to this one; * and ** are patterns',
  },
  overlay: {
    type: 'boolean',
    description: 'true: this file changes the manifest that is named before it; null removes a block',
  },
  vars: {
    type: 'object',
    description: 'Variables by name: a default value, or { required, default, type, description }',
    propertyNames: { pattern: '^[A-Za-z_][\\w-]*$' },
    additionalProperties: { anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, variable] },
  },
};

/** Returns the schema of manifests as JSON Schema (draft 7) for editors. It accepts tags and variables wherever docsctl does. */
export function editorSchema(manifest: Schema): JsonSchema {
  const writer = new SchemaWriter();
  const { properties, ...rest } = writer.write(manifest, true) as { properties?: JsonSchema };
  return shareSchemas({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'docsctl manifest',
    // An overlay has parts of blocks, and null for removed parts.
    if: { properties: { overlay: { const: true } }, required: ['overlay'] },
    else: { ...rest, properties: { ...fileFields, ...properties }, required: ['version'] },
    $defs: Object.fromEntries(writer.definitions),
  });
}

class SchemaWriter {
  /** Recursive schemas, and schemas for tags, by name. */
  readonly definitions = new Map<string, JsonSchema>();

  write(given: Schema, isWhole = false): JsonSchema {
    if (given.$ref !== undefined) return { $ref: `#/$defs/${given.$ref}` };
    const schema = withoutNull(given);
    const isInFile = !isWhole && ['map', 'record', 'list'].includes(typeOf(schema));
    const plain = this.#plain(schema);
    const accepted = isInFile ? orText(plain, valueFile) : plain;
    const description = given.description ?? schema.description;
    const { deprecated } = given;
    const written = defined({
      description,
      deprecated,
      ...(acceptsNull(given) ? orNull(accepted) : accepted),
    });
    const name = given.$id ?? schema.$id;
    if (name === undefined) return written;
    this.definitions.set(name, written);
    return { $ref: `#/$defs/${name}` };
  }

  #plain(schema: Schema): JsonSchema {
    switch (typeOf(schema)) {
      case 'any':
        return {};
      case 'scalar':
        return this.#scalar(schema);
      case 'union':
        return { anyOf: branchesOf(schema).flatMap((branch) => alternativesOf(this.write(branch))) };
      case 'list':
        return {
          type: 'array',
          items: this.write(schema.items ?? {}),
          ...pick(schema, ['minItems', 'maxItems']),
        };
      case 'record': {
        const { pattern, value } = recordOf(schema);
        const written = this.write(value);
        return {
          type: 'object',
          ...(pattern !== undefined && { propertyNames: { pattern } }),
          additionalProperties: written,
          ...pick(schema, ['maxProperties']),
        };
      }
      case 'map':
        return {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, field]) => [name, this.write(field)]),
          ),
          ...pick(schema, ['required']),
          ...(schema.additionalProperties === false && { additionalProperties: false }),
        };
    }
  }

  #scalar(schema: Schema): JsonSchema {
    if (isIdSchema(schema)) return { anyOf: [this.#tagged('reference')] };
    const choices = choicesOf(schema);
    const limits = pick(schema, ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern']);
    const plain = { ...(choices === undefined ? { type: schema.type } : { enum: choices }), ...limits };
    if (choices === undefined && schema.type !== 'string') return orText(plain, tagged.variable.pattern);
    return choices === undefined && acceptsVariables(schema)
      ? plain
      : { anyOf: [plain, this.#tagged('variable')] };
  }

  #tagged(name: keyof typeof tagged): JsonSchema {
    this.definitions.set(name, tagged[name]);
    return { $ref: `#/$defs/${name}` };
  }
}

/**
 * Whether a text with a variable is never refused by the limits of a schema. Such a text has at least the 6 characters of
 * `${var.`.
 */
function acceptsVariables({ minLength = 0, maxLength, pattern = '\\S' }: Schema): boolean {
  return minLength <= 6 && maxLength === undefined && pattern === '\\S';
}

function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, ...rest } = schema;
  return Array.isArray(anyOf) && Object.keys(rest).length === 0 ? (anyOf as JsonSchema[]) : [schema];
}

/** Makes a schema of another type also accept texts with a pattern. */
function orText(schema: JsonSchema, pattern: string): JsonSchema {
  return { ...schema, type: [schema['type'], 'string'], pattern };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices, anyOf } = schema;
  if (Array.isArray(choices)) return { ...schema, enum: [...(choices as unknown[]), null] };
  if (type !== undefined) return { ...schema, type: [type, 'null'].flat() };
  return Array.isArray(anyOf) ? { anyOf: orNullIn(anyOf as JsonSchema[]) } : schema;
}

/** Makes the first of several schemas accept null, or adds null to them. */
function orNullIn([first = {}, ...others]: readonly JsonSchema[]): JsonSchema[] {
  const isNamed = first['$ref'] !== undefined || first['description'] !== undefined;
  return isNamed ? [first, ...others, { type: 'null' }] : [orNull(first), ...others];
}

function pick(schema: Schema, keywords: readonly (keyof Schema)[]): JsonSchema {
  return Object.fromEntries(
    keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
  );
}
