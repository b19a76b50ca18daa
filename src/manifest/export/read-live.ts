import { Problem } from '../../errors/problem.ts';
import type { Api } from '../../contract/api.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import { openBackend } from '../backend.ts';
import { readField } from '../read-field.ts';
import type { Backend, Body, Field, Kind, Located, BlockSlot } from '../kind.ts';
import type { People } from '../people.ts';
import { isSecretField } from './secrets.ts';

/** Values of a resource, and of what lies around it. */
export interface ResourceValues {
  readonly kind: Kind;
  readonly body: Body;
  readonly parent: ResourceValues | undefined;
  /** Values of fields in the form of the manifest, with ids for references. */
  readonly values: Map<string, unknown>;
  /** All that lies in it, kind by kind, each in the order in which the API lists it. */
  readonly inside: ResourceValues[];
}

/** A live resource with its values and its place in the manifest. */
export interface LiveResource extends ResourceValues {
  readonly slot: BlockSlot;
  readonly at: Located;
  readonly parent: LiveResource | undefined;
  readonly inside: LiveResource[];
}

/** All that is live of the kinds that are exported. */
export interface LiveOrganization {
  /** What lies in nothing else. */
  readonly tops: readonly LiveResource[];
  readonly people: People;
  /** Names of the kinds of which everything was read. */
  readonly kinds: ReadonlySet<string>;
  /** Kinds, and fields such as `site.adaptive`, that the backend does not have, and what it said. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** Live ones of kinds that are not exported, but referred to. */
  readonly others: ReadonlyMap<string, readonly Body[]>;
}

export interface LiveRequest {
  readonly api: Api;
  readonly organization: string;
  readonly table: readonly Kind[];
  /** Names of kinds at the top; what lies in them comes with them. Absent: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Calls at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads an organization: lists in pages, and one call for each field that takes one. */
export async function readLive(request: LiveRequest): Promise<LiveOrganization> {
  const unsupported = new Map<string, string>();
  const included = includedKinds(request);
  const backend = await open(request, included, unsupported);
  const reader = new Reader(backend, request.concurrency, unsupported);
  for (const kind of included) await reader.read(kind, request.only);
  const mentioned = included.flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ refersTo }) => (refersTo === undefined ? [] : [refersTo])),
  );
  for (const kind of request.table) {
    if (mentioned.includes(kind.name) && !included.includes(kind) && isTop(kind))
      await reader.readOthers(kind);
  }
  const kinds = new Set(included.flatMap(({ name }) => (unsupported.has(name) ? [] : [name])));
  return { tops: reader.tops, kinds, people: backend.people, unsupported, others: reader.others };
}

/** Whether a kind stands at the top of the file. */
export function isTop({ slots }: Kind): boolean {
  return slots.some(({ within }) => within === undefined);
}

function includedKinds({ table, only }: LiveRequest): Kind[] {
  const included = new Set<string>();
  for (const { name, slots } of table) {
    if (slots.some(({ within }) => (within === undefined ? (only?.has(name) ?? true) : included.has(within))))
      included.add(name);
  }
  return table.filter(({ name }) => included.has(name));
}

/** Members are read where a field names people; where the backend does not list them, such fields are left out. */
async function open(
  { api, organization, signal }: LiveRequest,
  included: readonly Kind[],
  unsupported: Map<string, string>,
): Promise<Backend> {
  const withPeople = included.some(({ fields }) =>
    Object.values(fields).some(({ people }) => people === true),
  );
  try {
    return await openBackend(api, organization, { withPeople, signal });
  } catch (error) {
    unsupported.set('member', unsupportedReason(error));
    return openBackend(api, organization, { withPeople: false, signal });
  }
}

class Reader {
  readonly tops: LiveResource[] = [];
  readonly others = new Map<string, readonly Body[]>();
  readonly #byKind = new Map<string, LiveResource[]>();
  readonly #backend: Backend;
  readonly #jobs: number;
  readonly #unsupported: Map<string, string>;

  constructor(backend: Backend, jobs: number, unsupported: Map<string, string>) {
    this.#backend = backend;
    this.#jobs = jobs;
    this.#unsupported = unsupported;
  }

  async read(kind: Kind, only: ReadonlySet<string> | undefined): Promise<void> {
    for (const slot of kind.slots) {
      const parents: (LiveResource | undefined)[] =
        slot.within !== undefined
          ? (this.#byKind.get(slot.within) ?? [])
          : (only?.has(kind.name) ?? true)
            ? [undefined]
            : [];
      const found = await mapConcurrent(parents, this.#jobs, (parent) => this.#list(kind, slot, parent));
      for (const [index, lives] of found.entries()) (parents[index]?.inside ?? this.tops).push(...lives);
      this.#byKind.set(kind.name, [...(this.#byKind.get(kind.name) ?? []), ...found.flat()]);
    }
    await this.#fetch(kind);
  }

  async readOthers(kind: Kind): Promise<void> {
    const bodies = await this.#listed(kind, undefined);
    if (bodies !== undefined) this.others.set(kind.name, bodies);
  }

  async #list(kind: Kind, slot: BlockSlot, parent: LiveResource | undefined): Promise<LiveResource[]> {
    const bodies = await this.#listed(kind, parent?.at);
    return (bodies ?? []).map((body) => {
      const at: Located = { kind: kind.name, id: body.id, within: parent?.at };
      const readable = Object.keys(kind.fields).filter(
        (field) => kind.fields[field]!.fetch === undefined && this.#isRead(kind.fields[field]!),
      );
      return {
        kind,
        slot,
        body,
        at,
        parent,
        values: new Map(readable.map((field) => [field, readField(kind, field, body, this.#backend.people)])),
        inside: [],
      };
    });
  }

  /** Undefined where the backend does not have the kind; what lies in it is then not asked for either. */
  async #listed(kind: Kind, parent: Located | undefined): Promise<readonly Body[] | undefined> {
    if (this.#unsupported.has(kind.name)) return undefined;
    try {
      return await kind.list(this.#backend, parent);
    } catch (error) {
      this.#unsupported.set(kind.name, unsupportedReason(error));
      return undefined;
    }
  }

  #isRead(field: Field): boolean {
    return !isSecretField(field) && !(field.people === true && this.#unsupported.has('member'));
  }

  async #fetch(kind: Kind): Promise<void> {
    const fields = Object.entries(kind.fields).filter(
      ([, field]) => field.fetch !== undefined && this.#isRead(field),
    );
    const asked = (this.#byKind.get(kind.name) ?? []).flatMap((live) =>
      fields.map(([name, { fetch }]) => ({ live, name, fetch: fetch! })),
    );
    await mapConcurrent(asked, this.#jobs, async ({ live, name, fetch }) => {
      const field = `${kind.name}.${name}`;
      if (this.#unsupported.has(field)) return;
      try {
        live.values.set(name, await fetch(this.#backend, live.at, undefined));
      } catch (error) {
        this.#unsupported.set(field, unsupportedReason(error));
      }
    });
  }
}

/** What the backend says of something that it does not have; anything else that went wrong ends the export. */
export function unsupportedReason(error: unknown): string {
  if (
    error instanceof Problem &&
    (error.reason === 'not-implemented' || error.reason === 'method-not-allowed')
  )
    return error.message;
  throw error;
}
