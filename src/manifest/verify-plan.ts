import type { Api } from '../contract/api.ts';
import { getOrInsert, listSome } from '../contract/values.ts';
import { orUndefined, Problem } from '../errors/problem.ts';
import { refuseStalePlan } from './apply-plan.ts';
import { openBackend } from './backend.ts';
import { fingerprintOf, orderFingerprint } from './differences.ts';
import {
  canLieIn,
  displayName,
  getField,
  isExternal,
  nameFields,
  notReadable,
  readField,
  type Backend,
  type Body,
  type Kind,
  type Located,
} from './kind.ts';
import { kindNamed, kinds } from './kinds/index.ts';
import { locateOwned, ownedInside } from './locate-owned.ts';
import type { ManifestState } from './manifest-state.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { mainSteps, type PlanDocument, type Step } from './plan-document.ts';
import { scopeKey, type Survey } from './survey.ts';
import { isSame, withIds } from './value.ts';

interface VerifyRequest {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly state: ManifestState;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
}

interface Violation {
  readonly path: string;
  readonly message: string;
}

/**
 * Refuses a saved plan that does not match the live resources and the state. Returns the live resources.
 * @throws Problem(precondition-failed) that names each difference
 * @throws Problem(guard-refused) if it deletes protected resources
 */
export async function verifyPlan(request: VerifyRequest): Promise<Survey['live']> {
  const { document, api, state, concurrency, signal, table = kinds } = request;
  const { steps } = document;
  refuseStalePlan(document, api, state);
  refuseProtected(steps, state);
  const backend = await openBackend(api, document.organization, { withPeople: document.people, signal });
  const verifier = new Verifier(steps, backend, table);
  const main = mainSteps(steps);
  const foreign = [...main.values()].flatMap((step): Violation[] => {
    const message = findOwnershipFault(step, state, kindNamed(step.kind, table), main);
    return message === undefined ? [] : [{ path: step.key, message }];
  });
  const forgotten = await findWronglyForgotten(steps, state, backend, table);
  const scopes = new Map(
    steps
      .filter(({ action, id }) => id !== undefined || (action !== 'unsupported' && action !== 'none'))
      .map((step) => [scopeKey(step.kind, step.parent), step]),
  );
  const moved = await mapConcurrent([...scopes.values()], concurrency, (step) =>
    verifier.findChangesBeside(step),
  );
  const violations = [
    ...foreign,
    ...forgotten.map((path) => ({ path, message: 'it exists, but the plan removes it from the state file' })),
    ...moved.flat(),
  ];
  if (violations.length === 0) return verifier.live;
  const paths = violations.map(({ path }) => path);
  throw new Problem(
    'precondition-failed',
    `Resources or folders of the plan have changed since it was made: ${listSome(paths, 3)}.`,
    {
      hint: 'Make a new plan with `docsctl plan --out FILE` and review it.',
      violations: violations.slice(0, 50),
    },
  );
}

class Verifier {
  readonly #steps: readonly Step[];
  readonly #backend: Backend;
  readonly #table: readonly Kind[];
  readonly #main: ReadonlyMap<string, Step>;
  /** The IDs of the resources in the plan. */
  readonly #ids: ReadonlySet<string | undefined>;
  /** The live resources that were read, by `scopeKey`. */
  readonly live = new Map<string, readonly Body[]>();

  constructor(steps: readonly Step[], backend: Backend, table: readonly Kind[]) {
    this.#steps = steps;
    this.#backend = backend;
    this.#table = table;
    this.#main = mainSteps(steps);
    this.#ids = new Set(steps.map(({ id }) => id));
  }

