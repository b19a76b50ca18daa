import { groupBy, listSome } from '../contract/values.ts';
import type { DesiredResource } from './desired.ts';
import { getField, readField, type Body, type Kind } from './kind.ts';
import type { ManifestState } from './manifest-state.ts';
import type { People } from './people.ts';
import { formatLocation, type Faults } from './read/faults.ts';
import { topologicalSort } from './topological-sort.ts';
import { isSame, referencesIn } from './value.ts';

/** A block of a manifest with its live resource. */
export interface Binding {
  readonly resource: DesiredResource;
  /** How the resource was found: by its explicit ID, by the state file, or by its natural key. `new`: it does not exist yet. */
  readonly how: 'id' | 'lock' | 'key' | 'new';
  readonly body: Body | undefined;
  /** The ID in the state file, if that resource no longer exists. */
  readonly gone: string | undefined;
  /** The ID in the state file, if it is an open invitation. */
  readonly pending?: string;
}

interface BindRequest {
  readonly kind: Kind;
  readonly resources: readonly DesiredResource[];
  readonly live: readonly Body[];
  readonly state: ManifestState;
  readonly people: People;
  /** Returns a stated value, with the IDs that are already known in place of references. */
  readonly valueOf: (resource: DesiredResource, field: string) => unknown;
  readonly onBound: (binding: Binding) => void;
  readonly faults: Faults;
  /** Returns a former ID of a block from an unreliable source. It is used only if a key matches several resources. */
  readonly formerId?: ((address: string) => string | undefined) | undefined;
}

/** Returns the resources that exist, by kind and live id. */
export function resourcesById(bindings: ReadonlyMap<string, Binding>): Map<string, DesiredResource> {
  const byId = new Map<string, DesiredResource>();
  for (const { resource, body } of bindings.values())
    if (body !== undefined) byId.set(`${resource.kind.name} ${body.id}`, resource);
  return byId;
}

/** Binds each block of one parent to a live resource: by explicit ID, else by the state file, else by a unique natural key. */
export function bindScope(request: BindRequest): void {
  new Binder(request).bind();
}

class Binder {
  readonly #request: BindRequest;
  readonly #byId: ReadonlyMap<string, Body>;
  /** The bound blocks, by the ID of their live resource. */
  readonly #claims = new Map<string, DesiredResource>();

  constructor(request: BindRequest) {
    this.#request = request;
    this.#byId = new Map(request.live.map((body) => [body.id, body]));
  }

  bind(): void {
    const { formerId, onBound } = this.#request;
    for (const resource of this.#bindByKeys(this.#bindByIds())) {
      const former = this.#byId.get(formerId?.(resource.address) ?? '');
      if (former !== undefined && !this.#claims.has(former.id)) this.#claim(resource, 'lock', former);
      else onBound(this.#bindMissing(resource));
    }
  }

  #bindMissing(resource: DesiredResource): Binding {
    const { kind, state } = this.#request;
    const owned = state.get(resource.address);
    if (owned !== undefined && kind.isPending?.(owned) === true)
      return { resource, how: 'lock', body: undefined, gone: undefined, pending: owned.id };
    return { resource, how: 'new', body: undefined, gone: owned?.id };
  }

  /** Binds blocks by explicit IDs and the state file. Returns the other blocks. */
  #bindByIds(): DesiredResource[] {
    const { kind, resources, live, state, faults } = this.#request;
    return resources.filter((resource) => {
      const known = this.#byId.get(state.get(resource.address)?.id ?? '');
      const stated = resource.id === undefined ? undefined : this.#byId.get(String(resource.id.value));
      if (resource.id !== undefined && stated === undefined)
        faults.add(
          resource.id.at,
          `no ${kind.name} that you can see here has this ID; check the ID and your role, or remove "id" to create a new one`,
        );
      else if (stated !== undefined) this.#claim(resource, 'id', stated);
      else if (known !== undefined) this.#claim(resource, 'lock', known);
      else if (kind.create === undefined && live[0] !== undefined) this.#claim(resource, 'key', live[0]);
      else return true;
      return false;
    });
  }

