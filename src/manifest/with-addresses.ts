import type { Field } from './kind.ts';
import type { Shape } from './read/shape.ts';
import { isReference } from './value.ts';

/** A live value with refs where ids of known resources stand; `addressOf` takes a kind and an id. */
export function withAddresses(
  value: unknown,
  { refersTo, shape }: Pick<Field, 'refersTo'> & Partial<Pick<Field, 'shape'>>,
  addressOf: (kindAndId: string) => string | undefined,
): unknown {
  if (refersTo === undefined) return value;
  const named = (inner: unknown, at: Shape | undefined): unknown => {
    if (typeof inner === 'string') {
      const address = addressOf(`${refersTo} ${inner}`);
      return address === undefined ? inner : { 'docsctl:ref': address };
    }
    if (Array.isArray(inner))
      return inner.map((item) => named(item, at?.kind === 'list' ? at.item : undefined));
    if (typeof inner !== 'object' || inner === null || isReference(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, one]) => [
        name,
        isPlain(name, at) ? one : named(one, fieldOf(name, at)),
      ]),
    );
  };
  return named(value, shape);
}

/** A text beside an id, such as the language of a source, is no id. */
function isPlain(name: string, shape: Shape | undefined): boolean {
  const field = fieldOf(name, shape);
  return (
    shape?.kind === 'map' &&
    field?.kind === 'scalar' &&
    field.id !== true &&
    Object.values(shape.fields).some((other) => other.kind === 'scalar' && other.id === true)
  );
}

function fieldOf(name: string, shape: Shape | undefined): Shape | undefined {
  return shape?.kind === 'map' && Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
}
