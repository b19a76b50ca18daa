import type { Field } from './kind.ts';
import { isReference } from './value.ts';

/** A live value with refs where ids of known resources stand; `addressOf` takes a kind and an id. */
export function withAddresses(value: unknown, { refersTo }: Pick<Field, 'refersTo'>, addressOf: (kindAndId: string) => string | undefined): unknown {
  if (refersTo === undefined) return value;
  const named = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      const address = addressOf(`${refersTo} ${inner}`);
      return address === undefined ? inner : { 'docsctl:ref': address };
    }
    if (Array.isArray(inner)) return inner.map(named);
    if (typeof inner !== 'object' || inner === null || isReference(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, named(one)]));
  };
  return named(value);
}
