import { isObject, isRecord } from '../contract/values.ts';

/** A value in a condition: JSON, or undefined for a missing claim. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [name: string]: Value };

/** The data with which a condition is evaluated. */
export interface EvaluationContext {
  readonly visitor: { readonly claims: Value };
  readonly space?: { readonly vars: Value };
  readonly page?: { readonly vars: Value };
}

/** Whether a value is a list. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Reads an own property of a value, never an inherited one; undefined if there is none. */
export function readMember(value: Value, name: Value): Value {
  if (typeof value === 'string') return name === 'length' ? value.length : undefined;
  if (isList(value)) {
    if (name === 'length') return value.length;
    return typeof name === 'number' && Number.isInteger(name) && name >= 0 ? value[name] : undefined;
  }
  if (!isRecord(value) || (typeof name !== 'string' && typeof name !== 'number')) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Compares like JavaScript's `==` and `===`. A list or object equals only itself, so none of its methods is called. */
export function isEqual(left: Value, right: Value, strictly: boolean): boolean {
  if (strictly || isObject(left) || isObject(right)) return left === right;
  // oxlint-disable-next-line eqeqeq -- the operator `==` of conditions, on primitives
  return left == right;
}

/** Compares like JavaScript's `<`, `<=`, `>` and `>=` on primitives; false for lists, objects and undefined. */
export function isOrdered(left: Value, operator: string, right: Value): boolean {
  if (isObject(left) || isObject(right) || left === undefined || right === undefined) return false;
  const [one, other] = [left as string, right as string];
  if (operator === '<') return one < other;
  if (operator === '<=') return one <= other;
  return operator === '>' ? one > other : one >= other;
}
