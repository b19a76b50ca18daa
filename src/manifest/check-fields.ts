import type { DesiredResource, Scope } from './desired.ts';
import { getField } from './kind.ts';
import { formatLocation, type Faults } from './read/faults.ts';

/**
 * Checks all values before the first call: each value by its field, and that at most one resource of a parent states an exclusive
 * field.
 */
export function checkFields(
  byAddress: ReadonlyMap<string, DesiredResource>,
  scopes: readonly Scope[],
  faults: Faults,
): void {
  const parentOf = ({ parent }: DesiredResource) => byAddress.get(parent ?? '');
  for (const resource of byAddress.values()) {
    const statedAbove = (kind: string, field: string): unknown => {
      let above: DesiredResource | undefined = resource;
      while (above !== undefined && above.kind.name !== kind) above = parentOf(above);
      return above?.fields.get(field)?.value;
    };
    for (const [name, { value, at, locate }] of resource.fields)
      if (value !== null)
        getField(resource.kind, name).check?.(value, statedAbove, (message, path = []) =>
          faults.add(locate?.(path) ?? at, message),
        );
  }
  for (const scope of scopes)
    for (const [name, { exclusive }] of Object.entries(scope.kind.fields))
      if (exclusive === true) checkExclusive(scope, name, faults);
}

function checkExclusive({ resources }: Scope, name: string, faults: Faults): void {
  const stated = resources.flatMap(({ address, fields }) => {
    const field = fields.get(name);
    return field?.value === true ? [{ address, at: field.at }] : [];
  });
  const [first, ...more] = stated;
  if (first === undefined) return;
  const other = `${first.address} at ${formatLocation(first.at)}`;
  for (const { address, at } of more)
    faults.add(
      at,
      `${address} has "${name}: true", and so has ${other}; only one may have it, so remove it from the other`,
    );
}
