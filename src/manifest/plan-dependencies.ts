import { getOrInsert, textsIn } from '../contract/values.ts';
import { resourcesById } from './bind-scope.ts';
import type { DesiredResource, Scope, Stated } from './desired.ts';
import { orderFingerprint } from './differences.ts';
import { changesReaders, findField, readField, type Kind } from './kind.ts';
import { emptyStep, type Step } from './plan-document.ts';
import { planOrder, type DesiredScopes, type SurveyedScopes } from './plan-order.ts';
import { formatLocation, type Faults } from './read/faults.ts';
import { scopeKey } from './survey.ts';
import { topologicalSort } from './topological-sort.ts';
import { canonical, referencesIn } from './value.ts';

/**
 * Adds the dependencies of each step, and the moves that bring lists into the order of the file. `cycle` contains the steps that
 * wait for each other.
 */
export function planDependencies(
  steps: readonly Step[],
  desired: DesiredScopes,
  survey: SurveyedScopes,
  faults: Faults,
): { steps: Step[]; cycle: readonly Step[] } {
  const dependencies = new Dependencies(steps, desired, survey, faults);
  for (const step of steps) if (step.action !== 'unsupported') dependencies.addFor(step);
  for (const step of steps) dependencies.addForReaders(step);
  const moves = dependencies.addMoves();
  dependencies.addForCreates();
  const linked = [...steps, ...moves].map((step) => ({ ...step, after: dependencies.of(step) }));
  const late = dependencies.findForLate(linked);
  const all = linked.map((step) => ({ ...step, after: late.get(step.key) ?? step.after }));
  const { cycle } = topologicalSort(
    all,
    ({ key }) => key,
    ({ after }) => after,
  );
  return { steps: all, cycle };
}

class Dependencies {
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #desired: DesiredScopes;
  readonly #survey: SurveyedScopes;
  readonly #faults: Faults;
  /** Resources by kind and live id. */
  readonly #byId: ReadonlyMap<string, DesiredResource>;
  readonly #after = new Map<string, Set<string>>();
  /** Addresses of resources that are new in their part of a list. */
  readonly #arrivals = new Set<string>();
  /** The last of these addresses in each parent, by the address of the parent. */
  readonly #lastArrivals = new Map<string | undefined, string | undefined>();
  /** Live resources by their unique values within a parent. */
  readonly #holders = new Map<string, { readonly id: string; readonly address: string | undefined }>();

  /** Resources that take a unique value within a parent. */
  readonly #takers = new Map<string, DesiredResource>();
  /** Addresses of new members by their emails. */
  readonly #invited = new Map<string, string>();

  constructor(steps: readonly Step[], desired: DesiredScopes, survey: SurveyedScopes, faults: Faults) {
    this.#steps = new Map(steps.map((step) => [step.key, step]));
    this.#desired = desired;
    this.#survey = survey;
    this.#faults = faults;
    this.#byId = resourcesById(survey.bindings);
    for (const { kind, action, address, changes } of steps)
      if (kind === 'member' && action === 'create')
        for (const { field, after } of changes)
          if (field === 'email') this.#invited.set(String(after), address);
    for (const { kind, parent, resources } of desired.scopes) {
      for (const resource of resources)
        for (const [field, stated] of resource.fields)
          if (findField(kind, field)?.distinct === true)
            this.#take(
              uniqueKey(kind.name, parent, field, survey.valueOf(resource, field)),
              resource,
              stated,
            );
      const unique = uniqueFields(kind);
      for (const body of unique.length === 0 ? [] : (survey.live.get(scopeKey(kind.name, parent)) ?? [])) {
        const holder = { id: body.id, address: this.#byId.get(`${kind.name} ${body.id}`)?.address };
        for (const field of unique) {
          const value = readField(kind, field, body, survey.people);
          this.#holders.set(uniqueKey(kind.name, parent, field, value), holder);
        }
      }
    }
  }

