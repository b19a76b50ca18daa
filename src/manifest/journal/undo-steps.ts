import { defined, groupBy } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { Binding } from '../bind-scope.ts';
import type { DesiredResource, Scope } from '../desired.ts';
import { actionFor, countCalls, isLate } from '../differences.ts';
import type { Body, Fields, Kind, Located } from '../kind.ts';
import type { ManifestState } from '../manifest-state.ts';
import { planDependencies } from '../plan-dependencies.ts';
import { countSteps, type Change, type PlanDocument, type StateChange, type Step } from '../plan-document.ts';
import type { DesiredScopes, SurveyedScopes } from '../plan-order.ts';
import { displayName } from '../read-field.ts';
import { Faults } from '../read/faults.ts';
import { wholeFile } from '../read/source-location.ts';
import { scopeKey } from '../survey.ts';
import { withIds } from '../value.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { RecordedOrder } from './journal-lines.ts';
import type { LiveCache } from './live-cache.ts';

/** A resource that an undo changes, or that others refer to or lie in. */
export interface UndoItem {
  readonly address: string;
  readonly kind: Kind;
  readonly name: string;
  /** Absent where it is created again or restored. */
  readonly body: Body | undefined;
  readonly parent: string | undefined;
  /** The id under which a deleted resource can be restored. */
  readonly restores?: string;
  readonly changes: Map<string, Omit<Change, 'field'>>;
  readonly stateChanges: StateChange[];
  atCreation?: Fields;
  /** Keys of deletes that have to be done before. */
  readonly waits: Set<string>;
}

interface StepsOptions {
  readonly live: LiveCache;
  readonly state: ManifestState;
  readonly table: readonly Kind[];
  readonly effects: readonly ResourceEffect[];
}

/** Gathers what an undo does, and makes steps of it in the order in which they can be done. */
export class UndoSteps {
  readonly items = new Map<string, UndoItem>();
  deletes: Step[] = [];
  /** Orders that are restored. */
  readonly orders: RecordedOrder[] = [];
  /** Ids of live resources that keep a unique value, which one that is undone had. */
  readonly holders = new Set<string>();
  readonly #stateSteps: Step[] = [];
  readonly #options: StepsOptions;
  readonly #addresses = new Map<string, string>();

  constructor(options: StepsOptions) {
    this.#options = options;
    for (const [address, { kind, id }] of options.state.entries()) this.setAddress(kind, id, address);
    for (const { kind, id, address } of options.effects)
      if (id !== undefined) this.setAddress(kind.name, id, address);
  }

  addressOf(kind: string, id: string): string {
    return this.#addresses.get(`${kind} ${id}`) ?? `${kind}.${id}`;
  }

  setAddress(kind: string, id: string, address: string): void {
    this.#addresses.set(`${kind} ${id}`, address);
  }

  add(item: Omit<UndoItem, 'changes' | 'stateChanges' | 'waits'>): UndoItem {
    const added = { ...item, changes: new Map(), stateChanges: [], waits: new Set<string>() };
    this.items.set(item.address, added);
    return added;
  }

  /** Adds a step that only changes the state file, for a resource that is not there. */
  addStateStep(
    { address, kind, name }: Pick<ResourceEffect, 'address' | 'kind' | 'name'>,
    lock: readonly StateChange[],
  ): void {
    if (lock.length === 0) return;
    const key = `${address} (lock)`;
    const step = {
      key,
      address,
      kind: kind.name,
      action: 'none',
      name,
      changes: [],
      after: [],
      calls: 0,
      lock,
    } as const;
    this.#stateSteps.push(step);
  }

  /** Finds a live resource, and adds it with all that it lies in. Undefined: it is gone. */
  async find(kind: Kind, id: string, within: Located | undefined): Promise<UndoItem | undefined> {
    const address = this.addressOf(kind.name, id);
    const known = this.items.get(address);
    if (known !== undefined) return known;
    const { live } = this.#options;
    const body = await live.find(kind, id, within);
    if (body === undefined) return undefined;
    const name = displayName(kind, body, live.backend);
    return this.add({ address, kind, body, parent: await this.addParent(within), name });
  }

  async addParent(at: Located | undefined): Promise<string | undefined> {
    if (at === undefined) return undefined;
    await this.find(this.kindNamed(at.kind), at.id, at.within);
    return this.addressOf(at.kind, at.id);
  }

  /** Finds a kind that a journal names. @throws Problem(invalid-input) where this docsctl does not know it. */
  kindNamed(name: string): Kind {
    const kind = this.#options.table.find((one) => one.name === name);
    if (kind === undefined)
      throw new Problem(
        'invalid-input',
        `The journal speaks of a kind "${name}", which this docsctl does not know.`,
        { hint: 'Undo it with the docsctl that made it.' },
      );
    return kind;
  }

  /** Locates a live resource; undefined: it is not there yet. */
  locate(address: string | undefined): Located | undefined {
    const item = address === undefined ? undefined : this.items.get(address);
    return item?.body && { kind: item.kind.name, id: item.body.id, within: this.locate(item.parent) };
  }

