import type { Api } from '../../contract/api.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { openBackend } from '../backend.ts';
import {
  canLieIn,
  readField,
  type Backend,
  type BlockSlot,
  type Body,
  type Field,
  type Kind,
  type Located,
} from '../kind.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import type { People } from '../people.ts';

/** The values of a live resource, and of its parents and children. */
export interface ResourceValues {
  readonly kind: Kind;
  readonly body: Body;
  readonly parent: ResourceValues | undefined;
  /** Values of fields in the form of the manifest, with ids for references. */
  readonly values: Map<string, unknown>;
  /** The resources inside it, kind by kind, in the order of the API. */
  readonly inside: ResourceValues[];
}

export interface LiveResource extends ResourceValues {
  readonly slot: BlockSlot;
  readonly at: Located;
  readonly parent: LiveResource | undefined;
  readonly inside: LiveResource[];
}

/** All live resources of the exported kinds. */
export interface LiveOrganization {
  /** Top-level resources. */
  readonly tops: readonly LiveResource[];
  readonly people: People;
  readonly kinds: ReadonlySet<string>;
  /** Error messages, by the kinds and fields (such as `site.adaptive`) that the backend does not have. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** Live resources of kinds that are not exported, but referred to. */
  readonly others: ReadonlyMap<string, readonly Body[]>;
}

interface LiveRequest {
  readonly api: Api;
  readonly organization: string;
  readonly table: readonly Kind[];
  /** Names of top-level kinds. Default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads an organization: lists in pages, and fields that need a separate call. */
export async function readLive(request: LiveRequest): Promise<LiveOrganization> {
  const { api, organization, table, only, signal } = request;
  const included: Kind[] = [];
  for (const kind of table)
    if (
      kind.slots.some(({ within }) =>
        within === undefined ? isSelected(kind, only) : included.some(({ name }) => name === within),
      )
    )
      included.push(kind);
  const unsupported = new Map<string, string>();
  const fields = included.flatMap((kind) => Object.values(kind.fields));
  const withPeople = fields.some(({ people }) => people === true);
  const backend =
    (await unlessUnsupported(unsupported, 'member', () =>
      openBackend(api, organization, { withPeople, signal }),
    )) ?? (await openBackend(api, organization, { withPeople: false, signal }));
  const reader = new Reader(request, backend, unsupported);
  for (const kind of included) await reader.read(kind);
  const others = new Map<string, readonly Body[]>();
  for (const kind of table) {
    if (included.includes(kind) || !canLieIn(kind, undefined)) continue;
    if (!fields.some(({ refersTo }) => refersTo === kind.name)) continue;
    const bodies = await reader.list(kind, undefined);
    if (bodies !== undefined) others.set(kind.name, bodies);
  }
  const kinds = new Set(included.map(({ name }) => name).filter((name) => !unsupported.has(name)));
  return { tops: reader.tops, kinds, people: backend.people, unsupported, others };
}

function isSelected({ name }: Kind, only: ReadonlySet<string> | undefined): boolean {
  return only?.has(name) ?? true;
}

class Reader {
  readonly tops: LiveResource[] = [];
  readonly #byKind = new Map<string, LiveResource[]>();
  readonly #request: LiveRequest;
  readonly #backend: Backend;
  readonly #unsupported: Map<string, string>;

  constructor(request: LiveRequest, backend: Backend, unsupported: Map<string, string>) {
    this.#request = request;
    this.#backend = backend;
    this.#unsupported = unsupported;
  }

  async read(kind: Kind): Promise<void> {
    const { concurrency, only } = this.#request;
    const all: LiveResource[] = [];
    this.#byKind.set(kind.name, all);
    for (const slot of kind.slots) {
      const top = isSelected(kind, only) ? [undefined] : [];
      const parents = slot.within === undefined ? top : (this.#byKind.get(slot.within) ?? []);
      const found = await mapConcurrent(parents, concurrency, (parent) =>
        this.#readInside(kind, slot, parent),
      );
      for (const [index, inside] of found.entries()) {
        (parents[index]?.inside ?? this.tops).push(...inside);
        all.push(...inside);
      }
    }
    const fetched = Object.entries(kind.fields).flatMap(([name, field]) => {
      const { fetch } = field;
      return fetch === undefined || field.isNotExported === true || !this.#isReadable(field)
        ? []
        : [{ name, fetch }];
    });
    const calls = all.flatMap((live) => fetched.map((field) => ({ live, ...field })));
    await mapConcurrent(calls, concurrency, ({ live, name, fetch }) =>
      unlessUnsupported(this.#unsupported, `${kind.name}.${name}`, async () =>
        live.values.set(name, await this.#unlessForbidden(() => fetch(this.#backend, live.at, undefined))),
      ),
    );
  }

  /** Reads a field. Fields that the caller may not see are left out, like those that the backend does not have. */
  async #unlessForbidden(fetch: () => Promise<unknown>): Promise<unknown> {
    try {
      return await fetch();
    } catch (error) {
      if (!isProblem(error, 'forbidden')) throw error;
      throw new Problem('not-implemented', error.message, { cause: error });
    }
  }

  async list(kind: Kind, parent: Located | undefined): Promise<readonly Body[] | undefined> {
    return unlessUnsupported(this.#unsupported, kind.name, async () => {
      try {
        return await kind.list(this.#backend, parent);
      } catch (error) {
        if (!isProblem(error, 'forbidden')) throw error;
        throw new Problem(
          'forbidden',
          `The ${kind.name} blocks of the manifest cannot be read: ${error.message}`,
          {
            hint: 'Use a token with a higher role.',
            requestId: error.requestId,
          },
        );
      }
    });
  }

  async #readInside(kind: Kind, slot: BlockSlot, parent: LiveResource | undefined): Promise<LiveResource[]> {
    const bodies = (await this.list(kind, parent?.at)) ?? [];
    const names = Object.entries(kind.fields).flatMap(([name, field]) =>
      field.fetch === undefined && this.#isReadable(field) ? [name] : [],
    );
    return bodies.map((body) => {
      const at = { kind: kind.name, id: body.id, within: parent?.at };
      const values = names.map((name) => [name, readField(kind, name, body, this.#backend.people)] as const);
      return { kind, slot, body, at, parent, values: new Map(values), inside: [] };
    });
  }

  #isReadable(field: Field): boolean {
    return field.people !== true || !this.#unsupported.has('member');
  }
}

/** Reasons of a Problem that mean that the backend does not have a kind or field. */
export const unsupportedReasons: ReadonlySet<string> = new Set(['not-implemented', 'method-not-allowed']);

/** Runs work. If the backend does not support it, the message goes to `unsupported`, and the same work is not tried again. */
export async function unlessUnsupported<T>(
  unsupported: Map<string, string>,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (unsupported.has(what)) return undefined;
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !unsupportedReasons.has(error.reason)) throw error;
    unsupported.set(what, error.message);
    return undefined;
  }
}
