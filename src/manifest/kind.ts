import type { InputOf, Operation, OutputOf } from '../contract/operation.ts';
import type { TSchema } from '../contract/schema.ts';
import type { Fault, People } from './people.ts';

/** What the API shows of one resource. */
export interface Body {
  readonly id: string;
}

/** A live resource and what it lies in: enough to name it in a call. */
export interface Located {
  readonly kind: string;
  readonly id: string;
  readonly within?: Located | undefined;
}

/** Fields by name, in the file's form. */
export type Fields = Readonly<Record<string, unknown>>;

export type ItemOf<O extends Operation> = OutputOf<O> extends { items: (infer I)[] } ? I : never;

/** The backend as kinds see it: operations within one organization. */
export interface Backend {
  readonly organization: string;
  /** Members by email and id; nobody, where no field that is read or written names people. */
  readonly people: People;
  call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>>;
  /** All items of a list, read in pages. */
  all<O extends Operation>(operation: O, input: InputOf<O>): Promise<ItemOf<O>[]>;
  /** Does jobs of a kind that are due, where they are done by who calls; a server's workers do its own. */
  work(kind: string): Promise<void>;
  /** Does the work the first time a key is asked for; the same answer after that. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Where blocks of a kind stand in the file. */
export interface BlockSlot {
  /** The kind whose block holds it; absent: the top of the file. */
  readonly within?: string;
  /** The field that holds it; `org.settings` is a field within a field. */
  readonly field: string;
  /** A map by names that the writer chooses, a list whose items are named by `nameField`, or one block. */
  readonly as: 'map' | 'list' | 'one';
}

/** How a field differs, for who reads a plan. */
export interface FieldDiff {
  readonly summary: string;
  /** Absent: nobody knows. */
  readonly moved?: 'file' | 'live' | 'both';
}

/** What a `fetch` gives where the backend does not show a stated value, or not yet: the lock says whether the file changed. */
export const notReadable: unique symbol = Symbol('unseen');

/** One field of a block. Where the API's body has it under the same name, its schema and how it is sent say all. */
export interface Field<R extends Body = Body> {
  readonly schema: TSchema;
  /** Its value in the file's form. Default: the body's field of the same name. Clear, by convention, is null. */
  read?(body: R, people: People): unknown;
  /** Its value where a call of its own is needed to know it; asked only for resources whose block states the field. */
  fetch?(backend: Backend, at: Located, stated: unknown): Promise<unknown>;
  /** In an export its value, a text, is always a file of its own: the path of that. */
  filePath?(text: string, name: string): string;
  /** Something short that shows later what an apply left, where the value does not. */
  fingerprint?(backend: Backend, at: Located, value: unknown): Promise<string>;
  /** The same of what is live and as it is stated. */
  fingerprintOf?(body: R): string;
  /** What differs in words, where two values do not show it, and who moved since an apply left that; asked where it differs. */
  describe?(backend: Backend, at: Located, stated: unknown, left: string | undefined): Promise<FieldDiff>;
  /** What an export states of it, where the export makes that itself; asked for all resources at once, when each has its name. */
  export?(named: readonly { readonly body: R; readonly name: string }[]): Promise<readonly unknown[]>;
  /** Brings what a person may write to the form that `read` gives. */
  normalize?(value: unknown, people: People, fault: Fault): unknown;
  /** What is wrong with a stated value, told before anything is asked; `above` is what a kind that it lies in states of a field. */
  check?(
    value: unknown,
    above: (kind: string, field: string) => unknown,
    fault: (message: string) => void,
  ): void;
  /** Its value in the form that calls take. */
  write?(value: unknown, people: People): unknown;
  /** How two values are the same. Default: exactly. `set`: order does not count. `text`: line ends do not count. */
  readonly equals?: 'set' | 'text';
  /** Ids in it are of this kind; `!ref` and `!lookup` stand for them. */
  readonly refersTo?: string;
  /** A plain text in it is a name in the same parent: `group: dev`. */
  readonly localName?: true;
  /** What a new resource has: not written by an export. */
  readonly default?: unknown;
  /** `also`: the create call takes it; `only`: no other call does. Default: set by a call after the create. */
  readonly create?: 'also' | 'only';
  /** What a create took is set: nobody has to look, or to send it again. */
  readonly skipRefresh?: true;
  /** It is something to do, where the file asks for it: again with each change of one of these fields. */
  readonly triggers?: readonly string[];
  /** The call that changes it. Default: `update`. */
  readonly call?: string;
  /** Has to be stated where the resource is not there yet. */
  readonly required?: true;
  /** No two of the same parent have the same: who takes a value waits for who gives it up. */
  readonly unique?: true;
  /** Only one of the same parent says true. */
  readonly exclusive?: true;
  /** Names people, so members are read before it is. */
  readonly people?: true;
  /** The API never shows it: the lock's keyed hash says whether it changed. */
  readonly writeOnly?: true;
}

/** A call that changes some fields, and no others. */
export interface Call {
  /** Runs after all that lies inside the resource is done. */
  readonly late?: true;
  /** Gives the resource as it is then, where the API shows it. */
  send(backend: Backend, at: Located, fields: Fields): Promise<Body | void>;
}

/** How the items of one parent are ordered, where the order of a list in the file is theirs. */
export interface Ordered {
  /** The field that says in which part of the parent it is; parts have their own order. */
  readonly part?: string;
  /** The live order of a parent: id of the part, empty for the parent itself, and what lies there. */
  parts?(backend: Backend, parent: Located): Promise<ReadonlyMap<string, readonly Located[]>>;
  /** Puts it beside another one of its part. */
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
  readonly slots: readonly BlockSlot[];
  readonly fields: Readonly<Record<string, Field<R>>>;
  /**
   * Fields that stand for something outside of the API's body, such as the folder with the content of a space. An engine
   * brings them (`content.ts`). Their live value is not comparable, and an undo only reports them.
   */
  readonly external?: readonly string[];
  /** In a list: the field that names an item, unless it states `ref`. */
  readonly nameField?: string;
  /** Fields that make up a natural key within the parent, best first. The first of a key has to be stated, others narrow it down. */
  readonly keys: readonly (readonly string[])[];
  readonly ordered?: Ordered;
  /** Fields that are short for one block inside, of this name and with this field: `space: X` for `siteSpaces: [{ ref: space, space: X }]`. */
  readonly shorthands?: Readonly<Record<string, { readonly inside: string; readonly schema: TSchema }>>;
  /** What is wrong with a block as a whole. */
  check?(
    stated: { has(field: string): boolean; get(field: string): unknown },
    fault: (field: string, message: string) => void,
  ): void;
  /** Values that only a create needs, made of what the block holds inside; `fault` says why there can be no create. `has`: whether a manifest states a field. */
  atCreation?(
    inside: readonly { readonly kind: string; readonly fields: Fields }[],
    fault: (message: string) => void,
    has?: (field: string) => boolean,
  ): Fields;
  /** All live ones of a parent. `not-implemented` makes all its steps unsupported. */
  list(backend: Backend, parent: Located | undefined): Promise<readonly R[]>;
  /** One call; may answer with what an earlier call made with its parent. Absent: there is always one, and it is never made. */
  create?(backend: Backend, parent: Located | undefined, fields: Fields): Promise<R>;
  /** In the order in which they are made. */
  readonly calls: Readonly<Record<string, Call>>;
  /** Brings back what was deleted, under its old id. */
  restore?(backend: Backend, at: Located): Promise<R>;
  /** Absent: it cannot be deleted. */
  remove?(backend: Backend, at: Located): Promise<void>;
}

/** Declares a kind; its bodies are typed in the declaration only. */
export function kind<R extends Body>(declaration: Kind<R>): Kind {
  return declaration as Kind;
}

/** The id of what a resource lies in, or of itself. */
export function idOf(at: Located | undefined, kindName: string): string {
  for (let here = at; here !== undefined; here = here.within) if (here.kind === kindName) return here.id;
  throw new Error(`nothing of kind ${kindName} is here`);
}

/** Finds a field by a name that may come from outside; undefined where the kind has none of that name. */
export function findField({ fields }: Pick<Kind, 'fields'>, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function isExternal({ external = [] }: Pick<Kind, 'external'>, field: string): boolean {
  return external.includes(field);
}

/** Gets a field that the kind is known to have. */
export function getField(kind: Pick<Kind, 'name' | 'fields'>, name: string): Field {
  const field = findField(kind, name);
  if (field === undefined) throw new Error(`a ${kind.name} has no field ${name}`);
  return field;
}

/** Whether resources of a kind can lie in those of another; undefined: in none, at the top of the manifest. */
export function canLieIn({ slots }: Pick<Kind, 'slots'>, parent: string | undefined): boolean {
  return slots.some(({ within }) => within === parent);
}
