import type { LiveResource } from './read-live.ts';

export interface BlockOrder {
  /** Where what others lie in stands in the file. */
  readonly placeOf: (kind: string, id: string) => number | undefined;
  readonly compare: (one: LiveResource, other: LiveResource) => number;
  /** Groups with something in them: their order is that of the site. */
  readonly used: ReadonlySet<LiveResource>;
}

/**
 * The order of the blocks of one kind in one parent. Lists stay in the order of the site. In maps, what others lie in comes
 * first, then what lies in the first of them, and so on; beside each other they are by `compare`, not by age: an apply
 * makes several at once, and an export of what it made is to be the same text.
 */
export function sortBlocks(
  lives: readonly LiveResource[],
  { placeOf, compare, used }: BlockOrder,
): LiveResource[] {
  const [first] = lives;
  if (first?.slot.as !== 'map') return [...lives];
  const own = new Set(lives.map(({ body }) => body.id));
  const levels = new Map<string, LiveResource[]>();
  for (const live of lives) {
    const parent = parentOf(live);
    const level = parent !== undefined && own.has(parent) ? parent : '';
    levels.set(level, [...(levels.get(level) ?? []), live]);
  }
  const kindOfParent = first.kind.fields['parent']?.refersTo ?? '';
  const rank = (live: LiveResource): number =>
    parentOf(live) === undefined ? -1 : (placeOf(kindOfParent, parentOf(live)!) ?? -1);
  const sorted = (level: readonly LiveResource[]): LiveResource[] => [
    ...level.filter((live) => used.has(live)),
    ...level.filter((live) => !used.has(live)).sort((a, b) => rank(a) - rank(b) || compare(a, b)),
  ];
  const order = sorted(levels.get('') ?? []);
  for (let index = 0; index < order.length; index++)
    order.push(...sorted(levels.get(order[index]!.body.id) ?? []));
  // What lies in itself, which no sound backend shows, is not lost.
  return order.length === lives.length ? order : [...new Set([...order, ...lives])];
}

function parentOf({ values }: LiveResource): string | undefined {
  return (values.get('parent') as string | null | undefined) ?? undefined;
}

/** The groups that something of an ordered list stands in, however deep. */
export function groupsInUse(siblings: readonly LiveResource[]): ReadonlySet<LiveResource> {
  const byId = new Map(siblings.map((live) => [live.body.id, live]));
  const used = new Set<LiveResource>();
  for (const live of siblings) {
    if (live.slot.as !== 'list') continue;
    for (let part = partOf(live, byId); part !== undefined && !used.has(part); part = partOf(part, byId))
      used.add(part);
  }
  return used;
}

function partOf(
  { kind, values }: LiveResource,
  byId: ReadonlyMap<string, LiveResource>,
): LiveResource | undefined {
  const field = kind.ordered?.part;
  return field === undefined ? undefined : byId.get(String(values.get(field)));
}
