import type { Problem } from '../errors/problem.ts';
import { readField } from './read-field.ts';
import { displayName } from './read-field.ts';
import type { Desired } from './desired.ts';
import { fingerprint } from './differences.ts';
import { guardDeletes, markProtected } from './guard-deletes.ts';
import type { Kind } from './kind.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import type { Leftover, PlanDocument, Step } from './plan-document.ts';
import { scopeKey, type Survey } from './survey.ts';

export interface PruneOptions {
  /** Delete what the lock owns and the file no longer has, where the file manages its place. */
  readonly prune?: boolean | undefined;
  /** Resources that may be lost at most. Default: 5, or 10 % of what is owned where that is more. */
  readonly maxDeletes?: number | undefined;
  /** Told the whole plan, to look at, before it is refused for what it would delete. */
  readonly onRefused?: ((document: PlanDocument) => void) | undefined;
}

interface Pruning {
  readonly deletes: readonly Step[];
  /** Entries of the lock whose resource is gone: they leave it without a call. */
  readonly forgotten: readonly string[];
  readonly left: readonly Leftover[];
  /** `guard-refused` for what is protected, and for more than the budget: then nothing may be done. */
  readonly refusal: Problem | undefined;
}

/** Finds what the file no longer has; what is protected cannot be done. */
export function planPrune(
  desired: Desired,
  survey: Survey,
  lock: ManifestState,
  table: readonly Kind[],
  renamed: ReadonlySet<string>,
  { prune = false, maxDeletes }: PruneOptions,
): Pruning {
  const stale = new Map(
    lock.entries().filter(([address]) => !desired.byAddress.has(address) && !renamed.has(address)),
  );
  const inside = childrenOf(stale);
  const managed = new Set(desired.scopes.map(({ kind, parent }) => scopeKey(kind.name, parent)));
  const deletes: Step[] = [];
  const forgotten: string[] = [];
  const left: Leftover[] = [];
  for (const [address, owned] of stale) {
    const kind = table.find(({ name }) => name === owned.kind);
    const key = scopeKey(owned.kind, owned.parent);
    if (kind === undefined || !managed.has(key) || survey.unsupported.has(kind.name)) continue;
    const body = survey.live.get(key)?.find(({ id }) => id === owned.id);
    const all = [address, ...below(address, inside)];
    if (body === undefined || kind.remove === undefined) forgotten.push(...all);
    else if (!prune) left.push({ address, kind: kind.name, id: owned.id });
    else
      deletes.push({
        ...deleteStep(address, owned, displayName(kind, body, survey, address)),
        drops: all.slice(1),
        saw: fingerprint(kind, body, survey.people),
      });
  }
  const entryOf = (address: string): Owned | undefined => stale.get(address);
  const refusal = guardDeletes({
    deletes,
    entryOf,
    owned: lock.size,
    maxDeletes,
    whyProtected: (many) => `the manifest no longer has ${many ? 'them' : 'it'}`,
    hintProtected:
      'Put the block back; to delete it, apply it once with "protect: false" before you take it out.',
    look: (needed) => `docsctl plan --prune --max-deletes ${needed}`,
    verb: 'apply',
  });
  const place = new Map(table.map(({ name }, index) => [name, index]));
  return {
    deletes: deletes
      .map((step) => markProtected(step, entryOf))
      .sort((a, b) => place.get(b.kind)! - place.get(a.kind)!),
    forgotten,
    left,
    refusal,
  };
}

function deleteStep(address: string, { kind, id, parent }: Owned, name: string): Step {
  return {
    key: address,
    address,
    kind,
    action: 'delete',
    name,
    id,
    ...(parent === undefined ? {} : { parent }),
    changes: [],
    after: [],
    calls: 1,
  };
}

function childrenOf(stale: ReadonlyMap<string, Owned>): Map<string, string[]> {
  const inside = new Map<string, string[]>();
  for (const [address, { parent }] of stale)
    if (parent !== undefined) inside.set(parent, [...(inside.get(parent) ?? []), address]);
  return inside;
}

function below(address: string, inside: ReadonlyMap<string, readonly string[]>): string[] {
  const found = [...(inside.get(address) ?? [])];
  for (let index = 0; index < found.length; index++) found.push(...(inside.get(found[index]!) ?? []));
  return found;
}

