import { Problem } from '../errors/problem.ts';
import { ownedInside } from './locate-owned.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { nearestAddress } from './nearest-address.ts';

/** Something that a lock owns, by its address. */
export interface OwnedEntry {
  readonly address: string;
  readonly owned: Owned;
}

/**
 * The entries of a lock that go with these addresses: what lies in them as well. Throws `not-found` for an address that
 * it does not have, and `guard-refused` for what is protected, unless that is meant.
 */
export function chooseEntriesToForget(
  lock: ManifestState,
  addresses: readonly string[],
  { force = false }: { readonly force?: boolean | undefined } = {},
): OwnedEntry[] {
  const unknown = [...new Set(addresses)].filter((address) => lock.get(address) === undefined);
  if (unknown.length > 0) throw noneOf(lock, unknown);
  const chosen = [...new Set([...addresses, ...ownedInside(lock, addresses)])].map((address) => ({
    address,
    owned: lock.get(address)!,
  }));
  const kept = chosen.filter(({ owned }) => owned.protect === true);
  if (force || kept.length === 0) return chosen;
  const names = kept.slice(0, 5).map(({ address }) => address);
  throw new Problem(
    'guard-refused',
    `${names.join(', ')}${kept.length > 5 ? ` and ${kept.length - 5} more` : ''} ${kept.length === 1 ? 'is' : 'are'} protected.`,
    {
      hint: 'Nothing was changed. --force forgets what is protected as well: it stays, and nothing protects it then.',
      violations: kept
        .slice(0, 50)
        .map(({ address, owned }) => ({ path: address, message: `${owned.kind} ${owned.id} is protected` })),
    },
  );
}

function noneOf(lock: ManifestState, unknown: readonly string[]): Problem {
  const known = lock.entries().map(([address]) => address);
  const closeTo = (address: string): string => {
    const close = nearestAddress(address, known);
    return close === undefined ? '' : `did you mean ${close}?`;
  };
  const [first = ''] = unknown;
  if (unknown.length === 1) {
    const close = closeTo(first);
    return new Problem('not-found', `The lock has no ${first}.`, {
      hint:
        close === ''
          ? '`docsctl lock list` shows what it has.'
          : `${close.charAt(0).toUpperCase()}${close.slice(1)}`,
    });
  }
  return new Problem(
    'not-found',
    `The lock has none of ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ` and ${unknown.length - 5} more` : ''}.`,
    {
      hint: '`docsctl lock list` shows what it has. Nothing was forgotten.',
      violations: unknown.slice(0, 50).map((address) => ({
        path: address,
        message: `is not in the lock${closeTo(address) === '' ? '' : `; ${closeTo(address)}`}`,
      })),
    },
  );
}