  of({ key }: Step): string[] {
    return [...(this.#after.get(key) ?? [])];
  }

  /**
   * Adds as dependencies: the parent of a step, the resources that its values refer to, and the resources that release the unique
   * values it takes.
   */
  addFor(step: Step): void {
    if (step.parent !== undefined) this.#wait(step.key, step.parent);
    for (const address of referencesIn([step.changes.map(({ after }) => after), step.atCreation ?? null]))
      this.#wait(step.key, address);
    for (const { field, after } of step.changes) {
      this.#addForUnique(step, field);
      if (step.kind !== 'member') this.#addForPeople(step, field, after);
    }
  }

  /** Orders a change of the readers of a site and the changes of its spaces: fewer readers come first, more readers last. */
  addForReaders({ key, address, changes, late }: Step): void {
    const kind = this.#desired.byAddress.get(address)?.kind;
    if (kind === undefined || !changes.some(({ field }) => changesReaders(kind, field))) return;
    for (const id of this.#survey.shown.get(address) ?? []) {
      const space = this.#byId.get(`space ${id}`)?.address;
      if (space === undefined || !this.#isWaitedFor(space)) continue;
      if (late === true) this.#wait(key, space);
      else this.#wait(space, key);
    }
  }

  /** Adds the new members that a field names as dependencies. */
  #addForPeople(step: Step, field: string, value: unknown): void {
    if (this.#invited.size === 0) return;
    const kind = this.#desired.byAddress.get(step.address)?.kind;
    if (kind === undefined || findField(kind, field)?.people !== true) return;
    for (const text of textsIn(value)) {
      const address = this.#invited.get(text);
      if (address !== undefined) this.#wait(step.key, address);
    }
  }

  #addForUnique(step: Step, field: string): void {
    const resource = this.#desired.byAddress.get(step.address);
    const stated = resource?.fields.get(field);
    if (resource === undefined || stated === undefined) return;
    if (findField(resource.kind, field)?.unique !== true) return;
    const key = uniqueKey(step.kind, step.parent, field, this.#survey.valueOf(resource, field));
    this.#take(key, resource, stated);
    const holder = this.#holders.get(key);
    if (holder === undefined || holder.address === step.address) return;
    const { id, address } = holder;
    if (
      address !== undefined &&
      this.#steps.get(address)?.changes.some((change) => change.field === field) === true
    )
      return this.#wait(step.key, address);
    const who = address ?? `${id} (not in the manifest)`;
    this.#faults.add(
      stated.at,
      `${who} already has this ${field}, which must be unique; change it there first, or delete that resource`,
    );
  }

  /** Reports a value that two blocks state and only one of them can have. */
  #take(key: string, resource: DesiredResource, { at }: Pick<Stated, 'at'>): void {
    const taker = this.#takers.get(key);
    this.#takers.set(key, resource);
    if (taker === undefined || taker === resource) return;
    const [, , field] = JSON.parse(key) as readonly string[];
    this.#faults.add(
      at,
      `${taker.address} at ${formatLocation(taker.at)} has the same ${field}, which must be unique; change one of the two`,
    );
  }

