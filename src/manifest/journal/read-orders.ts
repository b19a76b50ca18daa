import { readField } from '../read-field.ts';
import type { Kind } from '../kind.ts';
import type { RecordedOrder } from './journal-lines.ts';
import { fromPath, toPath, type LiveCache } from './live-cache.ts';
import { isOnlyTrue } from '../read/schema.ts';

/** The order of what lies in a parent, kind by kind, and who holds what only one of them can have. */
export async function readOrders(
  lists: LiveCache,
  parent: string,
  at: readonly (readonly string[])[],
  table: readonly Kind[],
): Promise<RecordedOrder[]> {
  const within = fromPath(at)!;
  const found: RecordedOrder[] = [];
  for (const kind of table) {
    if (kind.ordered?.parts === undefined || !kind.slots.some((spot) => spot.within === within.kind))
      continue;
    const bodies = await lists.list(kind, within);
    const parts = await kind.ordered.parts(lists.backend, within);
    const holders: Record<string, string> = {};
    for (const field of exclusiveFlags(kind)) {
      const holder = bodies.find((body) => readField(kind, field, body, lists.backend.people) === true);
      if (holder !== undefined) holders[field] = holder.id;
    }
    found.push({
      type: 'scope',
      kind: kind.name,
      parent,
      at: toPath(within),
      parts: Object.fromEntries(
        [...parts].map(([part, items]) => [part, items.map(({ kind: name, id }) => [name, id])]),
      ),
      holders,
    });
  }
  return found;
}

/** Fields that one of a parent holds, and gives up when another one takes it: no call takes it away. */
export function exclusiveFlags({ ordered, fields }: Kind): string[] {
  if (ordered === undefined) return [];
  return Object.keys(fields).filter((name) => isOnlyTrue(fields[name]!.schema));
}
