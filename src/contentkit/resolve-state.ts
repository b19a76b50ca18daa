import { isRecord } from '../contract/values.ts';

/** The most levels of a value. */
const maxDepth = 50;

/**
 * Replaces references to the state, `{ "$state": key }`, by the values of the state, at all levels of a value. Values of the
 * state are data: references in them stay. What is deeper than 50 levels becomes undefined.
 */
export function resolveState(value: unknown, state: Readonly<Record<string, unknown>>, depth = 0): unknown {
  if (!Array.isArray(value) && !isRecord(value)) return value;
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return value.map((item) => resolveState(item, state, depth + 1));
  const key = stateKeyOf(value);
  if (key !== undefined) return Object.hasOwn(state, key) ? state[key] : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, resolveState(inner, state, depth + 1)]),
  );
}

/** The key of a reference to the state; undefined for any other value. */
function stateKeyOf(value: Readonly<Record<string, unknown>>): string | undefined {
  if (!Object.hasOwn(value, '$state')) return undefined;
  const key = value['$state'];
  return typeof key === 'string' ? key : undefined;
}
