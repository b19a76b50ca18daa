import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { openBackend } from './backend.ts';
import { bindScope, type Binding } from './bind-scope.ts';
import { readField } from './read-field.ts';
import type { Desired, Scope, DesiredResource } from './desired.ts';
import type { Backend, Body, Kind, Located, FieldDiff } from './kind.ts';
import { kinds } from './kinds/index.ts';
import type { Lookup } from './link-references.ts';
import type { ManifestState } from './manifest-state.ts';
import type { People } from './people.ts';
import { Faults } from './read/faults.ts';
import { isLookup, isReference, isSame, replaceMarks } from './value.ts';

/** What is live, as far as a manifest manages it, and which of it each block means. */
export interface Survey {
  readonly place: string;
  readonly organization: string;
  readonly people: People;
  readonly withPeople: boolean;
  readonly bindings: ReadonlyMap<string, Binding>;
  /** All live ones of a managed place, by `scopeKey`; absent where the backend does not have the kind, or the parent is not there yet. */
  readonly live: ReadonlyMap<string, readonly Body[]>;
  /** The live order of a managed place whose order the file says, by `scopeKey`. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<string, readonly Located[]>>;
  /** Kinds that the backend does not have or does not show, and what it said. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** Those of `unsupported` and `unfetched` that the backend has, and does not show to this caller. */
  readonly forbidden: ReadonlySet<string>;
  /** Values that could not be read, by address and field, and what the backend said. */
  readonly unfetched: ReadonlyMap<string, string>;
  /** Values that took a call of their own, by address and field. */
  readonly fetched: ReadonlyMap<string, unknown>;
  /** How such values differ, by address and field, where their kind says it. */
  readonly fieldDiffs?: ReadonlyMap<string, FieldDiff>;
  /** A stated value in its normal form; ids stand for refs to what is there. */
  valueOf(wanted: DesiredResource, field: string): unknown;
  /** The same with refs as they are written. */
  statedOf(wanted: DesiredResource, field: string): unknown;
  locate(address: string): Located | undefined;
}

export interface SurveyRequest {
  readonly api: Api;
  readonly organization: string;
  readonly desired: Desired;
  readonly state: ManifestState;
  /** Calls at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
  /** As in `BindRequest`. */
  readonly formerId?: ((address: string) => string | undefined) | undefined;
}

/** What the backend does not have, or does not show to this caller. */
const unreadable: ReadonlySet<string> = new Set(['not-implemented', 'method-not-allowed', 'forbidden']);

export function scopeKey(kind: string, parent: string | undefined): string {
  return `${kind} ${parent ?? ''}`;
}

/** Reads what is live, in pages and only of kinds that the manifest manages or looks up, and binds each block to its resource. */
export async function surveyLive(request: SurveyRequest): Promise<Survey> {
  const { desired, api, organization, signal, table = kinds } = request;
  const withPeople = [...desired.byAddress.values()].some(({ kind, fields }) =>
    [...fields.keys()].some((field) => kind.fields[field]!.people === true),
  );
  const surveyor = new Surveyor(
    request,
    await openBackend(api, organization, { withPeople, signal }),
    withPeople,
  );
  surveyor.normalize();
  for (const kind of table) await surveyor.survey(kind);
  surveyor.faults.throwIfAny();
  return surveyor;
}

/** How to have another value, where it comes from a variable. */
function variableWords(names: readonly string[] = []): string {
  return names.map((name) => `; it comes from var.${name}: --var ${name}=EMAIL`).join('');
}

class Surveyor implements Survey {
  readonly place: string;
  readonly organization: string;
  readonly people: People;
  readonly withPeople: boolean;
  readonly bindings = new Map<string, Binding>();
  readonly live = new Map<string, readonly Body[]>();
  readonly parts = new Map<string, ReadonlyMap<string, readonly Located[]>>();
  readonly unsupported = new Map<string, string>();
  readonly forbidden = new Set<string>();
  readonly unfetched = new Map<string, string>();
  readonly fetched = new Map<string, unknown>();
  readonly fieldDiffs = new Map<string, FieldDiff>();
  readonly faults = new Faults();
  readonly #request: SurveyRequest;
  readonly #backend: Backend;
  readonly #values = new Map<DesiredResource, Map<string, unknown>>();
  readonly #found = new Map<number, string>();

  constructor(request: SurveyRequest, backend: Backend, withPeople: boolean) {
    this.#request = request;
    this.withPeople = withPeople;
    this.#backend = backend;
    this.place = request.api.place;
    this.organization = backend.organization;
    this.people = backend.people;
  }

  /** Brings what the file states to one form; people that are no members are found here. */
  normalize(): void {
    for (const wanted of this.#request.desired.byAddress.values()) {
      const values = new Map<string, unknown>();
      for (const [name, { value, at, from }] of wanted.fields) {
        const { normalize } = wanted.kind.fields[name]!;
        values.set(
          name,
          normalize === undefined || value === null
            ? value
            : normalize(value, this.people, (message, text = '') =>
                this.faults.add(at, `${message}${variableWords(from?.get(text))}`),
              ),
        );
      }
      this.#values.set(wanted, values);
    }
  }

