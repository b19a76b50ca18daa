import { listSome } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { nearestAddress } from './address.ts';
import { listProtected } from './guard-deletes.ts';
import { ownedInside } from './locate-owned.ts';
import type { ManifestState, Owned } from './manifest-state.ts';

/** An entry of the state file, with its address. */
export interface OwnedEntry {
  readonly address: string;
  readonly owned: Owned;
}

/**
 * Returns the entries of these addresses and of everything inside them.
 * @throws Problem(not-found) for an address that the state does not have
 * @throws Problem(guard-refused) for protected entries without `force`
 */
export function chooseEntriesToForget(
  state: ManifestState,
  addresses: readonly string[],
  { force = false }: { force?: boolean | undefined },
): OwnedEntry[] {
  const unknown: string[] = [];
  const chosen: OwnedEntry[] = [];
  for (const address of new Set([...addresses, ...ownedInside(state, addresses)])) {
    const owned = state.get(address);
    if (owned === undefined) unknown.push(address);
    else chosen.push({ address, owned });
  }
  if (unknown.length > 0) throw notOwned(state, unknown);
  const kept = chosen.filter(({ owned }) => owned.protect === true);
  if (force || kept.length === 0) return chosen;
  throw new Problem('guard-refused', `${listProtected(kept.map(({ address }) => address))}.`, {
    hint: 'Nothing was changed. Use --force to forget protected resources as well. They are kept, but no longer protected.',
    violations: kept
      .slice(0, 50)
      .map(({ address, owned }) => ({ path: address, message: `${owned.kind} ${owned.id} is protected` })),
  });
}

function notOwned(state: ManifestState, unknown: readonly string[]): Problem {
  const known = state.entries().map(([address]) => address);
  const [first = '', ...others] = unknown;
  if (others.length === 0) {
    const close = nearestAddress(first, known);
    return new Problem('not-found', `The state file has no resource ${first}.`, {
      hint: close === undefined ? 'List its resources with `docsctl state list`.' : `Did you mean ${close}?`,
    });
  }
  return new Problem('not-found', `The state file has none of these: ${listSome(unknown)}.`, {
    hint: 'Nothing was changed. List the resources of the state file with `docsctl state list`.',
    violations: unknown.slice(0, 50).map((path) => {
      const close = nearestAddress(path, known);
      return {
        path,
        message: `is not in the state file${close === undefined ? '' : `; did you mean ${close}?`}`,
      };
    }),
  });
}
