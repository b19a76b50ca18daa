import { Problem } from '../../errors/problem.ts';
import type { MapEntry, LookupNode, ManifestNode, RefNode, ScalarNode } from './node.ts';
import { formatLocation, type SourceLocation } from './source-location.ts';

/** A node without a plain value. */
type Unresolved = RefNode | LookupNode;

/**
 * A tree as plain JSON; a file is its text. Refs and lookups go through `replace`, and are refused without it.
 * Objects have no prototype, so that a key `__proto__` is a key.
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
 * Makes nodes that all stand at one place of plain JSON; members that are undefined are left out. `readMark` may make
 * another node of an object, such as the mark of a reference.
 */
export function fromJson(
  value: unknown,
  at: SourceLocation,
  readMark: (value: object) => ManifestNode | undefined = () => undefined,
): ManifestNode {
  if (Array.isArray(value))
    return { kind: 'list', at, items: value.map((item) => fromJson(item, at, readMark)) };
  if (typeof value !== 'object' || value === null)
    return { kind: 'scalar', at, value: (value ?? null) as ScalarNode['value'] };
  const mark = readMark(value);
  if (mark !== undefined) return mark;
  const entries = new Map<string, MapEntry>();
  for (const [name, inner] of Object.entries(value))
    if (inner !== undefined) entries.set(name, { key: at, value: fromJson(inner, at, readMark) });
  return { kind: 'map', at, entries };
}
