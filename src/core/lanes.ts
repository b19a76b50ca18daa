import type { PathParams } from '../contract/operation.ts';
import type { Store } from './store.ts';

/** The organizations of things that paths name first, such as spaces, by the store that they are in. */
const organizations = new WeakMap<Store, Map<string, string>>();
/** Things whose organizations are remembered for each store. */
const maxRemembered = 10_000;

/** Remembers the organization that a call was about, for the lanes of later ones. */
export function rememberOrganization(store: Store, params: PathParams, organization: string): void {
  const first = Object.values(params)[0];
  if (first === undefined || first === organization) return;
  let known = organizations.get(store);
  if (known === undefined) organizations.set(store, (known = new Map()));
  if (known.get(first) === organization) return;
  const [oldest] = known.keys();
  if (known.size >= maxRemembered && oldest !== undefined) known.delete(oldest);
  known.set(first, organization);
}

/**
 * Returns what the changes of a call mostly share with others: its organization, which they write audit events of, or the first
 * thing that its path names as long as no call has shown its organization. A lane only saves work, so it may be outdated.
 */
export function laneOf(store: Store, params: PathParams): string | undefined {
  const first = Object.values(params)[0];
  return first === undefined ? undefined : (organizations.get(store)?.get(first) ?? first);
}
