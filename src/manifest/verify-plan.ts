import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { refuseStalePlan } from './apply-plan.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { openBackend } from './backend.ts';
import { displayName, readField } from './read-field.ts';
import {
  findWronglyForgotten,
  isNamedAsShown,
  refuseProtected,
  findOwnershipFault,
} from './check-ownership.ts';
import { fingerprintOf, orderFingerprint } from './differences.ts';
import { notReadable, type Backend, type Body, type Kind, type Located } from './kind.ts';
import { kindNamed, kinds } from './kinds/index.ts';
import type { ManifestState } from './manifest-state.ts';
import type { PlanDocument, Step } from './plan-document.ts';
import { scopeKey } from './survey.ts';
import { isSame, withIds } from './value.ts';

export interface VerifyRequest {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly state: ManifestState;
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
}

/**
 * Refuses a saved plan when what it saw is no longer so, or never was: `precondition-failed` that names what is otherwise,
 * and `guard-refused` where it takes away what the lock protects.
 */
export async function verifyPlan({
  document,
  api,
  state,
  concurrency,
  signal,
  table = kinds,
}: VerifyRequest): Promise<void> {
  refuseStalePlan(document, api, state);
  refuseProtected(document.steps, state);
  const backend = await openBackend(api, document.organization, { withPeople: document.people, signal });
  const verifier = new Verifier(document, backend, table);
  const foreign = document.steps.flatMap((step) => {
    const message =
      step.key === step.address ? findOwnershipFault(step, state, kindNamed(step.kind, table)) : undefined;
    return message === undefined ? [] : [{ path: step.key, message }];
  });
  const scopes = new Map(
    document.steps
      .filter(({ action, id }) => id !== undefined || !['unsupported', 'none'].includes(action))
      .map((step) => [scopeKey(step.kind, step.parent), step]),
  );
  const there = (await findWronglyForgotten(document.steps, state, backend, table)).map((path) => ({
    path,
    message: 'it is there, and the plan takes it out of the lock',
  }));
  const moved = [
    ...foreign,
    ...there,
    ...(await mapConcurrent([...scopes], concurrency, ([key, step]) => verifier.movedIn(key, step))).flat(),
  ];
  if (moved.length === 0) return;
  throw new Problem(
    'precondition-failed',
    `The live side has moved since the plan was made: ${moved
      .slice(0, 3)
      .map(({ path }) => path)
      .join(', ')}${moved.length > 3 ? ` and ${moved.length - 3} more` : ''}.`,
    {
      hint: 'Make a new plan and look at it.',
      violations: moved.slice(0, 50),
    },
  );
}

class Verifier {
  readonly #backend: Backend;
  readonly #table: readonly Kind[];
  readonly #steps: readonly Step[];
  readonly #byAddress: ReadonlyMap<string, Step>;

  constructor({ steps }: PlanDocument, backend: Backend, table: readonly Kind[]) {
    this.#steps = steps;
    this.#backend = backend;
    this.#table = table;
    this.#byAddress = new Map(
      steps.filter(({ key, address }) => key === address).map((step) => [step.address, step]),
    );
  }

  async movedIn(key: string, { kind: name, parent }: Step): Promise<{ path: string; message: string }[]> {
    const within = parent === undefined ? undefined : this.#locate(parent);
    if (parent !== undefined && within === undefined) return []; // It is made by this plan, and so is all in it.
    const kind = kindNamed(name, this.#table);
    const live = new Map((await kind.list(this.#backend, within)).map((body) => [body.id, body]));
    const orders = within === undefined ? new Set<string>() : await this.#ordersIn(within);
    const taken = new Set(this.#steps.map(({ id }) => id));
    const moved: { path: string; message: string }[] = [];
    for (const step of this.#steps) {
      if (scopeKey(step.kind, step.parent) !== key) continue;
      const message =
        step.beside !== undefined
          ? orders.has(step.saw ?? '')
            ? undefined
            : 'its list has another order now'
          : await this.#movedOn(kind, step, live, taken);
      if (message !== undefined) moved.push({ path: step.key, message });
    }
    return moved;
  }

  /** The orders of what lies in a parent: groups of sections stand in that of the sections. */
  async #ordersIn(within: Located): Promise<Set<string>> {
    const ordered = this.#table.filter(
      ({ slots, ordered: order }) =>
        order?.parts !== undefined && slots.some((spot) => spot.within === within.kind),
    );
    if (
      !this.#steps.some(
        ({ beside, parent }) =>
          beside !== undefined && parent !== undefined && this.#locate(parent)?.id === within.id,
      )
    )
      return new Set();
    const orders = await mapConcurrent(ordered, 1, ({ ordered: order }) =>
      order!.parts!(this.#backend, within),
    );
    return new Set(orders.map(orderFingerprint));
  }

  async #movedOn(
    kind: Kind,
    step: Step,
    live: ReadonlyMap<string, Body>,
    taken: ReadonlySet<string | undefined>,
  ): Promise<string | undefined> {
    if (step.action === 'create') {
      const twin = [...live.values()].find(
        (body) => !taken.has(body.id) && this.#looksLike(kind, step, body),
      );
      if (twin !== undefined) return `something like it is there now: ${twin.id}`;
      return isNamedAsShown(step, kind, undefined, this.#backend.people)
        ? undefined
        : 'it is made with another name';
    }
    if (step.id === undefined || step.saw === undefined) return undefined;
    const body = live.get(step.id);
    if (body === undefined) return `${step.id} is no longer there`;
    if (fingerprintOf(kind, body, this.#backend.people) !== step.saw) return `${step.id} has changed`;
    if (!isNamedAsShown(step, kind, body, this.#backend.people))
      return `${step.id} is called ${JSON.stringify(displayName(kind, body, this.#backend))}`;
    for (const { field, before, after } of step.changes) {
      const { fetch, equals, triggers } = kind.fields[field]!;
      const now =
        fetch === undefined || triggers !== undefined
          ? notReadable
          : await fetch(this.#backend, this.#locate(step.address)!, after);
      if (
        now !== notReadable &&
        !isSame(
          now,
          withIds(before, (address) => this.#byAddress.get(address)?.id),
          equals,
        )
      )
        return `"${field}" of ${step.id} has changed`;
    }
    return undefined;
  }

  #looksLike(kind: Kind, { changes }: Step, body: Body): boolean {
    const wanted = new Map(
      changes.map(({ field, after }) => [
        field,
        withIds(after, (address) => this.#byAddress.get(address)?.id),
      ]),
    );
    return kind.keys.some(([first = '', ...more]) => {
      const isAs = (field: string): boolean =>
        isSame(
          readField(kind, field, body, this.#backend.people),
          wanted.get(field),
          kind.fields[field]!.equals,
        );
      return wanted.has(first) && isAs(first) && more.every((field) => !wanted.has(field) || isAs(field));
    });
  }

  #locate(address: string): Located | undefined {
    const step = this.#byAddress.get(address);
    if (step?.id === undefined) return undefined;
    const within = step.parent === undefined ? undefined : this.#locate(step.parent);
    if (step.parent !== undefined && within === undefined) return undefined;
    return { kind: step.kind, id: step.id, within };
  }
}
