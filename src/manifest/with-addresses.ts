import { isObject } from '../contract/values.ts';
import type { Field } from './kind.ts';
import { branchesOf, isIdSchema, schemaIn, typeOf, withoutNull, type Schema } from './read/schema.ts';
import { isReference } from './value.ts';

/** Replaces the IDs of known resources in a live value by references. `addressOf` takes a kind and an ID. */
export function withAddresses(
  value: unknown,
  { refersTo, schema }: Pick<Field, 'refersTo'> & Partial<Pick<Field, 'schema'>>,
  addressOf: (kindAndId: string) => string | undefined,
): unknown {
  if (refersTo === undefined) return value;
  const named = (inner: unknown, at: readonly Schema[]): unknown => {
    if (typeof inner === 'string') {
      if (isPlain(at)) return inner;
      const address = addressOf(`${refersTo} ${inner}`);
      return address === undefined ? inner : { 'docsctl:ref': address };
    }
    if (Array.isArray(inner)) return inner.map((item) => named(item, schemasIn(at, '0')));
    if (!isObject(inner) || isReference(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, one]) => [name, named(one, schemasIn(at, name))]),
    );
  };
  return named(value, schema === undefined ? [] : alternatives(schema));
}

/** Whether a text cannot be an ID, such as the language of a source. Without schemas, any text may be an ID. */
function isPlain(at: readonly Schema[]): boolean {
  // A text does not match a map.
  const forms = at.filter((schema) => typeOf(schema) !== 'map');
  return forms.length > 0 && forms.every((schema) => typeOf(schema) === 'scalar' && !isIdSchema(schema));
}

function schemasIn(at: readonly Schema[], name: string): Schema[] {
  return at.flatMap((schema) => {
    const inner = schemaIn(schema, name);
    return inner === undefined ? [] : alternatives(inner);
  });
}

/** Returns the branches of a union, including nested ones; for any other schema, the schema itself. */
function alternatives(given: Schema): Schema[] {
  const schema = withoutNull(given);
  return typeOf(schema) === 'union' ? branchesOf(schema).flatMap(alternatives) : [schema];
}
