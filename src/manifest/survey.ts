import type { Api } from '../contract/api.ts';
import type { Reason } from '../errors/catalog.ts';
import { orUndefined, Problem } from '../errors/problem.ts';
import { openBackend } from './backend.ts';
import { checkMemberships } from './check-memberships.ts';
import { bindScope, type Binding } from './bind-scope.ts';
import type { Desired, DesiredResource, Scope, Lookup } from './desired.ts';
import {
  changesReaders,
  getField,
  readField,
  type Backend,
  type Body,
  type FieldDiff,
  type Kind,
  type Located,
} from './kind.ts';
import { kinds } from './kinds/index.ts';
import { kindsNamedByIds } from './literal-ids.ts';
import type { ManifestState } from './manifest-state.ts';
import { mapConcurrent } from './map-concurrent.ts';
import type { People } from './people.ts';
import { Faults } from './read/faults.ts';
import { isLookup, isReference, isSame, replaceMarks } from './value.ts';

export interface SurveyRequest {
  readonly api: Api;
  readonly organization: string;
  readonly desired: Desired;
  readonly state: ManifestState;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
  /** See `BindRequest`. */
  readonly formerId?: ((address: string) => string | undefined) | undefined;
}

/** Reasons that mean that the backend does not have something, or does not show it to the caller. */
const unreadable: ReadonlySet<Reason> = new Set(['not-implemented', 'method-not-allowed', 'forbidden']);

/** Returns the key of a scope: a kind within one parent. */
export function scopeKey(kind: string, parent: string | undefined): string {
  return `${kind} ${parent ?? ''}`;
}

/** Returns the bindings of all blocks, in the order of the table of kinds. */
export function bindingsInOrder({ scopes }: Desired, { bindings }: Survey): Binding[] {
  return scopes.flatMap(({ resources }) => resources.flatMap(({ address }) => bindings.get(address) ?? []));
}

/** Reads the live resources of the kinds that a manifest manages or looks up, and binds each block to its resource. */
export async function surveyLive(request: SurveyRequest): Promise<Survey> {
  const { desired, api, organization, signal } = request;
  const withPeople = [...desired.byAddress.values()].some(({ kind, fields }) =>
    [...fields.keys()].some((field) => getField(kind, field).people === true),
  );
  const survey = new Survey(
    request,
    await openBackend(api, organization, { withPeople, signal }),
    withPeople,
  );
  await survey.read();
  return survey;
}

/** The live resources that a manifest manages, each bound to its block. */
export class Survey {
  readonly place: string;
  readonly organization: string;
  readonly people: People;
  readonly withPeople: boolean;
  /** By address. */
  readonly bindings = new Map<string, Binding>();
  /**
   * All live resources of a scope, by `scopeKey`. Absent if the backend does not have the kind, or the parent does not exist yet.
   */
  readonly live = new Map<string, readonly Body[]>();
  /** The live order of scopes whose order the file states, by `scopeKey`. */
  readonly parts = new Map<string, ReadonlyMap<string, readonly Located[]>>();
  /** IDs of the spaces that a resource shows whose readers change, by address. */
  readonly shown = new Map<string, readonly string[]>();
  /** Error messages for kinds that the backend does not have or does not show. */
  readonly unsupported = new Map<string, string>();
  /** Keys of `unsupported` and `unfetched` for which the caller lacks permission. */
  readonly forbidden = new Set<string>();
  /** Error messages for values that could not be read, by address and field. */
  readonly unfetched = new Map<string, string>();
  /** Values that needed a separate call, by address and field. */
  readonly fetched = new Map<string, unknown>();
  /** Descriptions of the differences of such values, by address and field. */
  readonly fieldDiffs = new Map<string, FieldDiff>();
  readonly #request: SurveyRequest;
  readonly #backend: Backend;
  readonly #faults = new Faults();
  /** Stated values in normalized form. */
  readonly #values = new Map<DesiredResource, Map<string, unknown>>();
  /** The IDs that lookups found, by the number of the lookup. */
  readonly #found = new Map<number, string>();
  /** The kinds of resources that the manifest names by IDs. These IDs may be wrong. */
  readonly #namedByIds: ReadonlySet<string>;

  constructor(request: SurveyRequest, backend: Backend, withPeople: boolean) {
    this.#request = request;
    this.#backend = backend;
    this.place = request.api.place;
    this.organization = backend.organization;
    this.people = backend.people;
    this.withPeople = withPeople;
    this.#namedByIds = kindsNamedByIds(request.desired);
  }

