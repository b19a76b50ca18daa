import { defined } from '../../contract/values.ts';
import {
  acceptsNull,
  branchesOf,
  choicesOf,
  isIdSchema,
  isSecretSchema,
  recordOf,
  typeOf,
  withoutNull,
  type Schema,
} from '../../manifest/read/schema.ts';

import { shareSchemas } from './share-schemas.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** A text with a variable in it, which may take the place of any plain value. */
const textWithVariable: JsonSchema = { type: 'string', pattern: '\\$\\{\\s*(var|env)\\.' };

/** `!lookup { … }`, which is a map for an editor. `!ref space.guide` is a text. */
const lookup: JsonSchema = { type: 'object', minProperties: 1, description: '!lookup { field: value }' };

/** `!file path` in the place of a map or a list. */
const valueFile: JsonSchema = { type: 'string', pattern: '\\.(json|ya?ml)$', description: '!file path' };

/** `!secret { env: X }`, `!secret { file: path }`, or `!file path`. */
const secret: JsonSchema = {
  anyOf: [
    ...['env', 'file'].map((source) => ({
      type: 'object',
      properties: { [source]: { type: 'string' } },
      required: [source],
      additionalProperties: false,
    })),
    { type: 'string', description: '!file path' },
  ],
};

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
    additionalProperties: { anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, variable] },
  },
};

/** Writes the schema of manifests as JSON Schema (draft 7) for editors: it accepts tags and variables where docsctl does. */
export function editorSchema(manifest: Schema): JsonSchema {
  const writer = new SchemaWriter();
  const { properties, ...rest } = writer.write(manifest, true) as { properties?: JsonSchema };
  return shareSchemas({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'docsctl manifest',
    ...rest,
    properties: { ...fileFields, ...properties },
    required: ['version'],
    ...(writer.definitions.size > 0 && { $defs: Object.fromEntries(writer.definitions) }),
  });
}

class SchemaWriter {
  /** Recursive schemas by name. */
  readonly definitions = new Map<string, JsonSchema>();

  write(given: Schema, isWhole = false): JsonSchema {
    if (given.$ref !== undefined) return { $ref: `#/$defs/${given.$ref}` };
    const schema = withoutNull(given);
    const isInFile =
      !isWhole && !isSecretSchema(schema) && ['map', 'record', 'list'].includes(typeOf(schema));
    const plain = isSecretSchema(schema) ? secret : this.#plain(schema);
    const accepted = isInFile ? { anyOf: [plain, valueFile] } : plain;
    const description = given.description ?? schema.description;
    const written = defined({ description, ...(acceptsNull(given) ? orNull(accepted) : accepted) });
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
        return writeScalar(schema);
      case 'union':
        return { anyOf: branchesOf(schema).map((branch) => this.write(branch)) };
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
          ...(pattern === undefined
            ? { additionalProperties: written }
            : { patternProperties: { [pattern]: written }, additionalProperties: false }),
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
}

function writeScalar(schema: Schema): JsonSchema {
  if (isIdSchema(schema)) return { anyOf: [{ type: 'string' }, lookup] };
  const choices = choicesOf(schema);
  const limits = pick(schema, ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern']);
  const plain = { ...(choices === undefined ? { type: schema.type } : { enum: choices }), ...limits };
  const isAnyText = schema.type === 'string' && choices === undefined && Object.keys(limits).length === 0;
  return isAnyText ? plain : { anyOf: [plain, textWithVariable] };
}

function orNull(schema: JsonSchema): JsonSchema {
  const [keyword, ...more] = Object.keys(schema);
  if (keyword === undefined) return schema;
  const branches =
    more.length === 0 && Array.isArray(schema['anyOf']) ? (schema['anyOf'] as JsonSchema[]) : [schema];
  return { anyOf: [...branches, { type: 'null' }] };
}

function pick(schema: Schema, keywords: readonly (keyof Schema)[]): JsonSchema {
  return Object.fromEntries(
    keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
  );
}
