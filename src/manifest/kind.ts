import { ownValue } from '../contract/values.ts';
import type { CallOptions } from '../contract/api.ts';
import type { InputOf, ItemOf, Operation, OutputOf } from '../contract/operation.ts';
import type { TSchema } from '../contract/schema.ts';
import type { Fault, People } from './people.ts';

/** A resource in the form of the API. */
export interface Body {
  readonly id: string;
}

/** A live resource and its parents: enough to name it in a call. */
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
  /** Members by email and ID. Empty if no field that is read or written names people. */
  readonly people: People;
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<OutputOf<O>>;
  all<O extends Operation>(operation: O, input: InputOf<O>): Promise<ItemOf<O>[]>;
  /** Runs the due jobs of a kind. On a server, this does nothing, because its workers run them. */
  work(kind: string): Promise<void>;
  /** IDs of the resources that the run will delete (default: none). */
  readonly leaving?: ReadonlySet<string>;
  /** Runs the work on the first call with a key, and returns the same result for later calls. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Where the blocks of a kind are in the file. */
export interface BlockSlot {
  /** The kind whose block contains it. Default: the top level of the file. */
  readonly within?: string;
  /** The field that contains it. `org.settings` is a field within a field. */
  readonly field: string;
  /**
   * `map`: a map with names that the author chooses. `list`: a list whose items are named by `nameField`. `one`: a single block.
   */
  readonly as: 'map' | 'list' | 'one';
  /** The names in a map are email addresses, in any case, and also the value of `nameField`. Default: any names. */
  readonly names?: 'email';
  /** The list must have an item, so a manifest cannot delete them all. */
  readonly needsItem?: true;
}

/** A description of a difference for readers of a plan. */
export interface FieldDiff {
  readonly summary: string;
  /** Which side has changed. Absent: not known. */
  readonly moved?: 'file' | 'live' | 'both';
}

/** The result of `fetch` if the backend does not show a value, or not yet. The state then shows whether the file has changed. */
export const notReadable: unique symbol = Symbol('unseen');

/** A field of a block. Only a schema is needed if the body and `update` of the API have it under the same name. */
export interface Field<R extends Body = Body> {
  readonly schema: TSchema;
  /**
   * Returns the value of a resource in the form of the file; null for none. Default: the member of the body with the same name.
   */
  read?(body: R, people: People): unknown;
  /** Reads a value that needs a separate call. It is called only for resources whose block states the field. */
  fetch?(backend: Backend, at: Located, stated: unknown): Promise<unknown>;
  /** Returns the path of a separate file for a text. Exports always write such texts to files. */
  filePath?(text: string, name: string): string;
  /** Returns a short text that changes with the live value, if the value itself does not show changes; undefined for none. */
  fingerprint?(backend: Backend, at: Located, value: unknown): Promise<string | undefined>;
  /** Returns the fingerprint of a live resource from its body. */
  fingerprintOf?(body: R): string;
  /** Describes a difference that the two values do not show. `left` is the fingerprint after the last apply. */
  describe?(backend: Backend, at: Located, stated: unknown, left: string | undefined): Promise<FieldDiff>;
  /** Returns the values for an export, for all resources together, after they were named. */
  export?(named: readonly { body: R; name: string }[]): Promise<readonly unknown[]>;
  /** Converts the value in the file to the form that `read` returns. */
  normalize?(value: unknown, people: People, fault: Fault): unknown;
  /**
   * Checks a stated value before any call. `above` returns the value of a field that the block, or a block around it, states. The
   * path of a fault leads to the wrong part.
   */
  check?(
    value: unknown,
    above: (kind: string, field: string) => unknown,
    fault: (message: string, path?: readonly (string | number)[]) => void,
  ): void;
  /** Converts the value to the form that calls take. */
  write?(value: unknown, people: People): unknown;
  /** How values are compared: `set` ignores the order, `text` ignores the kind of line ends. Default: exactly. */
  readonly equals?: 'set' | 'text';
  /** The kind of the IDs in the value. `!ref` and `!lookup` can replace them. */
  readonly refersTo?: string;
  /** A plain text is the name of a resource in the same parent: `group: dev`. */
  readonly localName?: true;
  /** The field of another kind with the value of a new resource that does not state one. The same plan may change it. */
  readonly inherits?: { readonly kind: string; readonly field: string; as(value: unknown): unknown };
  /** The value of a new resource. Exports do not state it. */
  readonly default?: unknown;
  /** `also`: the create call takes it; `only`: no other call does. Default: a call after the create sets it. */
  readonly create?: 'also' | 'only';
  /** The value is not read or sent again after the create call took it. */
  readonly skipRefresh?: true;
  /** The field triggers an action. It runs again when one of these fields changes. */
  readonly triggers?: readonly string[];
  /** The call that changes the field. Default: `update`. */
  readonly call?: string;
  /** Whether a new resource must state it. */
  readonly required?: true;
  /** Resources of a parent must have different values, so one may have to wait until another one releases a value. */
  readonly unique?: true;
  /** Blocks of a parent must state different values. Resources outside of the manifest are not compared. */
  readonly distinct?: true;
  /** The value is specific to the organization, such as its title, so a portable export leaves it out. */
  readonly belongsToOne?: true;
  /** Every resource gets a value automatically, so a portable export can leave it out. */
  readonly isAlwaysSet?: true;
  /** Resources inside do not depend on it, so a rehearsal of resources inside does not read it. */
  readonly isIndependent?: true;
  /** The kind of resources inside whose order the value depends on. If the order changes, the value is set again. */
  readonly followsOrderOf?: string;
  /** The kinds of resources inside that the value may link to. If one of them is deleted, the value is set again. */
  readonly followsDeletesOf?: readonly string[];
  /** Exports state the same value in a field of another kind. */
  readonly isNotExported?: true;
  /** Only one resource of a parent may state true. */
  readonly exclusive?: true;
  /** The field names people, so members are read first. */
  readonly people?: true;
}

