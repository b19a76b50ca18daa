import { addressOf, nameOf } from '../address.ts';
import type { Kind } from '../kind.ts';
import { arrange, usedParts } from './arrange.ts';
import { shortOf } from './implied.ts';
import type { Live, LiveOrganization } from './live.ts';
import { compareNames, freeName, refFrom, titleOf } from './ref-names.ts';

/** A live resource with its place in the file. */
export interface Named {
  readonly live: Live;
  readonly address: string;
  /** Its key in a map, or what names it in a list. */
  readonly name: string;
  /** In a list: whether `ref` has to say the name. */
  readonly statesRef: boolean;
  readonly parent: Named | undefined;
  /** The field of its parent that is short for it. */
  readonly short: string | undefined;
  /** By kind, in the order of the file. */
  readonly inside: ReadonlyMap<Kind, readonly Named[]>;
}

/** The names of an organization, and what is where. */
export interface Names {
  readonly tops: ReadonlyMap<Kind, readonly Named[]>;
  /** By kind and id. */
  readonly byId: ReadonlyMap<string, Named>;
}

type Known = (kind: string, id: string) => string | undefined;

/**
 * Gives everything a name and puts it in order. `known` is what an earlier export, or a person, called it: it keeps that
 * name, whatever its title is now.
 */
export function nameLive({ tops }: LiveOrganization, table: readonly Kind[], known: Known): Names {
  const namer = new Namer(table, known);
  return { tops: namer.nameAll(tops, undefined), byId: namer.byId };
}

class Namer implements Pick<Names, 'byId'> {
  readonly byId = new Map<string, Named>();
  readonly #places = new Map<string, number>();
  readonly #table: readonly Kind[];
  readonly #known: Known;

  constructor(table: readonly Kind[], known: Known) {
    this.#table = table;
    this.#known = known;
  }

  nameAll(lives: readonly Live[], parent: Named | undefined): Map<Kind, Named[]> {
    const used = usedParts(lives);
    const named = new Map<Kind, Named[]>();
    for (const kind of this.#table) {
      const own = lives.filter((live) => live.kind === kind);
      if (own.length === 0) continue;
      const titles = new Map(own.map((live) => [live, titleOf(live, (id) => this.#nameOfId(live, id))]));
      const refs = new Map(own.map((live) => [live, refFrom(titles.get(live)!, kind.name)]));
      const placeOf = (other: string, id: string): number | undefined => this.#places.get(`${other} ${id}`);
      const byTitle = (a: Live, b: Live): number =>
        compareNames(refs.get(a)!, refs.get(b)!) || compareNames(titles.get(a)!, titles.get(b)!);
      const names = namesFor(arrange(own, { placeOf, compare: byTitle, used }), refs, this.#known);
      const order = arrange(own, {
        placeOf,
        compare: (a, b) => compareNames(names.get(a)!.name, names.get(b)!.name),
        used,
      });
      named.set(kind, order.map((live) => this.#named(live, names.get(live)!, parent))); // prettier-ignore
    }
    return named;
  }

  #named(live: Live, given: { name: string; statesRef: boolean }, parent: Named | undefined): Named {
    const { kind, slot, body } = live;
    const short = parent === undefined ? undefined : shortOf(parent.live, live);
    const { name, statesRef } = short === undefined ? given : { name: short, statesRef: false };
    const address =
      slot.as === 'one' && parent !== undefined
        ? `${kind.name}.${nameOf(parent.address)}`
        : addressOf(kind.name, parent?.address, name);
    const inside = new Map<Kind, readonly Named[]>();
    const named: Named = { live, address, name, statesRef, parent, short, inside };
    this.#places.set(`${kind.name} ${body.id}`, this.#places.size);
    this.byId.set(`${kind.name} ${body.id}`, named);
    for (const [inner, found] of this.nameAll(live.inside, named)) inside.set(inner, found);
    return named;
  }

  /** What something is called that is named already, by a field that refers to it. */
  #nameOfId({ kind }: Live, id: string): string | undefined {
    for (const { refersTo } of Object.values(kind.fields)) {
      const found = refersTo === undefined ? undefined : this.byId.get(`${refersTo} ${id}`);
      if (found !== undefined) return found.name;
    }
    return undefined;
  }
}

/** The name of each; names that are known are not given to others. */
function namesFor(
  lives: readonly Live[],
  refs: ReadonlyMap<Live, string>,
  known: Known,
): Map<Live, { name: string; statesRef: boolean }> {
  const taken = new Set<string>();
  const names = new Map<Live, { name: string; statesRef: boolean }>();
  const take = (live: Live, name: string, statesRef = false): void => {
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
    if (!names.has(live)) take(live, freeName(refs.get(live)!, taken), live.slot.as === 'list');
  return names;
}
