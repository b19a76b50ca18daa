import type { Fields } from './kind.ts';
import type { Owned } from './manifest-state.ts';

export type Action = 'create' | 'update' | 'adopt' | 'move' | 'delete' | 'none' | 'unsupported';

/** One field that is not as the file wants it. Refs stand as `{ "docsctl:ref": "space.guide" }`, secrets as their keyed hash. */
export interface Change {
  readonly field: string;
  /** Absent where the resource is new, or the API does not show the field. */
  readonly before?: unknown;
  readonly after: unknown;
  /** What differs in words, where the two values do not show it. */
  readonly says?: string;
  /** Who moved since the last apply: the file, the live side, or both. Absent where a run is undone. */
  readonly moved?: 'file' | 'live' | 'both' | undefined;
}

/** What is done with one resource, or part of it. */
export interface Step {
  /** The address, and what part of the work it is where there are several. */
  readonly key: string;
  readonly address: string;
  readonly kind: string;
  readonly action: Action;
  /** What a person calls it: its title or path. */
  readonly name: string;
  /** Where the file states it, as `org.yaml:3:5`; absent for what the file does not have. */
  readonly at?: string;
  readonly id?: string;
  /** Address of what it lies in. */
  readonly parent?: string;
  /** An id that the lock has, of something that is no longer there: it is made anew. */
  readonly gone?: string;
  readonly changes: readonly Change[];
  /** Keys of steps that have to be done before. */
  readonly after: readonly string[];
  /** Calls that it makes at most. */
  readonly calls: number;
  /** Why it cannot be done here. */
  readonly reason?: string;
  /** It cannot be done because whoever runs this may not see it. */
  readonly forbidden?: true;
  /** What to do instead, where it looks as if something else is meant. */
  readonly hint?: string;
  /** All that the file states, for the lock; absent where the lock has it already. */
  readonly states?: Fields;
  readonly protect?: boolean;
  /** What the lock says of `protect`, where that changes: no call is made for it. */
  readonly protectWas?: boolean;
  /** What only the create needs beside the changes. */
  readonly atCreation?: Fields;
  /** Calls that are made when all inside is done. */
  readonly late?: true;
  /** For a move in the order: the address beside which it is put. */
  readonly beside?: { readonly before: string } | { readonly after: string };
  /** Addresses that leave the lock with it: what lay in it, or what it was called before. */
  readonly drops?: readonly string[];
  /** An id under which it was deleted: it is brought back where the backend can, and made anew where not. */
  readonly restores?: string;
  /** Entries that the lock has when the step is done, in place of what it states; null: none. */
  readonly lock?: readonly StateChange[];
  /** Fingerprint of what was live, to see later whether it still is. */
  readonly saw?: string;
}

/** An entry of the lock as it was before a run; without an id it is that of the step, and refs stand for ids of what is made anew. */
export interface StateChange {
  readonly address: string;
  readonly owned: (Omit<Owned, 'id'> & { readonly id?: string }) | null;
}

/** Something that the lock owns and the file no longer has. */
export interface Leftover {
  readonly address: string;
  readonly kind: string;
  readonly id: string;
}

/** A field that the lock has and the block no longer states: it is left as it is, and the next apply forgets it. */
export interface Unstated {
  readonly address: string;
  readonly field: string;
}

/** What an apply will do, as data: it can be saved, shown, and applied exactly so later. */
export interface PlanDocument {
  readonly version: 1;
  readonly place: string;
  readonly organization: string;
  /** Whether fields that name people were read or are written. */
  readonly people: boolean;
  /** The state of the lock it was made with. */
  readonly lock: { readonly serial: number };
  /** In the order of the table of kinds; deletes last. */
  readonly steps: readonly Step[];
  readonly counts: Readonly<Record<Action, number>>;
  /** Calls at most, without those that read. */
  readonly calls: number;
  /** What stays although the file no longer has it: without --prune nothing is deleted. */
  readonly left: readonly Leftover[];
  /** Absent where a run is undone. */
  readonly unstated?: readonly Unstated[];
}

/** Whether an apply would change nothing: neither the live side nor what is protected. */
export function isEmpty({ steps }: PlanDocument): boolean {
  return steps.every(({ action }) => action === 'none');
}

/** Whether an apply would do nothing: what is left, if anything, cannot be done here. */
export function isIdle({ steps }: PlanDocument): boolean {
  return steps.every(({ action }) => action === 'none' || action === 'unsupported');
}
