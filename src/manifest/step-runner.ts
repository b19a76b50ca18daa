import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { withIdempotencyKey } from './backend.ts';
import { readField } from './read-field.ts';
import { callOf, isLate } from './differences.ts';
import type { Backend, Body, Kind, Located } from './kind.ts';
import { kindNamed } from './kinds/index.ts';
import type { StateHandle } from './state-file.ts';
import type { PlanDocument, Step } from './plan-document.ts';
import { isReference, isSame, isSecret, replaceMarks, withIds } from './value.ts';

export interface StepRunnerOptions {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly backend: Backend;
  readonly handle: StateHandle;
  readonly signal?: AbortSignal | undefined;
  /** The value of a secret by where it comes from: `env NAME`, `file path`. */
  readonly secretOf: (from: string) => string | undefined;
  readonly table: readonly Kind[];
  /** Told as soon as there is something new. */
  readonly made?: ((step: Step, id: string) => void) | undefined;
}

/** Does steps of one plan; after each call that succeeds the lock says so. */
export class StepRunner {
  readonly #options: StepRunnerOptions;
  readonly #main: ReadonlyMap<string, Step>;
  readonly #late: ReadonlyMap<string, Step>;
  readonly #ids = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** What creates answered: it shows what is left to be set. */
  readonly #made = new Map<string, Body>();

