import { Problem } from '../../errors/problem.ts';
import type { LiveResource } from '../export/read-live.ts';
import type { Backend, Kind, Located } from '../kind.ts';

/** Brings what is in a copy into the order that it has on the live side. */
export async function copyOrder(lives: readonly LiveResource[], from: Backend, to: Backend): Promise<void> {
  const parents = new Map<string, { readonly kind: Kind; readonly parent: LiveResource }>();
  for (const { kind, parent } of lives) {
    if (parent !== undefined && kind.ordered?.parts !== undefined)
      parents.set(`${kind.name} ${parent.kind.name} ${parent.body.id}`, { kind, parent });
  }
  for (const { kind, parent } of parents.values()) {
    try {
      const copied = await kind.ordered!.parts!(to, parent.at);
      for (const [part, wanted] of await kind.ordered!.parts!(from, parent.at))
        await arrange(kind, to, wanted, copied.get(part) ?? []);
    } catch (error) {
      // What could not be copied has no order; a plan of the copy shows where it matters.
      if (!(error instanceof Problem)) throw error;
    }
  }
}

async function arrange(
  kind: Kind,
  to: Backend,
  wanted: readonly Located[],
  copied: readonly Located[],
): Promise<void> {
  const there = new Set(copied.map(({ id }) => id));
  const order = wanted.filter(({ id }) => there.has(id));
  if (order.every(({ id }, index) => copied[index]!.id === id)) return;
  if (copied[0]!.id !== order[0]!.id) await kind.ordered!.place(to, order[0]!, { before: copied[0]! });
  for (const [index, item] of order.entries())
    if (index > 0) await kind.ordered!.place(to, item, { after: order[index - 1]! });
}
