import type { Live } from './live.ts';

export interface Arranging {
  /** Where what others lie in stands in the file. */
  readonly placeOf: (kind: string, id: string) => number | undefined;
  readonly compare: (one: Live, other: Live) => number;
  /** Groups with something in them: their order is that of the site. */
  readonly used: ReadonlySet<Live>;
}

/**
 * The order of the blocks of one kind in one parent. Lists stay in the order of the site. In maps, what others lie in comes
 * first, then what lies in the first of them, and so on; beside each other they are by `compare`, not by age: an apply
 * makes several at once, and an export of what it made is to be the same text.
 */
export function arrange(lives: readonly Live[], { placeOf, compare, used }: Arranging): Live[] {
  const [first] = lives;
  if (first === undefined || first.slot.as !== 'map') return [...lives];
  const own = new Set(lives.map(({ body }) => body.id));
  const levels = new Map<string, Live[]>();
  for (const live of lives) {
    const parent = parentOf(live);
    const level = parent !== undefined && own.has(parent) ? parent : '';
    levels.set(level, [...(levels.get(level) ?? []), live]);
  }
  const kindOfParent = first.kind.fields['parent']?.refersTo ?? '';
  const rank = (live: Live): number =>
    parentOf(live) === undefined ? -1 : (placeOf(kindOfParent, parentOf(live)!) ?? -1);
  const sorted = (level: readonly Live[]): Live[] => [
    ...level.filter((live) => used.has(live)),
    ...level.filter((live) => !used.has(live)).sort((a, b) => rank(a) - rank(b) || compare(a, b)),
  ];
  const order = sorted(levels.get('') ?? []);
  for (let index = 0; index < order.length; index++)
    order.push(...sorted(levels.get(order[index]!.body.id) ?? []));
  // What lies in itself, which no sound backend shows, is not lost.
  return order.length === lives.length ? order : [...new Set([...order, ...lives])];
}

function parentOf({ values }: Live): string | undefined {
  return (values.get('parent') as string | null | undefined) ?? undefined;
}

/** The groups that something of an ordered list stands in, however deep. */
export function usedParts(siblings: readonly Live[]): ReadonlySet<Live> {
  const byId = new Map(siblings.map((live) => [live.body.id, live]));
  const used = new Set<Live>();
  for (const live of siblings) {
    if (live.slot.as !== 'list') continue;
    for (let part = partOf(live, byId); part !== undefined && !used.has(part); part = partOf(part, byId))
      used.add(part);
  }
  return used;
}

function partOf({ kind, values }: Live, byId: ReadonlyMap<string, Live>): Live | undefined {
  const field = kind.ordered?.part;
  return field === undefined ? undefined : byId.get(String(values.get(field)));
}