  /**
   * Tries the best key for all blocks first, so that no block gets a resource by a weaker key that matches another block by a
   * better key.
   */
  #bindByKeys(resources: readonly DesiredResource[]): DesiredResource[] {
    const { kind, live, faults, formerId, valueOf } = this.#request;
    let { sorted: open } = topologicalSort(
      resources,
      ({ address }) => address,
      ({ fields }) => [...fields.values()].flatMap(({ value }) => referencesIn(value)),
    );
    /** How often each group of candidates was ambiguous, so that each block gets a different suggestion. */
    const asked = new Map<string, number>();
    for (const [rank, [first, ...narrower]] of kind.keys.entries()) {
      if (first === undefined) continue;
      const stricter = kind.keys.slice(0, rank).filter(([other]) => other === first);
      const index = groupBy(live, (body) => JSON.stringify(this.#read(body, first) ?? null));
      const rivals = groupBy(open, (resource) => JSON.stringify(valueOf(resource, first)));
      open = open.filter((resource) => {
        // References of the block may have been bound after a stricter key was tried.
        let found = stricter
          .map(([, ...others]) => this.#findByKey(resource, first, others, index))
          .find(({ length }) => length > 0);
        // If several blocks differ only in a stricter key, they are not bound to resources with other values of this key.
        const isSole = rivals.get(JSON.stringify(valueOf(resource, first)))?.length === 1;
        if (stricter.length === 0 || isSole) found ??= this.#findByKey(resource, first, narrower, index);
        if (found === undefined || found.length === 0) return true;
        const only =
          found.length === 1 ? found[0] : found.find(({ id }) => id === formerId?.(resource.address));
        if (only !== undefined) {
          this.#claim(resource, 'key', only);
          return false;
        }
        const all = found.map(({ id }) => id);
        const nth = asked.get(all.join(' ')) ?? 0;
        asked.set(all.join(' '), nth + 1);
        const isRebuild = formerId !== undefined;
        faults.add(resource.at, ambiguous(resource, first, all, { suggested: all[nth], isRebuild }));
        return false;
      });
    }
    return open;
  }

  /**
   * `index` has the live resources by the first field, so that a thousand blocks are not compared with a thousand resources each.
   */
  #findByKey(
    resource: DesiredResource,
    first: string,
    narrower: readonly string[],
    index: ReadonlyMap<string, readonly Body[]>,
  ): Body[] {
    const { kind, valueOf } = this.#request;
    const value = valueOf(resource, first);
    if (!resource.fields.has(first) || value === null) return [];
    const stated = narrower.filter((field) => resource.fields.has(field));
    return (index.get(JSON.stringify(value)) ?? []).filter(
      (body) =>
        !this.#claims.has(body.id) &&
        stated.every((field) =>
          isSame(this.#read(body, field), valueOf(resource, field), getField(kind, field).equals),
        ),
    );
  }

  #claim(resource: DesiredResource, how: Binding['how'], body: Body): void {
    const other = this.#claims.get(body.id);
    if (other !== undefined)
      this.#request.faults.add(
        resource.id?.at ?? resource.at,
        `${resource.address} and ${other.address} (${formatLocation(other.at)}) are both bound to ${body.id}; remove one of the two`,
      );
    this.#claims.set(body.id, resource);
    this.#request.onBound({ resource, how, body, gone: undefined });
  }

  #read(body: Body, field: string): unknown {
    return readField(this.#request.kind, field, body, this.#request.people);
  }
}

/** `suggested` is an ID that is not suggested for another block. During a rebuild, `adopt` may not be able to read the state file. */
function ambiguous(
  { address }: DesiredResource,
  field: string,
  ids: readonly string[],
  { suggested, isRebuild }: { suggested: string | undefined; isRebuild: boolean },
): string {
  const advice =
    suggested === undefined
      ? `give the block a different ${field}`
      : `choose one with ${isRebuild ? '' : `\`docsctl adopt ${address} ${suggested}\` or `}"id: ${suggested}"`;
  return `${address} matches ${listSome(ids, 5, ' and ')}, which have the same ${field}; ${advice}`;
}
