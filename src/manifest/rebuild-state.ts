import type { Binding } from './bind-scope.ts';
import type { Desired } from './desired.ts';
import { compareFields, readFingerprints } from './differences.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { scopeKey, type Survey } from './survey.ts';
import { canonical } from './value.ts';

/** What a rebuilt lock says of one address, or does not say any more. */
export interface RebuiltRow {
  readonly address: string;
  readonly kind: string;
  /**
   * `owned`: it is this live resource. `missing`: there is none, so an apply would create it. `kept`: as the old lock has
   * it, since the manifest does not manage it or it cannot be read here. `forgotten`: the old lock had it.
   */
  readonly status: 'owned' | 'missing' | 'kept' | 'forgotten';
  readonly id?: string;
  /** What the old lock said, where that was something else. */
  readonly was?: string;
  /** Stated fields that are not as they are live: nothing is written down of these. */
  readonly differs: readonly string[];
  /** Whether the old lock says the same already. */
  readonly isSame: boolean;
}

export interface RebuiltState {
  readonly owned: ReadonlyMap<string, Owned>;
  /** Blocks in the order of the manifest's kinds, then what only the old lock has. */
  readonly rows: readonly RebuiltRow[];
}

/** Makes anew what a lock says, from a survey that was made with an empty one. Of `old`, protections stay, and what the manifest does not manage. */
export function rebuildState(desired: Desired, survey: Survey, old: ManifestState): RebuiltState {
  const protectedIds = new Set(
    old.entries().flatMap(([, { kind, id, protect }]) => (protect === true ? [`${kind} ${id}`] : [])),
  );
  const owned = new Map<string, Owned>();
  const rows: RebuiltRow[] = [];
  for (const wanted of desired.scopes.flatMap((scope) => scope.resources)) {
    const { address, kind } = wanted;
    const binding = survey.bindings.get(address)!;
    const before = old.get(address);
    const isUnread = binding.body === undefined && survey.unsupported.has(kind.name);
    if (isUnread && before !== undefined) {
      owned.set(address, before);
      rows.push({ address, kind: kind.name, status: 'kept', id: before.id, differs: [], isSame: true });
    } else if (binding.body === undefined) {
      rows.push({
        address,
        kind: kind.name,
        status: 'missing',
        ...(before === undefined ? {} : { was: before.id }),
        differs: [],
        isSame: before === undefined,
      });
    } else {
      const { id } = binding.body;
      const { fields, differs } = liveFields(binding, survey);
      const isProtected =
        wanted.protect ?? (before?.protect === true || protectedIds.has(`${kind.name} ${id}`));
      const now: Owned = {
        kind: kind.name,
        id,
        ...(wanted.parent === undefined ? {} : { parent: wanted.parent }),
        ...(isProtected ? { protect: true as const } : {}),
        fields,
        ...readFingerprints(kind, binding.body, Object.keys(fields)),
      };
      owned.set(address, now);
      const was = before === undefined || before.id === id ? {} : { was: before.id };
      rows.push({
        address,
        kind: kind.name,
        status: 'owned',
        id,
        ...was,
        differs,
        isSame: canonical(before ?? null) === canonical(now),
      });
    }
  }
  rows.push(...addOthers(owned, desired, survey, old));
  return { owned, rows };
}

/** Makes a lock say what was rebuilt, and nothing else. */
export function replaceWithRebuilt(lock: ManifestState, { owned }: RebuiltState): void {
  for (const [address] of lock.entries()) if (!owned.has(address)) lock.delete(address);
  for (const [address, one] of owned) lock.set(address, one);
}

/** The stated fields that are live as they are stated, in the form of a lock. Of what nobody shows, none. */
function liveFields(
  binding: Binding,
  survey: Survey,
): { readonly fields: Record<string, unknown>; readonly differs: string[] } {
  const { resource } = binding;
  // Secrets have no hash here: what is hidden counts as different, so the next apply sets it.
  const { changes, createOnly } = compareFields(binding, undefined, survey, () => '');
  const differs = new Set([...changes, ...createOnly].map(({ field }) => field));
  const fields = [...resource.fields.keys()]
    .filter((field) => !differs.has(field))
    .map((field) => [field, survey.valueOf(resource, field)]);
  return { fields: Object.fromEntries(fields) as Record<string, unknown>, differs: [...differs] };
}

/** What only the old lock has: what is protected stays, and what lies where the manifest manages nothing. */
function addOthers(
  owned: Map<string, Owned>,
  desired: Desired,
  survey: Survey,
  old: ManifestState,
): RebuiltRow[] {
  const managed = new Set(desired.scopes.map(({ kind, parent }) => scopeKey(kind.name, parent)));
  const taken = new Set([...owned.values()].map(({ kind, id }) => `${kind} ${id}`));
  const stays = new Map<string, boolean>();
  const isKept = (address: string, one: Owned): boolean => {
    const known = stays.get(address);
    if (known !== undefined) return known;
    // Also ends the walk where a damaged lock says that a thing lies in itself.
    stays.set(address, false);
    const above = one.parent === undefined ? undefined : old.get(one.parent);
    const isThere =
      one.parent === undefined ||
      (above !== undefined &&
        (owned.get(one.parent)?.id === above.id ||
          (!desired.byAddress.has(one.parent) && isKept(one.parent, above))));
    const isOurs =
      managed.has(scopeKey(one.kind, one.parent)) &&
      !survey.unsupported.has(one.kind) &&
      one.protect !== true;
    stays.set(address, isThere && !isOurs && !taken.has(`${one.kind} ${one.id}`));
    return stays.get(address)!;
  };
  return old
    .entries()
    .filter(([address]) => !desired.byAddress.has(address))
    .map(([address, one]): RebuiltRow => {
      const kept = isKept(address, one);
      if (kept) owned.set(address, one);
      return {
        address,
        kind: one.kind,
        status: kept ? 'kept' : 'forgotten',
        id: one.id,
        differs: [],
        isSame: kept,
      };
    });
}
