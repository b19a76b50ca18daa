import type { Api } from '../contract/api.ts';
import { listSome } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { refuseStalePlan } from './apply-plan.ts';
import { openBackend } from './backend.ts';
import {
  findOwnershipFault,
  findWronglyForgotten,
  isNamedAsShown,
  refuseProtected,
} from './check-ownership.ts';
import { fingerprintOf, orderFingerprint } from './differences.ts';
import { canLieIn, getField, notReadable, type Backend, type Body, type Kind, type Located } from './kind.ts';
import { kindNamed, kinds } from './kinds/index.ts';
import type { ManifestState } from './manifest-state.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { mainSteps, type PlanDocument, type Step } from './plan-document.ts';
import { displayName, readField } from './read-field.ts';
import { scopeKey } from './survey.ts';
import { isSame, withIds } from './value.ts';

export interface VerifyRequest {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly state: ManifestState;
  /** Maximum number of calls at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
}

interface Violation {
  readonly path: string;
  readonly message: string;
}

/**
 * Refuses a saved plan that does not match the live resources and the state.
 *
 * @throws Problem(precondition-failed) that names each difference
 * @throws Problem(guard-refused) if it deletes what the state protects
 */
export async function verifyPlan(request: VerifyRequest): Promise<void> {
  const { document, api, state, concurrency, signal, table = kinds } = request;
  const { steps } = document;
  refuseStalePlan(document, api, state);
  refuseProtected(steps, state);
  const backend = await openBackend(api, document.organization, { withPeople: document.people, signal });
  const verifier = new Verifier(steps, backend, table);
  const foreign = [...mainSteps(steps).values()].flatMap((step): Violation[] => {
    const message = findOwnershipFault(step, state, kindNamed(step.kind, table));
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
    ...forgotten.map((path) => ({ path, message: 'it is there, and the plan takes it out of the lock' })),
    ...moved.flat(),
  ];
  if (violations.length === 0) return;
  const paths = violations.map(({ path }) => path);
  throw new Problem(
    'precondition-failed',
    `The live side has moved since the plan was made: ${listSome(paths, 3)}.`,
    { hint: 'Make a new plan and look at it.', violations: violations.slice(0, 50) },
  );
}

class Verifier {
  readonly #steps: readonly Step[];
  readonly #backend: Backend;
  readonly #table: readonly Kind[];
  readonly #main: ReadonlyMap<string, Step>;
  /** Ids of the resources that the plan means. */
  readonly #ids: ReadonlySet<string | undefined>;

  constructor(steps: readonly Step[], backend: Backend, table: readonly Kind[]) {
    this.#steps = steps;
    this.#backend = backend;
    this.#table = table;
    this.#main = mainSteps(steps);
    this.#ids = new Set(steps.map(({ id }) => id));
  }

  /** Compares all steps of the scope of a step with what is live. */
  async findChangesBeside({ kind: name, parent }: Step): Promise<Violation[]> {
    const within = parent === undefined ? undefined : this.#locate(parent);
    // The plan creates such a parent, and with it everything inside.
    if (parent !== undefined && within === undefined) return [];
    const kind = kindNamed(name, this.#table);
    const live = new Map((await kind.list(this.#backend, within)).map((body) => [body.id, body]));
    const orders = within === undefined ? new Set<string>() : await this.#readOrders(within);
    const violations: Violation[] = [];
    for (const step of this.#steps) {
      if (step.kind !== name || step.parent !== parent) continue;
      const message =
        step.beside === undefined
          ? await this.#findChange(kind, step, live)
          : orders.has(step.saw ?? '')
            ? undefined
            : 'its list has another order now';
      if (message !== undefined) violations.push({ path: step.key, message });
    }
    return violations;
  }

  /** Reads the orders of the lists in a parent, if the plan moves something there. Sections and their groups share one. */
  async #readOrders(within: Located): Promise<Set<string>> {
    const isMoved = ({ beside, parent }: Step): boolean =>
      beside !== undefined && parent !== undefined && this.#locate(parent)?.id === within.id;
    const orders = new Set<string>();
    if (!this.#steps.some(isMoved)) return orders;
    for (const kind of this.#table) {
      if (kind.ordered?.parts === undefined || !canLieIn(kind, within.kind)) continue;
      orders.add(orderFingerprint(await kind.ordered.parts(this.#backend, within)));
    }
    return orders;
  }

  /** Returns how a resource differs from what the step saw. */
  async #findChange(kind: Kind, step: Step, live: ReadonlyMap<string, Body>): Promise<string | undefined> {
    const { action, id, saw, changes } = step;
    if (action === 'create') {
      const twin = [...live.values()].find(
        (body) => !this.#ids.has(body.id) && this.#isTwin(kind, step, body),
      );
      if (twin !== undefined) return `something like it is there now: ${twin.id}`;
      return isNamedAsShown(step, kind, undefined, this.#backend)
        ? undefined
        : 'it is made with another name';
    }
    if (id === undefined || saw === undefined) return undefined;
    const body = live.get(id);
    if (body === undefined) return `${id} is no longer there`;
    if (fingerprintOf(kind, body, this.#backend.people) !== saw) return `${id} has changed`;
    if (!isNamedAsShown(step, kind, body, this.#backend))
      return `${id} is called ${JSON.stringify(displayName(kind, body, this.#backend))}`;
    const at = this.#locate(step.address);
    for (const { field, before, after } of changes) {
      const { fetch, equals, triggers } = getField(kind, field);
      if (fetch === undefined || triggers !== undefined || at === undefined) continue;
      const now = await fetch(this.#backend, at, after);
      if (now !== notReadable && !isSame(now, this.#withIds(before), equals))
        return `"${field}" of ${id} has changed`;
    }
    return undefined;
  }

  /** Returns whether a live resource has the natural key that a create gives. */
  #isTwin(kind: Kind, { changes }: Step, body: Body): boolean {
    const stated = new Map(changes.map(({ field, after }) => [field, this.#withIds(after)]));
    const equals = (name: string): boolean =>
      isSame(
        readField(kind, name, body, this.#backend.people),
        stated.get(name),
        getField(kind, name).equals,
      );
    return kind.keys.some(
      ([first = '', ...narrower]) =>
        stated.has(first) && equals(first) && narrower.every((name) => !stated.has(name) || equals(name)),
    );
  }

  #withIds(value: unknown): unknown {
    return withIds(value, (address) => this.#main.get(address)?.id);
  }

  #locate(address: string): Located | undefined {
    const step = this.#main.get(address);
    if (step?.id === undefined) return undefined;
    const within = step.parent === undefined ? undefined : this.#locate(step.parent);
    if (step.parent !== undefined && within === undefined) return undefined;
    return { kind: step.kind, id: step.id, within };
  }
}
