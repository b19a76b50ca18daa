import { readField } from './read-field.ts';
import type { DesiredResource } from './desired.ts';
import { topologicalSort } from './topological-sort.ts';
import type { Body, Kind } from './kind.ts';
import type { ManifestState } from './manifest-state.ts';
import type { People } from './people.ts';
import type { Faults } from './read/faults.ts';
import { formatLocation } from './read/source-location.ts';
import { isSame, referencesIn } from './value.ts';

/** Which live resource a block means. */
export interface Binding {
  readonly resource: DesiredResource;
  /** By its explicit id, by the lock, by its natural key; `new`: there is none yet. */
  readonly how: 'id' | 'lock' | 'key' | 'new';
  readonly body: Body | undefined;
  /** The id that the lock has, of something that is no longer there. */
  readonly gone: string | undefined;
}

export interface BindRequest {
  readonly kind: Kind;
  readonly resources: readonly DesiredResource[];
  /** All live ones of the same parent. */
  readonly live: readonly Body[];
  readonly state: ManifestState;
  readonly people: People;
  /** A stated value with the ids that are known so far. */
  readonly valueOf: (wanted: DesiredResource, field: string) => unknown;
  readonly bound: (binding: Binding) => void;
  readonly faults: Faults;
  /** The id that a block once had, from where that is no more to be trusted: it is taken only where no key decides. */
  readonly formerId?: ((address: string) => string | undefined) | undefined;
}

/** Finds the live resource of each block of one parent: explicit id, else lock, else unique natural key, else none. */
export function bindScope(request: BindRequest): void {
  const { kind, resources, live, state, faults, formerId } = request;
  const byId = new Map(live.map((body) => [body.id, body]));
  const claims = new Map<string, DesiredResource>();
  const left: DesiredResource[] = [];
  const claim = (one: DesiredResource, how: Binding['how'], body: Body): void => {
    const other = claims.get(body.id);
    if (other !== undefined)
      faults.add(
        one.id?.at ?? one.at,
        `${one.address} and ${other.address} (${formatLocation(other.at)}) are both ${body.id}; keep one of the two`,
      );
    claims.set(body.id, one);
    request.bound({ resource: one, how, body, gone: undefined });
  };
  for (const one of resources) {
    const locked = byId.get(state.get(one.address)?.id ?? '');
    const stated = one.id === undefined ? undefined : byId.get(String(one.id.value));
    if (one.id !== undefined && stated === undefined)
      faults.add(one.id.at, `there is no ${kind.name} with this id here; leave "id" out to have one made`);
    else if (stated !== undefined) claim(one, 'id', stated);
    else if (locked !== undefined) claim(one, 'lock', locked);
    else if (kind.create === undefined && live[0] !== undefined) claim(one, 'key', live[0]);
    else left.push(one);
  }
  const open = bindByKeys(request, left, claims, claim);
  for (const one of open) {
    const former = byId.get(formerId?.(one.address) ?? '');
    if (former !== undefined && !claims.has(former.id)) claim(one, 'lock', former);
    else request.bound({ resource: one, how: 'new', body: undefined, gone: state.get(one.address)?.id });
  }
}

/** The best key of all blocks first, so that a weaker one takes nothing that is another's by a better one. */
function bindByKeys(
  request: BindRequest,
  left: readonly DesiredResource[],
  claims: ReadonlyMap<string, DesiredResource>,
  claim: (one: DesiredResource, how: 'key', body: Body) => void,
): DesiredResource[] {
  const { kind, faults } = request;
  let { sorted: open } = topologicalSort(
    left,
    ({ address }) => address,
    ({ fields }) => [...fields.values()].flatMap(({ value }) => referencesIn(value)),
  );
  const asked = new Map<string, number>();
  for (const key of kind.keys) {
    const index = new LiveByKey(request, key);
    open = open.filter((one) => {
      const found = index.find(one).filter(({ id }) => !claims.has(id));
      if (found.length === 0) return true;
      const only =
        found.length === 1 ? found[0] : found.find(({ id }) => id === request.formerId?.(one.address));
      if (only === undefined) {
        const all = found.map(({ id }) => id).join(' ');
        const nth = asked.get(all) ?? 0;
        asked.set(all, nth + 1);
        faults.add(one.at, ambiguous(one, key, found, found[nth]?.id));
      } else claim(one, 'key', only);
      return false;
    });
  }
  return open;
}

/** Live ones by the first field of a key, so that a thousand blocks do not look at a thousand live ones each. */
class LiveByKey {
  readonly #request: BindRequest;
  readonly #key: readonly string[];
  readonly #byFirst = new Map<string, Body[]>();

  constructor(request: BindRequest, key: readonly string[]) {
    this.#request = request;
    this.#key = key;
    for (const body of request.live) {
      const first = JSON.stringify(this.#read(body, key[0]!) ?? null);
      const others = this.#byFirst.get(first);
      if (others === undefined) this.#byFirst.set(first, [body]);
      else others.push(body);
    }
  }

  find(one: DesiredResource): Body[] {
    const [first = '', ...narrower] = this.#key;
    const { kind, valueOf } = this.#request;
    const value = valueOf(one, first);
    if (!one.fields.has(first) || value === null) return [];
    const stated = narrower.filter((field) => one.fields.has(field));
    return (this.#byFirst.get(JSON.stringify(value)) ?? []).filter((body) =>
      stated.every((field) =>
        isSame(this.#read(body, field), valueOf(one, field), kind.fields[field]!.equals),
      ),
    );
  }

  #read(body: Body, field: string): unknown {
    return readField(this.#request.kind, field, body, this.#request.people);
  }
}

/** `id`: one that is suggested to no other block. */
function ambiguous(
  { address }: DesiredResource,
  key: readonly string[],
  found: readonly Body[],
  id: string | undefined,
): string {
  const ids = found.slice(0, 5).map((body) => body.id);
  const how =
    id === undefined
      ? `state another ${key[0]}`
      : `say which, with \`docsctl adopt ${address} ${id}\` or "id: ${id}"`;
  return `${address} could be any of ${ids.join(' and ')}${found.length > ids.length ? ` and ${found.length - ids.length} more` : ''}: they have the same ${key[0]}; ${how}`;
}