  async survey(kind: Kind): Promise<void> {
    const { desired, state, concurrency } = this.#request;
    const lookups = [...desired.lookups.entries()].filter(([, lookup]) => lookup.kind === kind);
    const scopes: Pick<Scope, 'kind' | 'parent' | 'isList' | 'resources'>[] = desired.scopes.filter(
      (scope) => scope.kind === kind,
    );
    if (lookups.length > 0 && scopes.length === 0)
      scopes.push({ kind, parent: undefined, isList: false, resources: [] });
    await mapConcurrent(scopes, concurrency, (scope) => this.#list(scope));
    for (const [index, lookup] of lookups) this.#lookUp(index, lookup);
    for (const { parent, resources } of scopes) {
      const live = this.live.get(scopeKey(kind.name, parent)) ?? [];
      bindScope({
        kind,
        resources,
        live,
        state,
        people: this.people,
        valueOf: (one, field) => this.valueOf(one, field),
        bound: (binding) => this.bindings.set(binding.resource.address, binding),
        faults: this.faults,
        formerId: this.#request.formerId,
      });
    }
    await this.#fetch(scopes.flatMap(({ resources }) => resources));
  }

  async #list({ kind, parent, isList }: Pick<Scope, 'kind' | 'parent' | 'isList'>): Promise<void> {
    const within = parent === undefined ? undefined : this.locate(parent);
    if (this.unsupported.has(kind.name) || (parent !== undefined && within === undefined)) return;
    try {
      this.live.set(scopeKey(kind.name, parent), await kind.list(this.#backend, within));
      if (isList && within !== undefined && kind.ordered?.parts !== undefined)
        this.parts.set(scopeKey(kind.name, parent), await kind.ordered.parts(this.#backend, within));
    } catch (error) {
      this.#cannotRead(kind.name, this.unsupported, error);
    }
  }

  /** Anything else that went wrong ends the survey. */
  #cannotRead(what: string, among: Map<string, string>, error: unknown): void {
    if (!(error instanceof Problem) || !unreadable.has(error.reason)) throw error;
    if (error.reason === 'forbidden') this.forbidden.add(what);
    among.set(what, error.message);
  }

  #lookUp(index: number, { kind, at, by }: Lookup): void {
    const unsupported = this.unsupported.get(kind.name);
    if (unsupported !== undefined)
      return this.faults.add(at, `a ${kind.name} cannot be looked up here: ${unsupported}`);
    const live = this.live.get(scopeKey(kind.name, undefined)) ?? [];
    const found = live.filter((body) =>
      [...by].every(([field, value]) =>
        isSame(
          field === 'id' ? body.id : readField(kind, field, body, this.people),
          this.#resolve(value),
          kind.fields[field]?.equals,
        ),
      ),
    );
    const words = [...by]
      .map(
        ([field, value]) => `${field} ${isReference(value) ? value['docsctl:ref'] : JSON.stringify(value)}`,
      )
      .join(' and ');
    if (found.length === 1) this.#found.set(index, found[0]!.id);
    else if (found.length === 0) this.faults.add(at, `there is no ${kind.name} with ${words}`);
    else
      this.faults.add(
        at,
        `${found
          .slice(0, 5)
          .map(({ id }) => id)
          .join(' and ')} all have ${words}; look up by more fields, or by id`,
      );
  }

  async #fetch(wanted: readonly DesiredResource[]): Promise<void> {
    const asked = wanted.flatMap((one) =>
      [...one.fields.keys()]
        .filter((field) => one.kind.fields[field]!.fetch !== undefined)
        .map((field) => ({ one, field })),
    );
    await mapConcurrent(asked, this.#request.concurrency, async ({ one, field }) => {
      const at = this.locate(one.address);
      const key = `${one.address} ${field}`;
      try {
        if (at === undefined) return;
        const { fetch, describe } = one.kind.fields[field]!;
        const stated = this.valueOf(one, field);
        const now = await fetch!(this.#backend, at, stated);
        this.fetched.set(key, now);
        const owned = this.#request.state.get(one.address);
        if (describe !== undefined && !isSame(now, stated))
          this.fieldDiffs.set(
            key,
            await describe(this.#backend, at, stated, owned?.id === at.id ? owned.left?.[field] : undefined),
          );
      } catch (error) {
        this.#cannotRead(key, this.unfetched, error);
      }
    });
  }

  valueOf(wanted: DesiredResource, field: string): unknown {
    return this.#resolve(this.#values.get(wanted)?.get(field));
  }

  statedOf(wanted: DesiredResource, field: string): unknown {
    return replaceMarks(this.#values.get(wanted)?.get(field), (mark) =>
      isLookup(mark) ? (this.#found.get(mark['docsctl:lookup']) ?? null) : mark,
    );
  }

  #resolve(value: unknown): unknown {
    return replaceMarks(value, (mark) => {
      if (isLookup(mark)) return this.#found.get(mark['docsctl:lookup']) ?? null;
      return isReference(mark) ? (this.bindings.get(mark['docsctl:ref'])?.body?.id ?? mark) : mark;
    });
  }

  locate(address: string): Located | undefined {
    const binding = this.bindings.get(address);
    if (binding?.body === undefined) return undefined;
    const { kind, parent } = binding.resource;
    return {
      kind: kind.name,
      id: binding.body.id,
      ...(parent === undefined ? {} : { within: this.locate(parent) }),
    };
  }
}
