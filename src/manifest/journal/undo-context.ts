import type { Api } from '../../contract/api.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import {
  canLieIn,
  displayName,
  findField,
  type Body,
  type Field,
  type Fields,
  type Kind,
  type Located,
} from '../kind.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import type { Change, PlanDocument, StateChange, Step } from '../plan-document.ts';
import type { DeleteLimit } from '../guard-deletes.ts';
import { isSame } from '../value.ts';
import { literalIds } from '../literal-ids.ts';
import { withAddresses } from '../with-addresses.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { RecordedOrder } from './journal-lines.ts';
import type { LiveCache } from './live-cache.ts';
import type { Run } from './read-run.ts';

export interface UndoRequest {
  readonly run: Run;
  readonly api: Api;
  readonly state: ManifestState;
  readonly table: readonly Kind[];
  readonly now: number;
  /**
   * Also undoes changes of fields that have changed since, resources that the run may not have created, and protected resources.
   */
  readonly force?: boolean | undefined;
  /** Maximum number of deleted resources. The default is that of `PruneOptions`. */
  readonly maxDeletes?: DeleteLimit | undefined;
  /** Called with the undo before it is refused because of its deletes. */
  readonly onRefused?: (undo: Undo) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A change that is not undone, because it has changed since the run. */
export interface Conflict {
  readonly address: string;
  readonly field?: string;
  readonly why: string;
  /** The values of the field now and before the run. */
  readonly now?: unknown;
  readonly was?: unknown;
}

export interface Undo {
  readonly document: PlanDocument;
  readonly conflicts: readonly Conflict[];
  /** Conflicts about resources that the state file does not own. `force` does not override them. */
  readonly refused: readonly Conflict[];
  /** Sentences about things that cannot be restored, or not completely. */
  readonly lost: readonly string[];
  /** Ends of sentences about side effects of the run that an undo cannot remove. */
  readonly stays: readonly string[];
  /** Sentences about things that will be restored or deleted. */
  readonly notes: readonly string[];
}

/** A resource that an undo changes, or that others refer to or are inside of. */
export interface UndoItem {
  readonly address: string;
  readonly kind: Kind;
  readonly name: string;
  /** Absent if it is created or restored. */
  readonly body: Body | undefined;
  readonly parent: string | undefined;
  /** The id under which a deleted resource can be restored. */
  readonly restores?: string | undefined;
  readonly changes: Map<string, Omit<Change, 'field'>>;
  readonly stateChanges: StateChange[];
  atCreation?: Fields;
  /** Keys of deletes that must be done first. */
  readonly waits: Set<string>;
}

interface RestorableEffect extends Pick<ResourceEffect, 'kind' | 'stateAfter'> {
  readonly stateBefore: Iterable<readonly [address: string, owned: Owned | null]>;
}

interface Restoring {
  /** Fields that are set back. The entry has changed since the run. */
  readonly undone?: ReadonlySet<string>;
  /** Fields that keep their current value. */
  readonly kept?: ReadonlySet<string>;
  /** The ID of a deleted resource. The new resource gets another ID. */
  readonly oldId?: string;
}

const none: ReadonlySet<string> = new Set();

export class UndoContext {
  readonly conflicts: Conflict[] = [];
  readonly refused: Conflict[] = [];
  readonly lost: string[] = [];
  readonly stays: string[] = [];
  readonly notes: string[] = [];
  readonly request: UndoRequest;
  readonly effects: readonly ResourceEffect[];
  readonly live: LiveCache;
  readonly items = new Map<string, UndoItem>();
  deletes: Step[] = [];
  /** Steps that only change the state file. */
  readonly stateSteps: Step[] = [];
  readonly orders: RecordedOrder[] = [];
  /** IDs of live resources that keep a unique value which another resource should get back. */
  readonly holders = new Set<string>();
  /** Addresses of deleted resources that come back, by kind and former ID. */
  readonly recreated = new Map<string, string>();
  readonly #addresses = new Map<string, string>();

  constructor(request: UndoRequest, effects: readonly ResourceEffect[], live: LiveCache) {
    this.request = request;
    this.effects = effects;
    this.live = live;
    for (const [address, { kind, id }] of request.state.entries()) this.setAddress(kind, id, address);
    for (const { kind, id, address } of effects)
      if (id !== undefined) this.setAddress(kind.name, id, address);
  }

  /** Whether `force` overrides a conflict. If not, the conflict is recorded. */
  mayOverwrite(conflict: Conflict): boolean {
    if (this.request.force === true) return true;
    this.conflicts.push(conflict);
    return false;
  }

  /** Records a sentence about something that cannot be restored. */
  lose(sentence: string): false {
    this.lost.push(sentence);
    return false;
  }

  addressOf(kind: string, id: string): string {
    return this.#addresses.get(`${kind} ${id}`) ?? `${kind}.${id}`;
  }

  setAddress(kind: string, id: string, address: string): void {
    this.#addresses.set(`${kind} ${id}`, address);
  }

