import type { Kind, Located } from '../kind.ts';
import type { Owned } from '../manifest-state.ts';
import type { StateChange } from '../plan-document.ts';
import { canonical } from '../value.ts';
import { withAddresses } from '../with-addresses.ts';
import { fromPath, type LiveCache } from './live-cache.ts';
import { withoutSecrets } from './recorder.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { Conflict, UndoRequest } from './plan-undo.ts';
import type { UndoItem, UndoSteps } from './undo-steps.ts';

/** What all parts of an undo share: what is live, what is to be done, and what cannot be. */
export class UndoContext {
  readonly conflicts: Conflict[] = [];
  /** What nobody may insist on. */
  readonly refused: Conflict[] = [];
  readonly lost: string[] = [];
  readonly notes: string[] = [];
  /** What the run brought about beside its steps, each the object of "stays". */
  readonly stays: string[] = [];
  readonly request: UndoRequest;
  readonly touched: readonly ResourceEffect[];
  readonly lists: LiveCache;
  readonly steps: UndoSteps;
  /** What is made anew or brought back: address by kind and the id it had. */
  readonly anew = new Map<string, string>();

  constructor(request: UndoRequest, touched: readonly ResourceEffect[], lists: LiveCache, steps: UndoSteps) {
    this.request = request;
    this.touched = touched;
    this.lists = lists;
    this.steps = steps;
  }

  /** Whether it is undone although somebody changed it since; otherwise it is a conflict. */
  insists(conflict: Conflict): boolean {
    if (this.request.force === true) return true;
    this.conflicts.push(conflict);
    return false;
  }

  /** A value of the past with refs to what is made anew, and to what has a name; `gone`: an id in it is no longer there. */
  async refer(
    kind: Kind,
    field: string,
    value: unknown,
    within: Located | undefined,
  ): Promise<{ readonly value: unknown; readonly gone?: string }> {
    const definition = kind.fields[field]!;
    if (definition.refersTo === undefined) return { value };
    const ids: string[] = [];
    withAddresses(value, definition, (known) => void ids.push(known.slice(definition.refersTo!.length + 1)));
    const target = this.steps.kind(definition.refersTo);
    const scope = target.slots.some((spot) => spot.within === undefined) ? undefined : within;
    let gone: string | undefined;
    const known = new Map<string, string>();
    for (const id of ids) {
      const key = `${target.name} ${id}`;
      const address = this.anew.get(key) ?? (await this.steps.find(target, id, scope))?.address;
      if (address === undefined) gone ??= id;
      else known.set(key, address);
    }
    return {
      value: withAddresses(value, definition, (key) => known.get(key)),
      ...(gone === undefined ? {} : { gone }),
    };
  }

  /** The lock alone, for something that is not there any more. */
  relockAlone(touched: ResourceEffect): void {
    const lock: StateChange[] = [];
    this.relock(touched, { lock, body: { id: '' } }, new Set(), new Set(), undefined);
    this.steps.addLock(touched, lock);
  }

  /** Makes the lock say what it said before the run; `kept` are fields that stay as they are now. */
  relock(
    { before, after, kind }: Pick<ResourceEffect, 'before' | 'after' | 'kind'>,
    item: Pick<UndoItem, 'lock' | 'body'>,
    undone: ReadonlySet<string>,
    kept: ReadonlySet<string>,
    oldId: string | undefined,
  ): void {
    const { state, table } = this.request;
    for (const [address, old] of before) {
      const now = state.get(address);
      const isLater = after.has(address) && !sameEntry(withoutSecrets(now, table), after.get(address)!);
      if (isLater && (now === undefined || old === null)) continue;
      const entry =
        old === null ? null : this.#merged(old, now, isLater ? undone : undefined, kept, kind.name);
      if (entry !== null && entry.id === oldId && item.body === undefined)
        item.lock.push({ address, owned: withoutId(entry) });
      else if (!sameEntry(entry, now ?? null)) item.lock.push({ address, owned: entry });
    }
  }

  /** Of secrets the lock keeps what it knows; of an entry that a later run changed, all that is not undone. */
  #merged(
    old: Owned,
    now: Owned | undefined,
    undone: ReadonlySet<string> | undefined,
    kept: ReadonlySet<string>,
    kindName: string,
  ): Owned {
    const { table } = this.request;
    const kind = table.find(({ name }) => name === kindName);
    const shown = now === undefined ? {} : (withoutSecrets(now, table)?.fields ?? {});
    const secrets =
      now === undefined || now.id !== old.id
        ? {}
        : Object.fromEntries(Object.entries(now.fields).filter(([name]) => !Object.hasOwn(shown, name)));
    const isNow = (name: string): boolean => kept.has(name) || (undone !== undefined && !undone.has(name));
    const fields: Record<string, unknown> = { ...secrets };
    for (const name of new Set([...Object.keys(old.fields), ...Object.keys(shown)])) {
      const from = isNow(name) ? shown : old.fields;
      if (!Object.hasOwn(from, name)) continue;
      const definition =
        kind !== undefined && Object.hasOwn(kind.fields, name) ? kind.fields[name]! : undefined;
      fields[name] =
        definition === undefined
          ? from[name]
          : withAddresses(from[name], definition, (known) => this.anew.get(known));
    }
    // Secrets stand where the lock has them, so that its lines change no more than they have to.
    const order = [
      ...new Set([
        ...(Object.keys(secrets).length === 0 ? [] : Object.keys(now!.fields)),
        ...Object.keys(fields),
      ]),
    ];
    return {
      ...old,
      fields: Object.fromEntries(
        order.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : [])),
      ),
    };
  }
}

function withoutId({ kind, parent, protect, fields, left }: Owned): Omit<Owned, 'id'> {
  return {
    kind,
    ...(parent === undefined ? {} : { parent }),
    ...(protect === undefined ? {} : { protect }),
    fields,
    ...(left === undefined ? {} : { left }),
  };
}

function sameEntry(one: Owned | null, other: Owned | null): boolean {
  return canonical(one) === canonical(other);
}

/** What a resource lay in. */
export function within(touched: Pick<ResourceEffect, 'within'>): Located | undefined {
  return fromPath(touched.within);
}
