import { defined, groupBy } from '../contract/values.ts';
import type { Problem } from '../errors/problem.ts';
import type { Desired } from './desired.ts';
import { fingerprintOf } from './differences.ts';
import { guardDeletes, type DeleteLimit } from './guard-deletes.ts';
import { displayName, type Kind } from './kind.ts';
import type { SiteSpaceBody } from './kinds/structure.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { emptyStep, type Leftover, type PlanDocument, type Step, type Unmanaged } from './plan-document.ts';
import type { Selection } from './selection.ts';
import { scopeKey, type Survey } from './survey.ts';

export interface PruneOptions {
  /** Delete resources that the state file owns and the manifest no longer contains, in scopes that the manifest manages. */
  readonly prune?: boolean | undefined;
  /** Maximum number of deleted resources. Default: 5, or 10 % of the owned resources if that is more. */
  readonly maxDeletes?: DeleteLimit | undefined;
  /** Called with the whole plan before it is refused because of its deletes. */
  readonly onRefused?: (document: PlanDocument) => void;
}

interface PruneRequest extends PruneOptions {
  readonly desired: Desired;
  readonly survey: Survey;
  readonly state: ManifestState;
  readonly table: readonly Kind[];
  /** The new addresses of resources, by their address in the state file. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Absent: everything is selected. */
  readonly isSelected?: Selection | undefined;
}

interface PrunePlan {
  readonly deletes: readonly Step[];
  /** Steps that remove entries of the state file whose resource no longer exists. */
  readonly forgotten: readonly Step[];
  readonly left: readonly Leftover[];
  /** Resources that are kept because they, or resources inside them, are protected. */
  readonly kept: readonly Leftover[];
  /** Resources that are kept because the manifest has no field for their kind. */
  readonly unmanaged: readonly Unmanaged[];
  /** Problem(guard-refused) if the deletes are over the budget. Nothing may be done then. */
  readonly refusal: Problem | undefined;
}

type Entry = [address: string, owned: Owned];

/** Plans what happens to resources that the manifest no longer contains. */
export function planPrune(request: PruneRequest): PrunePlan {
  const { desired, survey, state, table, renamed, prune = false, maxDeletes } = request;
  const { isSelected = () => true } = request;
  const stale = state
    .entries()
    .filter(([address]) => !desired.byAddress.has(address) && !renamed.has(address))
    .map(([address, owned]): Entry => {
      const parent = renamed.get(owned.parent ?? '');
      return [address, parent === undefined ? owned : { ...owned, parent }];
    });
  const children = groupBy(stale, ([, { parent }]) => parent);
  const managed = new Set(desired.scopes.map(({ kind, parent }) => scopeKey(kind.name, parent)));
  const deletes: Step[] = [];
  const forgotten: Step[] = [];
  const left: Leftover[] = [];
  const kept: Leftover[] = [];
  const unmanaged: Unmanaged[] = [];
  for (const entry of stale.filter(([address]) => isSelected(address))) {
    const [address, owned] = entry;
    const kind = table.find(({ name }) => name === owned.kind);
    const key = scopeKey(owned.kind, owned.parent);
    if (kind === undefined || survey.unsupported.has(kind.name)) continue;
    if (!managed.has(key)) {
      unmanaged.push(...findUnmanaged(kind, entry, desired));
      continue;
    }
    const body = survey.live.get(key)?.find(({ id }) => id === owned.id);
    if (body === undefined || kind.remove === undefined) {
      const gone = [entry, ...below(address, children)];
      forgotten.push(
        ...gone.map(([one, { kind: name }]) => ({ ...emptyStep(one, name, 'none', one), drops: [one] })),
      );
    } else if (!prune) left.push({ address, kind: kind.name, id: owned.id });
    else if ([entry, ...below(address, children)].some(([, { protect }]) => protect === true))
      kept.push({ address, kind: kind.name, id: owned.id });
    else
      deletes.push({
        ...emptyStep(address, kind.name, 'delete', displayName(kind, body, survey, address), owned),
        calls: 1,
        drops: below(address, children).map(([inside]) => inside),
        saw: fingerprintOf(kind, body, survey.people),
      });
  }
  const byAddress = new Map(stale);
  const entryOf = (address: string): Owned | undefined => byAddress.get(address);
  const refusal = guardDeletes({
    deletes,
    entryOf,
    owned: state.size,
    maxDeletes,
    look: (needed) => `docsctl plan --prune --max-deletes ${needed}`,
    verb: 'apply',
  });
  const rank = (step: Step) => table.findIndex(({ name }) => name === step.kind);
  return {
    deletes: deletes.sort((a, b) => rank(b) - rank(a)),
    forgotten,
    left,
    kept,
    unmanaged,
    refusal,
  };
}

