import type { CallOptions } from '../contract/api.ts';
import type { InputOf, ItemOf, Operation, OutputOf } from '../contract/operation.ts';
import type { TSchema } from '../contract/schema.ts';
import type { Fault, People } from './people.ts';

/** A resource as the API shows it. */
export interface Body {
  readonly id: string;
}

/** A live resource and what it lies in: enough to name it in a call. */
export interface Located {
  readonly kind: string;
  readonly id: string;
  readonly within?: Located | undefined;
}

/** Fields by name, in the form of the file. */
export type Fields = Readonly<Record<string, unknown>>;

/** The operations of an Api within one organization. */
export interface Backend {
  readonly organization: string;
  /** Members by email and id; none if no field that is read or written names people. */
  readonly people: People;
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<OutputOf<O>>;
  all<O extends Operation>(operation: O, input: InputOf<O>): Promise<ItemOf<O>[]>;
  /** Does the jobs of a kind that are due; on a server its workers do them. */
  work(kind: string): Promise<void>;
  /** Ids of what the run deletes in the end (default: none). */
  readonly leaving?: ReadonlySet<string>;
  /** Does the work on the first call with a key, and returns the same result after that. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** The place of blocks of a kind in the file. */
export interface BlockSlot {
  /** The kind whose block holds it. Default: the top of the file. */
  readonly within?: string;
  /** The field that holds it; `org.settings` is a field within a field. */
  readonly field: string;
  /** A map by names that the writer chooses, a list whose items are named by `nameField`, or one block. */
  readonly as: 'map' | 'list' | 'one';
  /**
   * The names in a map are email addresses, in any case, and the value of `nameField`. Default: names of the writer's
   * choice.
   */
  readonly names?: 'email';
}

/** A description of a difference for readers of a plan. */
export interface FieldDiff {
  readonly summary: string;
  /** Default: not known. */
  readonly moved?: 'file' | 'live' | 'both';
}

/**
 * The result of `fetch` if the backend does not show a value, or not yet. The state says then whether the file
 * changed.
 */
export const notReadable: unique symbol = Symbol('unseen');

/** A field of a block. Only a schema is needed if the API has it in the body and in `update` under the same name. */
export interface Field<R extends Body = Body> {
  readonly schema: TSchema;
  /** Returns its value in the form of the file; null for none. Default: the member of the body with the same name. */
  read?(body: R, people: People): unknown;
  /** Reads a value that takes a call of its own; only for resources whose block states the field. */
  fetch?(backend: Backend, at: Located, stated: unknown): Promise<unknown>;
  /** Returns the path of a text that an export always writes to a file of its own. */
  filePath?(text: string, name: string): string;
  /** Returns a short text that shows later what an apply left, if the value does not show it; undefined for none. */
  fingerprint?(backend: Backend, at: Located, value: unknown): Promise<string | undefined>;
  /** Returns the same text for a live resource that is as stated. */
  fingerprintOf?(body: R): string;
  /** Describes a difference that two values do not show; `left` is the fingerprint after the last apply. */
  describe?(backend: Backend, at: Located, stated: unknown, left: string | undefined): Promise<FieldDiff>;
  /** Returns what an export states, for all resources together when each has its name. */
  export?(named: readonly { readonly body: R; readonly name: string }[]): Promise<readonly unknown[]>;
  /** Converts what a person wrote to the form that `read` returns. */
  normalize?(value: unknown, people: People, fault: Fault): unknown;
  /**
   * Checks a stated value before any call; `above` returns what the block, or one around it, states for a field of a kind. The
   * path of a fault leads to the part that is wrong.
   */
  check?(
    value: unknown,
    above: (kind: string, field: string) => unknown,
    fault: (message: string, path?: readonly (string | number)[]) => void,
  ): void;
  /** Converts its value to the form that calls take. */
  write?(value: unknown, people: People): unknown;
  /** How values are compared. Default: exactly. `set` ignores the order, `text` the kind of line ends. */
  readonly equals?: 'set' | 'text';
  /** The kind of the ids in it, which `!ref` and `!lookup` may stand for. */
  readonly refersTo?: string;
  /** A plain text is a name in the same parent: `group: dev`. */
  readonly localName?: true;
  /** The value of a new resource; an export does not state it. */
  readonly default?: unknown;
  /** `also`: the create call takes it; `only`: no other call does. Default: a call after the create sets it. */
  readonly create?: 'also' | 'only';
  /** A value that the create call took is neither read again nor sent again. */
  readonly skipRefresh?: true;
  /** The field is an action; a change of one of these fields triggers it again. */
  readonly triggers?: readonly string[];
  /** The call that changes it. Default: `update`. */
  readonly call?: string;
  /** A new resource has to state it. */
  readonly required?: true;
  /** No two resources of a parent have the same value, so one may have to wait until another gives it up. */
  readonly unique?: true;
  /** The value belongs to this organization only, such as its title, so a portable export leaves it out. */
  readonly belongsToOne?: true;
  /** Every resource has a value of its own, so nothing is lost if a portable export leaves it out. */
  readonly isAlwaysSet?: true;
  /** Nothing inside the resource depends on it, so a rehearsal of what is inside does not read it. */
  readonly isIndependent?: true;
  /** The kind inside the resource whose order a value depends on. If the order changes, the value is set again. */
  readonly followsOrderOf?: string;
  /** The kinds inside the resource that a value may lead to. If one of them is deleted, the value is set again. */
  readonly followsDeletesOf?: readonly string[];
  /** An export states the same in a field of another kind. */
  readonly isNotExported?: true;
  /** Only one resource of a parent may state true. */
  readonly exclusive?: true;
  /** It names people, so members are read first. */
  readonly people?: true;
}

export interface Call {
  /** Runs after everything inside the resource is done. */
  readonly late?: true;
  /**
   * Reads the resource with its entity tag: the call is then sent only if nobody has changed the resource. Absent if the API cannot
   * read it at the path of the call.
   */
  read?(backend: Backend, at: Located): Promise<Body>;
  /** Returns the changed resource if the API shows it. */
  send(backend: Backend, at: Located, fields: Fields, options?: CallOptions): Promise<Body | void>;
}

/** How resources of a parent are ordered, if the order of a list in the file is theirs. */
export interface Ordered {
  /** The field that names the part of the parent; each part has its own order. */
  readonly part?: string;
  /** Reads the live order of a parent, by the id of the part; the parent itself is the part ''. */
  parts?(backend: Backend, parent: Located): Promise<ReadonlyMap<string, readonly Located[]>>;
  /** Moves a resource next to another one of its part. */
  place(
    backend: Backend,
    at: Located,
    beside: { readonly before: Located } | { readonly after: Located },
  ): Promise<void>;
}

/** Everything that reading, planning, applying and exporting know about a kind of resource. */
export interface Kind<R extends Body = Body> {
  /** As in `!ref team.writers`. */
  readonly name: string;
  /** One or two sentences on what a block stands for. */
  readonly description: string;
  /** A manifest with such a block, without the line of the version. */
  readonly example: string;
  readonly slots: readonly BlockSlot[];
  readonly fields: Readonly<Record<string, Field<R>>>;
  /**
   * Fields for something outside of the API's body, such as a folder of content. They are not compared or undone by
   * value.
   */
  readonly external?: readonly string[];
  /** In a list, the field that names an item without `ref`. */
  readonly nameField?: string;
  /**
   * Natural keys within the parent, best first. The first field of a key has to be stated, the others narrow it down. A key
   * without the others finds what lies elsewhere, to be moved.
   */
  readonly keys: readonly (readonly string[])[];
  readonly ordered?: Ordered;
  /** Short forms of one inner block: `space: X` stands for `siteSpaces: [{ ref: space, space: X }]`. */
  readonly shorthands?: Readonly<Record<string, { readonly inside: string; readonly schema: TSchema }>>;
  check?(
    stated: { has(field: string): boolean; get(field: string): unknown },
    fault: (field: string, message: string) => void,
  ): void;
  /**
   * Returns the values that only the create call needs, made from the blocks inside. `fault` says why a create is not
   * possible; `has` says whether the manifest states a field.
   */
  atCreation?(
    inside: readonly { readonly kind: string; readonly fields: Fields }[],
    fault: (message: string) => void,
    has?: (field: string) => boolean,
  ): Fields;
  /** Lists the live resources of a parent. @throws Problem(not-implemented) if the backend lacks the kind. */
  list(backend: Backend, parent: Located | undefined): Promise<readonly R[]>;
  /** Sends one call, or returns what came with the parent. Absent: there is always exactly one. */
  create?(backend: Backend, parent: Located | undefined, fields: Fields): Promise<R>;
  /** In the order in which they run. */
  readonly calls: Readonly<Record<string, Call>>;
  /** Returns whether an owned resource that is not listed exists as an open invitation; `left` are its fingerprints. */
  isPending?(owned: { readonly left?: Readonly<Record<string, string>> }): boolean;
  /** Brings back a deleted resource under its old id. */
  restore?(backend: Backend, at: Located): Promise<R>;
  /** Says how to bring back a deleted resource, in place of the new one that a plan creates. */
  restoreHint?(id: string): string;
  /** Absent: it cannot be deleted. */
  remove?(backend: Backend, at: Located): Promise<void>;
}

/** Declares a kind; its bodies are typed in the declaration only. */
export function kind<R extends Body>(declaration: Kind<R>): Kind {
  return declaration;
}

/** Returns the id of a site, or of the site around a resource. */
export function siteOf(at: Located | undefined): string {
  for (let here = at; here !== undefined; here = here.within) if (here.kind === 'site') return here.id;
  throw new Error('no site is here');
}

/** Finds a field by a name that may come from outside; undefined where the kind has none of that name. */
export function findField({ fields }: Pick<Kind, 'fields'>, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether a field is for something outside of the API's body, such as a folder of content. */
export function isExternal({ external = [] }: Pick<Kind, 'external'>, field: string): boolean {
  return external.includes(field);
}

/** Gets a field that the kind is known to have. */
export function getField(owner: Pick<Kind, 'name' | 'fields'>, name: string): Field {
  const field = findField(owner, name);
  if (field === undefined) throw new Error(`a ${owner.name} has no field ${name}`);
  return field;
}

/** Whether resources of a kind can lie in those of another; undefined: in none, at the top of the manifest. */
export function canLieIn({ slots }: Pick<Kind, 'slots'>, parent: string | undefined): boolean {
  return slots.some(({ within }) => within === parent);
}
