/** What conditions work on: JSON, and undefined for what is not there. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [name: string]: Value };

/** What a condition is evaluated against. */
export interface Context {
  readonly visitor: { readonly claims: Value };
  readonly space?: { readonly vars: Value };
  readonly page?: { readonly vars: Value };
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isRecord(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Its own member, never one it inherits; undefined where there is none. */
export function memberOf(value: Value, name: Value): Value {
  if (typeof value === 'string') return name === 'length' ? value.length : undefined;
  if (isList(value))
    return name === 'length'
      ? value.length
      : typeof name === 'number' && Number.isInteger(name) && name >= 0
        ? value[name]
        : undefined;
  if (!isRecord(value) || (typeof name !== 'string' && typeof name !== 'number')) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** JavaScript's `==` and `===` for JSON: lists and objects equal only themselves, and nothing of theirs is called. */
export function isEqual(left: Value, right: Value, strictly: boolean): boolean {
  if (strictly || isCompound(left) || isCompound(right)) return left === right;
  // oxlint-disable-next-line eqeqeq -- the operator `==` of conditions, on primitives
  return left == right;
}

/** JavaScript's `<` and its kin on primitives; false for lists and objects. */
export function isOrdered(left: Value, operator: string, right: Value): boolean {
  if (isCompound(left) || isCompound(right) || left === undefined || right === undefined) return false;
  const [one, other] = [left as string, right as string];
  return operator === '<'
    ? one < other
    : operator === '<='
      ? one <= other
      : operator === '>'
        ? one > other
        : one >= other;
}

function isCompound(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}
