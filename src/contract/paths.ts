import { isObject, isRecord } from './values.ts';

/** Returns the value at a dotted path, or undefined. A key that itself contains the dot has priority. */
export function valueAt(item: unknown, path: string): unknown {
  if (path === '') return item;
  if (!isObject(item)) return undefined;
  if (Object.hasOwn(item, path)) return item[path];
  const dot = path.indexOf('.');
  if (dot < 0 || !Object.hasOwn(item, path.slice(0, dot))) return undefined;
  return valueAt(item[path.slice(0, dot)], path.slice(dot + 1));
}

/** Returns the name of the field that a JSON pointer leads to: `items.0.id`. It is empty for the whole value. */
export function fieldAt(pointer: string): string {
  return pointer.replace(/^\//, '').replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the token of a JSON pointer for a name (RFC 6901, section 3). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the paths of an object that can be columns, down to three levels. */
export function pathsOf(item: unknown, depth = 3): string[] {
  if (!isRecord(item)) return [];
  return Object.entries(item).flatMap(([key, value]) => [
    key,
    ...(depth > 1 ? pathsOf(value, depth - 1).map((path) => `${key}.${path}`) : []),
  ]);
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly additionalProperties?: unknown;
}

/** Returns the same paths of a JSON Schema; `a.*` means an object with any keys. */
export function fieldPaths(schema: object, depth = 3): string[] {
  const { properties = {}, anyOf = [], allOf = [], additionalProperties } = schema as JsonSchema;
  const own = Object.entries(properties).flatMap(([key, value]) => [
    key,
    ...(depth > 1 ? fieldPaths(value, depth - 1).map((path) => `${key}.${path}`) : []),
  ]);
  const branches = [...anyOf, ...allOf].flatMap((branch) => fieldPaths(branch, depth));
  return [...new Set([...own, ...branches, ...(additionalProperties ? ['*'] : [])])];
}
