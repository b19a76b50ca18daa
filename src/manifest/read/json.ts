import { isObject } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { MapEntry, LookupNode, ManifestNode, RefNode, ScalarNode } from './node.ts';
import { formatLocation, type SourceLocation } from './faults.ts';

/** A node without a plain value. */
type Unresolved = RefNode | LookupNode;

/**
 * Converts a tree to plain JSON; a file becomes its text. Refs and lookups go through `replace`, which refuses them by default.
 * Objects have no prototype, so `__proto__` is a normal key.
 */
export function toJson(node: ManifestNode, replace: (node: Unresolved) => unknown = refuse): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'file':
      return node.text;
    case 'list':
      return node.items.map((item) => toJson(item, replace));
    case 'map': {
      const fields = Object.create(null) as Record<string, unknown>;
      for (const [name, { value }] of node.entries) fields[name] = toJson(value, replace);
      return fields;
    }
    default:
      return replace(node);
  }
}

function refuse(node: Unresolved): never {
  throw new Problem(
    'invalid-input',
    `${formatLocation(node.at)}: !${node.kind} has no value yet; a plain value is required here.`,
  );
}

/**
 * Converts plain JSON to nodes that all have the same location. Undefined members are left out. `readMark` may convert an object
 * to another node, such as the mark of a reference.
 */
export function fromJson(
  value: unknown,
  at: SourceLocation,
  readMark: (value: object) => ManifestNode | undefined = () => undefined,
): ManifestNode {
  if (Array.isArray(value))
    return { kind: 'list', at, items: value.map((item) => fromJson(item, at, readMark)) };
  if (!isObject(value)) return { kind: 'scalar', at, value: (value ?? null) as ScalarNode['value'] };
  const mark = readMark(value);
  if (mark !== undefined) return mark;
  const entries = new Map<string, MapEntry>();
  for (const [name, inner] of Object.entries(value))
    if (inner !== undefined) entries.set(name, { key: at, value: fromJson(inner, at, readMark) });
  return { kind: 'map', at, entries };
}
