import { callOf, isLate } from '../differences.ts';
import type { Scope, DesiredResource } from '../desired.ts';
import type { Body, Fields, Kind, Located } from '../kind.ts';
import type { ManifestState } from '../manifest-state.ts';
import { planDependencies } from '../plan-dependencies.ts';
import type { Action, Change, StateChange, PlanDocument, Step } from '../plan-document.ts';
import { displayName } from '../read-field.ts';
import { Problem } from '../../errors/problem.ts';
import { Faults } from '../read/faults.ts';
import { wholeFile } from '../read/source-location.ts';
import { scopeKey, type Survey } from '../survey.ts';
import { withIds } from '../value.ts';
import type { LiveCache } from './live-cache.ts';
import type { RecordedOrder } from './journal-lines.ts';
import type { ResourceEffect } from './collect-effects.ts';

/** One resource of an undo: what is done with it, or that others need to know where it is. */
export interface UndoItem {
  readonly address: string;
  readonly kind: Kind;
  readonly name: string;
  /** Absent: it is made anew, or brought back. */
  readonly body: Body | undefined;
  readonly parent: string | undefined;
  readonly restores?: string | undefined;
  readonly changes: Map<string, Omit<Change, 'field'>>;
  readonly lock: StateChange[];
  atCreation?: Fields;
  /** Keys of deletes that it waits for. */
  readonly waits: Set<string>;
}

interface StepsOptions {
  readonly lists: LiveCache;
  readonly lock: ManifestState;
  readonly table: readonly Kind[];
  readonly touched: readonly ResourceEffect[];
}

/** Gathers what an undo does, and makes steps of it in the order in which they can be done. */
export class UndoSteps {
  readonly items = new Map<string, UndoItem>();
  readonly deletes: Step[] = [];
  /** Steps that set the lock right and nothing else. */
  readonly locks: Step[] = [];
  /** Scopes whose order is brought back, as it was. */
  readonly orders: RecordedOrder[] = [];
  /** Ids of live resources that hold what somebody else shall have; who they are is settled already. */
  readonly passedOver = new Set<string>();
  readonly #options: StepsOptions;
  readonly #addresses = new Map<string, string>();

  constructor(options: StepsOptions) {
    this.#options = options;
    for (const [address, { kind, id }] of options.lock.entries())
      this.#addresses.set(`${kind} ${id}`, address);
    for (const { kind, id, address } of options.touched)
      if (id !== undefined) this.#addresses.set(`${kind.name} ${id}`, address);
  }

  addressOf(kind: string, id: string): string {
    return this.#addresses.get(`${kind} ${id}`) ?? `${kind}.${id}`;
  }

  name(kind: string, id: string, address: string): void {
    this.#addresses.set(`${kind} ${id}`, address);
  }

  add(item: Omit<UndoItem, 'changes' | 'lock' | 'waits'>): UndoItem {
    const made = { ...item, changes: new Map(), lock: [], waits: new Set<string>() };
    this.items.set(item.address, made);
    return made;
  }

  /** For something that is not there: the lock alone is set back. */
  addLock(
    { address, kind, name }: Pick<ResourceEffect, 'address' | 'kind' | 'name'>,
    lock: readonly StateChange[],
  ): void {
    if (lock.length > 0)
      this.locks.push({
        key: `${address} (lock)`,
        address,
        kind: kind.name,
        action: 'none',
        name,
        changes: [],
        after: [],
        calls: 0,
        lock,
      });
  }

