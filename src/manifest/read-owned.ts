import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { openBackend } from './backend.ts';
import { findField, type Backend, type Body, type Kind } from './kind.ts';
import { locateOwned } from './locate-owned.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import type { People } from './people.ts';
import { whyNotReadable } from './not-readable.ts';

export interface ReadOwnedRequest {
  readonly api: Api;
  readonly state: ManifestState;
  /** Calls at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table: readonly Kind[];
}

/** Something that cannot be read here: a kind, a field such as `team.members`, or `member` for all that names people. */
export interface Unreadable {
  readonly what: string;
  /** Resources that it concerns. */
  readonly count: number;
  readonly message: string;
  readonly reason: 'unsupported' | 'forbidden' | 'unknown';
}

/** What is live of what a lock owns. */
export interface OwnedLive {
  readonly people: People;
  /** By address; null: it is gone. Absent: it could not be read. */
  readonly bodies: ReadonlyMap<string, Body | null>;
  /** Values that took a call of their own, by address and field. Absent: they could not be read. */
  readonly fetched: ReadonlyMap<string, unknown>;
  readonly unreadable: ReadonlyMap<string, Unreadable>;
}

/** Reads what a lock owns: pages of the kinds that it has, and a call for each applied field that takes one. */
export async function readOwned(request: ReadOwnedRequest): Promise<OwnedLive> {
  const reader = new OwnedReader(request);
  await reader.open();
  for (const kind of request.table) await reader.read(kind);
  reader.addUnknownKinds();
  return reader;
}

class OwnedReader implements OwnedLive {
  readonly bodies = new Map<string, Body | null>();
  readonly fetched = new Map<string, unknown>();
  readonly unreadable = new Map<string, Unreadable>();
  readonly #request: ReadOwnedRequest;
  readonly #byKind = new Map<string, [address: string, owned: Owned][]>();
  #backend!: Backend;

  constructor(request: ReadOwnedRequest) {
    this.#request = request;
    for (const entry of request.state.entries()) {
      const others = this.#byKind.get(entry[1].kind);
      if (others === undefined) this.#byKind.set(entry[1].kind, [entry]);
      else others.push(entry);
    }
  }

  get people(): People {
    return this.#backend.people;
  }

  /** Members are read only where a field that was applied names people. */
  async open(): Promise<void> {
    const { api, state, signal, table } = this.#request;
    const open = (withPeople: boolean) => openBackend(api, state.organization, { withPeople, signal });
    const named = table.reduce(
      (sum, kind) =>
        sum +
        this.#own(kind).filter(([, { fields }]) =>
          Object.keys(fields).some((field) => kind.fields[field]?.people === true),
        ).length,
      0,
    );
    try {
      this.#backend = await open(named > 0);
    } catch (error) {
      this.#cannotRead('member', named, error);
      this.#backend = await open(false);
    }
  }

  async read(kind: Kind): Promise<void> {
    const { concurrency } = this.#request;
    const own = this.#own(kind);
    const scopes = new Map<string | undefined, [string, Owned][]>();
    for (const entry of own) {
      const others = scopes.get(entry[1].parent);
      if (others === undefined) scopes.set(entry[1].parent, [entry]);
      else others.push(entry);
    }
    await mapConcurrent([...scopes], concurrency, ([parent, inside]) => this.#list(kind, parent, inside));
    const asked = own.flatMap(([address, owned]) => {
      const isLive = (this.bodies.get(address) ?? null) !== null;
      return Object.keys(owned.fields).flatMap((field) =>
        isLive && this.#takesCall(kind, field, owned) ? [{ address, owned, field }] : [],
      );
    });
    await mapConcurrent(asked, concurrency, ({ address, owned, field }) =>
      this.#fetch(kind, address, owned, field),
    );
  }

  /** What a newer docsctl wrote. */
  addUnknownKinds(): void {
    for (const [name, own] of this.#byKind) {
      if (this.#request.table.some((kind) => kind.name === name)) continue;
      this.#add({
        what: name,
        count: own.length,
        message: 'This docsctl does not know the kind.',
        reason: 'unknown',
      });
    }
  }

  #own(kind: Kind): readonly [address: string, owned: Owned][] {
    return this.#byKind.get(kind.name) ?? [];
  }

  async #list(kind: Kind, parent: string | undefined, own: readonly [string, Owned][]): Promise<void> {
    const { state, table } = this.#request;
    const lost = (): void => own.forEach(([address]) => this.bodies.set(address, null));
    if (parent !== undefined && this.bodies.get(parent) === null) return lost();
    const within = parent === undefined ? undefined : locateOwned(state, parent, table);
    if (parent !== undefined && within === undefined)
      return this.#add({
        what: kind.name,
        count: own.length,
        message: `The lock does not have ${parent}, in which it lies.`,
        reason: 'unknown',
      });
    try {
      const live = new Map((await kind.list(this.#backend, within)).map((body) => [body.id, body]));
      for (const [address, { id }] of own) this.bodies.set(address, live.get(id) ?? null);
    } catch (error) {
      if (parent !== undefined && isGone(error)) return lost();
      this.#cannotRead(kind.name, own.length, error);
    }
  }

  #takesCall(kind: Kind, name: string, { fields }: Owned): boolean {
    const field = findField(kind, name);
    if (field?.fetch === undefined || whyNotReadable(kind, name, fields[name]) !== undefined) return false;
    return field.people !== true || !this.unreadable.has('member');
  }

  async #fetch(kind: Kind, address: string, { fields }: Owned, field: string): Promise<void> {
    const { state, table } = this.#request;
    const at = locateOwned(state, address, table)!;
    try {
      this.fetched.set(
        `${address} ${field}`,
        await kind.fields[field]!.fetch!(this.#backend, at, fields[field]),
      );
    } catch (error) {
      if (isGone(error)) this.bodies.set(address, null);
      else this.#cannotRead(`${kind.name}.${field}`, 1, error);
    }
  }

  /** What the backend does not have, or does not show to this caller; anything else that went wrong ends the reading. */
  #cannotRead(what: string, count: number, error: unknown): void {
    if (!(error instanceof Problem)) throw error;
    const { reason, message } = error;
    if (reason === 'forbidden') this.#add({ what, count, message, reason });
    else if (reason === 'not-implemented' || reason === 'method-not-allowed')
      this.#add({ what, count, message, reason: 'unsupported' });
    else throw error;
  }

  #add(one: Unreadable): void {
    this.unreadable.set(one.what, { ...one, count: one.count + (this.unreadable.get(one.what)?.count ?? 0) });
  }
}

/** Gone since its list, or its parent, was read. */
function isGone(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'not-found';
}
