import { Problem } from '../errors/problem.ts';
import type { Backend, Body, Kind, Located } from './kind.ts';
import { kindNamed } from './kinds/index.ts';
import { locateOwned, ownedInside } from './locate-owned.ts';
import type { ManifestState } from './manifest-state.ts';
import type { Step } from './plan-document.ts';
import { displayName, nameFields, readField } from './read-field.ts';
import { scopeKey } from './survey.ts';

/** Returns how a step of a saved plan contradicts the state, as half a sentence. */
export function findOwnershipFault(step: Step, state: ManifestState, kind: Kind): string | undefined {
  const { key, address, action, id, parent, drops = [], protect, protectWas, states } = step;
  const owned = state.get(address);
  if (id === undefined)
    return action === 'none' && owned === undefined ? 'the lock does not have it' : undefined;
  if (action === 'delete' || (action === 'unsupported' && key === address)) {
    if (owned?.id !== id || owned.kind !== step.kind || owned.parent !== parent)
      return `the lock does not have ${id} by this name`;
    return isSameSet(drops, ownedInside(state, [address])) ? undefined : 'the lock has other things in it';
  }
  if (action !== 'adopt' && owned?.id !== id && (owned !== undefined || kind.create !== undefined))
    return `the lock does not have ${id} by this name`;
  const formers = drops.map((former) => [former, state.get(former)] as const);
  const foreign = formers.find(([, former]) => former?.id !== id || former.kind !== step.kind);
  if (foreign !== undefined) return `the lock has no ${foreign[0]} that is ${id}`;
  const last = owned?.id === id ? owned : formers[0]?.[1];
  const was = last?.protect ?? false;
  const changesProtection =
    last !== undefined && states !== undefined && protect !== undefined && protect !== was;
  return (changesProtection ? was : undefined) === protectWas
    ? undefined
    : 'the lock protects it otherwise than the plan says';
}

/**
 * Refuses to delete what the state protects.
 *
 * @throws Problem(guard-refused)
 */
export function refuseProtected(steps: readonly Step[], state: ManifestState): void {
  const deleted = steps.filter(({ action }) => action === 'delete');
  const lost = new Set(deleted.flatMap(({ address, drops = [] }) => [address, ...drops]));
  const kept = [...lost].filter((address) => state.get(address)?.protect === true);
  if (kept.length === 0) return;
  throw new Problem(
    'guard-refused',
    `The plan takes away ${kept.slice(0, 5).join(', ')}, and ${kept.length === 1 ? 'it is' : 'they are'} protected.`,
    {
      hint: 'Put the block back, or apply it once with "protect: false"; then make a new plan.',
      violations: kept.slice(0, 50).map((path) => ({
        path,
        message: `${state.get(path)?.kind} ${state.get(path)?.id} is protected`,
      })),
    },
  );
}

/** Returns the addresses that a plan takes out of the state without a call although their resources exist. */
export async function findWronglyForgotten(
  steps: readonly Step[],
  state: ManifestState,
  backend: Backend,
  table: readonly Kind[],
): Promise<string[]> {
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  const found: string[] = [];
  for (const { address, kind: name, action, id } of steps) {
    const kind = kindNamed(name, table);
    const at = action === 'none' && id === undefined ? locateOwned(state, address, table) : undefined;
    // A resource that cannot be deleted can only be forgotten.
    if (at === undefined || kind.remove === undefined) continue;
    const key = scopeKey(name, state.get(address)?.parent);
    const list = lists.get(key) ?? listIds(kind, backend, at.within);
    lists.set(key, list);
    if ((await list).has(at.id)) found.push(address);
  }
  return found;
}

/** Lists ids; there are none in a parent that no longer exists, or of a kind that the backend does not have. */
async function listIds(
  kind: Kind,
  backend: Backend,
  within: Located | undefined,
): Promise<ReadonlySet<string>> {
  try {
    return new Set((await kind.list(backend, within)).map(({ id }) => id));
  } catch (error) {
    if (error instanceof Problem && (error.reason === 'not-found' || error.reason === 'not-implemented'))
      return new Set();
    throw error;
  }
}

/** Returns whether a step shows the name that the resource has or will have, by which readers of a plan judge it. */
export function isNamedAsShown(
  { name, address, action, changes }: Step,
  kind: Kind,
  body: Body | undefined,
  { people }: Pick<Backend, 'people'>,
): boolean {
  const shown = body === undefined ? address : displayName(kind, body, { people }, address);
  if (action === 'delete' || (action === 'unsupported' && body !== undefined))
    return body !== undefined && name === shown;
  const fields = nameFields.filter((field) => kind.fields[field] !== undefined);
  const live = body === undefined ? [] : fields.map((field) => readField(kind, field, body, people));
  const changed = changes.filter(({ field }) => fields.includes(field)).map(({ after }) => after);
  return [shown, ...live, ...changed].includes(name);
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}
