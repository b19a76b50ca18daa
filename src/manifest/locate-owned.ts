import { groupBy } from '../contract/values.ts';
import { canLieIn, type Kind, type Located } from './kind.ts';
import type { ManifestState } from './manifest-state.ts';

/** Locates an entry of the state with its parents; undefined if the state does not have all of them. */
export function locateOwned(
  state: ManifestState,
  address: string,
  table: readonly Kind[],
): Located | undefined {
  const owned = state.get(address);
  const kind = table.find(({ name }) => name === owned?.kind);
  if (owned === undefined || kind === undefined) return undefined;
  const { id, parent } = owned;
  const above = parent === undefined ? undefined : state.get(parent);
  // No kind can contain itself, so the recursion also ends for an edited state with a cycle.
  if (!canLieIn(kind, above?.kind) || (parent !== undefined && above === undefined)) return undefined;
  if (parent === undefined) return { kind: kind.name, id };
  const within = locateOwned(state, parent, table);
  return within === undefined ? undefined : { kind: kind.name, id, within };
}

/** Returns the addresses of everything inside the given ones, each after its parent. */
export function ownedInside(state: ManifestState, addresses: Iterable<string>): string[] {
  const children = groupBy(state.entries(), ([, { parent }]) => parent);
  const given = new Set(addresses);
  // A set can grow during the iteration.
  const found = new Set(given);
  for (const address of found) for (const [child] of children.get(address) ?? []) found.add(child);
  return [...found].filter((address) => !given.has(address));
}