  /** A live resource, and all that it lies in. Undefined: it is gone. */
  async find(kind: Kind, id: string, within: Located | undefined): Promise<UndoItem | undefined> {
    const address = this.addressOf(kind.name, id);
    const known = this.items.get(address);
    if (known !== undefined) return known;
    const body = await this.#options.lists.find(kind, { id, within });
    if (body === undefined) return undefined;
    return this.add({
      address,
      kind,
      body,
      parent: await this.parentOf(within),
      name: displayName(kind, body, { people: this.#options.lists.backend.people }),
    });
  }

  async parentOf(within: Located | undefined): Promise<string | undefined> {
    if (within === undefined) return undefined;
    await this.find(this.kind(within.kind), within.id, within.within);
    return this.addressOf(within.kind, within.id);
  }

  kind(name: string): Kind {
    const kind = this.#options.table.find((one) => one.name === name);
    if (kind === undefined)
      throw new Problem(
        'invalid-input',
        `The journal speaks of a kind "${name}", which this docsctl does not know.`,
        { hint: 'Undo it with the docsctl that made it.' },
      );
    return kind;
  }

  async document(place: string, lock: ManifestState, people: boolean): Promise<PlanDocument> {
    const { table } = this.#options;
    const steps = [...this.items.values()].flatMap((item) => stepsFor(item));
    const { desired, survey } = await this.#wanted();
    const faults = new Faults();
    const planned = planDependencies(inOrderOf(table, steps), desired, survey, faults);
    faults.throwIfAny();
    if (planned.cycle.length > 0)
      throw new Problem(
        'conflict',
        `${planned.cycle.map(({ key }) => key).join(', ')} wait for each other.`,
        {
          hint: 'Change one of them by hand to another value, then undo again.',
        },
      );
    const waiting = planned.steps.map((step) => ({
      ...step,
      after: [
        ...step.after,
        ...(step.key === step.address ? (this.items.get(step.address)?.waits ?? []) : []),
      ],
    }));
    const all = [...waiting, ...this.locks, ...inOrderOf(table, this.deletes).reverse()];
    const counts: Record<Action, number> = {
      create: 0,
      update: 0,
      adopt: 0,
      move: 0,
      delete: 0,
      none: 0,
      unsupported: 0,
    };
    for (const { action } of all) counts[action]++;
    const calls = all.reduce((sum, step) => sum + step.calls, 0);
    return {
      version: 1,
      place,
      organization: lock.organization,
      people,
      lock: { serial: lock.serial },
      steps: all,
      counts,
      calls,
      left: [],
    };
  }

  /** What planning needs to know of a manifest and of what is live, without a manifest. */
  async #wanted(): Promise<{ desired: Parameters<typeof planDependencies>[1]; survey: Survey }> {
    const { lists, table } = this.#options;
    const byAddress = new Map<string, DesiredResource>();
    const bindings = new Map<string, Survey['bindings'] extends ReadonlyMap<string, infer B> ? B : never>();
    const idOf = (address: string): string | undefined => this.items.get(address)?.body?.id;
    for (const item of this.items.values()) {
      const { address, kind, parent, body, changes } = item;
      const fields = new Map([...changes].map(([name, { after }]) => [name, { value: after, at: nowhere }]));
      const wanted: DesiredResource = {
        address,
        kind,
        at: nowhere,
        parent,
        id: undefined,
        protect: undefined,
        fields,
        inside: [],
      };
      byAddress.set(address, wanted);
      bindings.set(address, {
        resource: wanted,
        how: body === undefined ? 'new' : 'id',
        body,
        gone: undefined,
      });
    }
    const scopes = new Map<string, Scope>();
    const live = new Map<string, readonly Body[]>();
    const parts = new Map<string, ReadonlyMap<string, readonly Located[]>>();
    const ordered = new Map(this.orders.map((scope) => [scopeKey(scope.kind, scope.parent), scope]));
    for (const wanted of byAddress.values()) {
      const { kind, parent } = wanted;
      const key = scopeKey(kind.name, parent);
      if (scopes.has(key)) continue;
      const own = [...byAddress.values()].filter((one) => one.kind === kind && one.parent === parent);
      const order = ordered.get(key);
      const isNew = parent !== undefined && this.items.get(parent)?.body === undefined;
      const isList = order !== undefined || (isNew && kind.ordered?.parts !== undefined);
      scopes.set(key, {
        kind,
        parent,
        isList,
        resources: order === undefined ? own : this.#inOrder(own, order),
      });
      const within = parent === undefined ? undefined : this.#locate(parent);
      if (parent !== undefined && within === undefined) continue;
      const gone = new Set(this.deletes.map((step) => step.id));
      live.set(
        key,
        (await lists.list(kind, within)).filter(({ id }) => !gone.has(id) && !this.passedOver.has(id)),
      );
      if (order !== undefined) parts.set(key, await kind.ordered!.parts!(lists.backend, within!));
    }
    const { people, organization } = lists.backend;
    const valueOf: Survey['valueOf'] = (wanted, field) => withIds(wanted.fields.get(field)?.value, idOf);
    const statedOf: Survey['statedOf'] = (wanted, field) => wanted.fields.get(field)?.value;
    const survey: Survey = {
      place: '',
      organization,
      people,
      withPeople: false,
      bindings,
      live,
      parts,
      unsupported: new Map(),
      forbidden: new Set(),
      unfetched: new Map(),
      fetched: new Map(),
      valueOf,
      statedOf,
      locate: (address) => this.#locate(address),
    };
    const inOrder = table.flatMap((kind) => [...scopes.values()].filter((scope) => scope.kind === kind));
    return {
      desired: {
        organization: undefined,
        scopes: inOrder,
        byAddress,
        lookups: [],
        secrets: new Map(),
        beside: new Map(),
      },
      survey,
    };
  }

  /** As it was: depth first, as a list in a file is. */
  #inOrder(own: readonly DesiredResource[], { kind, parts }: RecordedOrder): DesiredResource[] {
    const byAddress = new Map(own.map((wanted) => [wanted.address, wanted]));
    const walk = (part: string): DesiredResource[] =>
      (parts[part] ?? []).flatMap(([name = '', id = '']) => {
        const wanted = name === kind ? byAddress.get(this.addressOf(name, id)) : undefined;
        return [...(wanted === undefined ? [] : [wanted]), ...(part === id ? [] : walk(id))];
      });
    return walk('');
  }

