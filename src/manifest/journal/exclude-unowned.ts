import { canLieIn, findField, type Kind, type Located } from '../kind.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { DeletedResource, RecordedOrder, RecordedReferrer } from './journal-lines.ts';
import type { LiveCache } from './live-cache.ts';
import { containsId } from './read-subtree.ts';
import type { Run } from './read-run.ts';
import type { Conflict } from './undo-context.ts';

interface RecordedRun {
  readonly run: Run;
  readonly effects: readonly ResourceEffect[];
  readonly state: ManifestState;
  readonly live: LiveCache;
  readonly table: readonly Kind[];
}

interface UndoableRun {
  readonly effects: readonly ResourceEffect[];
  readonly orders: readonly RecordedOrder[];
  readonly refused: readonly Conflict[];
  readonly notes: readonly string[];
}

/**
 * Removes from a run all resources that the state file does not own, and all data that a resource of the kind cannot have.
 * Journals are not trusted, because anybody may edit them.
 */
export async function excludeUnowned(recorded: RecordedRun): Promise<UndoableRun> {
  const checker = new Checker(recorded);
  const effects: ResourceEffect[] = [];
  for (const effect of recorded.effects)
    if (checker.isUndoable(effect)) effects.push(await checker.trim(effect));
  const orders = recorded.run.orders.filter((order) => checker.isValidOrder(order));
  return { effects, orders, refused: checker.refused, notes: checker.notes };
}

class Checker {
  readonly refused: Conflict[] = [];
  readonly notes: string[] = [];
  readonly #recorded: RecordedRun;
  /** Kinds and IDs of the resources that the state file owns. */
  readonly #owned: ReadonlySet<string>;
  /** Kinds and IDs of the resources that the run deleted. */
  readonly #deleted = new Set<string>();

  constructor(recorded: RecordedRun) {
    this.#recorded = recorded;
    this.#owned = new Set(recorded.state.entries().map(([, { kind, id }]) => `${kind} ${id}`));
    for (const { deleted } of recorded.effects) if (deleted !== undefined) this.#addDeleted(deleted);
  }

  #addDeleted({ kind, id, inside }: DeletedResource): void {
    this.#deleted.add(`${kind} ${id}`);
    for (const inner of inside) this.#addDeleted(inner);
  }

  /** Whether an effect is on an owned resource. Creates are checked when they are undone. */
  isUndoable({ action, kind, id, address, stateBefore, stateAfter, changes }: ResourceEffect): boolean {
    if (action === 'create' || id === undefined || changes.size === 0) return true;
    if (this.#owned.has(`${kind.name} ${id}`)) return true;
    const before = stateBefore.get(address);
    const isReleased =
      this.#recorded.run.head.undoes !== undefined &&
      before?.id === id &&
      before.kind === kind.name &&
      stateAfter.get(address) === null &&
      this.#recorded.state.wasOwned(address);
    if (isReleased)
      this.notes.push(
        `The run released ${address} (${id}), so the manifest no longer owns it. The undo changes it and owns it again.`,
      );
    else this.refused.push({ address, why: `is ${kind.name} ${id}, which the state file does not own` });
    return isReleased;
  }

  /** Removes fields, entries and referrers that an effect cannot have. */
  async trim(effect: ResourceEffect): Promise<ResourceEffect> {
    const { kind, address, changes, stateBefore, referrers } = effect;
    for (const field of changes.keys()) {
      if (findField(kind, field) !== undefined) continue;
      this.refused.push({ address, field, why: `is not a field of a ${kind.name}` });
      changes.delete(field);
    }
    for (const [other, entry] of stateBefore) {
      if (await this.#isValidEntry(effect, other, entry)) continue;
      const why =
        entry === null
          ? 'is owned, but no step of the run took it over'
          : `would be owned as ${entry.kind} ${entry.id}, which the state file does not own`;
      this.refused.push({ address: other, why });
      stateBefore.delete(other);
    }
    const valid = referrers.filter((referrer) => {
      const isValid = this.#isValidReferrer(referrer, effect.deleted);
      const { kind: name, id, field } = referrer;
      if (!isValid)
        this.refused.push({ address: `${name}.${id}`, field, why: `did not refer to ${address}` });
      return isValid;
    });
    return { ...effect, referrers: valid };
  }

  /** Whether an order is inside a resource that is owned or comes back. */
  isValidOrder({ kind: name, at, holders }: RecordedOrder): boolean {
    const kind = this.#kindNamed(name);
    const [parent = '', id = ''] = at.at(-1) ?? [];
    const isKnown =
      kind?.ordered?.parts !== undefined &&
      canLieIn(kind, parent) &&
      Object.keys(holders).every((field) => findField(kind, field)?.exclusive === true);
    if (isKnown && this.#isOwned(parent, id)) return true;
    const why = isKnown
      ? 'is inside something that the state file does not own'
      : 'is not an order that a run sets';
    this.refused.push({ address: `${parent}.${id} (order)`, why });
    return false;
  }

  #kindNamed(name: string): Kind | undefined {
    return this.#recorded.table.find((kind) => kind.name === name);
  }

  #isOwned(kind: string, id: string): boolean {
    return this.#owned.has(`${kind} ${id}`) || this.#deleted.has(`${kind} ${id}`);
  }

  /** Whether an entry belongs to an owned resource, to the resource of the step, or to one that no longer exists. */
  async #isValidEntry(
    { kind, id, address }: ResourceEffect,
    other: string,
    entry: Owned | null,
  ): Promise<boolean> {
    const { state, live } = this.#recorded;
    const now = state.get(other);
    if (entry === null)
      return now === undefined || other === address || (now.kind === kind.name && now.id === id);
    const entryKind = this.#kindNamed(entry.kind);
    // The state file may contain entries of unknown kinds.
    if (entryKind === undefined) return now?.kind === entry.kind && now.id === entry.id;
    const isFitting =
      other.startsWith(`${entry.kind}.`) &&
      Object.keys(entry.fields).every((name) => findField(entryKind, name) !== undefined);
    if (!isFitting) return false;
    if (this.#isOwned(entry.kind, entry.id) || (entryKind === kind && entry.id === id)) return true;
    const within = this.#locate(entry.parent);
    return !canLieIn(entryKind, within?.kind) || (await live.find(entryKind, entry.id, within)) === undefined;
  }

  /** Locates a resource by the state file, or by its entry before the run. */
  #locate(address: string | undefined, seen: readonly string[] = []): Located | undefined {
    if (address === undefined || seen.includes(address)) return undefined;
    const { state, effects } = this.#recorded;
    const entries = [state.get(address), ...effects.map(({ stateBefore }) => stateBefore.get(address))];
    const owned = entries.find((entry) => entry !== undefined && entry !== null);
    return (
      owned && { kind: owned.kind, id: owned.id, within: this.#locate(owned.parent, [...seen, address]) }
    );
  }

  /** Whether a field can refer to resources of the deleted kind, and referred to this one. */
  #isValidReferrer(
    { kind: name, field, before }: RecordedReferrer,
    deleted: DeletedResource | undefined,
  ): boolean {
    const kind = this.#kindNamed(name);
    const refersTo = kind && findField(kind, field)?.refersTo;
    return deleted !== undefined && refersTo === deleted.kind && containsId(before, deleted.id);
  }
}
