import type { Api } from '../contract/api.ts';
import { tagOf } from '../contract/entity-tag.ts';
import { defined } from '../contract/values.ts';
import { isProblem, orUndefined, Problem } from '../errors/problem.ts';
import { withIdempotencyKey } from './backend.ts';
import { isLate } from './differences.ts';
import {
  callOf,
  canLieIn,
  findField,
  getField,
  readField,
  type Backend,
  type Body,
  type Call,
  type Fields,
  type Kind,
  type Located,
} from './kind.ts';
import { kindNamed } from './kinds/index.ts';
import { mainSteps, type Change, type PlanDocument, type Step } from './plan-document.ts';
import type { StateHandle } from './state-file.ts';
import { isReference, isSame, replaceMarks, withIds } from './value.ts';

/** Maximum attempts of a call, if others change other fields of the same resource in the meantime. */
const maxAttempts = 6;

interface StepRunnerOptions {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly backend: Backend;
  readonly handle: StateHandle;
  readonly signal?: AbortSignal | undefined;
  /** See `ApplyRequest`. */
  readonly pause?: ((attempt: number) => Promise<void>) | undefined;
  readonly table: readonly Kind[];
  readonly onCreated?: (step: Step, id: string) => void;
}

/** Runs the steps of one plan, and records each successful call in the state file. */
export class StepRunner {
  readonly #options: StepRunnerOptions;
  readonly #main: ReadonlyMap<string, Step>;
  readonly #late: ReadonlyMap<string, Step>;
  /** Ids by address. */
  readonly #ids = new Map<string, string>();
  /** Kinds and IDs of resources that have an address. */
  readonly #taken = new Set<string>();
  /** Answers of creates, which show the fields that still have to be set. */
  readonly #created = new Map<string, Body>();

  constructor(options: StepRunnerOptions) {
    this.#options = options;
    const { steps } = options.document;
    this.#main = mainSteps(steps);
    this.#late = new Map(steps.filter(({ late }) => late === true).map((step) => [step.address, step]));
    for (const step of steps) if (step.id !== undefined) this.#keepId(step, step.id);
  }

  /**
   * Returns the entries of the state file that are inside the former addresses of a step, or were moved from there to its
   * address.
   */
  movedInside({ address, kind, action, drops = [] }: Step): string[] {
    const { table, handle } = this.#options;
    if (action === 'delete' || drops.length === 0 || !table.some((one) => canLieIn(one, kind))) return [];
    const parents = new Set([address, ...drops]);
    return handle.state.entries().flatMap(([inside, { parent = '' }]) => (parents.has(parent) ? inside : []));
  }

  idOf(address: string): string | undefined {
    return this.#ids.get(address);
  }

  /** Locates a resource of the plan or the state file; undefined if it does not exist yet. */
  locate(address: string): Located | undefined {
    const step = this.#main.get(address);
    const owned = this.#options.handle.state.get(address);
    const id = this.#ids.get(address) ?? owned?.id;
    const kind = step?.kind ?? owned?.kind;
    if (id === undefined || kind === undefined) return undefined;
    const parent = step?.parent ?? owned?.parent;
    if (parent === undefined) return { kind, id };
    const within = this.locate(parent);
    return within === undefined ? undefined : { kind, id, within };
  }

