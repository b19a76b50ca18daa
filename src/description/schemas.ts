import * as shapes from '../contract/shapes.ts';
import type { TSchema } from '../contract/schema.ts';
import { isOperation, type Operation } from '../contract/operation.ts';
import type { Noun } from '../resources/index.ts';
import { defined } from '../contract/values.ts';

/** Names for the schemas of resources, by the part that a copy of a schema keeps. */
export type SchemaNames = ReadonlyMap<object, string>;

/** The named schemas: those that the contracts and the common shapes export, of objects and of choices, and the recursive ones. */
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

/** Schemas that refer to themselves by their id, wherever they are in a value. */
function* recursiveSchemas(value: unknown): Generator<TSchema & { $id: string }> {
  if (typeof value !== 'object' || value === null) return;
  if (isSchema(value) && typeof value.$id === 'string') yield value as TSchema & { $id: string };
  for (const part of Object.values(value)) yield* recursiveSchemas(part);
}

export function schemaNames(named: ReadonlyMap<string, TSchema>): SchemaNames {
  return new Map([...named].map(([name, schema]) => [identityOf(schema)!, name]));
}

/** Plain JSON Schema, with references for what has a name; `own` is the name of the schema that is being written. */
export function plainSchema(schema: unknown, names: SchemaNames, own?: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => plainSchema(item, names));
  if (typeof schema !== 'object' || schema === null) return schema;
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

export interface NounOperations {
  readonly noun: Noun;
  /** Everything that the contract exports: operations and schemas by name. */
  readonly exports: Readonly<Record<string, unknown>>;
  readonly operations: readonly Operation[];
}

/** Loads the contracts of nouns and lists their operations; each operation once. */
export async function operationsOf(nouns: readonly Noun[]): Promise<NounOperations[]> {
  const seen = new Set<string>();
  const isNew = ({ id }: Operation): boolean => !seen.has(id) && seen.add(id) !== undefined;
  const contracts = await Promise.all(nouns.map((noun) => noun.contract()));
  return nouns.map((noun, at) => {
    const exports = contracts[at] as Readonly<Record<string, unknown>>;
    return { noun, exports, operations: Object.values(exports).filter(isOperation).filter(isNew) };
  });
}