  add(item: Omit<UndoItem, 'changes' | 'stateChanges' | 'waits'>): UndoItem {
    const added = { ...item, changes: new Map(), stateChanges: [], waits: new Set<string>() };
    this.items.set(item.address, added);
    return added;
  }

  /** Finds a live resource, and adds it and its parents to the items. */
  async find(kind: Kind, id: string, within: Located | undefined): Promise<UndoItem | undefined> {
    const address = this.addressOf(kind.name, id);
    const known = this.items.get(address);
    if (known !== undefined) return known;
    const body = await this.live.find(kind, id, within);
    if (body === undefined) return undefined;
    const name = displayName(kind, body, this.live.backend, address);
    return this.add({ address, kind, body, parent: await this.addParent(within), name });
  }

  async addParent(at: Located | undefined): Promise<string | undefined> {
    if (at === undefined) return undefined;
    await this.find(this.kindNamed(at.kind), at.id, at.within);
    return this.addressOf(at.kind, at.id);
  }

  /** @throws Problem(invalid-input) for a kind that this docsctl does not know */
  kindNamed(name: string): Kind {
    const kind = this.request.table.find((one) => one.name === name);
    if (kind === undefined)
      throw new Problem(
        'invalid-input',
        `The journal contains a resource of the kind "${name}", which this version of docsctl does not know.`,
        { hint: 'Undo the run with the version of docsctl that made the run.' },
      );
    return kind;
  }

  /** Locates an item; undefined if it is not live. */
  locate(address: string | undefined): Located | undefined {
    const item = address === undefined ? undefined : this.items.get(address);
    return item?.body && { kind: item.kind.name, id: item.body.id, within: this.locate(item.parent) };
  }

  /** Returns the address of a resource that is live or comes back. */
  async findAddress(kind: Kind, id: string, within: Located | undefined): Promise<string | undefined> {
    return this.recreated.get(`${kind.name} ${id}`) ?? (await this.find(kind, id, within))?.address;
  }

  /** Replaces IDs in a recorded value by references. `missing` is the first ID that has no address. */
  async toReferences(
    field: Field,
    value: unknown,
    within: Located | undefined,
  ): Promise<{ value: unknown; missing?: string }> {
    const { refersTo } = field;
    if (refersTo === undefined) return { value };
    const target = this.kindNamed(refersTo);
    const scope = canLieIn(target, undefined) ? undefined : within;
    let missing: string | undefined;
    const addresses = new Map<string, string>();
    for (const id of literalIds(field, value)) {
      const address = await this.findAddress(target, id, scope);
      if (address === undefined) missing ??= id;
      else addresses.set(`${target.name} ${id}`, address);
    }
    return {
      value: withAddresses(value, field, (known) => addresses.get(known)),
      ...defined({ missing }),
    };
  }

  /** Restores only the entry in the state file, for a resource that no longer exists. */
  addStateStep(effect: ResourceEffect): void {
    const { address, name } = effect;
    const lock = this.restoreState(effect);
    const step = { key: `${address} (lock)`, address, kind: effect.kind.name, action: 'none' } as const;
    if (lock.length > 0) this.stateSteps.push({ ...step, name, changes: [], after: [], calls: 0, lock });
  }

  /** Restores the entries of a resource in the state file. */
  restoreState(
    { kind, stateBefore, stateAfter }: RestorableEffect,
    { undone = none, kept = none, oldId }: Restoring = {},
  ): StateChange[] {
    const { state } = this.request;
    const changes: StateChange[] = [];
    for (const [address, before] of stateBefore) {
      const now = state.get(address);
      const after = stateAfter.get(address);
      const isChangedSince = after !== undefined && !isSame(now, after);
      if (isChangedSince && (now === undefined || before === null)) continue;
      const isNow = (name: string) => kept.has(name) || (isChangedSince && !undone.has(name));
      const entry = before && this.#mergeEntry(before, now, kind, isNow);
      if (entry !== null && entry.id === oldId) {
        const { id: _, ...withoutId } = entry;
        changes.push({ address, owned: withoutId });
      } else if (!isSame(entry, now)) changes.push({ address, owned: entry });
    }
    return changes;
  }

  /** Updates references in the state file entry of a resource to resources that come back with another ID. */
  renewReferences(address: string, kind: Kind): StateChange[] {
    const now = this.request.state.get(address);
    const entry = now && this.#mergeEntry(now, now, kind, () => false);
    return entry === undefined || isSame(entry, now) ? [] : [{ address, owned: entry }];
  }

  /** Merges two entries of the state file: each field comes from `now` if `isNow` returns true for it, else from `before`. */
  #mergeEntry(before: Owned, now: Owned | undefined, kind: Kind, isNow: (field: string) => boolean): Owned {
    const current = now?.fields ?? {};
    const names = new Set([before.fields, current].flatMap(Object.keys));
    const fields = [...names].flatMap((name): [string, unknown][] => {
      const from = isNow(name) ? current : before.fields;
      if (!Object.hasOwn(from, name)) return [];
      const field = findField(kind, name) ?? {};
      return [[name, withAddresses(from[name], field, (key) => this.recreated.get(key))]];
    });
    return { ...before, fields: Object.fromEntries(fields) };
  }
}
