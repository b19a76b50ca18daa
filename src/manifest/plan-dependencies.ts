import { readField } from './read-field.ts';
import type { Desired, DesiredResource } from './desired.ts';
import { orderFingerprint } from './differences.ts';
import { topologicalSort } from './topological-sort.ts';
import { planOrder } from './plan-order.ts';
import type { Kind } from './kind.ts';
import type { Step } from './plan-document.ts';
import type { Faults } from './read/faults.ts';
import { scopeKey, type Survey } from './survey.ts';
import { canonical, referencesIn } from './value.ts';

/** Adds what each step waits for, and the moves that bring lists into the order of the file; `cycle`: steps that wait for each other. */
export function planDependencies(
  steps: readonly Step[],
  desired: Desired,
  survey: Survey,
  faults: Faults,
): { readonly steps: Step[]; readonly cycle: readonly Step[] } {
  const needs = new Dependencies(steps, desired, survey, faults);
  for (const step of steps) if (step.action !== 'unsupported') needs.addFor(step);
  const moves = needs.addOrders();
  needs.addCreates();
  const linked = [...steps, ...moves].map((step) => ({ ...step, after: needs.of(step) }));
  const late = needs.lateNeeds(linked);
  const all = linked.map((step) => (late.has(step.key) ? { ...step, after: late.get(step.key)! } : step));
  const { cycle } = topologicalSort(
    all,
    ({ key }) => key,
    ({ after }) => after,
  );
  return { steps: all, cycle };
}

class Dependencies {
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #desired: Desired;
  readonly #survey: Survey;
  readonly #after = new Map<string, Set<string>>();
  readonly #arrivals = new Set<string>();
  readonly #faults: Faults;
  /** Who has the values that only one of a parent may have. */
  readonly #holders = new Map<string, { readonly id: string; readonly address: string | undefined }>();

