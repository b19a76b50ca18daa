import type { Field } from './kind.ts';
import { isIdSchema, schemaIn, typeOf, withoutNull, type Schema } from './read/schema.ts';
import { isReference } from './value.ts';

/** Replaces the ids of known resources in a live value by references. `addressOf` takes a kind and an id. */
export function withAddresses(
  value: unknown,
  { refersTo, schema }: Pick<Field, 'refersTo'> & Partial<Pick<Field, 'schema'>>,
  addressOf: (kindAndId: string) => string | undefined,
): unknown {
  if (refersTo === undefined) return value;
  const named = (inner: unknown, at: Schema | undefined): unknown => {
    if (typeof inner === 'string') {
      const address = addressOf(`${refersTo} ${inner}`);
      return address === undefined ? inner : { 'docsctl:ref': address };
    }
    if (Array.isArray(inner)) return inner.map((item) => named(item, schemaIn(at, '0')));
    if (typeof inner !== 'object' || inner === null || isReference(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, one]) => [
        name,
        isPlain(name, at) ? one : named(one, schemaIn(at, name)),
      ]),
    );
  };
  return named(value, schema);
}

/** Returns whether a field beside an id is plain text, such as the language of a source. */
function isPlain(name: string, schema: Schema | undefined): boolean {
  const field = schemaIn(schema, name);
  return (
    schema !== undefined &&
    field !== undefined &&
    typeOf(schema) === 'map' &&
    typeOf(field) === 'scalar' &&
    !isIdSchema(field) &&
    Object.values(withoutNull(schema).properties ?? {}).some(isIdSchema)
  );
}
