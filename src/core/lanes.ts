import { getOrInsert } from '../contract/values.ts';
import type { PathParams } from '../contract/operation.ts';
import type { Store } from './store.ts';

/** For each store: the organization of each resource that was the first parameter of a path, such as a space, by its ID. */
const organizations = new WeakMap<Store, Map<string, string>>();
/** Maximum number of resources that are remembered for each store. */
const maxRemembered = 10_000;

/** Remembers the organization of the first resource in a path, for `laneOf`. */
export function rememberOrganization(store: Store, params: PathParams, organization: string): void {
  const first = Object.values(params)[0];
  if (first === undefined || first === organization) return;
  const known = getOrInsert(organizations, store, () => new Map());
  if (known.get(first) === organization) return;
  const [oldest] = known.keys();
  if (known.size >= maxRemembered && oldest !== undefined) known.delete(oldest);
  known.set(first, organization);
}

/**
 * Returns the lane of the writes of a call (see `WriteOptions`): its organization, because all writes in it change its audit
 * events; or the first ID in the path if the organization is not known yet. A lane only saves work, so it may be outdated.
 */
export function laneOf(store: Store, params: PathParams): string | undefined {
  const first = Object.values(params)[0];
  return first === undefined ? undefined : (organizations.get(store)?.get(first) ?? first);
}