  /** Compares all steps in the scope of a step with the live resources. */
  async findChangesBeside({ kind: name, parent }: Step): Promise<Violation[]> {
    const within = this.#locate(parent);
    // The plan creates the parent, and with it everything inside.
    if (parent !== undefined && within === undefined) return [];
    const kind = kindNamed(name, this.#table);
    const bodies = await kind.list(this.#backend, within);
    this.live.set(scopeKey(name, parent), bodies);
    const live = new Map(bodies.map((body) => [body.id, body]));
    const orders = within === undefined ? new Set<string>() : await this.#readOrders(within);
    const violations: Violation[] = [];
    for (const step of this.#steps) {
      if (step.kind !== name || step.parent !== parent) continue;
      const message =
        step.beside === undefined
          ? await this.#findChange(kind, step, live)
          : orders.has(step.saw ?? '')
            ? undefined
            : 'its list has a different order now';
      if (message !== undefined) violations.push({ path: step.key, message });
    }
    return violations;
  }

  /** Reads the orders of the lists in a parent, if the plan moves resources there. Sections and groups share one order. */
  async #readOrders(within: Located): Promise<Set<string>> {
    const isMoved = ({ beside, parent }: Step) =>
      beside !== undefined && this.#locate(parent)?.id === within.id;
    const orders = new Set<string>();
    if (!this.#steps.some(isMoved)) return orders;
    for (const kind of this.#table) {
      if (kind.ordered?.parts === undefined || !canLieIn(kind, within.kind)) continue;
      orders.add(orderFingerprint(await kind.ordered.parts(this.#backend, within)));
    }
    return orders;
  }

  /** Returns how a resource differs from the one that the step saw. */
  async #findChange(kind: Kind, step: Step, live: ReadonlyMap<string, Body>): Promise<string | undefined> {
    const { action, id, saw, changes } = step;
    if (action === 'create') {
      const twin = [...live.values()].find(
        (body) => !this.#ids.has(body.id) && this.#isTwin(kind, step, body),
      );
      if (twin !== undefined) return `${twin.id} now looks the same`;
      return isNamedAsShown(step, kind, undefined, this.#backend)
        ? undefined
        : 'it would be created with a different name';
    }
    if (id === undefined || (saw === undefined && step.late !== true)) return undefined;
    const body = live.get(id);
    if (body === undefined) return `${id} no longer exists`;
    if (saw !== undefined && fingerprintOf(kind, body, this.#backend.people) !== saw)
      return `${id} has changed`;
    if (!isNamedAsShown(step, kind, body, this.#backend, this.#main.get(step.address)))
      return `${id} is called ${JSON.stringify(displayName(kind, body, this.#backend))}`;
    const at = this.#locate(step.address);
    for (const { field, before, after } of changes) {
      const { fetch, equals, triggers } = getField(kind, field);
      if (fetch === undefined || triggers !== undefined || at === undefined) continue;
      const now = await fetch(this.#backend, at, after);
      if (now !== notReadable && !isSame(now, this.#withIds(before), equals))
        return `"${field}" of ${id}${isExternal(kind, field) ? ', or its folder,' : ''} has changed`;
    }
    return undefined;
  }

  /** Returns whether a live resource has the natural key of a create, so that a new plan would adopt it. */
  #isTwin(kind: Kind, step: Step, body: Body): boolean {
    const { changes } = step;
    const stated = new Map(changes.map(({ field, after }) => [field, this.#withIds(after)]));
    const equals = (name: string) =>
      isSame(
        readField(kind, name, body, this.#backend.people),
        stated.get(name),
        getField(kind, name).equals,
      );
    return kind.keys.some(
      ([first = '', ...narrower], rank) =>
        stated.has(first) &&
        equals(first) &&
        narrower.every((name) => !stated.has(name) || equals(name)) &&
        // Plans do not use a weaker key for several blocks that differ only in a stricter one.
        !(kind.keys.slice(0, rank).some(([other]) => other === first) && this.#hasRival(step, first)),
    );
  }

  /** Whether the plan creates another resource in the same place with the same value in a field. */
  #hasRival({ address, kind, parent, changes }: Step, field: string): boolean {
    const valueIn = (all: Step['changes']) => JSON.stringify(all.find((one) => one.field === field)?.after);
    const value = valueIn(changes);
    return this.#steps.some(
      (other) =>
        other.action === 'create' &&
        other.address !== address &&
        other.kind === kind &&
        other.parent === parent &&
        valueIn(other.changes) === value,
    );
  }

  #withIds(value: unknown): unknown {
    return withIds(value, (address) => this.#main.get(address)?.id);
  }

  #locate(address = ''): Located | undefined {
    const step = this.#main.get(address);
    if (step?.id === undefined) return undefined;
    const within = this.#locate(step.parent);
    if (step.parent !== undefined && within === undefined) return undefined;
    return { kind: step.kind, id: step.id, within };
  }
}

/** Returns half a sentence on how a step of a saved plan contradicts the state; undefined if it does not. */
function findOwnershipFault(
  step: Step,
  state: ManifestState,
  kind: Kind,
  main: ReadonlyMap<string, Step>,
): string | undefined {
  const { key, address, action, id, parent, drops = [], protect, protectWas, states } = step;
  const owned = state.get(address);
  if (id === undefined)
    return action === 'none' && owned === undefined ? 'the state file does not have it' : undefined;
  if (action === 'delete' || (action === 'unsupported' && key === address)) {
    const formers = main.get(parent ?? '')?.drops ?? [];
    if (owned?.id !== id || owned.kind !== step.kind || ![parent, ...formers].includes(owned.parent))
      return `the state file does not have ${id} under this name`;
    return isSameSet(drops, ownedInside(state, [address]))
      ? undefined
      : 'the state file has other resources inside it';
  }
  if (action !== 'adopt' && owned?.id !== id && (owned !== undefined || kind.create !== undefined))
    return `the state file does not have ${id} under this name`;
  const formers = drops.map((former) => [former, state.get(former)] as const);
  const foreign = formers.find(([, former]) => former?.id !== id || former.kind !== step.kind);
  if (foreign !== undefined) return `the state file has no ${foreign[0]} with the ID ${id}`;
  const last = owned?.id === id ? owned : formers[0]?.[1];
  const was = last?.protect ?? false;
  const changesProtection =
    last !== undefined && states !== undefined && protect !== undefined && protect !== was;
  return (changesProtection ? was : undefined) === protectWas
    ? undefined
    : 'its protection differs between the plan and the state file';
}

/** Refuses to delete protected resources. @throws Problem(guard-refused) */
function refuseProtected(steps: readonly Step[], state: ManifestState): void {
  const deleted = steps.filter(({ action }) => action === 'delete');
  const lost = new Set(deleted.flatMap(({ address, drops = [] }) => [address, ...drops]));
  const kept = [...lost].filter((address) => state.get(address)?.protect === true);
  if (kept.length === 0) return;
  throw new Problem(
    'guard-refused',
    `The plan deletes ${kept.slice(0, 5).join(', ')}, but ${kept.length === 1 ? 'it is' : 'they are'} protected.`,
    {
      hint: 'Put the block back, or apply it once with "protect: false". Then make a new plan.',
      violations: kept.slice(0, 50).map((path) => ({
        path,
        message: `${state.get(path)?.kind} ${state.get(path)?.id} is protected`,
      })),
    },
  );
}

/** Returns the addresses that a plan removes from the state without a call, although their resources exist. */
async function findWronglyForgotten(
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
    const list = getOrInsert(lists, key, () => listIds(kind, backend, at.within));
    if ((await list).has(at.id)) found.push(address);
  }
  return found;
}

/** Returns the IDs of the resources in a parent. Empty if the parent no longer exists, or the backend does not have the kind. */
async function listIds(
  kind: Kind,
  backend: Backend,
  within: Located | undefined,
): Promise<ReadonlySet<string>> {
  const listed = await orUndefined(kind.list(backend, within), 'not-found', 'not-implemented');
  return new Set(listed?.map(({ id }) => id));
}

/** Returns whether a step shows the name that the resource has or will have, because readers judge a plan by names. */
function isNamedAsShown(
  { name, address, action, changes }: Step,
  kind: Kind,
  body: Body | undefined,
  { people }: Backend,
  main?: Step,
): boolean {
  const shown = body === undefined ? address : displayName(kind, body, { people }, address);
  if (action === 'delete') return name === shown;
  const fields = nameFields.filter((field) => kind.fields[field] !== undefined);
  const changed = [...changes, ...(main?.changes ?? [])]
    .filter(({ field }) => fields.includes(field))
    .map(({ after }) => after);
  if (action === 'unsupported' && body !== undefined) return [shown, ...changed].includes(name);
  const live = body === undefined ? [] : fields.map((field) => readField(kind, field, body, people));
  return [shown, ...live, ...changed].includes(name);
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}
