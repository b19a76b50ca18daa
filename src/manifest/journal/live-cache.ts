import { getOrInsert } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { unsupportedReasons } from '../export/read-live.ts';
import {
  canLieIn,
  getField,
  notReadable,
  readField,
  type Backend,
  type Body,
  type Kind,
  type Located,
} from '../kind.ts';
import { isSame } from '../value.ts';
import type { RecordedOrder, ResourcePath } from './journal-lines.ts';

/** Reads each list of live resources once. A list that does not exist or cannot be read is empty. */
export class LiveCache {
  readonly backend: Backend;
  readonly #lists = new Map<string, Promise<readonly Body[]>>();

  constructor(backend: Backend) {
    this.backend = backend;
  }

  list(kind: Kind, within: Located | undefined): Promise<readonly Body[]> {
    const key = `${kind.name} ${toPath(within).join(' ')}`;
    return getOrInsert(this.#lists, key, () => kind.list(this.backend, within).catch(emptyIfAbsent));
  }

  async find(kind: Kind, id: string, within: Located | undefined): Promise<Body | undefined> {
    return (await this.list(kind, within)).find((body) => body.id === id);
  }

  /** Reads a field in the form of the manifest, with ids for references, or `notReadable`. */
  async valueOf(
    kind: Kind,
    name: string,
    body: Body,
    within: Located | undefined,
    stated?: unknown,
  ): Promise<unknown> {
    const { fetch } = getField(kind, name);
    if (fetch === undefined) return readField(kind, name, body, this.backend.people);
    try {
      return await fetch(this.backend, { kind: kind.name, id: body.id, within }, stated);
    } catch (error) {
      if (error instanceof Problem && (error.reason === 'forbidden' || unsupportedReasons.has(error.reason)))
        return notReadable;
      throw error;
    }
  }
}

const absent: ReadonlySet<string> = new Set([...unsupportedReasons, 'not-found', 'forbidden']);

function emptyIfAbsent(error: unknown): readonly Body[] {
  if (error instanceof Problem && absent.has(error.reason)) return [];
  throw error;
}

/** Returns the kind and ID of a resource and of all its parents, the outermost first. */
export function toPath(at: Located | undefined): ResourcePath {
  return at === undefined ? [] : [...toPath(at.within), [at.kind, at.id]];
}

/** Returns the innermost resource of a path with its parents; undefined for an empty path. */
export function fromPath(path: ResourcePath): Located | undefined {
  return path.reduce<Located | undefined>((within, [kind, id]) => ({ kind, id, within }), undefined);
}

/** Reads the order of the resources in a parent, for all kinds or one kind, with the fields that depend on it. */
export async function readOrders(
  live: LiveCache,
  parent: string,
  within: Located,
  table: readonly Kind[],
  only?: Kind,
): Promise<RecordedOrder[]> {
  const orders: RecordedOrder[] = [];
  const around = table.find(({ name }) => name === within.kind);
  for (const kind of only === undefined ? table : [only]) {
    if (kind.ordered?.parts === undefined || !canLieIn(kind, within.kind)) continue;
    const bodies = await live.list(kind, within);
    const parts = await kind.ordered.parts(live.backend, within);
    orders.push({
      type: 'scope',
      kind: kind.name,
      parent,
      at: toPath(within),
      parts: Object.fromEntries(
        [...parts].map(([part, items]) => [part, items.map((item) => [item.kind, item.id] as const)]),
      ),
      holders: Object.fromEntries(
        exclusiveFields(kind).flatMap((field) => {
          const id = holderOf(live, kind, field, bodies);
          return id === undefined ? [] : [[field, id]];
        }),
      ),
      ...(await readFollowers(live, kind, around, within)),
    });
  }
  return orders;
}

/** Reads the fields of a parent that depend on the order of a kind inside it. Empty and unreadable ones are left out. */
async function readFollowers(
  live: LiveCache,
  kind: Kind,
  around: Kind | undefined,
  { id, within }: Located,
): Promise<Pick<RecordedOrder, 'followers'>> {
  const names = Object.entries(around?.fields ?? {}).flatMap(([name, { followsOrderOf }]) =>
    followsOrderOf === kind.name ? [name] : [],
  );
  const followers: Record<string, unknown> = {};
  const body = around && names.length > 0 ? await live.find(around, id, within) : undefined;
  for (const name of around && body ? names : []) {
    const value = await live.valueOf(around as Kind, name, body as Body, within);
    if (value !== notReadable && !isSame(value, [])) followers[name] = value;
  }
  return Object.keys(followers).length === 0 ? {} : { followers };
}

/** Lists the exclusive fields of a kind. Only setting the field of another resource in the parent unsets such a field. */
function exclusiveFields({ fields }: Kind): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.exclusive === true);
}

/** Returns the ID of the resource whose exclusive field is true, such as the default section; undefined if there is none. */
export function holderOf(
  { backend }: LiveCache,
  kind: Kind,
  field: string,
  bodies: readonly Body[],
): string | undefined {
  return bodies.find((body) => readField(kind, field, body, backend.people) === true)?.id;
}