export interface Call {
  /** Runs after everything inside the resource is done: always, or for some changes. */
  readonly late?: true | ((change: { readonly before?: unknown; readonly after?: unknown }) => boolean);
  /**
   * Reads the resource with its entity tag. The call is then sent only if nobody has changed the resource. Absent if the API
   * cannot read it at the path of the call.
   */
  read?(backend: Backend, at: Located): Promise<Body>;
  /** Returns the changed resource if the API shows it. */
  send(backend: Backend, at: Located, fields: Fields, options?: CallOptions): Promise<Body | void>;
}

/** How resources of a parent are ordered, for lists whose order in the file is the live order. */
export interface Ordered {
  /** The field that names the part of the parent that contains the resource. Each part has its own order. */
  readonly part?: string;
  /** Reads the live order in a parent: the resources of each part, by the ID of the part. The parent itself is the part ''. */
  parts?(backend: Backend, parent: Located): Promise<ReadonlyMap<string, readonly Located[]>>;
  /** Moves a resource next to another one in its part. */
  place(backend: Backend, at: Located, beside: { before: Located } | { after: Located }): Promise<void>;
}

/** The declaration of a kind of resources, used by reading, planning, applying and exporting. */
export interface Kind<R extends Body = Body> {
  /** The name in references, such as `team` in `!ref team.writers`. */
  readonly name: string;
  /** One or two sentences about the resource. */
  readonly description: string;
  /** An example manifest with such a block, without the line of the version. */
  readonly example: string;
  readonly slots: readonly BlockSlot[];
  readonly fields: Readonly<Record<string, Field<R>>>;
  /** Fields that are not in the API's body, such as a folder of content. They are not compared or undone by value. */
  readonly external?: readonly string[];
  /** The field that names a list item without `ref`. */
  readonly nameField?: string;
  /**
   * Natural keys within the parent, best first. The first field of a key must be stated; the others narrow it down. A key without
   * the others finds resources in another part of the parent, which are then moved.
   */
  readonly keys: readonly (readonly string[])[];
  readonly ordered?: Ordered;
  /** Shorthands for one inner block: `space: X` stands for `siteSpaces: [{ ref: space, space: X }]`. */
  readonly shorthands?: Readonly<Record<string, { readonly inside: string; readonly schema: TSchema }>>;
  check?(
    stated: { has(field: string): boolean; get(field: string): unknown },
    fault: (field: string, message: string) => void,
  ): void;
  /**
   * Returns the values that only the create call needs, from the blocks inside. `fault` reports why the resource cannot be
   * created. `has` returns whether the manifest states a field.
   */
  atCreation?(
    inside: readonly { kind: string; fields: Fields }[],
    fault: (message: string) => void,
    has?: (field: string) => boolean,
  ): Fields;
  /** Returns why a new resource cannot be created, in half a sentence; undefined if it can. */
  findObstacle?(backend: Backend, fields: Fields): Promise<string | undefined>;
  /** Lists the live resources of a parent. @throws Problem(not-implemented) if the backend does not have the kind */
  list(backend: Backend, parent: Located | undefined): Promise<readonly R[]>;
  /**
   * Creates a resource with one call, or returns the one that was created with the parent. Absent: there is always exactly one.
   * `sendEarly` sends the stated fields of a call, which the apply would otherwise send after the create.
   */
  create?(
    backend: Backend,
    parent: Located | undefined,
    fields: Fields,
    sendEarly?: (call: string, body: Body) => Promise<void>,
  ): Promise<R>;
  /** The calls that change a resource, in the order in which they run. */
  readonly calls: Readonly<Record<string, Call>>;
  /** Returns whether an owned resource that is not listed is an open invitation. `left` are its fingerprints. */
  isPending?(owned: { left?: Readonly<Record<string, string>> }): boolean;
  /** Restores a deleted resource with its old ID. */
  restore?(backend: Backend, at: Located): Promise<R>;
  /** Returns a hint on how to restore a deleted resource instead of creating a new one. */
  restoreHint?(id: string): string;
  /**
   * Reads the IDs of the spaces that readers of the resource see. Calls whose `late` is a function change who the readers are.
   */
  showsSpaces?(backend: Backend, at: Located): Promise<readonly string[]>;
  /** Deletes a resource. Absent: it cannot be deleted. */
  remove?(backend: Backend, at: Located): Promise<void>;
}