  addMoves(): Step[] {
    const moves = this.#desired.scopes.flatMap((scope) => {
      const { kind, parent, isList } = scope;
      const isPlanned =
        isList &&
        kind.ordered !== undefined &&
        !this.#survey.unsupported.has(kind.name) &&
        this.#steps.get(parent ?? '')?.action !== 'unsupported';
      return isPlanned ? this.#movesIn(scope) : [];
    });
    for (const scope of this.#desired.scopes)
      if (scope.kind.ordered !== undefined && !scope.isList) this.#addForUnplaced(scope);
    return moves;
  }

  /**
   * Creates ordered resources that are not in a list, such as empty groups, last and one by one, so that their order is always
   * the same.
   */
  #addForUnplaced({ parent, resources }: Scope): void {
    const created = this.#created(resources);
    const addresses = sortByReferences(resources, created).map(({ address }) => address);
    const unplaced = addresses.filter((address) => !this.#arrivals.has(address));
    const last = this.#lastArrivals.get(parent);
    this.#chain(last === undefined ? unplaced : [last, ...unplaced]);
  }

  #movesIn(scope: Scope): Step[] {
    const order = planOrder(scope, this.#desired, this.#survey, this.#byId);
    const saw = orderFingerprint(this.#survey.parts.get(scopeKey(scope.kind.name, scope.parent)));
    for (const address of order.arrivals) this.#arrivals.add(address);
    this.#chain(order.arrivals);
    this.#lastArrivals.set(scope.parent, order.arrivals.at(-1));
    let last: string | undefined;
    return order.moves.flatMap(({ address, beside, settled }) => {
      const step = this.#steps.get(address);
      if (step === undefined) return [];
      const move: Step = {
        ...emptyStep(address, step.kind, 'move', step.name, step),
        key: `${address} (order)`,
        calls: 1,
        beside,
        saw,
      };
      for (const other of [address, ...settled, 'before' in beside ? beside.before : beside.after])
        this.#wait(move.key, other);
      if (last !== undefined) this.#wait(move.key, last, true);
      last = move.key;
      return [move];
    });
  }

  addForCreates(): void {
    for (const { kind, resources } of this.#desired.scopes) {
      const created = this.#created(resources);
      const unique = uniqueFields(kind);
      const statesUnique = ({ fields }: DesiredResource) => unique.some((field) => fields.has(field));
      const creates = [...created.filter(statesUnique), ...created.filter((one) => !statesUnique(one))];
      this.#addForTwins(kind, sortByReferences(resources, creates));
      if (unique.length > 0) this.#addForPaths(resources, creates);
    }
  }

  #created(resources: readonly DesiredResource[]): DesiredResource[] {
    return resources.filter(({ address }) => this.#steps.get(address)?.action === 'create');
  }

  /**
   * Creates resources that look the same one after the other, so that a killed run leaves at most one that cannot be identified.
   */
  #addForTwins(kind: Kind, creates: readonly DesiredResource[]): void {
    for (const [field] of kind.keys) {
      if (field === undefined) continue;
      const last = new Map<string, string>();
      for (const resource of creates.filter(({ fields }) => fields.has(field))) {
        const key = canonical(this.#survey.valueOf(resource, field));
        const twin = last.get(key);
        if (twin !== undefined) this.#wait(resource.address, twin);
        last.set(key, resource.address);
      }
    }
  }

  /**
   * The API chooses a path or basename for a new resource until one is set. So that it does not choose one that another resource
   * will get, creates of one parent run one after the other: those that state a value first, and after the updates that change
   * theirs.
   */
  #addForPaths(resources: readonly DesiredResource[], creates: readonly DesiredResource[]): void {
    this.#chain(creates.map(({ address }) => address));
    const [first] = creates;
    if (first === undefined) return;
    for (const resource of resources)
      if (!this.#arrivals.has(resource.address) && this.#changesUnique(resource))
        this.#wait(first.address, resource.address);
  }

  #changesUnique({ address, kind }: DesiredResource): boolean {
    const step = this.#steps.get(address);
    return (
      step !== undefined &&
      step.action !== 'create' &&
      step.changes.some(({ field }) => findField(kind, field)?.unique === true)
    );
  }

  /** Returns the dependencies of late steps. They also wait for all steps inside the resource, at any depth. */
  findForLate(steps: readonly Step[]): Map<string, string[]> {
    const late = new Map(
      steps
        .filter((step) => step.late === true)
        .map(({ key, address, after }) => [
          address,
          { key, after: new Set([...after, ...(this.#isWaitedFor(address) ? [address] : [])]) },
        ]),
    );
    if (late.size === 0) return new Map();
    const parentOf = (address: string) => this.#desired.byAddress.get(address)?.parent;
    for (const { key, address, action } of steps) {
      if (action === 'none') continue;
      for (let above = parentOf(address); above !== undefined; above = parentOf(above))
        late.get(above)?.after.add(key);
    }
    return new Map([...late.values()].map(({ key, after }) => [key, [...after]]));
  }

  /** Makes each step wait for the previous one. */
  #chain(addresses: readonly string[]): void {
    let last: string | undefined;
    for (const address of addresses) {
      if (last !== undefined) this.#wait(address, last);
      last = address;
    }
  }

  #wait(key: string, other: string, isMove = false): void {
    if (key === other || (!isMove && !this.#isWaitedFor(other))) return;
    getOrInsert(this.#after, key, () => new Set()).add(other);
  }

  /** Returns whether a step exists and has something to do. */
  #isWaitedFor(key: string): boolean {
    return (this.#steps.get(key)?.action ?? 'none') !== 'none';
  }
}

function uniqueFields({ fields }: Kind): string[] {
  return Object.keys(fields).filter((field) => fields[field]?.unique === true);
}

function uniqueKey(kind: string, parent: string | undefined, field: string, value: unknown): string {
  return canonical([kind, parent ?? null, field, value]);
}

/** Sorts creates so that each comes after the resources that it refers to, also indirectly through existing resources. */
function sortByReferences(
  resources: readonly DesiredResource[],
  creates: readonly DesiredResource[],
): DesiredResource[] {
  const created = new Set(creates);
  const { sorted } = topologicalSort(
    [...creates, ...resources.filter((resource) => !created.has(resource))],
    ({ address }) => address,
    ({ fields }) => [...fields.values()].flatMap(({ value }) => referencesIn(value)),
  );
  return sorted.filter((resource) => created.has(resource));
}
