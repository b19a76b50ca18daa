import { canLieIn, findField, type Kind, type Located } from '../kind.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { DeletedResource, RecordedOrder, RecordedReferrer } from './journal-lines.ts';
import type { LiveCache } from './live-cache.ts';
import { exclusiveFields } from './read-orders.ts';
import { containsId } from './read-subtree.ts';
import type { Conflict } from './undo-context.ts';

interface RecordedRun {
  readonly effects: readonly ResourceEffect[];
  readonly orders: readonly RecordedOrder[];
  /** Whether the run is an undo itself. */
  readonly isUndo: boolean;
  readonly state: ManifestState;
  readonly live: LiveCache;
  readonly table: readonly Kind[];
}

/** What of a run may be undone. */
export interface UndoableRun {
  readonly effects: readonly ResourceEffect[];
  readonly orders: readonly RecordedOrder[];
  /** What is left out, because the state file does not own it. */
  readonly refused: readonly Conflict[];
  readonly notes: readonly string[];
}

/**
 * Leaves out of a run what the state file does not own, and fields and entries that no resource of the kind has. A journal
 * is a file that anybody may edit, so it is not trusted with more.
 */
export async function excludeUnowned(run: RecordedRun): Promise<UndoableRun> {
  const checker = new Checker(run);
  const effects: ResourceEffect[] = [];
  for (const effect of run.effects) if (checker.isUndoable(effect)) effects.push(await checker.trim(effect));
  const orders = run.orders.filter((order) => checker.isValidOrder(order));
  return { effects, orders, refused: checker.refused, notes: checker.notes };
}

class Checker {
  readonly refused: Conflict[] = [];
  readonly notes: string[] = [];
  readonly #run: RecordedRun;
  /** Kind and id of all that the state file owns. */
  readonly #owned: ReadonlySet<string>;
  /** Kind and id of all that the run deleted, and that may come back. */
  readonly #deleted = new Set<string>();

  constructor(run: RecordedRun) {
    this.#run = run;
    this.#owned = new Set(run.state.entries().map(([, { kind, id }]) => `${kind} ${id}`));
    const add = ({ kind, id, inside }: DeletedResource): void => {
      this.#deleted.add(`${kind} ${id}`);
      inside.forEach(add);
    };
    for (const { deleted } of run.effects) if (deleted !== undefined) add(deleted);
  }

  /** What was created is checked when it is to be deleted. What is gone is owned by nobody. */
  isUndoable({ action, kind, id, address, stateBefore, stateAfter, changes }: ResourceEffect): boolean {
    if (
      action === 'create' ||
      id === undefined ||
      changes.size === 0 ||
      this.#owned.has(`${kind.name} ${id}`)
    )
      return true;
    const before = stateBefore.get(address);
    const isReleased =
      this.#run.isUndo &&
      before?.id === id &&
      before.kind === kind.name &&
      stateAfter.get(address) === null &&
      this.#run.state.wasOwned(address);
    if (isReleased)
      this.notes.push(
        `${address} (${id}) is owned by nobody since that run let it go: it is changed, and owned again.`,
      );
    else this.refused.push({ address, why: `is ${kind.name} ${id}, which the lock does not own` });
    return isReleased;
  }

  /** Takes out of an effect the fields, entries and referrers that it cannot have. */
  async trim(effect: ResourceEffect): Promise<ResourceEffect> {
    const { kind, address, changes, stateBefore, referrers, deleted } = effect;
    for (const field of changes.keys()) {
      if (findField(kind, field) !== undefined) continue;
      this.refused.push({ address, field, why: `is no field of a ${kind.name}` });
      changes.delete(field);
    }
    for (const [other, entry] of stateBefore) {
      if (await this.#isValidEntry(effect, other, entry)) continue;
      const why =
        entry === null
          ? 'is owned, and no step of the run took it over'
          : `would be owned as ${entry.kind} ${entry.id}, which the lock does not own`;
      this.refused.push({ address: other, why });
      stateBefore.delete(other);
    }
    const valid = referrers.filter(
      (referrer) => deleted !== undefined && this.#isValidReferrer(referrer, deleted),
    );
    for (const referrer of referrers) {
      if (valid.includes(referrer)) continue;
      const { kind: name, id, field } = referrer;
      this.refused.push({ address: `${name}.${id}`, field, why: `did not refer to ${address}` });
    }
    return { ...effect, referrers: valid };
  }

  /** Whether an order lies in what is owned or comes back. */
  isValidOrder({ kind: name, at, holders }: RecordedOrder): boolean {
    const kind = this.#kindNamed(name);
    const [parent = '', id = ''] = at.at(-1) ?? [];
    const isKnown =
      kind?.ordered?.parts !== undefined &&
      canLieIn(kind, parent) &&
      Object.keys(holders).every((field) => exclusiveFields(kind).includes(field));
    if (isKnown && this.#isOwned(parent, id)) return true;
    const why = isKnown ? 'lies in what the lock does not own' : 'is no order that a run sets';
    this.refused.push({ address: `${parent}.${id} (order)`, why });
    return false;
  }

  #kindNamed(name: string): Kind | undefined {
    return this.#run.table.find((kind) => kind.name === name);
  }

  /** Whether a resource is owned or comes back. */
  #isOwned(kind: string, id: string): boolean {
    return this.#owned.has(`${kind} ${id}`) || this.#deleted.has(`${kind} ${id}`);
  }

  /** Whether an entry is of what is owned, of what the step was about, or of what is not there. */
  async #isValidEntry(
    { kind, id, address }: ResourceEffect,
    other: string,
    entry: Owned | null,
  ): Promise<boolean> {
    const { state, live } = this.#run;
    const now = state.get(other);
    if (entry === null)
      return now === undefined || other === address || (now.kind === kind.name && now.id === id);
    const entryKind = this.#kindNamed(entry.kind);
    // Of a kind that this docsctl does not know, the state file keeps what it has.
    if (entryKind === undefined) return now?.kind === entry.kind && now.id === entry.id;
    const hasOnlyFields = Object.keys(entry.fields).every((name) => findField(entryKind, name) !== undefined);
    if (!other.startsWith(`${entry.kind}.`) || !hasOnlyFields) return false;
    if (this.#isOwned(entry.kind, entry.id) || (entryKind === kind && entry.id === id)) return true;
    const within = this.#locate(entry.parent);
    if (!canLieIn(entryKind, within?.kind)) return true;
    return (await live.find(entryKind, entry.id, within)) === undefined;
  }

  #locate(address: string | undefined, seen: readonly string[] = []): Located | undefined {
    if (address === undefined || seen.includes(address)) return undefined;
    const owned = this.#run.state.get(address) ?? this.#entryBefore(address);
    return (
      owned && { kind: owned.kind, id: owned.id, within: this.#locate(owned.parent, [...seen, address]) }
    );
  }

  #entryBefore(address: string): Owned | undefined {
    for (const { stateBefore } of this.#run.effects) {
      const entry = stateBefore.get(address) ?? undefined;
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** Whether the field of a referrer refers to resources of the deleted kind, and did refer to this one. */
  #isValidReferrer({ kind: name, field, before }: RecordedReferrer, deleted: DeletedResource): boolean {
    const kind = this.#kindNamed(name);
    const definition = kind && findField(kind, field);
    return definition?.refersTo === deleted.kind && containsId(before, deleted.id);
  }
}