  /** Makes the plan. @throws Problem(conflict) where steps wait for each other. */
  async toDocument(place: string, people: boolean): Promise<PlanDocument> {
    const { state, table } = this.#options;
    const inOrder = (steps: readonly Step[]): Step[] =>
      table.flatMap(({ name }) => steps.filter((step) => step.kind === name));
    const faults = new Faults();
    const own = inOrder([...this.items.values()].flatMap(stepsFor));
    const { desired, survey } = await this.#planScopes();
    const planned = planDependencies(own, desired, survey, faults);
    faults.throwIfAny();
    if (planned.cycle.length > 0) {
      const keys = planned.cycle.map(({ key }) => key).join(', ');
      const hint = 'Change one of them by hand to another value, then undo again.';
      throw new Problem('conflict', `${keys} wait for each other.`, { hint });
    }
    const steps = [
      ...planned.steps.map((step) => ({ ...step, after: [...step.after, ...this.#waitsOf(step)] })),
      ...this.#stateSteps,
      ...inOrder(this.deletes).reverse(),
    ];
    return {
      version: 1,
      place,
      organization: state.organization,
      people,
      lock: { serial: state.serial },
      steps,
      ...countSteps(steps),
      left: [],
    };
  }

  #waitsOf({ key, address }: Step): Iterable<string> {
    return key === address ? (this.items.get(address)?.waits ?? []) : [];
  }

  /** What planning knows from a manifest and a survey, without a manifest. */
  async #planScopes(): Promise<{ desired: DesiredScopes; survey: SurveyedScopes }> {
    const { live, table } = this.#options;
    const resources = [...this.items.values()].map(toDesired);
    const bindings = new Map<string, Binding>();
    for (const resource of resources) {
      const body = this.items.get(resource.address)?.body;
      const how = body === undefined ? 'new' : 'id';
      bindings.set(resource.address, { resource, how, body, gone: undefined });
    }
    const orders = new Map(this.orders.map((order) => [scopeKey(order.kind, order.parent), order]));
    const deleted = new Set(this.deletes.map((step) => step.id));
    const scopes: Scope[] = [];
    const bodies = new Map<string, readonly Body[]>();
    const parts = new Map<string, ReadonlyMap<string, readonly Located[]>>();
    for (const [key, own] of groupBy(resources, ({ kind, parent }) => scopeKey(kind.name, parent))) {
      const { kind, parent } = own[0]!;
      const order = orders.get(key);
      const within = this.locate(parent);
      const isLive = parent === undefined || within !== undefined;
      const isList = order !== undefined || (!isLive && kind.ordered?.parts !== undefined);
      scopes.push({ kind, parent, isList, resources: order === undefined ? own : this.#inOrder(own, order) });
      if (!isLive) continue;
      const found = await live.list(kind, within);
      bodies.set(
        key,
        found.filter(({ id }) => !deleted.has(id) && !this.holders.has(id)),
      );
      if (order !== undefined && within !== undefined && kind.ordered?.parts !== undefined)
        parts.set(key, await kind.ordered.parts(live.backend, within));
    }
    const idOf = (address: string): string | undefined => this.items.get(address)?.body?.id;
    return {
      desired: {
        scopes: table.flatMap((kind) => scopes.filter((scope) => scope.kind === kind)),
        byAddress: new Map(resources.map((resource) => [resource.address, resource])),
      },
      survey: {
        people: live.backend.people,
        bindings,
        live: bodies,
        parts,
        unsupported: new Map(),
        valueOf: ({ fields }, field) => withIds(fields.get(field)?.value, idOf),
      },
    };
  }

  /** Sorts resources as they were: depth first, like a list in a manifest. */
  #inOrder(own: readonly DesiredResource[], { kind, parts }: RecordedOrder): DesiredResource[] {
    const byAddress = new Map(own.map((resource) => [resource.address, resource]));
    const walk = (part: string): DesiredResource[] =>
      (parts[part] ?? []).flatMap(([name, id]) => {
        const resource = name === kind ? byAddress.get(this.addressOf(name, id)) : undefined;
        return [...(resource === undefined ? [] : [resource]), ...(part === id ? [] : walk(id))];
      });
    return walk('');
  }
}

const nowhere = wholeFile('the journal');

function toDesired({ address, kind, parent, changes }: UndoItem): DesiredResource {
  const fields = new Map([...changes].map(([name, { after }]) => [name, { value: after, at: nowhere }]));
  return { address, kind, at: nowhere, parent, id: undefined, protect: undefined, fields, inside: [] };
}

function stepsFor(item: UndoItem): Step[] {
  const { address, kind, name, body, parent, restores, stateChanges, atCreation } = item;
  const changes = [...item.changes].map(([field, change]): Change => ({ field, ...change }));
  const main = changes.filter(({ field }) => !isLate(kind, field));
  const late = changes.filter(({ field }) => isLate(kind, field));
  const base = { address, kind: kind.name, name, ...defined({ id: body?.id, parent }), after: [] };
  const isNew = body === undefined;
  const first: Step = {
    ...base,
    key: address,
    action: isNew ? 'create' : actionFor(kind, true, main),
    changes: main,
    calls: countCalls(kind, main) + (isNew ? 1 : 0),
    ...defined({
      lock: isNew || stateChanges.length > 0 ? stateChanges : undefined,
      restores,
      atCreation,
    }),
  };
  if (late.length === 0) return [first];
  const calls = countCalls(kind, late);
  return [first, { ...base, key: `${address} (last)`, action: 'update', changes: late, late: true, calls }];
}