/**
 * Lets new content of a space wait until the space is taken off a site. A site space without others beside it stays until the end,
 * because its replacement may have to be added first.
 */
export function hideBeforeContent(
  steps: readonly Step[],
  deletes: readonly Step[],
  { live }: Pick<Survey, 'live'>,
): readonly Step[] {
  const shown = deletes.flatMap(({ kind, parent, id, key }) => {
    const bodies = kind === 'site-space' ? (live.get(scopeKey(kind, parent)) ?? []) : [];
    const body = bodies.find((one) => one.id === id) as SiteSpaceBody | undefined;
    const isAlone = bodies.every((one) => deletes.some((step) => step.kind === kind && step.id === one.id));
    return body === undefined || isAlone ? [] : [{ key, space: body.space.id }];
  });
  return steps.map((step) => {
    if (step.kind !== 'space' || !step.changes.some(({ field }) => field === 'content')) return step;
    const first = shown.filter(({ space }) => space === step.id).map(({ key }) => key);
    return first.length === 0 ? step : { ...step, after: [...step.after, ...first] };
  });
}

/** Returns an entry with the field that would make the manifest manage it; nothing if its parent has no block. */
function findUnmanaged(kind: Kind, [address, { id, parent }]: Entry, desired: Desired): Unmanaged[] {
  const within = parent === undefined ? undefined : desired.byAddress.get(parent)?.kind.name;
  const isOutside = parent !== undefined && within === undefined;
  const slot = kind.slots.find((one) => one.within === within);
  if (isOutside || slot === undefined || slot.needsItem === true || kind.remove === undefined) return [];
  const empty = slot.as === 'list' ? '[]' : '{}';
  return [{ address, kind: kind.name, id, ...defined({ parent }), field: slot.field, empty }];
}

/** Returns everything inside a resource, each after its parent. */
function below(address: string, children: ReadonlyMap<string | undefined, readonly Entry[]>): Entry[] {
  const found = [...(children.get(address) ?? [])];
  for (const [inner] of found) found.push(...(children.get(inner) ?? []));
  return found;
}

/** If more resources than this are created in a scope, no rename is suggested. */
const maxRenameGuesses = 3;

/** Adds a hint to creates: the resource may be a renamed leftover of the same kind and parent. */
export function addRenameHints(
  steps: readonly Step[],
  leftovers: readonly Pick<Leftover, 'address' | 'kind'>[],
  state: ManifestState,
): readonly Step[] {
  if (leftovers.length === 0) return steps;
  const former = groupBy(leftovers, ({ address, kind }) => scopeKey(kind, state.get(address)?.parent));
  const created = groupBy(
    steps.filter(({ action, gone }) => action === 'create' && gone === undefined),
    ({ kind, parent }) => scopeKey(kind, parent),
  );
  return steps.map((step) => {
    const key = scopeKey(step.kind, step.parent);
    const [only, ...more] = former.get(key) ?? [];
    const owned = only === undefined ? undefined : state.get(only.address);
    const guesses: readonly Step[] = created.get(key) ?? [];
    if (only === undefined || owned === undefined || more.length > 0) return step;
    if (guesses.length > maxRenameGuesses || !guesses.includes(step)) return step;
    const forget = `docsctl forget ${only.address}${owned.protect === true ? ' --force' : ''}`;
    return {
      ...step,
      hint: `If this is ${only.address} with a new name, run \`${forget}\` and \`docsctl adopt ${step.address} ${owned.id}\`.`,
    };
  });
}
