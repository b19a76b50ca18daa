import * as shapes from '../contract/shapes.ts';
import type { TSchema } from '../contract/schema.ts';
import { isOperation, type Operation } from '../contract/operation.ts';
import type { Noun } from '../resources/index.ts';
import { defined, isObject } from '../contract/values.ts';

/** The names of schemas, by the part of a schema that its copies share. */
export type SchemaNames = ReadonlyMap<object, string>;

/**
 * Collects the schemas that get a name: the objects and unions that contracts and common shapes export, and recursive
 * schemas.
 */
export function namedSchemas(contracts: readonly Pick<NounOperations, 'exports'>[]): Map<string, TSchema> {
  const named = new Map<string, TSchema>();
  for (const exports of [shapes, ...contracts.map((contract) => contract.exports)]) {
    for (const [name, value] of Object.entries(exports)) {
      if (isSchema(value) && identityOf(value) !== undefined && !named.has(name)) named.set(name, value);
      for (const schema of recursiveSchemas(value)) named.set(schema.$id, schema);
    }
  }
  return named;
}

/** Finds the schemas in a value that refer to themselves by their id. */
function* recursiveSchemas(value: unknown): Generator<TSchema & { $id: string }> {
  if (!isObject(value)) return;
  if (isSchema(value) && typeof value.$id === 'string') yield value as TSchema & { $id: string };
  for (const part of Object.values(value)) yield* recursiveSchemas(part);
}

/** Returns the names of shared schemas, by the identity of the schema. */
export function schemaNames(named: ReadonlyMap<string, TSchema>): SchemaNames {
  const names = new Map<object, string>();
  for (const [name, schema] of named) {
    const identity = identityOf(schema);
    if (identity !== undefined) names.set(identity, name);
  }
  return names;
}

/**
 * Writes plain JSON Schema, with references to the schemas that have a name. `own` is the name of the schema itself.
 */
export function plainSchema(schema: unknown, names: SchemaNames, own?: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => plainSchema(item, names));
  if (!isObject(schema)) return schema;
  const identity = identityOf(schema);
  const name = identity === undefined ? undefined : names.get(identity);
  if (name !== undefined && name !== own) {
    const { description } = schema as { description?: string };
    return defined({ $ref: `#/components/schemas/${name}`, description });
  }
  const parts = Object.entries(schema).filter(([key, value]) => key !== '$id' || typeof value !== 'string');
  return Object.fromEntries(
    parts.map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string'
        ? `#/components/schemas/${value}`
        : plainSchema(value, names),
    ]),
  );
}

function isSchema(value: unknown): value is TSchema {
  return (
    typeof value === 'object' &&
    value !== null &&
    !('route' in value) &&
    ('type' in value || 'anyOf' in value)
  );
}

function identityOf(schema: object): object | undefined {
  const { type, properties, anyOf } = schema as { type?: unknown; properties?: object; anyOf?: object };
  return type === 'object' ? properties : anyOf;
}

interface NounOperations {
  readonly noun: Noun;
  /** Everything that the contract exports: operations and schemas by name. */
  readonly exports: Readonly<Record<string, unknown>>;
  readonly operations: readonly Operation[];
}

/** Loads the contracts of nouns and lists their operations. */
export async function operationsOf(nouns: readonly Noun[]): Promise<NounOperations[]> {
  return Promise.all(
    nouns.map(async (noun) => {
      const exports = (await noun.contract()) as Readonly<Record<string, unknown>>;
      return { noun, exports, operations: Object.values(exports).filter(isOperation) };
    }),
  );
}
