import type { Api } from '../contract/api.ts';
import { defined, groupBy } from '../contract/values.ts';
import { isProblem, Problem } from '../errors/problem.ts';
import { openBackend } from './backend.ts';
import {
  displayName,
  findField,
  isExternal,
  nameFields,
  notReadable,
  readField,
  type Backend,
  type Body,
  type Kind,
} from './kind.ts';
import { kinds } from './kinds/index.ts';
import { locateOwned } from './locate-owned.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { createSelection, type SelectionPatterns } from './selection.ts';
import { isSame } from './value.ts';
import { withAddresses } from './with-addresses.ts';

/** The differences between the live resources and the result of the last apply. */
export interface Drift {
  readonly version: 1;
  readonly place: string;
  readonly organization: string;
  /** The version of the state file, and its path if it is a file. */
  readonly lock: { readonly serial: number; readonly path?: string };
  /** In the order of the table of kinds, without unchanged resources. */
  readonly resources: readonly Drifted[];
  readonly counts: Readonly<Record<'changed' | 'gone' | 'same' | 'unread', number>>;
  /** Fields that could not be compared. */
  readonly unseen: readonly {
    readonly address: string;
    readonly field: string;
    readonly why: NotReadableReason;
  }[];
  readonly unreadable: readonly Unreadable[];
}

/** A resource that has changed since the last apply. */
export interface Drifted {
  readonly address: string;
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly status: 'changed' | 'gone';
  /** The address of its parent, if the parent no longer exists either. */
  readonly because?: string;
  readonly changes: readonly DriftedField[];
}

interface DriftedField {
  readonly field: string;
  /** The value after the last apply. References are `{ "docsctl:ref": "space.guide" }`, here and in `after`. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * `hidden`: the API does not show the field now. `content`: its value is a folder. `unknown`: this version does not know the
 * field.
 */
type NotReadableReason = 'hidden' | 'content' | 'unknown';

/** A kind, a field such as `team.members`, or `member` for all fields that name people, which cannot be read. */
interface Unreadable {
  readonly what: string;
  readonly count: number;
  readonly message: string;
  readonly reason: 'unsupported' | 'forbidden' | 'unknown';
}

interface DriftRequest extends SelectionPatterns {
  readonly api: Api;
  readonly state: ManifestState;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
}

/** Compares the entries of a state with the live resources. It needs no manifest. */
export async function findDrift(request: DriftRequest): Promise<Drift> {
  const { state, api, concurrency, signal, table = kinds } = request;
  const isSelected = createSelection(
    request,
    state.entries().map(([address]) => address),
  );
  const live = new LiveReader(state, table, concurrency);
  const backend = await live.open(api, signal);
  const isPending = ([, owned]: Entry) =>
    table.find(({ name }) => name === owned.kind)?.isPending?.(owned) === true;
  for (const [, { id, fields }] of state.entries().filter(isPending)) {
    const email = String(fields['email']);
    if (backend.people.idOf(email) === email) backend.people.add({ id, email }, true);
  }
  for (const kind of table) await live.read(kind, backend);
  live.addUnknownKinds();
  const addresses = new Map(state.entries().map(([address, { kind, id }]) => [`${kind} ${id}`, address]));
  const unseen: Drift['unseen'][number][] = [];
  const resources: Drifted[] = [];
  const counts = { changed: 0, gone: 0, same: 0, unread: 0 };
  const ranks = new Map(table.map(({ name }, index) => [name, index]));
  const rank = (kind: string) => ranks.get(kind) ?? table.length;
  for (const [address, owned] of state.entries().sort(([, a], [, b]) => rank(a.kind) - rank(b.kind))) {
    if (isSelected?.(address) === false) continue;
    const { id, parent, fields } = owned;
    const kind = table.find(({ name }) => name === owned.kind);
    const body = live.bodies.get(address);
    if (kind === undefined || body === undefined) {
      counts.unread++;
      continue;
    }
    const found = { address, kind: kind.name, id };
    if (body === null && kind.isPending?.(owned) === true) {
      counts.same++;
      continue;
    }
    if (body === null) {
      counts.gone++;
      const name = nameFields.map((field) => fields[field]).find((value) => typeof value === 'string');
      const because = parent !== undefined && live.bodies.get(parent) === null ? parent : undefined;
      const more = { name: name ?? address, status: 'gone' as const, ...defined({ because }) };
      resources.push({ ...found, ...more, changes: [] });
      continue;
    }
    const changes = Object.entries(fields).flatMap(([name, last]): DriftedField[] => {
      const why = whyNotReadable(kind, name);
      if (why !== undefined) unseen.push({ address, field: name, why });
      const field = findField(kind, name);
      if (why !== undefined || field === undefined) return [];
      const key = `${address} ${name}`;
      if (field.people === true && live.unreadable.has('member')) return [];
      if (field.fetch !== undefined && !live.fetched.has(key)) return [];
      const now =
        field.fetch === undefined ? readField(kind, name, body, backend.people) : live.fetched.get(key);
      if (now === notReadable) unseen.push({ address, field: name, why: 'hidden' });
      const expected = field.people === true ? backend.people.withoutInvited(last) : last;
      if (now === notReadable || isSame(expected, now, field.equals)) return [];
      const named = (value: unknown) => withAddresses(value ?? null, field, (known) => addresses.get(known));
      return [{ field: name, before: named(last), after: named(now) }];
    });
    counts[changes.length === 0 ? 'same' : 'changed']++;
    if (changes.length > 0)
      resources.push({
        ...found,
        name: displayName(kind, body, backend, address),
        status: 'changed',
        changes,
      });
  }
  return {
    version: 1,
    place: api.place,
    organization: state.organization,
    lock: { serial: state.serial },
    resources,
    counts,
    unseen,
    unreadable: [...live.unreadable.values()],
  };
}

/** Returns whether nothing that can be read differs. */
export function hasNoDrift({ resources }: Drift): boolean {
  return resources.length === 0;
}

function whyNotReadable(kind: Kind, name: string): NotReadableReason | undefined {
  if (isExternal(kind, name)) return 'content';
  return findField(kind, name) === undefined ? 'unknown' : undefined;
}

type Entry = [address: string, owned: Owned];

/** Reads the live resources of a state: lists of its kinds, and the fields that need a separate call. */
class LiveReader {
  /** By address; null if the resource no longer exists, absent if it could not be read. */
  readonly bodies = new Map<string, Body | null>();
  /** Values of fields that need a separate call, by address and field; absent if they could not be read. */
  readonly fetched = new Map<string, unknown>();
  readonly unreadable = new Map<string, Unreadable>();
  readonly #state: ManifestState;
  readonly #table: readonly Kind[];
  readonly #concurrency: number;
  readonly #byKind: ReadonlyMap<string, readonly Entry[]>;