  /** @throws Problem(invalid-input) for people who are not members, and blocks and lookups that do not match one resource */
  async read(): Promise<void> {
    const { desired } = this.#request;
    this.#expectPeople();
    for (const resource of desired.byAddress.values()) this.#normalize(resource);
    for (const kind of this.#request.table ?? kinds) await this.#readKind(kind);
    this.#faults.throwIfAny();
    checkMemberships(desired.byAddress, this.#faults, {
      valueOf: (resource, field) => this.valueOf(resource, field),
      emailOf: (emailOrId) => this.people.emailOf(this.people.idOf(emailOrId)).toLowerCase(),
      idOf: (address) => this.bindings.get(address)?.body?.id,
    });
    this.#faults.throwIfAny();
  }

  /** Allows fields to name the people that the manifest invites. */
  #expectPeople(): void {
    const { desired, state } = this.#request;
    for (const { kind, address, fields } of desired.byAddress.values()) {
      const email = kind.slots.some(({ names }) => names === 'email')
        ? fields.get(kind.nameField ?? '')?.value
        : undefined;
      if (typeof email !== 'string') continue;
      const owned = state.get(address);
      this.people.expect(email);
      if (owned !== undefined && kind.isPending?.(owned) === true && this.people.idOf(email) === email)
        this.people.add({ id: owned.id, email }, true);
    }
  }

  /** Returns a stated value in normalized form, with IDs for references to live resources. */
  valueOf(resource: DesiredResource, field: string): unknown {
    return this.#resolve(this.#values.get(resource)?.get(field));
  }

  /** Returns a stated value in normalized form, with its references. */
  statedOf(resource: DesiredResource, field: string): unknown {
    return replaceMarks(this.#values.get(resource)?.get(field), (mark) =>
      isLookup(mark) ? (this.#found.get(mark['docsctl:lookup']) ?? null) : mark,
    );
  }

  /** Binds a block to its resource again, with a value that the manifest does not state. Returns the new block. */
  withField(resource: DesiredResource, field: string, value: unknown): DesiredResource {
    const { address, at, fields } = resource;
    const changed = { ...resource, fields: new Map([...fields, [field, { value, at }]]) };
    this.#values.set(changed, new Map([...(this.#values.get(resource) ?? []), [field, value]]));
    const binding = this.bindings.get(address);
    if (binding !== undefined) this.bindings.set(address, { ...binding, resource: changed });
    return changed;
  }

  #normalize(resource: DesiredResource): void {
    const values = new Map<string, unknown>();
    for (const [name, { value, at, from, locate }] of resource.fields) {
      const { normalize, people } = getField(resource.kind, name);
      const fault = (message: string, text = '') =>
        this.#faults.add(locate?.(text) ?? at, `${message}${variableHint(from?.get(text))}`);
      const isPlain = normalize === undefined || value === null;
      const normal = isPlain ? value : normalize(value, this.people, fault);
      values.set(
        name,
        people === true && name !== resource.kind.nameField ? this.people.withoutInvited(normal) : normal,
      );
    }
    this.#values.set(resource, values);
  }

  async #readKind(kind: Kind): Promise<void> {
    const { desired, state, concurrency, formerId } = this.#request;
    const lookups = [...desired.lookups.entries()].filter(([, lookup]) => lookup.kind === kind);
    const scopes: Scope[] = desired.scopes.filter((scope) => scope.kind === kind);
    if (scopes.length === 0 && (lookups.length > 0 || this.#namedByIds.has(kind.name)))
      scopes.push({ kind, parent: undefined, isList: false, resources: [] });
    await mapConcurrent(scopes, concurrency, (scope) => this.#list(scope));
    for (const [index, lookup] of lookups) this.#lookUp(index, lookup);
    for (const { parent, resources } of scopes)
      bindScope({
        kind,
        resources,
        live: this.live.get(scopeKey(kind.name, parent)) ?? [],
        state,
        people: this.people,
        valueOf: (resource, field) => this.valueOf(resource, field),
        onBound: (binding) => this.bindings.set(binding.resource.address, binding),
        faults: this.#faults,
        formerId,
      });
    const resources = scopes.flatMap((scope) => scope.resources);
    await mapConcurrent(resources, concurrency, (resource) => this.#checkNew(resource));
    await this.#fetch(resources);
    if (kind.showsSpaces !== undefined)
      await mapConcurrent(resources, concurrency, (resource) => this.#readShown(resource));
  }

  async #readShown(resource: DesiredResource): Promise<void> {
    const { kind, address, fields } = resource;
    const at = this.#locate(address);
    const body = this.bindings.get(address)?.body;
    if (at === undefined || body === undefined) return;
    const isChanged = (field: string) =>
      changesReaders(kind, field) &&
      !isSame(readField(kind, field, body, this.people), this.valueOf(resource, field));
    if (![...fields.keys()].some(isChanged)) return;
    const shown = kind.showsSpaces?.(this.#backend, at) ?? Promise.resolve([]);
    this.shown.set(address, (await orUndefined(shown, ...unreadable)) ?? []);
  }

  /** Reports a new resource that cannot be created, before anything is changed. */
  async #checkNew(resource: DesiredResource): Promise<void> {
    const { kind, address, at, fields } = resource;
    const binding = this.bindings.get(address);
    if (kind.findObstacle === undefined || binding?.how !== 'new' || this.unsupported.has(kind.name)) return;
    const stated = Object.fromEntries([...fields.keys()].map((name) => [name, this.valueOf(resource, name)]));
    const obstacle = await kind.findObstacle(this.#backend, stated);
    if (obstacle !== undefined) this.#faults.add(at, obstacle);
  }

  async #list({ kind, parent, isList }: Scope): Promise<void> {
    const within = this.#locate(parent);
    if (this.unsupported.has(kind.name) || (parent !== undefined && within === undefined)) return;
    const key = scopeKey(kind.name, parent);
    try {
      this.live.set(key, await kind.list(this.#backend, within));
      if (isList && within !== undefined && kind.ordered?.parts !== undefined)
        this.parts.set(key, await kind.ordered.parts(this.#backend, within));
    } catch (error) {
      this.#recordUnreadable(kind.name, this.unsupported, error);
    }
  }

  /** Records why something cannot be read. Any other error ends the survey. */
  #recordUnreadable(what: string, messages: Map<string, string>, error: unknown): void {
    if (!(error instanceof Problem) || !unreadable.has(error.reason)) throw error;
    if (error.reason === 'forbidden') this.forbidden.add(what);
    messages.set(what, error.message);
  }

  #lookUp(index: number, { kind, at, by }: Lookup): void {
    const unsupported = this.unsupported.get(kind.name);
    if (unsupported !== undefined)
      return this.#faults.add(at, `!lookup cannot find a ${kind.name} here: ${unsupported}`);
    const matches = (body: Body) =>
      [...by].every(([field, value]) =>
        isSame(
          field === 'id' ? body.id : readField(kind, field, body, this.people),
          this.#resolve(value),
          kind.fields[field]?.equals,
        ),
      );
    const [found, ...others] = (this.live.get(scopeKey(kind.name, undefined)) ?? []).filter(matches);
    if (found !== undefined && others.length === 0) return void this.#found.set(index, found.id);
    const words = [...by]
      .map(
        ([field, value]) => `${field} ${isReference(value) ? value['docsctl:ref'] : JSON.stringify(value)}`,
      )
      .join(' and ');
    if (found === undefined) return this.#faults.add(at, `no ${kind.name} has the ${words}`);
    const ids = [found, ...others].slice(0, 5).map(({ id }) => id);
    this.#faults.add(
      at,
      `${ids.join(' and ')} all have the ${words}; add another field to the lookup, or use the ID`,
    );
  }

  /** Reads the stated fields that need a separate call, and describes their differences. */
  async #fetch(resources: readonly DesiredResource[]): Promise<void> {
    const stated = resources.flatMap((resource) =>
      [...resource.fields.keys()].flatMap((name) => {
        const { fetch, describe } = getField(resource.kind, name);
        return fetch === undefined ? [] : [{ resource, name, fetch, describe }];
      }),
    );
    await mapConcurrent(stated, this.#request.concurrency, async ({ resource, name, fetch, describe }) => {
      const at = this.#locate(resource.address);
      if (at === undefined) return;
      const key = `${resource.address} ${name}`;
      try {
        const value = this.valueOf(resource, name);
        const live = await fetch(this.#backend, at, value);
        this.fetched.set(key, live);
        if (describe === undefined || isSame(live, value)) return;
        const owned = this.#request.state.get(resource.address);
        const left = owned?.id === at.id ? owned.left?.[name] : undefined;
        this.fieldDiffs.set(key, await describe(this.#backend, at, value, left));
      } catch (error) {
        this.#recordUnreadable(key, this.unfetched, error);
      }
    });
  }

  #resolve(value: unknown): unknown {
    return replaceMarks(value, (mark) => {
      if (isLookup(mark)) return this.#found.get(mark['docsctl:lookup']) ?? null;
      return isReference(mark) ? (this.bindings.get(mark['docsctl:ref'])?.body?.id ?? mark) : mark;
    });
  }

  #locate(address = ''): Located | undefined {
    const binding = this.bindings.get(address);
    if (binding?.body === undefined) return undefined;
    const { kind, parent } = binding.resource;
    return { kind: kind.name, id: binding.body.id, within: this.#locate(parent) };
  }
}

/** Returns a hint with the variables that a wrong value comes from. */
function variableHint(names: readonly string[] = []): string {
  return names.map((name) => `; it comes from var.${name}, so set --var ${name}=EMAIL`).join('');
}
