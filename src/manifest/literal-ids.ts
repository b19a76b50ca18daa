import type { Binding } from './bind-scope.ts';
import type { Desired } from './desired.ts';
import { getField, type Body, type Field } from './kind.ts';
import type { Change } from './plan-document.ts';
import type { Faults } from './read/faults.ts';
import { withAddresses } from './with-addresses.ts';

/** Returns the literal IDs in a value of a field that refers to resources, without those that come from `!ref` or `!lookup`. */
export function literalIds(field: Pick<Field, 'refersTo' | 'schema'>, value: unknown): string[] {
  const { refersTo } = field;
  const ids: string[] = [];
  if (refersTo !== undefined)
    withAddresses(value, field, (known) => void ids.push(known.slice(refersTo.length + 1)));
  return ids;
}

/** Returns the kinds of resources that a manifest names by IDs. */
export function kindsNamedByIds({ byAddress }: Desired): Set<string> {
  const named = new Set<string>();
  for (const { kind, fields } of byAddress.values())
    for (const [name, { value }] of fields) {
      const field = getField(kind, name);
      if (field.refersTo !== undefined && literalIds(field, value).length > 0) named.add(field.refersTo);
    }
  return named;
}

/**
 * Reports IDs of missing resources in the fields that an apply sets. Exports name deleted resources by ID, so such a value is a
 * fault only if the apply sets it. In a list that is set item by item, only new items count.
 */
export function checkLiteralIds(
  { resource }: Binding,
  changes: readonly Change[],
  liveOf: (kind: string) => readonly Body[] | undefined,
  faults: Faults,
): void {
  for (const { field: name, before } of changes) {
    const stated = resource.fields.get(name);
    if (stated === undefined) continue;
    const field = getField(resource.kind, name);
    const { refersTo = '', equals } = field;
    const live = liveOf(refersTo);
    if (live === undefined) continue;
    const known = new Set(live.map(({ id }) => id));
    if (equals === 'set') for (const id of literalIds(field, before)) known.add(id);
    for (const id of new Set(literalIds(field, stated.value)))
      if (!known.has(id))
        faults.add(
          stated.locate?.(id) ?? stated.at,
          `there is no ${refersTo} "${id.slice(0, 60)}" that you can see; remove it, or name one with !ref or !lookup`,
        );
  }
}
