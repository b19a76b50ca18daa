import { readField } from '../read-field.ts';
import { canLieIn, type Body, type Kind, type Located } from '../kind.ts';
import type { RecordedOrder } from './journal-lines.ts';
import { toPath, type LiveCache } from './live-cache.ts';

/** Reads, kind by kind, in which order resources lie in a parent, and which of them have its exclusive fields. */
export async function readOrders(
  live: LiveCache,
  parent: string,
  within: Located,
  table: readonly Kind[],
): Promise<RecordedOrder[]> {
  const orders: RecordedOrder[] = [];
  for (const kind of table) {
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
    });
  }
  return orders;
}

/** Names the fields that one resource of a parent has, until another one takes them over. No call only takes them away. */
export function exclusiveFields({ fields }: Kind): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.exclusive === true);
}

/** Finds the id of the resource that has an exclusive field. */
export function holderOf(
  { backend }: LiveCache,
  kind: Kind,
  field: string,
  bodies: readonly Body[],
): string | undefined {
  return bodies.find((body) => readField(kind, field, body, backend.people) === true)?.id;
}
