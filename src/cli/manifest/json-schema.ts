import type { MapShape, ScalarShape, Shape } from '../../manifest/read/shape.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A text with a variable in it, which may become anything. */
const filled: Schema = { type: 'string', pattern: '\\$\\{\\s*(var|env)\\.' };

/** What stands for another resource: `!ref space.guide` is a text to an editor, `!lookup { … }` a map. */
const lookup: Schema = { type: 'object', minProperties: 1, description: '!lookup { field: value }' };

/** A JSON Schema (draft 7) of manifests, for editors; tags and variables are taken wherever docsctl takes them. */
export function manifestSchema(shape: MapShape): Schema {
  const writer = new Writer();
  const { properties = {}, ...rest } = writer.schemaOf(shape) as { properties?: Record<string, Schema> };
  const beside = {
    version: { const: 1, description: 'The version of the language of manifests' },
    include: {
      type: 'array',
      items: { type: 'string' },
      description: 'Further files, from this one; * and ** are patterns',
    },
    vars: {
      type: 'object',
      description: 'Variables: a default, or { required, default, type, description }',
      additionalProperties: { anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, variable] },
    },
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'docsctl manifest',
    ...rest,
    properties: { ...beside, ...properties },
    required: ['version'],
    ...(writer.definitions.size === 0 ? {} : { definitions: Object.fromEntries(writer.definitions) }),
  };
}

const variable: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    required: { type: 'boolean' },
    default: { type: ['string', 'number', 'boolean', 'null'] },
    type: { enum: ['string', 'number', 'boolean'] },
    description: { type: 'string' },
  },
};

class Writer {
  readonly definitions = new Map<string, Schema>();
  readonly #open: Shape[] = [];
  readonly #names = new Map<Shape, string>();

  schemaOf(shape: Shape): Schema {
    // A shape that holds itself becomes a definition that names itself.
    if (this.#open.includes(shape)) {
      const name = this.#names.get(shape) ?? `shape${this.#names.size + 1}`;
      this.#names.set(shape, name);
      return { $ref: `#/definitions/${name}` };
    }
    this.#open.push(shape);
    const isWhole = this.#open.length === 1;
    const plain = shape.secret === true ? secret : this.#plain(shape);
    const taken = nullable(
      shape,
      isWhole || shape.secret === true || !['map', 'mapOf', 'list'].includes(shape.kind)
        ? plain
        : { anyOf: [plain, valueFile] },
    );
    const schema = shape.description === undefined ? taken : { description: shape.description, ...taken };
    this.#open.pop();
    const name = this.#names.get(shape);
    if (name === undefined) return schema;
    this.definitions.set(name, schema);
    return { $ref: `#/definitions/${name}` };
  }

  #plain(shape: Shape): Schema {
    switch (shape.kind) {
      case 'any':
        return {};
      case 'scalar':
        return scalarSchema(shape);
      case 'oneOf':
        return { anyOf: shape.shapes.map((one) => this.schemaOf(one)) };
      case 'list':
        return { type: 'array', items: this.schemaOf(shape.item), ...given(shape, ['minItems', 'maxItems']) };
      case 'mapOf': {
        const value = this.schemaOf(shape.value);
        const most = shape.maxEntries === undefined ? {} : { maxProperties: shape.maxEntries };
        return {
          type: 'object',
          ...(shape.keyPattern === undefined
            ? { additionalProperties: value }
            : { patternProperties: { [shape.keyPattern]: value }, additionalProperties: false }),
          ...most,
        };
      }
      default: {
        const properties = Object.fromEntries(
          Object.entries(shape.fields).map(([name, field]) => [name, this.schemaOf(field)]),
        );
        return {
          type: 'object',
          properties,
          ...(shape.required === undefined ? {} : { required: shape.required }),
          ...(shape.open === true ? {} : { additionalProperties: false }),
        };
      }
    }
  }
}

/** `!secret { env: X }`, `!secret { file: path }`, or `!file path`. */
const secret: Schema = {
  anyOf: [
    {
      type: 'object',
      properties: { env: { type: 'string' } },
      required: ['env'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { file: { type: 'string' } },
      required: ['file'],
      additionalProperties: false,
    },
    { type: 'string', description: '!file path' },
  ],
};

/** What is no text may stand in a file of its own. */
const valueFile: Schema = { type: 'string', pattern: '\\.(json|ya?ml)$', description: '!file path' };

function scalarSchema(shape: ScalarShape): Schema {
  if (shape.id === true) return { anyOf: [{ type: 'string' }, lookup] };
  const type = shape.types.length === 1 ? shape.types[0] : shape.types;
  const plain = {
    ...(shape.enum === undefined ? { type } : { enum: shape.enum }),
    ...given(shape, ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern']),
  };
  return isFree(shape) ? plain : { anyOf: [plain, filled] };
}

/** Whether every text is taken. */
function isFree({ types, enum: words, minLength, maxLength, pattern }: ScalarShape): boolean {
  return (
    types.length === 1 &&
    types[0] === 'string' &&
    [words, minLength, maxLength, pattern].every((limit) => limit === undefined)
  );
}

function nullable(shape: Shape, schema: Schema): Schema {
  if (shape.nullable !== true || Object.keys(schema).length === 0) return schema;
  const branches =
    Object.keys(schema).length === 1 && Array.isArray(schema['anyOf'])
      ? (schema['anyOf'] as Schema[])
      : [schema];
  return { anyOf: [...branches, { type: 'null' }] };
}

function given(shape: object, names: readonly string[]): Record<string, unknown> {
  const fields = shape as Record<string, unknown>;
  return Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}
