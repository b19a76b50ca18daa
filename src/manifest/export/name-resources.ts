import { groupBy } from '../../contract/values.ts';
import { addressOf, nameOf, namePattern } from '../address.ts';
import type { Kind } from '../kind.ts';
import { shorthandField } from './implied-values.ts';
import type { LiveOrganization, LiveResource } from './read-live.ts';
import { compareNames, displayTitle, toRefName, unusedName } from './ref-names.ts';

export interface NamedResource {
  readonly live: LiveResource;
  readonly address: string;
  /** Its key in a map, or its name in a list. */
  readonly name: string;
  /** Whether an item of a list has to state its name as `ref`. */
  readonly statesRef: boolean;
  readonly parent: NamedResource | undefined;
  /** The shorthand field of the parent that stands for it. */
  readonly short: string | undefined;
  /** By kind, in the order of the manifest. */
  readonly inside: ReadonlyMap<Kind, readonly NamedResource[]>;
  /** Its position in the manifest, counted from 0. */
  readonly position: number;
}

export interface ResourceNames {
  readonly tops: ReadonlyMap<Kind, readonly NamedResource[]>;
  readonly byId: ReadonlyMap<string, NamedResource>;
}

/** Returns the name of a resource in the state file. */
type KnownName = (kind: string, id: string) => string | undefined;

/** Names all resources and sorts them for the manifest. Names in the state file are kept, even if titles have changed. */
export function nameResources(
  { tops }: LiveOrganization,
  table: readonly Kind[],
  known: KnownName,
): ResourceNames {
  const namer = new Namer(table, known);
  return { tops: namer.nameAll(tops, undefined), byId: namer.byId };
}

interface NamedBlock {
  readonly live: LiveResource;
  readonly name: string;
  readonly statesRef: boolean;
}

class Namer {
  readonly byId = new Map<string, NamedResource>();
  readonly #table: readonly Kind[];
  readonly #known: KnownName;

  constructor(table: readonly Kind[], known: KnownName) {
    this.#table = table;
    this.#known = known;
  }

  nameAll(all: readonly LiveResource[], parent: NamedResource | undefined): Map<Kind, NamedResource[]> {
    const used = groupsInUse(all);
    const named = new Map<Kind, NamedResource[]>();
    for (const kind of this.#table) {
      const blocks = all.filter((live) => live.kind === kind).map((live) => this.#blockOf(live));
      if (blocks.length === 0) continue;
      const byTitle = sortBlocks(
        blocks,
        used,
        (a, b) => a.rank - b.rank || compareNames(a.ref, b.ref) || compareNames(a.title, b.title),
      );
      const byName = sortBlocks(
        chooseNames(byTitle, this.#known),
        used,
        (a, b) => a.rank - b.rank || compareNames(a.name, b.name),
      );
      named.set(
        kind,
        byName.map((block) => this.#name(block, parent)),
      );
    }
    return named;
  }

  #blockOf(live: LiveResource) {
    const { kind } = live;
    const parentKind = kind.fields['parent']?.refersTo ?? '';
    const rank = this.byId.get(`${parentKind} ${parentOf(live)}`)?.position ?? -1;
    const title = displayTitle(live, (id) => this.#nameOfId(live, id));
    return { live, rank, title, ref: toRefName(title, kind.name) };
  }

  #name({ live, ...given }: NamedBlock, parent: NamedResource | undefined): NamedResource {
    const { kind, slot, body } = live;
    const short = parent && shorthandField(parent.live, live);
    const { name, statesRef } = short === undefined ? given : { name: short, statesRef: false };
    const isOnly = slot.as === 'one' && parent !== undefined;
    const address = isOnly
      ? `${kind.name}.${nameOf(parent.address)}`
      : addressOf(kind.name, parent?.address, name);
    const inside = new Map<Kind, readonly NamedResource[]>();
    const position = this.byId.size;
    const named = { live, address, name, statesRef, parent, short, inside, position };
    this.byId.set(`${kind.name} ${body.id}`, named);
    for (const [inner, found] of this.nameAll(live.inside, named)) inside.set(inner, found);
    return named;
  }

  #nameOfId({ kind }: LiveResource, id: string): string | undefined {
    for (const { refersTo } of Object.values(kind.fields)) {
      const found = this.byId.get(`${refersTo} ${id}`);
      if (found !== undefined) return found.name;
    }
    return undefined;
  }
}

/** Names the blocks of one kind in one parent. Existing names come first, and each name is used once. */
function chooseNames<T extends { live: LiveResource; ref: string }>(
  blocks: readonly T[],
  known: KnownName,
): (T & NamedBlock)[] {
  const taken = new Set<string>();
  const take = (name: string): string => {
    taken.add(name);
    return name;
  };
  const given = blocks.map(({ live }) => {
    const name = givenName(live, known);
    return name === undefined || taken.has(name) ? undefined : take(name);
  });
  return blocks.map((block, index) => {
    const name = given[index] ?? take(unusedName(block.ref, taken));
    return { ...block, name, statesRef: given[index] === undefined && block.live.slot.as === 'list' };
  });
}

function givenName({ kind, slot, body, values }: LiveResource, known: KnownName): string | undefined {
  if (slot.as === 'one') return slot.field.split('.').at(-1);
  if (slot.as === 'list' || slot.names !== undefined) {
    const name = values.get(kind.nameField ?? '');
    return typeof name === 'string' ? name : undefined;
  }
  const name = known(kind.name, body.id);
  return name !== undefined && new RegExp(namePattern).test(name) ? name : undefined;
}

/**
 * Sorts the blocks of one kind in one parent. Lists keep the order of the site. Maps are sorted by name, with each block after
 * its container. An export after an apply then has the same text.
 */
function sortBlocks<T extends { live: LiveResource }>(
  blocks: readonly T[],
  used: ReadonlySet<LiveResource>,
  compare: (one: T, other: T) => number,
): T[] {
  if (blocks.some(({ live }) => live.slot.as !== 'map')) return [...blocks];
  const ids = new Set(blocks.map(({ live }) => live.body.id));
  const levels = groupBy(blocks, ({ live }) => {
    const parent = parentOf(live);
    return parent !== undefined && ids.has(parent) ? parent : undefined;
  });
  const sortLevel = (level: readonly T[] = []): T[] => [
    ...level.filter(({ live }) => used.has(live)),
    ...level.filter(({ live }) => !used.has(live)).sort(compare),
  ];
  const order = sortLevel(levels.get(undefined));
  for (const { live } of order) order.push(...sortLevel(levels.get(live.body.id)));
  // Keeps blocks that contain each other, which only a faulty backend shows.
  return [...new Set([...order, ...blocks])];
}

function parentOf({ values }: LiveResource): string | undefined {
  return (values.get('parent') as string | null | undefined) ?? undefined;
}

/** Finds the groups that contain items of a list, at any depth. They keep the order of the site. */
function groupsInUse(siblings: readonly LiveResource[]): ReadonlySet<LiveResource> {
  const byId = new Map(siblings.map((live) => [live.body.id, live]));
  const groupOf = ({ kind, values }: LiveResource): LiveResource | undefined =>
    byId.get(String(values.get(kind.ordered?.part ?? '')));
  const used = new Set<LiveResource>();
  for (const live of siblings) {
    if (live.slot.as !== 'list') continue;
    for (let group = groupOf(live); group !== undefined && !used.has(group); group = groupOf(group))
      used.add(group);
  }
  return used;
}
