import type { Scope, DesiredResource } from './desired.ts';
import type { Faults } from './read/faults.ts';
import { formatLocation } from './read/source-location.ts';

/** What can be told of values before anything is asked: by each field itself, and where only one of a parent may say something. */
export function checkFields(
  byAddress: ReadonlyMap<string, DesiredResource>,
  scopes: readonly Scope[],
  faults: Faults,
): void {
  for (const wanted of byAddress.values()) {
    for (const [name, { value, at }] of wanted.fields) {
      if (value === null) continue;
      wanted.kind.fields[name]!.check?.(
        value,
        (kind, field) => statedAbove(wanted, kind, field, byAddress),
        (message) => faults.add(at, message),
      );
    }
  }
  for (const scope of scopes)
    for (const [name, { exclusive }] of Object.entries(scope.kind.fields))
      if (exclusive === true) checkSole(scope, name, faults);
}

function statedAbove(
  { parent }: DesiredResource,
  kind: string,
  field: string,
  byAddress: ReadonlyMap<string, DesiredResource>,
): unknown {
  for (
    let above = byAddress.get(parent ?? '');
    above !== undefined;
    above = byAddress.get(above.parent ?? '')
  )
    if (above.kind.name === kind) return above.fields.get(field)?.value;
  return undefined;
}

function checkSole({ resources }: Scope, name: string, faults: Faults): void {
  const [first, ...more] = resources.filter(({ fields }) => fields.get(name)?.value === true);
  for (const { address, fields } of more) {
    const place = formatLocation(first!.fields.get(name)!.at);
    faults.add(
      fields.get(name)!.at,
      `${address} says "${name}: true", and so does ${first!.address} at ${place}; only one may, so take it out of the other`,
    );
  }
}
