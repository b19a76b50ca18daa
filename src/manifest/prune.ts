import { Problem } from '../errors/problem.ts';
import { readField } from './bind.ts';
import type { Desired } from './desired.ts';
import type { Kind } from './kind.ts';
import type { Lock, Owned } from './lock.ts';
import type { Leftover, Step } from './plan-document.ts';
import { scopeKey, type Survey } from './survey.ts';
import { digest } from './value.ts';

export interface PruneOptions {
  /** Delete what the lock owns and the file no longer has, where the file manages its place. */
  readonly prune?: boolean | undefined;
  /** Resources that may be lost at most. Default: 5, or 10 % of what is owned where that is more. */
  readonly maxDeletes?: number | undefined;
}

interface Pruning {
  readonly deletes: readonly Step[];
  /** Entries of the lock whose resource is gone: they leave it without a call. */
  readonly forgotten: readonly string[];
  readonly left: readonly Leftover[];
}

/** Finds what the file no longer has. Throws `guard-refused` for what is protected, and for more than the budget. */
export function planPrune(
  desired: Desired,
  survey: Survey,
  lock: Lock,
  table: readonly Kind[],
  renamed: ReadonlySet<string>,
  { prune = false, maxDeletes }: PruneOptions,
): Pruning {
  const stale = new Map(lock.entries().filter(([address]) => !desired.byAddress.has(address) && !renamed.has(address)));
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
    else deletes.push({ ...deleteStep(address, owned, nameIn(kind, body, survey)), drops: all.slice(1), saw: digest(body.id) });
  }
  guard(deletes, stale, maxDeletes ?? Math.max(5, Math.floor(lock.size / 10)), maxDeletes === undefined);
  const place = new Map(table.map(({ name }, index) => [name, index]));
  return { deletes: deletes.sort((a, b) => place.get(b.kind)! - place.get(a.kind)!), forgotten, left };
}

function deleteStep(address: string, { kind, id, parent }: Owned, name: string): Step {
  return { key: address, address, kind, action: 'delete', name, id, ...(parent === undefined ? {} : { parent }), changes: [], after: [], calls: 1 };
}

function guard(deletes: readonly Step[], stale: ReadonlyMap<string, Owned>, budget: number, isDefault: boolean): void {
  const lost = deletes.flatMap(({ address, drops = [] }) => [address, ...drops]);
  const kept = lost.filter((address) => stale.get(address)?.protect === true);
  if (kept.length > 0) {
    throw new Problem(
      'guard-refused',
      `${kept.slice(0, 5).join(', ')} ${kept.length === 1 ? 'is' : 'are'} protected, and the manifest no longer has ${kept.length === 1 ? 'it' : 'them'}.`,
      {
        hint: 'Put the block back; to delete it, apply it once with "protect: false" before you take it out.',
        violations: kept.map((address) => ({ path: address, message: `${stale.get(address)!.kind} ${stale.get(address)!.id} is protected` })),
      },
    );
  }
  if (lost.length > budget) {
    throw new Problem(
      'guard-refused',
      `This would delete ${lost.length} resources; ${isDefault ? `without --max-deletes at most ${budget} go at once` : `--max-deletes allows ${budget}`}.`,
      {
        hint: `Look at them with \`docsctl plan --prune --max-deletes ${lost.length}\`; if they shall go, apply with the same flags.`,
        violations: lost.slice(0, 20).map((address) => ({ path: address, message: `would be deleted: ${stale.get(address)!.kind} ${stale.get(address)!.id}` })),
      },
    );
  }
}

function childrenOf(stale: ReadonlyMap<string, Owned>): Map<string, string[]> {
  const inside = new Map<string, string[]>();
  for (const [address, { parent }] of stale) if (parent !== undefined) inside.set(parent, [...(inside.get(parent) ?? []), address]);
  return inside;
}

function below(address: string, inside: ReadonlyMap<string, readonly string[]>): string[] {
  const found = [...(inside.get(address) ?? [])];
  for (let index = 0; index < found.length; index++) found.push(...(inside.get(found[index]!) ?? []));
  return found;
}

/** What a person calls a live resource. */
export function nameIn(kind: Kind, body: Parameters<typeof readField>[2], survey: Pick<Survey, 'people'>): string {
  const field = ['title', 'path', 'name', 'label'].find((name) => kind.fields[name] !== undefined);
  return String(field === undefined ? body.id : (readField(kind, field, body, survey.people) ?? body.id));
}
