import { isRecord, ownValue } from '../contract/values.ts';

/** Maximum depth of a value. */
const maxDepth = 50;

/**
 * Replaces references to the state, `{ "$state": key }`, by the values of the state, at all levels of a value. References inside
 * values of the state are not replaced, because these values are data. Values below 50 levels become undefined.
 */
export function resolveState(value: unknown, state: Readonly<Record<string, unknown>>, depth = 0): unknown {
  if (!Array.isArray(value) && !isRecord(value)) return value;
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return value.map((item) => resolveState(item, state, depth + 1));
  const key = stateKeyOf(value);
  if (key !== undefined) return ownValue(state, key);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, resolveState(inner, state, depth + 1)]),
  );
}

/** Returns the key of a reference to the state; undefined for other values. */
function stateKeyOf(value: Readonly<Record<string, unknown>>): string | undefined {
  if (!Object.hasOwn(value, '$state')) return undefined;
  const key = value['$state'];
  return typeof key === 'string' ? key : undefined;
}
