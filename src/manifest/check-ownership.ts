import { Problem } from '../errors/problem.ts';
import { displayName, readField } from './read-field.ts';
import type { Backend, Body, Kind, Located } from './kind.ts';
import { kindNamed } from './kinds/index.ts';
import type { ManifestState } from './manifest-state.ts';
import { locateOwned, ownedInside } from './locate-owned.ts';
import type { People } from './people.ts';
import type { Step } from './plan-document.ts';
import { scopeKey } from './survey.ts';

/** What a lock says against a step of a saved plan: half a sentence. Undefined: nothing. */
export function findOwnershipFault(step: Step, lock: ManifestState, kind: Kind): string | undefined {
  const { address, action, id, parent, drops = [], protect, protectWas, states } = step;
  const owned = lock.get(address);
  if (id === undefined)
    return action === 'none' && owned === undefined ? 'the lock does not have it' : undefined;
  if (action === 'delete' || (action === 'unsupported' && step.key === address)) {
    if (owned?.id !== id || owned.kind !== step.kind || owned.parent !== parent)
      return `the lock does not have ${id} by this name`;
    return sameNames(drops, ownedInside(lock, [address])) ? undefined : 'the lock has other things in it';
  }
  if (action !== 'adopt' && owned?.id !== id && (owned !== undefined || kind.create !== undefined))
    return `the lock does not have ${id} by this name`;
  const foreign = drops.find((former) => lock.get(former)?.id !== id || lock.get(former)?.kind !== step.kind);
  if (foreign !== undefined) return `the lock has no ${foreign} that is ${id}`;
  const last = owned?.id === id ? owned : drops[0] === undefined ? undefined : lock.get(drops[0]);
  const was = last?.protect ?? false;
  const isLifted = last !== undefined && states !== undefined && protect !== undefined && protect !== was;
  return (isLifted ? was : undefined) === protectWas
    ? undefined
    : 'the lock protects it otherwise than the plan says';
}

/** Refuses what would take away something that the lock protects. */
export function refuseProtected(steps: readonly Step[], lock: ManifestState): void {
  const lost = steps.flatMap(({ action, address, drops = [] }) =>
    action === 'delete' ? [address, ...drops] : [],
  );
  const kept = [...new Set(lost)].filter((address) => lock.get(address)?.protect === true);
  if (kept.length === 0) return;
  throw new Problem(
    'guard-refused',
    `The plan takes away ${kept.slice(0, 5).join(', ')}, and ${kept.length === 1 ? 'it is' : 'they are'} protected.`,
    {
      hint: 'Put the block back, or apply it once with "protect: false"; then make a new plan.',
      violations: kept.slice(0, 50).map((address) => ({
        path: address,
        message: `${lock.get(address)!.kind} ${lock.get(address)!.id} is protected`,
      })),
    },
  );
}

/** Entries that a plan takes out of the lock without a call although what they are for is there. */
export async function findWronglyForgotten(
  steps: readonly Step[],
  lock: ManifestState,
  backend: Backend,
  table: readonly Kind[],
): Promise<string[]> {
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  const found: string[] = [];
  for (const { address, kind: name, action, id } of steps) {
    const kind = kindNamed(name, table);
    const at = action === 'none' && id === undefined ? locateOwned(lock, address, table) : undefined;
    // What is never deleted can only be forgotten.
    if (at === undefined || kind.remove === undefined) continue;
    const key = scopeKey(name, lock.get(address)!.parent);
    const list = lists.get(key) ?? idsIn(kind, backend, at.within);
    lists.set(key, list);
    if ((await list).has(at.id)) found.push(address);
  }
  return found;
}

/** Of what lies in something that is gone, or is not known here, nothing is there. */
async function idsIn(
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

/** Whether a step calls a resource what it is or will be called: who reads a plan goes by that. */
export function isNamedAsShown(
  { name, address, action, changes }: Step,
  kind: Kind,
  body: Body | undefined,
  people: People,
): boolean {
  if (action === 'delete' || (action === 'unsupported' && body !== undefined))
    return body !== undefined && name === displayName(kind, body, { people }, address);
  const fields = ['title', 'path', 'name', 'label'].filter((field) => kind.fields[field] !== undefined);
  const live =
    body === undefined
      ? [address]
      : [
          displayName(kind, body, { people }, address),
          ...fields.map((field) => readField(kind, field, body, people)),
        ];
  return [
    ...live,
    ...changes.filter(({ field }) => fields.includes(field)).map(({ after }) => after),
  ].includes(name);
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}
