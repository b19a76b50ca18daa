import { referencesIn, resolvePointer } from './references.ts';
import { isRecord } from '../contract/values.ts';

/** What an `$id` covers, and that id as an address. */
type Scope = readonly [pointer: readonly string[], id: string];

/** The same specification with references to `$id` and `$anchor` written as places in it; itself where it names no such thing. */
export function withPlainReferences(value: Record<string, unknown>): Record<string, unknown> {
  const { named, scopes } = identifiersIn(value);
  if (named.size === 0) return value;
  const plain = structuredClone(value);
  const byPlace = new Map(scopes.map((scope) => [scope[0].join('\0'), scope]));
  for (const { holder, target, pointer } of referencesIn(plain)) {
    const [scope, id] = innermost(byPlace, pointer);
    const [base = '', fragment] = target.split('#', 2);
    const whole = base === '' ? id : absolute(base, id);
    const named1 = named.get(fragment === undefined || fragment === '' ? whole : `${whole}#${fragment}`);
    const root = base === '' ? placeOf(scope) : named.get(whole);
    const within = root === undefined || !(fragment ?? '').startsWith('/') ? undefined : `${root}${fragment}`;
    // Many give their schemas an $id and go on referring to them from the root.
    if (target.startsWith('#/') && resolvePointer(plain, target) !== undefined) continue;
    const found = named1 ?? within;
    if (found !== undefined && target !== '#') holder['$ref'] = found;
  }
  for (const [scope] of scopes) {
    const holder = scope.reduce<unknown>((node, word) => (node as Record<string, unknown>)[word], plain);
    if (isRecord(holder)) delete holder['$id'];
  }
  return plain;
}

/** The scope that a place lies in, the innermost of several. */
function innermost(byPlace: ReadonlyMap<string, Scope>, pointer: readonly string[]): Scope {
  for (let length = pointer.length; length > 0; length--) {
    const scope = byPlace.get(pointer.slice(0, length).join('\0'));
    if (scope !== undefined) return scope;
  }
  return [[], ''];
}

/** What references may name apart from places: `$id` → `#/…`, `$id#$anchor` → `#/…`; and the scopes of each `$id`. */
export function identifiersIn(value: unknown): {
  readonly named: ReadonlyMap<string, string>;
  readonly scopes: readonly Scope[];
} {
  const named = new Map<string, string>();
  const scopes: Scope[] = [];
  const walk = (node: unknown, pointer: readonly string[], base: string, isNames: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    const holder = node as Record<string, unknown>;
    let inner = base;
    if (!isNames && pointer.length > 0 && typeof holder['$id'] === 'string') {
      inner = absolute(holder['$id'], base);
      scopes.push([pointer, inner]);
      named.set(inner, placeOf(pointer));
    }
    for (const anchor of [holder['$anchor'], holder['$dynamicAnchor']])
      if (!isNames && typeof anchor === 'string') named.set(`${inner}#${anchor}`, placeOf(pointer));
    for (const [key, next] of Object.entries(holder)) {
      if (
        !isNames &&
        (key === 'example' ||
          key === 'default' ||
          key === 'enum' ||
          key === 'const' ||
          key === 'examples' ||
          key.startsWith('x-'))
      )
        continue;
      walk(
        next,
        [...pointer, key],
        inner,
        !isNames &&
          !Array.isArray(node) &&
          (key === 'properties' || key === 'schemas' || key === '$defs' || key === 'patternProperties'),
      );
    }
  };
  walk(value, [], '', false);
  return { named, scopes };
}

function absolute(reference: string, base: string): string {
  const plain = reference.replace(/#$/, '');
  return URL.canParse(plain, base === '' ? undefined : base)
    ? new URL(plain, base === '' ? undefined : base).href
    : plain;
}

function placeOf(pointer: readonly string[]): string {
  return `#${pointer.map((word) => `/${encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
}
