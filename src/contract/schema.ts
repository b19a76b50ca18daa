import * as typebox from '@sinclair/typebox';
import {
  Kind,
  TypeRegistry,
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
} from '@sinclair/typebox';

/**
 * The only import of TypeBox. Every schema is a JSON Schema without additional fields unless it says otherwise. Importing
 * TypeBox's own `Type` would load all of its features.
 */
export const Type = {
  Array: typebox.Array,
  Boolean: typebox.Boolean,
  Integer: typebox.Integer,
  Literal: typebox.Literal,
  Null: typebox.Null,
  Number: typebox.Number,
  Object: typebox.Object,
  Optional: typebox.Optional,
  Record: typebox.Record,
  Recursive: typebox.Recursive,
  String: typebox.String,
  Union: typebox.Union,
  Unsafe: typebox.Unsafe,
};
export type { Static, TObject, TProperties, TSchema };

/** Returns an object schema that rejects unlisted fields. */
export function closed<P extends TProperties>(
  properties: P,
  options: Record<string, unknown> = {},
): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** Returns the fields of an object schema as optional ones. */
export function optional<P extends TProperties>(properties: P): { [K in keyof P]: TOptional<P[K]> } {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries) as { [K in keyof P]: TOptional<P[K]> };
}

/** The key of the word that commands and manifests use for null. A symbol is not part of the JSON Schema. */
const nullWord = Symbol('nullWord');

/** Returns the word that commands and manifests use for null, such as "guest" for a member without a role. */
export function nullWordOf(schema: TSchema): string | undefined {
  return (schema as { readonly [nullWord]?: string })[nullWord];
}

/** Adds a word for null, which commands and manifests accept for it. Requests contain null. */
export function withNullWord<S extends TSchema>(schema: S, word: string): S {
  return { ...schema, [nullWord]: word };
}

/** Returns a schema that also accepts null. It has the description of the schema unless the options contain another. */
export function nullable<S extends TSchema>(schema: S, options: Record<string, unknown> = {}) {
  const { description } = schema;
  return Type.Union([schema, Type.Null()], {
    ...(description === undefined ? {} : { description }),
    ...options,
  });
}

/** Returns a string schema with a fixed list of values, as a JSON Schema `enum`. */
export function oneOf<const V extends readonly string[]>(values: V, options: Record<string, unknown> = {}) {
  return Type.Unsafe<V[number]>({ [Kind]: 'StringEnum', type: 'string', enum: [...values], ...options });
}

TypeRegistry.Set<{ enum: string[] }>(
  'StringEnum',
  (schema, value) => typeof value === 'string' && schema.enum.includes(value),
);

/** Returns a schema whose check is stricter than its JSON form; `kind` is a unique name. */
export function custom<T>(kind: string, schema: Record<string, unknown>, check: (value: unknown) => boolean) {
  TypeRegistry.Set(kind, (_, value) => value !== undefined && check(value));
  return Type.Unsafe<T>({ [Kind]: kind, ...schema });
}

/** The pattern of texts that are not only white space. */
export const notBlank = '\\S';

/** Returns a schema for names: texts that are neither empty nor only white space. */
export function nonBlank(options: Parameters<typeof Type.String>[0] & { readonly maxLength: number }) {
  return Type.String({ minLength: 1, pattern: notBlank, ...options });
}

export const Id = Type.String({ minLength: 1, maxLength: 255, pattern: '^[a-zA-Z0-9_-]+$' });
export const DateTime = Type.String({
  format: 'date-time',
  description: 'date and time, such as 2030-01-31T09:00:00Z',
});
export const Url = Type.String({
  format: 'uri',
  maxLength: 2048,
  description: 'address, such as https://example.com',
});
export const WebUrl = Type.String({
  format: 'uri',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  maxLength: 2048,
  description: 'address that starts with https:// or http://',
});
