import { defined } from '../contract/values.ts';
import type { Binding } from './bind-scope.ts';
import type { Desired } from './desired.ts';
import { compareFields, readFingerprints } from './differences.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { bindingsInOrder, scopeKey, type Survey } from './survey.ts';
import { canonical } from './value.ts';

interface RebuiltRow {
  readonly address: string;
  readonly kind: string;
  /**
   * `owned`: bound to this live resource. `missing`: there is none, so an apply would create it. `kept`: taken from the old
   * state, because the manifest does not manage it or it cannot be read. `forgotten`: only the old state had it.
   */
  readonly status: 'owned' | 'missing' | 'kept' | 'forgotten';
  readonly id?: string;
  /** The ID in the old state, if it was different. */
  readonly was?: string;
  /** Stated fields whose live values differ. The new state does not contain them. */
  readonly differs: readonly string[];
  /** Whether the old state has the same entry. */
  readonly isSame: boolean;
}

export interface RebuiltState {
  readonly owned: ReadonlyMap<string, Owned>;
  /** The blocks in the order of the manifest's kinds, then entries that only the old state has. */
  readonly rows: readonly RebuiltRow[];
}

/**
 * Builds a new state from a survey that was made with an empty state. From the `old` state it takes protections, and resources
 * that the manifest does not manage.
 */
export function rebuildState(desired: Desired, survey: Survey, old: ManifestState): RebuiltState {
  const protectedIds = new Set(
    old.entries().flatMap(([, { kind, id, protect }]) => (protect === true ? [`${kind} ${id}`] : [])),
  );
  const owned = new Map<string, Owned>();
  const rows = bindingsInOrder(desired, survey).map((binding): RebuiltRow => {
    const { resource, body } = binding;
    const { address, kind, parent } = resource;
    const before = old.get(address);
    if (body === undefined) {
      if (before === undefined || !survey.unsupported.has(kind.name))
        return {
          address,
          kind: kind.name,
          status: 'missing',
          ...defined({ was: before?.id }),
          differs: [],
          isSame: before === undefined,
        };
      owned.set(address, before);
      return { address, kind: kind.name, status: 'kept', id: before.id, differs: [], isSame: true };
    }
    const { id } = body;
    const { fields, differs } = liveFields(binding, survey);
    const isProtected =
      resource.protect ?? (before?.protect === true || protectedIds.has(`${kind.name} ${id}`));
    const now: Owned = {
      kind: kind.name,
      id,
      ...defined({ parent }),
      ...(isProtected ? { protect: true as const } : {}),
      fields,
      ...readFingerprints(kind, body, Object.keys(fields)),
    };
    owned.set(address, now);
    return {
      address,
      kind: kind.name,
      status: 'owned',
      id,
      ...defined({ was: before?.id === id ? undefined : before?.id }),
      differs,
      isSame: canonical(before ?? null) === canonical(now),
    };
  });
  rows.push(...addOthers(owned, desired, survey, old));
  return { owned, rows };
}

/** Replaces the contents of a state by the rebuilt ones. */
export function replaceWithRebuilt(state: ManifestState, { owned }: RebuiltState): void {
  for (const [address] of state.entries()) if (!owned.has(address)) state.delete(address);
  for (const [address, one] of owned) state.set(address, one);
}

/** Returns the stated fields that equal the live ones, in the form of a state, and the names of the others. */
function liveFields(
  binding: Binding,
  survey: Survey,
): { fields: Record<string, unknown>; differs: string[] } {
  const { resource } = binding;
  const { changes, createOnly } = compareFields(binding, undefined, survey);
  const differs = new Set([...changes, ...createOnly].map(({ field }) => field));
  const fields: Record<string, unknown> = {};
  for (const name of resource.fields.keys())
    if (!differs.has(name)) fields[name] = survey.valueOf(resource, name);
  return { fields, differs: [...differs] };
}

/** Keeps protections of the old state, and entries in scopes that the manifest does not manage. */
function addOthers(
  owned: Map<string, Owned>,
  desired: Desired,
  survey: Survey,
  old: ManifestState,
): RebuiltRow[] {
  const managed = new Set(desired.scopes.map(({ kind, parent }) => scopeKey(kind.name, parent)));
  const taken = new Set([...owned.values()].map(({ kind, id }) => `${kind} ${id}`));
  const kept = new Map<string, boolean>();
  const isKept = (address: string, { kind, id, parent, protect }: Owned): boolean => {
    const known = kept.get(address);
    if (known !== undefined) return known;
    // This also ends the recursion if a damaged state contains a cycle.
    kept.set(address, false);
    const isManaged =
      managed.has(scopeKey(kind, parent)) && !survey.unsupported.has(kind) && protect !== true;
    const result = !isManaged && !taken.has(`${kind} ${id}`) && isParentKept(parent);
    kept.set(address, result);
    return result;
  };
  const isParentKept = (parent: string | undefined): boolean => {
    if (parent === undefined) return true;
    const above = old.get(parent);
    if (above === undefined) return false;
    return owned.get(parent)?.id === above.id || (!desired.byAddress.has(parent) && isKept(parent, above));
  };
  return old
    .entries()
    .filter(([address]) => !desired.byAddress.has(address))
    .map(([address, one]): RebuiltRow => {
      const isSame = isKept(address, one);
      if (isSame) owned.set(address, one);
      return {
        address,
        kind: one.kind,
        status: isSame ? 'kept' : 'forgotten',
        id: one.id,
        differs: [],
        isSame,
      };
    });
}