  constructor(steps: readonly Step[], desired: Desired, survey: Survey, faults: Faults) {
    this.#steps = new Map(steps.map((step) => [step.key, step]));
    this.#desired = desired;
    this.#survey = survey;
    this.#faults = faults;
    const addresses = new Map(
      [...survey.bindings].flatMap(([address, { resource, body }]) =>
        body === undefined ? [] : [[`${resource.kind.name} ${body.id}`, address] as const],
      ),
    );
    for (const { kind, parent } of desired.scopes) {
      const unique = Object.keys(kind.fields).filter((field) => kind.fields[field]!.unique === true);
      for (const body of unique.length === 0 ? [] : (survey.live.get(scopeKey(kind.name, parent)) ?? [])) {
        const holder = { id: body.id, address: addresses.get(`${kind.name} ${body.id}`) };
        for (const field of unique)
          this.#holders.set(
            uniqueKey(kind.name, parent, field, readField(kind, field, body, survey.people)),
            holder,
          );
      }
    }
  }

  of({ key }: Step): string[] {
    return [...(this.#after.get(key) ?? [])];
  }

  /** The parent, what its values refer to, and who gives up what it takes. */
  addFor(step: Step): void {
    if (step.parent !== undefined) this.#wait(step.key, step.parent);
    for (const address of referencesIn([step.changes.map(({ after }) => after), step.atCreation ?? null]))
      this.#wait(step.key, address);
    for (const { field } of step.changes) this.#addForUnique(step, field);
  }

  /** What only one may have is waited for, where who has it gives it up. */
  #addForUnique(step: Step, field: string): void {
    const wanted = this.#desired.byAddress.get(step.address);
    if (wanted?.kind.fields[field]?.unique !== true) return;
    const value = this.#survey.valueOf(wanted, field);
    const holder = this.#holders.get(uniqueKey(step.kind, step.parent, field, value));
    if (holder === undefined || holder.address === step.address) return;
    const gives =
      holder.address !== undefined &&
      this.#steps.get(holder.address)?.changes.some((change) => change.field === field) === true;
    if (gives) return this.#wait(step.key, holder.address!);
    const who = holder.address ?? `${holder.id}, which the manifest does not have,`;
    this.#faults.add(
      wanted.fields.get(field)!.at,
      `${who} has this ${field} already, and only one may have it; give that one another first, or delete it`,
    );
  }

  addOrders(): Step[] {
    const moves: Step[] = [];
    for (const scope of this.#desired.scopes) {
      if (
        !scope.isList ||
        scope.kind.ordered === undefined ||
        this.#survey.unsupported.has(scope.kind.name) ||
        this.#steps.get(scope.parent ?? '')?.action === 'unsupported'
      )
        continue;
      const order = planOrder(scope, this.#desired, this.#survey);
      const saw = orderFingerprint(this.#survey.parts.get(scopeKey(scope.kind.name, scope.parent)));
      for (const address of order.arrivals) this.#arrivals.add(address);
      for (const [index, address] of order.arrivals.entries())
        if (index > 0) this.#wait(address, order.arrivals[index - 1]!);
      let last: string | undefined;
      for (const { address, beside, settled } of order.moves) {
        const { kind, name, at, id, parent } = this.#steps.get(address)!;
        const known = {
          ...(at === undefined ? {} : { at }),
          ...(id === undefined ? {} : { id }),
          ...(parent === undefined ? {} : { parent }),
        };
        const move: Step = {
          key: `${address} (order)`,
          address,
          kind,
          name,
          ...known,
          action: 'move',
          changes: [],
          after: [],
          calls: 1,
          beside,
          saw,
        };
        for (const other of [address, ...settled, 'before' in beside ? beside.before : beside.after])
          this.#wait(move.key, other);
        if (last !== undefined) this.#wait(move.key, last, true);
        last = move.key;
        moves.push(move);
      }
    }
    return moves;
  }

  addCreates(): void {
    for (const { kind, resources } of this.#desired.scopes) {
      const created = resources.filter(({ address }) => this.#steps.get(address)?.action === 'create');
      const unique = Object.keys(kind.fields).filter((field) => kind.fields[field]!.unique === true);
      const states = (one: DesiredResource): boolean => unique.some((field) => one.fields.has(field));
      const creates = [...created.filter(states), ...created.filter((one) => !states(one))];
      this.#addForTwins(kind, inOrderOfReference(resources, creates));
      if (unique.length > 0) this.#addForPaths(resources, creates);
    }
  }

  /** Where two look the same, one is made and written down before the other: after a kill there is never a choice of two. */
  #addForTwins(kind: Kind, creates: readonly DesiredResource[]): void {
    for (const [field] of kind.keys) {
      const last = new Map<string, string>();
      for (const one of creates) {
        const key = canonical(this.#survey.valueOf(one, field!));
        const twin = one.fields.has(field!) ? last.get(key) : undefined;
        if (twin !== undefined) this.#wait(one.address, twin);
        if (one.fields.has(field!)) last.set(key, one.address);
      }
    }
  }

  /**
   * The API gives a new resource a path or basename of its own choice until it is set. So that it chooses none that is
   * about to be another's, creates of one parent follow each other, those that state theirs first, behind those that change.
   */
  #addForPaths(wanted: readonly DesiredResource[], creates: readonly DesiredResource[]): void {
    const changing = wanted.filter((one) => !this.#arrivals.has(one.address) && this.#changesUnique(one));
    for (const [index, { address }] of creates.entries()) {
      if (index > 0) this.#wait(address, creates[index - 1]!.address);
      else for (const other of changing) this.#wait(address, other.address);
    }
  }

  #changesUnique({ address, kind }: DesiredResource): boolean {
    const step = this.#steps.get(address);
    return (
      step !== undefined &&
      step.action !== 'create' &&
      step.changes.some(({ field }) => kind.fields[field]!.unique === true)
    );
  }

  /** Late calls wait for all steps of what lies inside, however deep. */
  lateNeeds(steps: readonly Step[]): Map<string, string[]> {
    const late = steps.filter((step) => step.late === true);
    const found = new Map(
      late.map((step) => [step.key, new Set([...step.after, ...this.#waitable(step.address)])]),
    );
    const byAddress = new Map(late.map((step) => [step.address, step]));
    if (late.length === 0) return new Map();
    for (const { key, address, action } of steps) {
      if (action === 'none') continue;
      for (
        let above = this.#desired.byAddress.get(address)?.parent;
        above !== undefined;
        above = this.#desired.byAddress.get(above)?.parent
      ) {
        const waiting = byAddress.get(above);
        if (waiting !== undefined) found.get(waiting.key)!.add(key);
      }
    }
    return new Map([...found].map(([key, after]) => [key, [...after]]));
  }

  #wait(key: string, forKey: string, isMove = false): void {
    if (key === forKey || (!isMove && this.#waitable(forKey).length === 0)) return;
    this.#after.set(key, (this.#after.get(key) ?? new Set()).add(forKey));
  }

  /** Nobody waits for a step that does nothing. */
  #waitable(key: string): string[] {
    const step = this.#steps.get(key);
    return step === undefined || step.action === 'none' ? [] : [key];
  }
}

function uniqueKey(kind: string, parent: string | undefined, field: string, value: unknown): string {
  return canonical([kind, parent ?? null, field, value]);
}

/** So that a twin that lies in the other one is made behind it. */
function inOrderOfReference(
  wanted: readonly DesiredResource[],
  creates: readonly DesiredResource[],
): readonly DesiredResource[] {
  const made = new Set(creates);
  const inTurn = [...creates, ...wanted.filter((one) => !made.has(one))];
  return topologicalSort(inTurn, ({ address }) => address, referencesOf).sorted.filter((one) =>
    made.has(one),
  );
}

function referencesOf({ fields }: DesiredResource): string[] {
  return [...fields.values()].flatMap(({ value }) => referencesIn(value));
}