  #locate(address: string): Located | undefined {
    const item = this.items.get(address);
    if (item?.body === undefined) return undefined;
    const within = item.parent === undefined ? undefined : this.#locate(item.parent);
    return { kind: item.kind.name, id: item.body.id, within };
  }
}

const nowhere = wholeFile('the journal');

function inOrderOf(table: readonly Kind[], steps: readonly Step[]): Step[] {
  const places = new Map(table.map(({ name }, index) => [name, index]));
  return [...steps].sort((one, other) => places.get(one.kind)! - places.get(other.kind)!);
}

function stepsFor({
  address,
  kind,
  name,
  body,
  parent,
  restores,
  changes,
  lock,
  atCreation,
}: UndoItem): Step[] {
  const all = [...changes].map(([field, change]): Change => ({ field, ...change }));
  const main = all.filter(({ field }) => !isLate(kind, field));
  const late = all.filter(({ field }) => isLate(kind, field));
  const base = {
    address,
    kind: kind.name,
    name,
    ...(body === undefined ? {} : { id: body.id }),
    ...(parent === undefined ? {} : { parent }),
    after: [],
  };
  const calls = (some: readonly Change[]): number =>
    new Set(some.map(({ field }) => callOf(kind, field))).size;
  const first: Step = {
    ...base,
    key: address,
    action:
      body === undefined
        ? 'create'
        : main.length === 0
          ? 'none'
          : main.every(({ field }) => callOf(kind, field) === 'move' || field === kind.ordered?.part)
            ? 'move'
            : 'update',
    changes: main,
    calls: calls(main) + (body === undefined ? 1 : 0),
    ...(body === undefined || lock.length > 0 ? { lock } : {}),
    ...(restores === undefined ? {} : { restores }),
    ...(atCreation === undefined ? {} : { atCreation }),
  };
  return [
    first,
    ...(late.length === 0
      ? []
      : [
          {
            ...base,
            key: `${address} (last)`,
            action: 'update' as const,
            changes: late,
            late: true as const,
            calls: calls(late),
          },
        ]),
  ];
}
