import { canLieIn, type Kind, type Located } from './kind.ts';
import type { ManifestState } from './manifest-state.ts';

/** What a lock owns at an address, with all that it lies in; undefined where the lock does not have all of it. */
export function locateOwned(
  lock: ManifestState,
  address: string,
  table: readonly Kind[],
): Located | undefined {
  const owned = lock.get(address);
  const kind = table.find(({ name }) => name === owned?.kind);
  if (owned === undefined || kind === undefined) return undefined;
  const { id, parent } = owned;
  const within = parent === undefined ? undefined : lock.get(parent);
  // A lock comes with a checkout: one that says a thing lies in itself must not be followed for ever.
  if (!canLieIn(kind, within?.kind) || (parent !== undefined && within === undefined)) return undefined;
  if (parent === undefined) return { kind: kind.name, id };
  const located = locateOwned(lock, parent, table);
  return located === undefined ? undefined : { kind: kind.name, id, within: located };
}

/** What lies in these addresses, however deep, each behind what it lies in. */
export function ownedInside(lock: ManifestState, addresses: Iterable<string>): string[] {
  const inside = new Map<string, string[]>();
  for (const [address, { parent }] of lock.entries()) {
    if (parent === undefined) continue;
    const others = inside.get(parent);
    if (others === undefined) inside.set(parent, [address]);
    else others.push(address);
  }
  const found = new Set<string>();
  const open = [...addresses];
  const given = new Set(open);
  for (let index = 0; index < open.length; index++) {
    for (const address of inside.get(open[index]!) ?? []) {
      if (found.has(address) || given.has(address)) continue;
      found.add(address);
      open.push(address);
    }
  }
  return [...found];
}
