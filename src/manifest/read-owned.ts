import type { Api } from '../contract/api.ts';
import { groupBy } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { openBackend } from './backend.ts';
import { isSecretField } from './export/secrets.ts';
import { findField, isExternal, type Backend, type Body, type Kind } from './kind.ts';
import { locateOwned } from './locate-owned.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { mapConcurrent } from './map-concurrent.ts';
import type { People } from './people.ts';
import { holdsSecret } from './value.ts';

export interface ReadOwnedRequest {
  readonly api: Api;
  readonly state: ManifestState;
  /** Maximum number of calls at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table: readonly Kind[];
}

/** Something that cannot be read here: a kind, a field such as `team.members`, or `member` for all fields that name people. */
export interface Unreadable {
  readonly what: string;
  /** Number of resources that it concerns. */
  readonly count: number;
  readonly message: string;
  readonly reason: 'unsupported' | 'forbidden' | 'unknown';
}

/** The live resources that a state owns. */
export interface OwnedLive {
  readonly people: People;
  /** By address; null if it no longer exists, absent if it could not be read. */
  readonly bodies: ReadonlyMap<string, Body | null>;
  /** Values that took a call of their own, by address and field; absent if they could not be read. */
  readonly fetched: ReadonlyMap<string, unknown>;
  readonly unreadable: ReadonlyMap<string, Unreadable>;
}

/** Why a field cannot be compared: it is a secret, the API does not show it for now, its value is a folder, or the kind does not have it. */
export type NotReadableReason = 'secret' | 'hidden' | 'content' | 'unknown';

/** Returns why a field cannot be compared with the value that a state has. */
export function whyNotReadable(kind: Kind, name: string, last: unknown): NotReadableReason | undefined {
  if (isExternal(kind, name)) return 'content';
  const field = findField(kind, name);
  if (field === undefined) return 'unknown';
  return isSecretField(field) || holdsSecret(last) ? 'secret' : undefined;
}

/** Reads what a state owns: lists of the kinds that it has, and each field that takes a call of its own. */
export async function readOwned(request: ReadOwnedRequest): Promise<OwnedLive> {
  const reader = new OwnedReader(request);
  const backend = await reader.open();
  for (const kind of request.table) await reader.read(kind, backend);
  reader.addUnknownKinds();
  const { bodies, fetched, unreadable } = reader;
  return { people: backend.people, bodies, fetched, unreadable };
}

type Entry = [address: string, owned: Owned];

class OwnedReader {
  readonly bodies = new Map<string, Body | null>();
  readonly fetched = new Map<string, unknown>();
  readonly unreadable = new Map<string, Unreadable>();
  readonly #request: ReadOwnedRequest;
  readonly #byKind: ReadonlyMap<string, readonly Entry[]>;

  constructor(request: ReadOwnedRequest) {
    this.#request = request;
    this.#byKind = groupBy(request.state.entries(), ([, { kind }]) => kind);
  }

  /** Opens the backend, with members only if a field in the state names people. */
  async open(): Promise<Backend> {
    const { api, state, signal, table } = this.#request;
    const named = table.flatMap((kind) =>
      (this.#byKind.get(kind.name) ?? []).filter(([, { fields }]) =>
        Object.keys(fields).some((name) => findField(kind, name)?.people === true),
      ),
    );
    try {
      return await openBackend(api, state.organization, { withPeople: named.length > 0, signal });
    } catch (error) {
      this.#recordUnreadable('member', named.length, error);
      return openBackend(api, state.organization, { withPeople: false, signal });
    }
  }

  async read(kind: Kind, backend: Backend): Promise<void> {
    const { state, concurrency, table } = this.#request;
    const entries = this.#byKind.get(kind.name) ?? [];
    const scopes = groupBy(entries, ([, { parent }]) => parent);
    await mapConcurrent([...scopes], concurrency, ([parent, own]) => this.#list(kind, parent, own, backend));
    const calls = entries.flatMap(([address, { fields }]) => {
      if ((this.bodies.get(address) ?? null) === null) return [];
      const at = locateOwned(state, address, table);
      return Object.entries(fields).flatMap(([name, last]) => {
        const { fetch, people } = findField(kind, name) ?? {};
        if (at === undefined || fetch === undefined) return [];
        if (whyNotReadable(kind, name, last) !== undefined) return [];
        if (people === true && this.unreadable.has('member')) return [];
        return [{ address, name, read: () => fetch(backend, at, last) }];
      });
    });
    await mapConcurrent(calls, concurrency, async ({ address, name, read }) => {
      try {
        this.fetched.set(`${address} ${name}`, await read());
      } catch (error) {
        if (isGone(error)) this.bodies.set(address, null);
        else this.#recordUnreadable(`${kind.name}.${name}`, 1, error);
      }
    });
  }

  /** Records kinds that a newer docsctl has written. */
  addUnknownKinds(): void {
    const known = new Set(this.#request.table.map(({ name }) => name));
    for (const [what, { length: count }] of this.#byKind)
      if (!known.has(what))
        this.#add({ what, count, message: 'This docsctl does not know the kind.', reason: 'unknown' });
  }

  async #list(
    kind: Kind,
    parent: string | undefined,
    own: readonly Entry[],
    backend: Backend,
  ): Promise<void> {
    const { state, table } = this.#request;
    const setBodies = (live: ReadonlyMap<string, Body>): void => {
      for (const [address, { id }] of own) this.bodies.set(address, live.get(id) ?? null);
    };
    if (parent !== undefined && this.bodies.get(parent) === null) return setBodies(new Map());
    const within = parent === undefined ? undefined : locateOwned(state, parent, table);
    if (parent !== undefined && within === undefined)
      return this.#add({
        what: kind.name,
        count: own.length,
        message: `The lock does not have ${parent}, in which it lies.`,
        reason: 'unknown',
      });
    try {
      setBodies(new Map((await kind.list(backend, within)).map((body) => [body.id, body])));
    } catch (error) {
      if (parent !== undefined && isGone(error)) setBodies(new Map());
      else this.#recordUnreadable(kind.name, own.length, error);
    }
  }

  /** Records what the backend does not have, or does not show to the caller; any other error ends the reading. */
  #recordUnreadable(what: string, count: number, error: unknown): void {
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

/** Returns whether something was deleted since its list, or its parent, was read. */
function isGone(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'not-found';
}
