import { isObject, isRecord } from '../contract/values.ts';
import { findReferences, formatPointer, resolveReference } from './specification-tree.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** The schema with an `$id`, and the `$id` as an absolute address. */
interface Scope {
  readonly pointer: readonly string[];
  readonly id: string;
}

const dataFields: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const', 'examples']);
const mapFields: ReadonlySet<string> = new Set(['properties', 'schemas', '$defs', 'patternProperties']);

/**
 * Copies a specification and converts references to an `$id` or `$anchor` to pointers (JSON Schema 2020-12, section 8.2). Returns
 * the specification itself if it has no such names.
 */
export function resolveIdentifiers(value: Record<string, unknown>): Record<string, unknown> {
  const { named, scopes } = findIdentifiers(value);
  if (named.size === 0) return value;
  const copy = structuredClone(value);
  const byPointer = new Map(scopes.map((scope) => [scope.pointer.join('\0'), scope]));
  for (const { holder, target, pointer } of findReferences(copy)) {
    const scope = innermostScope(byPointer, pointer);
    const [base = '', fragment = ''] = target.split('#', 2);
    // Many schemas have an $id although their references are relative to the root.
    if (target === '#' || (target.startsWith('#/') && resolveReference(copy, target) !== undefined)) continue;
    const address = base === '' ? scope.id : resolveAddress(base, scope.id);
    const root = base === '' ? toReference(scope.pointer) : named.get(address);
    const below = root !== undefined && fragment.startsWith('/') ? `${root}${fragment}` : undefined;
    const found = named.get(fragment === '' ? address : `${address}#${fragment}`) ?? below;
    if (found !== undefined) holder['$ref'] = found;
  }
  for (const { pointer } of scopes) {
    const schema = pointer.reduce<unknown>((node, token) => (node as Record<string, unknown>)[token], copy);
    if (isRecord(schema)) delete schema['$id'];
  }
  return copy;
}

function innermostScope(byPointer: ReadonlyMap<string, Scope>, pointer: readonly string[]): Scope {
  for (let length = pointer.length; length > 0; length--) {
    const scope = byPointer.get(pointer.slice(0, length).join('\0'));
    if (scope !== undefined) return scope;
  }
  return { pointer: [], id: '' };
}

/** Returns the scopes of all `$id`s, and the pointers for each `$id` and each `$id#$anchor`. */
export function findIdentifiers(value: unknown): {
  named: ReadonlyMap<string, string>;
  scopes: readonly Scope[];
} {
  const named = new Map<string, string>();
  const scopes: Scope[] = [];
  const walk = (node: unknown, pointer: readonly string[], base: string, isMap: boolean): void => {
    if (!isObject(node)) return;
    let id = base;
    if (!isMap) {
      const { $id, $anchor, $dynamicAnchor } = node;
      if (pointer.length > 0 && typeof $id === 'string') {
        id = resolveAddress($id, base);
        scopes.push({ pointer, id });
        named.set(id, toReference(pointer));
      }
      for (const anchor of [$anchor, $dynamicAnchor])
        if (typeof anchor === 'string') named.set(`${id}#${anchor}`, toReference(pointer));
    }
    for (const [key, member] of Object.entries(node)) {
      if (!isMap && (dataFields.has(key) || key.startsWith('x-'))) continue;
      walk(member, [...pointer, key], id, !isMap && !Array.isArray(node) && mapFields.has(key));
    }
  };
  walk(value, [], '', false);
  return { named, scopes };
}

/** Resolves a reference against a base address; returns the reference if the result is not an address. */
function resolveAddress(reference: string, base: string): string {
  const plain = reference.replace(/#$/, '');
  const url = base === '' ? undefined : base;
  return parseUrl(plain, url)?.href ?? plain;
}

function toReference(pointer: readonly string[]): string {
  return `#${pointer.map((token) => `/${encodeURIComponent(formatPointer([token]).slice(1))}`).join('')}`;
}