  async run(step: Step): Promise<void> {
    const kind = kindNamed(step.kind, this.#options.table);
    const { action, address, states, changes, beside } = step;
    if (action === 'delete') return this.#delete(kind, step);
    if (beside !== undefined) return this.#move(kind, address, beside);
    if (action === 'create') return this.#create(kind, step);
    await this.#drop(step);
    if (states !== undefined) {
      const unchanged = this.#settledFields(step, changes);
      await this.#record(step, unchanged);
      await this.#recordFingerprints(kind, address, unchanged);
    }
    const created = this.#created.get(address);
    const open = changes.filter((change) => created === undefined || this.#isOpen(kind, change, created));
    await this.#send(kind, step, open);
    if (step.lock !== undefined) await this.#restoreState(step);
  }

  async #create(kind: Kind, step: Step): Promise<void> {
    const { address, parent, atCreation } = step;
    const { api, backend, handle } = this.#options;
    const { create } = kind;
    if (create === undefined) throw missingCall(kind, 'create');
    const early = step.changes.filter((change) => !isLate(kind, change));
    const sent = early.filter(
      ({ field, after }) => getField(kind, field).create !== undefined && after !== null,
    );
    const fields = this.#values(kind, sent, atCreation);
    const within = parent === undefined ? undefined : this.#locateExisting(parent);
    const sendEarly = async (call: string, { id }: Body): Promise<void> => {
      const now = early.filter((change) => callOf(kind, change.field) === call && !sent.includes(change));
      if (now.length > 0)
        await kind.calls[call]?.send(backend, { kind: kind.name, id, within }, this.#values(kind, now));
    };
    const make = (): Promise<Body> => {
      const key = handle.state.creationKey(address, fields);
      return create(withIdempotencyKey(backend, api, key), within, fields, sendEarly);
    };
    let body = (await this.#restore(kind, step, within)) ?? (await make());
    // A resource that an interrupted run created for this address may be bound to another block that looks the same.
    if (this.#taken.has(`${kind.name} ${body.id}`)) {
      handle.state.countRemade(address);
      body = await make();
    }
    this.#keepId(step, body.id);
    this.#options.onCreated?.(step, body.id);
    this.#created.set(address, body);
    const open = early.filter((change) => this.#isOpen(kind, change, body));
    if (step.lock !== undefined) await this.#restoreState(step);
    else {
      const settled = this.#settledFields(step, open);
      await this.#record(step, settled);
      await this.#recordFingerprints(kind, address, settled);
    }
    const refused = open.find(({ field }) => getField(kind, field).create === 'only');
    await this.#send(
      kind,
      step,
      open.filter(({ field }) => getField(kind, field).create !== 'only'),
    );
    if (refused !== undefined)
      throw new Problem(
        'not-implemented',
        `The ${refused.field} of the new ${kind.name} differs from the manifest, and cannot be changed.`,
      );
  }

  async #restore(kind: Kind, { restores: id }: Step, within: Located | undefined): Promise<Body | undefined> {
    if (id === undefined) return undefined;
    const restored = kind.restore?.(this.#options.backend, { kind: kind.name, id, within });
    return restored && orUndefined(restored, 'not-found', 'not-implemented');
  }

  /** Sends changes call by call, and saves the state after each, so that it is right after an interruption or a failure. */
  async #send(kind: Kind, { address }: Step, open: readonly Change[]): Promise<void> {
    for (const [name, call] of Object.entries(kind.calls)) {
      const changes = open.filter(({ field }) => callOf(kind, field) === name);
      if (changes.length === 0) continue;
      const fields = changes.map(({ field }) => field);
      await this.#change(kind, call, address, changes);
      const main = this.#main.get(address);
      if (main?.states !== undefined) await this.#record(main, fields);
      await this.#recordFingerprints(kind, address, fields);
    }
  }

  /**
   * Sends a call. The changed fields must still have the values that the plan saw, if the API shows them. If others change other
   * fields at the same time, the call is sent again.
   */
  async #change(
    kind: Kind,
    { read, send }: Call,
    address: string,
    changes: readonly Change[],
  ): Promise<void> {
    const { backend, signal, pause } = this.#options;
    const fields = `${changes.map(({ field }) => `"${field}"`).join(', ')} of ${address}`;
    const [at, values] = [this.#locateExisting(address), this.#values(kind, changes)];
    // If this run created the resource, the plan has not seen any values.
    const saw = changes.some(({ before }) => before !== undefined);
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      if (attempt > 1) await pause?.(attempt - 1);
      if (signal?.aborted === true) throw new Problem('interrupted', `Stopped before ${fields} was set.`);
      const body = saw ? await read?.(backend, at) : undefined;
      if (body !== undefined) this.#refuseMoved(kind, address, changes, body);
      try {
        return void (await send(backend, at, values, defined({ ifMatch: tagOf(body) })));
      } catch (error) {
        if (body === undefined || !isProblem(error, 'precondition-failed')) throw error;
      }
    }
    throw new Problem(
      'precondition-failed',
      `Did not set ${fields}: someone else changed this ${kind.name} during each of ${maxAttempts} attempts.`,
      { hint: 'Find out what else changes it, wait until that is done, and run the command again.' },
    );
  }

  /** @throws Problem(precondition-failed) if a field has another value than when the plan was made */
  #refuseMoved(kind: Kind, address: string, changes: readonly Change[], body: Body): void {
    const moved = changes.filter(({ field, before, after }) => {
      const { skipRefresh, fetch, equals } = getField(kind, field);
      if (before === undefined || skipRefresh === true || fetch !== undefined) return false;
      const now = readField(kind, field, body, this.#options.backend.people) ?? null;
      return ![before, after].some((value) => isSame(now, this.#resolve(value), equals));
    });
    if (moved.length === 0) return;
    const fields = moved.map(({ field }) => `"${field}"`).join(', ');
    throw new Problem(
      'precondition-failed',
      `Someone changed ${fields} of ${address} after the plan was made. docsctl did not overwrite it.`,
      { hint: 'Run `docsctl plan` to see the current values, then run `docsctl apply` again.' },
    );
  }

  async #move(kind: Kind, address: string, beside: NonNullable<Step['beside']>): Promise<void> {
    if (kind.ordered === undefined) throw missingCall(kind, 'order');
    const neighbor =
      'before' in beside
        ? { before: this.#locateExisting(beside.before) }
        : { after: this.#locateExisting(beside.after) };
    await kind.ordered.place(this.#options.backend, this.#locateExisting(address), neighbor);
  }

  async #delete(kind: Kind, step: Step): Promise<void> {
    if (kind.remove === undefined) throw missingCall(kind, 'delete');
    await orUndefined(kind.remove(this.#options.backend, this.#locateExisting(step.address)), 'not-found');
    this.#options.handle.state.delete(step.address);
    await this.#drop(step, step.lock === undefined);
    if (step.lock !== undefined) await this.#restoreState(step);
  }

  /** Restores entries of the state file from before the run that is undone. */
  async #restoreState({ address, lock = [] }: Step): Promise<void> {
    const { handle } = this.#options;
    for (const { address: other, owned } of lock) {
      if (owned === null) {
        handle.state.delete(other);
        continue;
      }
      const { kind, id = this.#locateExisting(address).id, parent, protect } = owned;
      // In the order of an apply, so that version control shows no other differences.
      const fields = this.#resolve(owned.fields) as Record<string, unknown>;
      handle.state.set(other, { kind, id, ...defined({ parent, protect }), fields });
    }
    await handle.save();
  }

  /**
   * Removes former addresses from the state file, and moves the resources inside to the new address. A killed run may have left
   * them.
   */
  async #drop(step: Step, alwaysSaves = false): Promise<void> {
    const { handle } = this.#options;
    const { address: parent, drops = [] } = step;
    for (const inside of this.movedInside(step)) {
      const owned = handle.state.get(inside);
      if (owned !== undefined) handle.state.set(inside, { ...owned, parent });
    }
    for (const address of drops) handle.state.delete(address);
    if (alwaysSaves || drops.length > 0) await handle.save();
  }

  /** Records in the state file that these fields have their stated values. Other fields of the entry are kept. */
  async #record(step: Step, fields: readonly string[]): Promise<void> {
    const { handle } = this.#options;
    const { address, kind, parent, states = {} } = step;
    const { id } = this.#locateExisting(address);
    const old = handle.state.get(address);
    const same = old?.id === id ? old : undefined;
    const kept = Object.entries(same?.fields ?? {}).filter(([field]) => Object.hasOwn(states, field));
    const now = fields
      .filter((field) => Object.hasOwn(states, field))
      .map((field) => [field, withIds(states[field], (other) => this.#ids.get(other))] as const);
    const isProtected = step.protect ?? old?.protect ?? false;
    handle.state.set(address, {
      kind,
      id,
      ...defined({ parent, protect: isProtected ? (true as const) : undefined }),
      fields: Object.fromEntries([...kept, ...now]),
      ...defined({ left: same?.left }),
    });
    await handle.save();
  }

  /** Records fingerprints in the state file, which show later whether these fields have changed. */
  async #recordFingerprints(kind: Kind, address: string, fields: readonly string[]): Promise<void> {
    const { handle, backend } = this.#options;
    for (const field of fields) {
      const fingerprint = findField(kind, field)?.fingerprint;
      const owned = handle.state.get(address);
      if (fingerprint === undefined || owned === undefined || !Object.hasOwn(owned.fields, field)) continue;
      const left = await fingerprint(backend, this.#locateExisting(address), owned.fields[field]);
      if (left === owned.left?.[field]) continue;
      const { left: known = {}, ...others } = owned;
      const kept = Object.entries(known).filter(([name]) => name !== field);
      const all = left === undefined ? kept : [...kept, [field, left] as const];
      handle.state.set(address, {
        ...others,
        ...(all.length === 0 ? {} : { left: Object.fromEntries(all) }),
      });
      await handle.save();
    }
  }

  /** Returns whether a field still has to be set after the create, given its answer. */
  #isOpen(kind: Kind, { field, after }: Change, body: Body): boolean {
    const { skipRefresh, create, fetch, equals } = getField(kind, field);
    if (skipRefresh === true) return create === undefined;
    if (fetch !== undefined) return true;
    return !isSame(readField(kind, field, body, this.#options.backend.people), this.#resolve(after), equals);
  }

  /** Returns the stated fields that no open change and no late step sets. */
  #settledFields({ address, states = {} }: Step, open: readonly Change[]): string[] {
    const late = this.#late.get(address)?.changes ?? [];
    const names = new Set([...open, ...late].map(({ field }) => field));
    return Object.keys(states).filter((field) => !names.has(field));
  }

  /** Returns the values of changes in the form of calls, after those in `first`. */
  #values(kind: Kind, changes: readonly Change[], first: Fields = {}): Record<string, unknown> {
    const { people } = this.#options.backend;
    const values = [...Object.entries(first), ...changes.map(({ field, after }) => [field, after] as const)];
    return Object.fromEntries(
      values.map(([field, value]) => {
        const plain = this.#resolve(value);
        const { write } = findField(kind, field) ?? {};
        return [field, write === undefined ? plain : write(plain, people)];
      }),
    );
  }

  #resolve(value: unknown): unknown {
    return replaceMarks(
      withIds(value, (address) => this.#ids.get(address)),
      (mark) => {
        if (isReference(mark)) throw notThereYet(mark['docsctl:ref']);
        return mark;
      },
    );
  }

  #locateExisting(address: string): Located {
    const found = this.locate(address);
    if (found === undefined) throw notThereYet(address);
    return found;
  }

  #keepId({ address, kind }: Step, id: string): void {
    this.#ids.set(address, id);
    this.#taken.add(`${kind} ${id}`);
  }
}

function notThereYet(address: string): Problem {
  return new Problem('conflict', `${address} does not exist yet.`, { hint: 'Run apply again.' });
}

function missingCall(kind: Kind, call: string): Error {
  return new Error(`no call to ${call} a ${kind.name}`);
}