  constructor(state: ManifestState, table: readonly Kind[], concurrency: number) {
    this.#state = state;
    this.#table = table;
    this.#concurrency = concurrency;
    this.#byKind = groupBy(state.entries(), ([, { kind }]) => kind);
  }

  /** Opens the backend, with members only if a field in the state names people. */
  async open(api: Api, signal: AbortSignal | undefined): Promise<Backend> {
    const { organization } = this.#state;
    const named = this.#table.flatMap((kind) =>
      (this.#byKind.get(kind.name) ?? []).filter(([, { fields }]) =>
        Object.keys(fields).some((name) => findField(kind, name)?.people === true),
      ),
    );
    try {
      return await openBackend(api, organization, { withPeople: named.length > 0, signal });
    } catch (error) {
      this.#recordUnreadable('member', named.length, error);
      return openBackend(api, organization, { withPeople: false, signal });
    }
  }

  async read(kind: Kind, backend: Backend): Promise<void> {
    const entries = this.#byKind.get(kind.name) ?? [];
    const scopes = [...groupBy(entries, ([, { parent }]) => parent)];
    await mapConcurrent(scopes, this.#concurrency, ([parent, own]) => this.#list(kind, parent, own, backend));
    const calls = entries.flatMap(([address, { fields }]) => {
      const isLive = (this.bodies.get(address) ?? null) !== null;
      const at = isLive ? locateOwned(this.#state, address, this.#table) : undefined;
      return Object.entries(fields).flatMap(([name, last]) => {
        const { fetch, people } = findField(kind, name) ?? {};
        if (at === undefined || fetch === undefined || whyNotReadable(kind, name) !== undefined) return [];
        if (people === true && this.unreadable.has('member')) return [];
        return [{ address, name, fetch: () => fetch(backend, at, last) }];
      });
    });
    await mapConcurrent(calls, this.#concurrency, async ({ address, name, fetch }) => {
      try {
        this.fetched.set(`${address} ${name}`, await fetch());
      } catch (error) {
        if (isGone(error)) this.bodies.set(address, null);
        else this.#recordUnreadable(`${kind.name}.${name}`, 1, error);
      }
    });
  }

  /** Records kinds that only a newer docsctl knows. */
  addUnknownKinds(): void {
    for (const [what, { length: count }] of this.#byKind)
      if (this.#table.every(({ name }) => name !== what))
        this.#add({
          what,
          count,
          message: 'This version of docsctl does not know the kind.',
          reason: 'unknown',
        });
  }

  async #list(
    kind: Kind,
    parent: string | undefined,
    own: readonly Entry[],
    backend: Backend,
  ): Promise<void> {
    const setBodies = (live: readonly Body[]): void => {
      const byId = new Map(live.map((body) => [body.id, body]));
      for (const [address, { id }] of own) this.bodies.set(address, byId.get(id) ?? null);
    };
    if (parent !== undefined && this.bodies.get(parent) === null) return setBodies([]);
    const within = parent === undefined ? undefined : locateOwned(this.#state, parent, this.#table);
    if (parent !== undefined && within === undefined)
      return this.#add({
        what: kind.name,
        count: own.length,
        message: `Its parent ${parent} is missing in the state file.`,
        reason: 'unknown',
      });
    try {
      setBodies(await kind.list(backend, within));
    } catch (error) {
      if (parent !== undefined && isGone(error)) setBodies([]);
      else this.#recordUnreadable(kind.name, own.length, error);
    }
  }

  /** Records kinds and fields that the backend does not have, or does not show to the caller. Any other error is thrown. */
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

/** Returns whether the resource or its parent was deleted after its list was read. */
function isGone(error: unknown): boolean {
  return isProblem(error, 'not-found');
}
