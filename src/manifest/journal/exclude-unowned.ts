import type { Kind, Located } from '../kind.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import { exclusiveFlags } from './read-orders.ts';
import { containsId } from './read-subtree.ts';
import type { RecordedReferrer, RecordedOrder, DeletedResource } from './journal-lines.ts';
import type { LiveCache } from './live-cache.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { Conflict } from './plan-undo.ts';

/** What of a run may be undone: a journal is a file that anybody may have edited, and what the lock does not own is not for it to change. */
export interface UndoableRun {
  readonly touched: readonly ResourceEffect[];
  readonly scopes: readonly RecordedOrder[];
  /** What is left out, because the lock does not own it. */
  readonly refused: readonly Conflict[];
  readonly notes: readonly string[];
}

interface Checking {
  readonly touched: readonly ResourceEffect[];
  readonly scopes: readonly RecordedOrder[];
  /** The run is an undo itself. */
  readonly isUndo: boolean;
  readonly state: ManifestState;
  readonly lists: LiveCache;
  readonly table: readonly Kind[];
}

/** Leaves out of a run what its lock does not own, and fields and entries that no resource of the kind has. */
export async function excludeUnowned(checking: Checking): Promise<UndoableRun> {
  const checker = new Checker(checking);
  const touched: ResourceEffect[] = [];
  for (const one of checking.touched) {
    if (checker.isOwned(one)) touched.push(await checker.trimmed(one));
  }
  return {
    touched,
    scopes: checking.scopes.filter((scope) => checker.isSoundScope(scope)),
    refused: checker.refused,
    notes: checker.notes,
  };
}

class Checker {
  readonly refused: Conflict[] = [];
  readonly notes: string[] = [];
  readonly #checking: Checking;
  readonly #owned: ReadonlySet<string>;
  /** What the run deleted, with all that lay in it: it may come back. */
  readonly #deleted = new Set<string>();

  constructor(checking: Checking) {
    this.#checking = checking;
    this.#owned = new Set(checking.state.entries().map(([, { kind, id }]) => `${kind} ${id}`));
    const add = (was: DeletedResource): void => {
      this.#deleted.add(`${was.kind} ${was.id}`);
      was.inside.forEach(add);
    };
    for (const { was } of checking.touched) if (was !== undefined) add(was);
  }

  /** What was made is looked at where it is deleted, and what is gone is owned by nobody. */
  isOwned(touched: ResourceEffect): boolean {
    const { how, kind, id, address, before, after, changes } = touched;
    if (how === 'made' || id === undefined || changes.size === 0 || this.#owned.has(`${kind.name} ${id}`))
      return true;
    const was = before.get(address);
    const isLetGo =
      this.#checking.isUndo &&
      was?.id === id &&
      was.kind === kind.name &&
      after.get(address) === null &&
      this.#checking.state.wasOwned(address);
    if (isLetGo)
      this.notes.push(
        `${address} (${id}) is owned by nobody since that run let it go: it is changed, and owned again.`,
      );
    else this.refused.push({ address, why: `is ${kind.name} ${id}, which the lock does not own` });
    return isLetGo;
  }

  async trimmed(touched: ResourceEffect): Promise<ResourceEffect> {
    const { kind, address, changes, before, asides, was } = touched;
    for (const field of changes.keys()) {
      if (Object.hasOwn(kind.fields, field)) continue;
      this.refused.push({ address, field, why: `is no field of a ${kind.name}` });
      changes.delete(field);
    }
    for (const [name, entry] of before) {
      if (await this.#isSoundEntry(touched, name, entry)) continue;
      this.refused.push({
        address: name,
        why:
          entry === null
            ? 'is owned, and no step of the run took it over'
            : `would be owned as ${entry.kind} ${entry.id}, which the lock does not own`,
      });
      before.delete(name);
    }
    const sound = asides.filter((aside) => was !== undefined && this.#isSoundAside(aside, was));
    for (const { kind: name, id, field } of asides.filter((aside) => !sound.includes(aside)))
      this.refused.push({ address: `${name}.${id}`, field, why: `did not refer to ${address}` });
    return sound.length === asides.length ? touched : { ...touched, asides: sound };
  }

  /** An order is set within what is owned, or comes back. */
  isSoundScope({ kind: name, at, holders }: RecordedOrder): boolean {
    const { table } = this.#checking;
    const kind = table.find((one) => one.name === name);
    const [parent = '', id = ''] = at.at(-1) ?? [];
    const isKnown = kind?.ordered?.parts !== undefined && kind.slots.some(({ within }) => within === parent);
    const isHeld =
      kind !== undefined && Object.keys(holders).every((field) => exclusiveFlags(kind).includes(field));
    const isOwned = this.#owned.has(`${parent} ${id}`) || this.#deleted.has(`${parent} ${id}`);
    if (isKnown && isHeld && isOwned) return true;
    this.refused.push({
      address: `${parent}.${id} (order)`,
      why: isKnown && isHeld ? 'lies in what the lock does not own' : 'is no order that a run sets',
    });
    return false;
  }

  /** An entry that the lock gets back is of what it owns, of what the step was about, or of what is not there. */
  async #isSoundEntry(
    { kind, id, address }: ResourceEffect,
    name: string,
    entry: Owned | null,
  ): Promise<boolean> {
    const { state, table } = this.#checking;
    const now = state.get(name);
    if (entry === null)
      return now === undefined || name === address || (now.kind === kind.name && now.id === id);
    const known = table.find((one) => one.name === entry.kind);
    // A kind that this docsctl does not know: the lock keeps what it has.
    if (known === undefined) return now?.kind === entry.kind && now.id === entry.id;
    if (
      !name.startsWith(`${entry.kind}.`) ||
      Object.keys(entry.fields).some((field) => !Object.hasOwn(known.fields, field))
    )
      return false;
    if (
      this.#owned.has(`${entry.kind} ${entry.id}`) ||
      (entry.kind === kind.name && entry.id === id) ||
      this.#deleted.has(`${entry.kind} ${entry.id}`)
    )
      return true;
    const within = this.#locate(entry.parent, new Set());
    const body = known.slots.some((spot) => spot.within === within?.kind)
      ? await this.#checking.lists.find(known, { id: entry.id, within })
      : undefined;
    return body === undefined;
  }

  #locate(address: string | undefined, seen: Set<string>): Located | undefined {
    if (address === undefined || seen.has(address)) return undefined;
    seen.add(address);
    const owned = this.#entry(address);
    return owned === undefined
      ? undefined
      : { kind: owned.kind, id: owned.id, within: this.#locate(owned.parent, seen) };
  }

  #entry(address: string): Owned | undefined {
    const now = this.#checking.state.get(address);
    if (now !== undefined) return now;
    for (const { before } of this.#checking.touched) {
      const entry = before.get(address);
      if (entry !== undefined && entry !== null) return entry;
    }
    return undefined;
  }

  /** Only what referred to the deleted one is told to do so again, by the field that did. */
  #isSoundAside({ kind: name, field, before }: RecordedReferrer, was: DeletedResource): boolean {
    const kind = this.#checking.table.find((one) => one.name === name);
    return (
      kind !== undefined &&
      Object.hasOwn(kind.fields, field) &&
      kind.fields[field]!.refersTo === was.kind &&
      containsId(before, was.id)
    );
  }
}
