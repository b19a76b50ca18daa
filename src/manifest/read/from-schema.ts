import { Id, type TSchema } from '../../contract/schema.ts';
import type { ScalarShape, ScalarType, Shape } from './shape.ts';

type Schema = Readonly<Record<string, unknown>>;
type Known = Map<string, Shape>;

/** The shape that a schema of the API asks for, as contract/schema.ts emits them. */
export function fromSchema(schema: TSchema): Shape {
  return shapeOf(schema as Schema, new Map());
}

function shapeOf(schema: Schema, known: Known): Shape {
  if (typeof schema['$ref'] === 'string') return known.get(schema['$ref']) ?? { kind: 'any' };
  if (typeof schema['$id'] !== 'string') return described(plainShape(schema, known), schema);
  // A schema that holds itself becomes a shape that holds itself.
  const self = {} as Shape;
  known.set(schema['$id'], self);
  return Object.assign(self, described(plainShape(schema, known), schema));
}

function described(shape: Shape, { description }: Schema): Shape {
  return typeof description === 'string' ? { ...shape, description } : shape;
}

function plainShape(schema: Schema, known: Known): Shape {
  const { anyOf, type, format } = schema;
  // On the command line and in manifests a document is Markdown, or a document as the API has it.
  if (format === 'rich-document') return { kind: 'any' };
  if (Array.isArray(anyOf))
    return unionOf((anyOf as Schema[]).map((branch) => ({ branch, shape: shapeOf(branch, known) })));
  if (type === 'array')
    return {
      kind: 'list',
      item: shapeOf((schema['items'] ?? {}) as Schema, known),
      ...given(schema, ['minItems', 'maxItems']),
    };
  if (type === 'object') return objectOf(schema, known);
  if (type === 'null') return { kind: 'any', nullable: true };
  const types = (['string', 'number', 'integer', 'boolean'] as const).filter((name) => name === type);
  return types.length === 0 && schema['const'] === undefined ? { kind: 'any' } : scalarOf(schema, types);
}

function scalarOf(schema: Schema, types: readonly ScalarType[]): ScalarShape {
  const constant = schema['const'] as string | number | boolean | undefined;
  return {
    kind: 'scalar',
    types,
    ...given(schema, ['enum', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format']),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(schema['pattern'] === Id.pattern && schema['maxLength'] === Id.maxLength ? { id: true } : {}),
  };
}

function objectOf(schema: Schema, known: Known): Shape {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const [pattern] = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Schema>);
  const others = schema['additionalProperties'];
  const most = typeof schema['maxProperties'] === 'number' ? { maxEntries: schema['maxProperties'] } : {};
  if (pattern !== undefined)
    return {
      kind: 'mapOf',
      value: shapeOf(pattern[1], known),
      ...(pattern[0] === '^(.*)$' ? {} : { keyPattern: pattern[0] }),
      ...most,
    };
  if (properties.length === 0 && others !== false)
    return {
      kind: 'mapOf',
      value: typeof others === 'object' ? shapeOf(others as Schema, known) : { kind: 'any' },
      ...most,
    };
  const fields = Object.create(null) as Record<string, Shape>;
  for (const [name, field] of properties) fields[name] = shapeOf(field, known);
  const required = schema['required'] as string[] | undefined;
  return {
    kind: 'map',
    fields,
    ...(required === undefined ? {} : { required }),
    ...(others === false ? {} : { open: true }),
  };
}

function unionOf(branches: readonly { readonly branch: Schema; readonly shape: Shape }[]): Shape {
  const nullable = branches.some(({ branch, shape }) => branch['type'] === 'null' || shape.nullable === true)
    ? { nullable: true }
    : {};
  const shapes = branches.filter(({ branch }) => branch['type'] !== 'null').map(({ shape }) => shape);
  const [first] = shapes;
  if (first === undefined) return { kind: 'any', nullable: true };
  if (shapes.length === 1) return { ...first, ...nullable };
  const fixed = shapes.flatMap((shape) =>
    shape.kind === 'scalar' && shape.enum !== undefined ? [shape] : [],
  );
  // Literals beside each other are a choice of words.
  if (fixed.length === shapes.length)
    return {
      kind: 'scalar',
      types: [...new Set(fixed.flatMap(({ types }) => types))],
      enum: fixed.flatMap((shape) => shape.enum ?? []),
      ...nullable,
    };
  return { kind: 'oneOf', shapes, ...nullable };
}

function given(schema: Schema, names: readonly string[]): Record<string, never> {
  return Object.fromEntries(
    names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])),
  ) as Record<string, never>;
}