  constructor(options: StepRunnerOptions) {
    this.#options = options;
    const { steps } = options.document;
    this.#main = new Map(
      steps.filter(({ key, address }) => key === address).map((step) => [step.address, step]),
    );
    this.#late = new Map(steps.filter(({ late }) => late === true).map((step) => [step.address, step]));
    for (const step of steps) if (step.id !== undefined) this.#keep(step, step.id);
  }

  idOf(address: string): string | undefined {
    return this.#ids.get(address);
  }

  /** Where something is; undefined: it is not there yet. */
  find(address: string): Located | undefined {
    const step = this.#main.get(address);
    const owned = this.#options.handle.state.get(address);
    const id = this.#ids.get(address) ?? owned?.id;
    const kind = step?.kind ?? owned?.kind;
    if (id === undefined || kind === undefined) return undefined;
    const parent = step?.parent ?? owned?.parent;
    if (parent === undefined) return { kind, id };
    const within = this.find(parent);
    return within === undefined ? undefined : { kind, id, within };
  }

  #keep({ address, kind }: Step, id: string): void {
    this.#ids.set(address, id);
    this.#taken.add(`${kind} ${id}`);
  }

  async run(step: Step): Promise<void> {
    const kind = kindNamed(step.kind, this.#options.table);
    if (step.action === 'delete') return this.#delete(kind, step);
    if (step.beside !== undefined) return this.#place(kind, step);
    if (step.action === 'create') return this.#create(kind, step);
    await this.#drop(step);
    const unchanged = Object.keys(step.states ?? {}).filter((field) => !this.#isPending(step, field));
    if (step.states !== undefined) {
      await this.#record(step, unchanged);
      await this.#leave(kind, step.address, unchanged);
    }
    const made = this.#made.get(step.address);
    const open = step.changes
      .filter(({ field, after }) => made === undefined || this.#isOpen(kind, field, after, made))
      .map(({ field }) => field);
    await this.#send(kind, step, open);
    if (step.lock !== undefined) await this.#relock(step);
  }

  async #create(kind: Kind, step: Step): Promise<void> {
    const { api, backend, handle } = this.#options;
    const main = step.changes.filter(({ field }) => !isLate(kind, field));
    const taken = main.filter(
      ({ field, after }) => kind.fields[field]!.create !== undefined && after !== null,
    );
    const fields = {
      ...this.#values(kind, step.atCreation ?? {}),
      ...this.#values(kind, Object.fromEntries(taken.map(({ field, after }) => [field, after]))),
    };
    const within = step.parent === undefined ? undefined : this.#locate(step.parent);
    const make = () =>
      kind.create!(
        withIdempotencyKey(backend, api, handle.state.creationKey(step.address, fields)),
        within,
        fields,
      );
    let body = (await this.#restored(kind, step, within)) ?? (await make());
    // What an interrupted run made for this address may have been taken over for another one that looks the same.
    if (this.#taken.has(`${kind.name} ${body.id}`)) {
      handle.state.countRemade(step.address);
      body = await make();
    }
    this.#keep(step, body.id);
    this.#options.made?.(step, body.id);
    this.#made.set(step.address, body);
    const open = main
      .filter(({ field, after }) => this.#isOpen(kind, field, after, body))
      .map(({ field }) => field);
    const stated = Object.keys(step.states ?? {}).filter(
      (field) => !open.includes(field) && !this.#isLateAndOpen(step.address, field),
    );
    await (step.lock === undefined ? this.#record(step, stated) : this.#relock(step));
    await this.#send(
      kind,
      step,
      open.filter((field) => kind.fields[field]!.create !== 'only'),
    );
    const refused = open.find((field) => kind.fields[field]!.create === 'only');
    if (refused !== undefined)
      throw new Problem(
        'not-implemented',
        `The new ${kind.name} has another ${refused} than the manifest states, and it cannot be changed.`,
      );
  }

  async #restored(kind: Kind, { restores }: Step, within: Located | undefined): Promise<Body | undefined> {
    if (restores === undefined) return undefined;
    try {
      return await kind.restore?.(this.#options.backend, { kind: kind.name, id: restores, within });
    } catch (error) {
      if (error instanceof Problem && (error.reason === 'not-found' || error.reason === 'not-implemented'))
        return undefined;
      throw error;
    }
  }

  /** Call by call, so that a stop or a failure between two leaves the lock right. */
  async #send(kind: Kind, step: Step, open: readonly string[]): Promise<void> {
    for (const [name, call] of Object.entries(kind.calls)) {
      const fields = open.filter((field) => callOf(kind, field) === name);
      if (fields.length === 0) continue;
      if (this.#options.signal?.aborted === true)
        throw new Problem(
          'interrupted',
          `Stopped before "${fields.join('", "')}" of ${step.address} was set.`,
        );
      const changes = Object.fromEntries(
        step.changes.filter(({ field }) => fields.includes(field)).map(({ field, after }) => [field, after]),
      );
      await call.send(this.#options.backend, this.#locate(step.address), this.#values(kind, changes));
      const main = this.#main.get(step.address);
      if (main?.states !== undefined) await this.#record(main, fields);
      await this.#leave(kind, step.address, fields);
    }
  }

  async #place(kind: Kind, step: Step): Promise<void> {
    const beside = step.beside!;
    const neighbour =
      'before' in beside ? { before: this.#locate(beside.before) } : { after: this.#locate(beside.after) };
    await kind.ordered!.place(this.#options.backend, this.#locate(step.address), neighbour);
  }

  async #delete(kind: Kind, step: Step): Promise<void> {
    try {
      await kind.remove!(this.#options.backend, this.#locate(step.address));
    } catch (error) {
      if (!(error instanceof Problem) || error.reason !== 'not-found') throw error;
    }
    this.#options.handle.state.delete(step.address);
    if (step.lock === undefined) return this.#drop(step, true);
    await this.#drop(step);
    await this.#relock(step);
  }

  /** Makes the lock say what it said before the run that is undone. */
  async #relock({ address, lock: entries = [] }: Step): Promise<void> {
    const { handle } = this.#options;
    for (const { address: other, owned } of entries) {
      if (owned === null) handle.state.delete(other);
      else {
        const { kind, id = this.#ids.get(address)!, parent, protect, fields } = owned;
        // In the order in which an apply writes them: version control shows what changed, and nothing else.
        const above = parent === undefined ? {} : { parent };
        handle.state.set(other, {
          kind,
          id,
          ...above,
          ...(protect === undefined ? {} : { protect }),
          fields: this.#resolved(fields) as Record<string, unknown>,
        });
      }
    }
    await handle.save();
  }

  async #drop({ drops = [] }: Step, always = false): Promise<void> {
    for (const address of drops) this.#options.handle.state.delete(address);
    if (always || drops.length > 0) await this.#options.handle.save();
  }

  /** Writes into the lock that these fields are as the file states them; others stay as the lock has them. */
  async #record(step: Step, fields: readonly string[]): Promise<void> {
    const { handle } = this.#options;
    const { address, kind, parent, states = {} } = step;
    const old = handle.state.get(address);
    const id = this.#ids.get(address)!;
    const kept =
      old?.id === id ? Object.entries(old.fields).filter(([field]) => Object.hasOwn(states, field)) : [];
    const now = fields
      .filter((field) => Object.hasOwn(states, field))
      .map((field) => [field, withIds(states[field], (other) => this.#ids.get(other))]);
    const isProtected = step.protect ?? old?.protect ?? false;
    handle.state.set(address, {
      kind,
      id,
      ...(parent === undefined ? {} : { parent }),
      ...(isProtected ? { protect: true } : {}),
      fields: { ...Object.fromEntries(kept), ...Object.fromEntries(now) },
      ...(old?.id === id && old.left !== undefined ? { left: old.left } : {}),
    });
    await handle.save();
  }

  /** Writes into the lock what shows later that these fields were left as they are. */
  async #leave(kind: Kind, address: string, fields: readonly string[]): Promise<void> {
    const { handle, backend } = this.#options;
    for (const field of fields) {
      const leave = kind.fields[field]?.fingerprint;
      const owned = handle.state.get(address);
      if (leave === undefined || owned === undefined || !Object.hasOwn(owned.fields, field)) continue;
      const left = await leave(backend, this.#locate(address), owned.fields[field]);
      handle.state.set(address, { ...owned, left: { ...owned.left, [field]: left } });
      await handle.save();
    }
  }

  /** Whether a field still has to be set on what a create answered. */
  #isOpen(kind: Kind, field: string, after: unknown, body: Body): boolean {
    const definition = kind.fields[field]!;
    if (definition.writeOnly === true || definition.skipRefresh === true)
      return definition.create === undefined;
    if (definition.fetch !== undefined) return true;
    return !isSame(
      readField(kind, field, body, this.#options.backend.people),
      this.#resolved(after),
      definition.equals,
    );
  }

  #isPending(step: Step, field: string): boolean {
    return step.changes.some((change) => change.field === field) || this.#isLateAndOpen(step.address, field);
  }

  #isLateAndOpen(address: string, field: string): boolean {
    return this.#late.get(address)?.changes.some((change) => change.field === field) === true;
  }

  /** Values as calls take them. */
  #values(kind: Kind, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { people } = this.#options.backend;
    return Object.fromEntries(
      Object.entries(fields).map(([field, value]) => {
        const shown = this.#revealed(this.#resolved(value));
        return [field, kind.fields[field]?.write?.(shown, people) ?? shown];
      }),
    );
  }

  #resolved(value: unknown): unknown {
    return replaceMarks(
      withIds(value, (address) => this.#ids.get(address)),
      (mark) => {
        if (!isReference(mark)) return mark;
        throw new Problem('conflict', `${mark['docsctl:ref']} is not there yet.`, {
          hint: 'Run apply again.',
        });
      },
    );
  }

  #revealed(value: unknown): unknown {
    const { secretOf, handle } = this.#options;
    return replaceMarks(value, (mark) => {
      if (!isSecret(mark)) return mark;
      const secret = secretOf(mark['docsctl:secret']);
      // Who wrote the plan has to know the secret: else any file and variable could be asked for.
      if (secret === undefined || handle.state.hash(secret) !== mark.hash)
        throw new Problem(
          'precondition-failed',
          `The secret from ${mark['docsctl:secret']} is not the one that the plan was made with.`,
          { hint: 'Make a new plan.' },
        );
      return secret;
    });
  }

  #locate(address: string): Located {
    const found = this.find(address);
    if (found === undefined)
      throw new Problem('conflict', `${address} is not there yet.`, { hint: 'Run apply again.' });
    return found;
  }
}
