import { isSame } from '../value.ts';
import { fromPath } from './live-cache.ts';
import type { RecordedOrder } from './journal-lines.ts';
import type { ResourceEffect } from './collect-effects.ts';
import { resolveUniqueClashes, undoUpdate } from './undo-update.ts';
import { findDeleted, parentsOf, undoDelete } from './undo-delete.ts';
import { undoCreates } from './undo-creates.ts';
import { readField } from '../read-field.ts';
import { describeKept } from './undo-stays.ts';
import { UndoContext } from './undo-context.ts';

/** Goes through all that a run did, and gathers what brings it back. */
export class Undoer extends UndoContext {
  async undo(): Promise<void> {
    const deleted = await findDeleted(this);
    const parents = parentsOf(deleted);
    const comesBack = new Set(deleted.map(({ touched }) => touched));
    for (const one of inOrderOfParents(deleted)) await undoDelete(this, one, parents);
    for (const touched of this.touched)
      if (touched.how === 'changed' || (touched.how === 'deleted' && !comesBack.has(touched)))
        await undoUpdate(this, touched);
    await undoCreates(this);
    for (const scope of this.request.run.scopes) await this.#undoScope(scope);
    await resolveUniqueClashes(this);
    await describeKept(this);
  }

  /** The order of a list, and who holds what only one can have, where nobody changed it since. */
  async #undoScope(before: RecordedOrder): Promise<void> {
    const at = fromPath(before.at)!;
    const kind = this.steps.kind(before.kind);
    const parent = await this.steps.find(this.steps.kind(at.kind), at.id, at.within);
    if (parent === undefined) return;
    const left = this.request.run.scopeEnds.find(
      (one) => one.kind === before.kind && one.at.at(-1)?.[1] === at.id,
    );
    const scope = { ...before, parent: parent.address };
    const bodies = await this.lists.list(kind, at);
    for (const [field, holder] of Object.entries(before.holders)) {
      const now = bodies.find((body) => readField(kind, field, body, this.lists.backend.people) === true)?.id;
      const address =
        this.anew.get(`${kind.name} ${holder}`) ?? (await this.steps.find(kind, holder, at))?.address;
      if (now === holder || address === undefined) continue;
      const isMoved = left !== undefined && now !== undefined && now !== left.holders[field];
      if (
        isMoved &&
        !this.insists({
          address,
          field,
          why: 'was given to another one since',
          now: this.steps.addressOf(kind.name, now),
          was: true,
        })
      )
        continue;
      const item = this.steps.items.get(address)!;
      item.changes.set(field, item.body === undefined ? { after: true } : { before: false, after: true });
    }
    const live = await kind.ordered!.parts!(this.lists.backend, at);
    const isSorted = left !== undefined && !sameOrder(left.parts, live);
    if (
      isSorted &&
      !this.insists({ address: `${parent.address} (order)`, why: 'the order of its list was changed since' })
    )
      return;
    for (const items of Object.values(before.parts)) {
      for (const [name = '', id = ''] of items)
        if (!this.anew.has(`${name} ${id}`)) await this.steps.find(this.steps.kind(name), id, at);
    }
    this.steps.orders.push(scope);
  }
}

/** Whether what is in both stands in the same order, part by part. */
function sameOrder(
  left: RecordedOrder['parts'],
  live: ReadonlyMap<string, readonly { readonly id: string }[]>,
): boolean {
  return Object.entries(left).every(([part, items]) => {
    const now = (live.get(part) ?? []).map(({ id }) => id);
    const then = items.map(([, id]) => id!);
    return isSame(
      now.filter((id) => then.includes(id)),
      then.filter((id) => now.includes(id)),
    );
  });
}

/** What lies in another one behind that, where both come back. */
function inOrderOfParents<T extends { readonly touched: ResourceEffect }>(deleted: readonly T[]): T[] {
  return [...deleted].sort((one, other) => one.touched.within.length - other.touched.within.length);
}
