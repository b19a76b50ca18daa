import { addressOf, nameOf } from '../address.ts';
import type { Kind } from '../kind.ts';
import { sortBlocks, groupsInUse } from './sort-blocks.ts';
import { shorthandField } from './implied-values.ts';
import type { LiveResource, LiveOrganization } from './read-live.ts';
import { compareNames, unusedName, toRefName, displayTitle } from './ref-names.ts';

/** A live resource with its place in the file. */
export interface NamedResource {
  readonly live: LiveResource;
  readonly address: string;
  /** Its key in a map, or what names it in a list. */
  readonly name: string;
  /** In a list: whether `ref` has to say the name. */
  readonly statesRef: boolean;
  readonly parent: NamedResource | undefined;
  /** The field of its parent that is short for it. */
  readonly short: string | undefined;
  /** By kind, in the order of the file. */
  readonly inside: ReadonlyMap<Kind, readonly NamedResource[]>;
}

/** The names of an organization, and what is where. */
export interface ResourceNames {
  readonly tops: ReadonlyMap<Kind, readonly NamedResource[]>;
  /** By kind and id. */
  readonly byId: ReadonlyMap<string, NamedResource>;
}

type Known = (kind: string, id: string) => string | undefined;

/**
 * Gives everything a name and puts it in order. `known` is what an earlier export, or a person, called it: it keeps that
 * name, whatever its title is now.
 */
export function nameResources(
  { tops }: LiveOrganization,
  table: readonly Kind[],
  known: Known,
): ResourceNames {
  const namer = new Namer(table, known);
  return { tops: namer.nameAll(tops, undefined), byId: namer.byId };
}

class Namer implements Pick<ResourceNames, 'byId'> {
  readonly byId = new Map<string, NamedResource>();
  readonly #places = new Map<string, number>();
  readonly #table: readonly Kind[];
  readonly #known: Known;

  constructor(table: readonly Kind[], known: Known) {
    this.#table = table;
    this.#known = known;
  }

  nameAll(lives: readonly LiveResource[], parent: NamedResource | undefined): Map<Kind, NamedResource[]> {
    const used = groupsInUse(lives);
    const named = new Map<Kind, NamedResource[]>();
    for (const kind of this.#table) {
      const own = lives.filter((live) => live.kind === kind);
      if (own.length === 0) continue;
      const titles = new Map(own.map((live) => [live, displayTitle(live, (id) => this.#nameOfId(live, id))]));
      const refs = new Map(own.map((live) => [live, toRefName(titles.get(live)!, kind.name)]));
      const placeOf = (other: string, id: string): number | undefined => this.#places.get(`${other} ${id}`);
      const byTitle = (a: LiveResource, b: LiveResource): number =>
        compareNames(refs.get(a)!, refs.get(b)!) || compareNames(titles.get(a)!, titles.get(b)!);
      const names = namesFor(sortBlocks(own, { placeOf, compare: byTitle, used }), refs, this.#known);
      const order = sortBlocks(own, {
        placeOf,
        compare: (a, b) => compareNames(names.get(a)!.name, names.get(b)!.name),
        used,
      });
      named.set(kind, order.map((live) => this.#named(live, names.get(live)!, parent))); // prettier-ignore
    }
    return named;
  }

  #named(
    live: LiveResource,
    given: { name: string; statesRef: boolean },
    parent: NamedResource | undefined,
  ): NamedResource {
    const { kind, slot, body } = live;
    const short = parent === undefined ? undefined : shorthandField(parent.live, live);
    const { name, statesRef } = short === undefined ? given : { name: short, statesRef: false };
    const address =
      slot.as === 'one' && parent !== undefined
        ? `${kind.name}.${nameOf(parent.address)}`
        : addressOf(kind.name, parent?.address, name);
    const inside = new Map<Kind, readonly NamedResource[]>();
    const named: NamedResource = { live, address, name, statesRef, parent, short, inside };
    this.#places.set(`${kind.name} ${body.id}`, this.#places.size);
    this.byId.set(`${kind.name} ${body.id}`, named);
    for (const [inner, found] of this.nameAll(live.inside, named)) inside.set(inner, found);
    return named;
  }

  /** What something is called that is named already, by a field that refers to it. */
  #nameOfId({ kind }: LiveResource, id: string): string | undefined {
    for (const { refersTo } of Object.values(kind.fields)) {
      const found = refersTo === undefined ? undefined : this.byId.get(`${refersTo} ${id}`);
      if (found !== undefined) return found.name;
    }
    return undefined;
  }
}

/** The name of each; names that are known are not given to others. */
function namesFor(
  lives: readonly LiveResource[],
  refs: ReadonlyMap<LiveResource, string>,
  known: Known,
): Map<LiveResource, { name: string; statesRef: boolean }> {
  const taken = new Set<string>();
  const names = new Map<LiveResource, { name: string; statesRef: boolean }>();
  const take = (live: LiveResource, name: string, statesRef = false): void => {
    taken.add(name);
    names.set(live, { name, statesRef });
  };
  for (const live of lives) {
    const { kind, slot, body, values } = live;
    const stated = slot.as === 'list' ? values.get(kind.nameField ?? '') : undefined;
    const name =
      slot.as === 'one'
        ? slot.field.split('.').at(-1)!
        : slot.as === 'map'
          ? known(kind.name, body.id)
          : typeof stated === 'string'
            ? stated
            : undefined;
    if (
      name === undefined ||
      taken.has(name) ||
      (slot.as === 'map' && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name))
    )
      continue;
    take(live, name);
  }
  for (const live of lives)
    if (!names.has(live)) take(live, unusedName(refs.get(live)!, taken), live.slot.as === 'list');
  return names;
}