/** Declares a kind. The type of its bodies is known only in the declaration. */
export function kind<R extends Body>(declaration: Kind<R>): Kind {
  return declaration;
}

/** Returns the ID of a site, or of the site that contains a resource. */
export function siteOf(at: Located | undefined): string {
  for (let here = at; here !== undefined; here = here.within) if (here.kind === 'site') return here.id;
  throw new Error('no site is here');
}

/** Finds a field by a name that may be unknown; undefined if the kind has no such field. */
export function findField({ fields }: Pick<Kind, 'fields'>, name: string): Field | undefined {
  return ownValue(fields, name);
}

/** Whether a field is not in the API's body, such as a folder of content. */
export function isExternal({ external = [] }: Pick<Kind, 'external'>, field: string): boolean {
  return external.includes(field);
}

/** Returns a field that the kind is known to have. */
export function getField(owner: Pick<Kind, 'name' | 'fields'>, name: string): Field {
  const field = findField(owner, name);
  if (field === undefined) throw new Error(`a ${owner.name} has no field ${name}`);
  return field;
}

/** Whether resources of a kind can be inside resources of another kind. Undefined as parent: the top level of the manifest. */
export function canLieIn({ slots }: Pick<Kind, 'slots'>, parent: string | undefined): boolean {
  return slots.some(({ within }) => within === parent);
}

/** Returns the name of the call that changes a field. */
export function callOf(owner: Kind, field: string): string {
  return getField(owner, field).call ?? 'update';
}

/** Whether a field decides who can read what the resource shows. */
export function changesReaders(owner: Kind, field: string): boolean {
  return typeof owner.calls[callOf(owner, field)]?.late === 'function';
}

/** The fields that name a resource for people, best first. */
export const nameFields = ['title', 'path', 'name', 'label'];

/** Reads a field of a live resource in the form that manifests use. */
export function readField(owner: Kind, name: string, body: Body, people: People): unknown {
  const { read } = getField(owner, name);
  return read === undefined ? (body as unknown as Record<string, unknown>)[name] : read(body, people);
}

/** Returns the title, path, name or label of a live resource, or `otherwise` if it has none. */
export function displayName(
  owner: Kind,
  body: Body,
  { people }: { people: People },
  otherwise = body.id,
): string {
  const field = nameFields.find((name) => owner.fields[name] !== undefined);
  return String(field === undefined ? otherwise : (readField(owner, field, body, people) ?? otherwise));
}
