import { Problem } from '../../errors/problem.ts';
import type { MLookup, MNode, MRef, MSecret } from './node.ts';
import { formatLocation } from './source-location.ts';

/** What a plain value cannot hold. */
export type Unresolved = MRef | MLookup | MSecret;

/**
 * A tree as plain JSON; a file is its text. Refs, lookups and secrets go through `replace`, and are refused without it.
 * Objects have no prototype, so that a key `__proto__` is a key.
 */
export function toJson(node: MNode, replace: (node: Unresolved) => unknown = refuse): unknown {
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
    `${formatLocation(node.at)}: !${node.kind} stands for something that is not known yet; a plain value is wanted here.`,
  );
}
