import { defined, plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { Fields } from './kind.ts';
import type { Owned } from './manifest-state.ts';

/** The actions of steps, in the order in which counts are written. */
export const actions = ['create', 'update', 'adopt', 'move', 'delete', 'none', 'unsupported'] as const;

export type Action = (typeof actions)[number];

/** A field whose value differs. References are `{ "docsctl:ref": "space.guide" }`. */
export interface Change {
  readonly field: string;
  /** Absent if the resource is new or the API does not show the field. */
  readonly before?: unknown;
  readonly after: unknown;
  /** A description of the difference, if the values do not show it. */
  readonly says?: string;
  /** Which side has changed since the last apply. Absent in an undo. */
  readonly moved?: 'file' | 'live' | 'both' | undefined;
}

export interface Step {
  /** The address, followed by the part of the work if a resource has several steps: `site.docs (last)`. */
  readonly key: string;
  readonly address: string;
  readonly kind: string;
  readonly action: Action;
  /** The title, path or name of the resource. */
  readonly name: string;
  /** The location in the file, such as `org.yaml:3:5`. Absent for resources that the file does not have. */
  readonly at?: string;
  readonly id?: string;
  /** Address of the resource that contains this one. */
  readonly parent?: string;
  /** The ID in the state file of a resource that no longer exists and is created again. */
  readonly gone?: string;
  readonly changes: readonly Change[];
  /** Keys of the steps that must be done before this one. */
  readonly after: readonly string[];
  /** Maximum number of API calls, not counting reads. */
  readonly calls: number;
  readonly reason?: string;
  /** The step is unsupported because the caller may not see the resource. */
  readonly forbidden?: true;
  /** How to get another result, if this one is not intended. */
  readonly hint?: string;
  /** All stated fields, for the state file. Absent if the state file has them already. */
  readonly states?: Fields;
  readonly protect?: boolean;
  /** The previous value of `protect` in the state file, if this step changes it. This needs no call. */
  readonly protectWas?: boolean;
  /** Values that only the create call needs, in addition to the changes. */
  readonly atCreation?: Fields;
  /** The calls are made after everything inside the resource is done. */
  readonly late?: true;
  /** For a move in a list: the address of the new neighbor. */
  readonly beside?: { readonly before: string } | { readonly after: string };
  /** Addresses that this step removes from the state file: resources that the deleted one contained, or its former address. */
  readonly drops?: readonly string[];
  /** The ID of a deleted resource. It is restored if the backend can do that, and otherwise created again. */
  readonly restores?: string;
  /** Entries that the state file gets instead of `states`. */
  readonly lock?: readonly StateChange[];
  /** The fingerprint of the live resource, to detect later changes. */
  readonly saw?: string;
}

/**
 * An entry of the state file before a run; null if there was none. An entry without an ID gets the ID of the step's resource.
 * References in it stand for the IDs of resources that are created again.
 */
export interface StateChange {
  readonly address: string;
  readonly owned: (Omit<Owned, 'id'> & { readonly id?: string }) | null;
}

/** A resource that the state file owns and the manifest no longer contains. */
export interface Leftover {
  readonly address: string;
  readonly kind: string;
  readonly id: string;
}

/** A resource that the state file owns, of a kind for which the manifest, or the block of its parent, has no field. */
export interface Unmanaged extends Leftover {
  /** The address of the block without the field. Absent: the manifest itself has no such field. */
  readonly parent?: string;
  readonly field: string;
  /** The value that the field would need to contain no blocks. */
  readonly empty: '{}' | '[]';
}

/**
 * A field that the state file has and the manifest no longer states. Its live value is kept, and the next apply removes it from
 * the state file.
 */
export interface Unstated {
  readonly address: string;
  readonly field: string;
}

/** The changes that an apply will make, as data that can be saved, shown and applied later. */
export interface PlanDocument {
  readonly version: 1;
  readonly place: string;
  readonly organization: string;
  /** Whether fields that name people are read or written. */
  readonly people: boolean;
  /** The version of the state file that the plan was made with. */
  readonly lock: { readonly serial: number };
  /** In the order of the table of kinds; deletes are last. */
  readonly steps: readonly Step[];
  readonly counts: Readonly<Record<Action, number>>;
  /** Maximum number of API calls, not counting reads. */
  readonly calls: number;
  /** Resources that are kept because `--prune` is not set. */
  readonly left: readonly Leftover[];
  /** Resources that `--prune` does not delete because they, or resources inside them, are protected. Absent if there are none. */
  readonly protected?: readonly Leftover[];
  /**
   * Resources that are neither compared nor deleted because the manifest has no field for their kind. Absent if there are none.
   */
  readonly unmanaged?: readonly Unmanaged[];
  /** Addresses of people who have not accepted their invitation. Absent if there are none. */
  readonly pending?: readonly string[];
  /** Addresses of resources with changes that the selection leaves out. Absent if there are none. */
  readonly leftOut?: readonly string[];
  /** Fields that the manifest no longer states. Absent in an undo. */
  readonly unstated?: readonly Unstated[];
}

/** Returns a main step without changes or calls. */
export function emptyStep(
  address: string,
  kind: string,
  action: Action,
  name: string,
  { at, id, parent }: { readonly [K in 'at' | 'id' | 'parent']?: string | undefined } = {},
): Step {
  const found = defined({ at, id, parent });
  return { key: address, address, kind, action, name, ...found, changes: [], after: [], calls: 0 };
}

/** Counts the steps of each action, the unchanged resources (`none`), and the calls of all steps. */
export function countSteps(steps: readonly Step[]): Pick<PlanDocument, 'counts' | 'calls'> {
  const counts = { create: 0, update: 0, adopt: 0, move: 0, delete: 0, none: 0, unsupported: 0 };
  for (const { action } of steps) counts[action]++;
  const addressesOf = (some: readonly Step[]) => new Set(some.map(({ address }) => address)).size;
  counts.none = addressesOf(steps) - addressesOf(steps.filter(({ action }) => action !== 'none'));
  return { counts, calls: steps.reduce((sum, { calls }) => sum + calls, 0) };
}

/** Returns the main step of each address. Other steps do a part of the work. */
export function mainSteps(steps: readonly Step[]): Map<string, Step> {
  return new Map(steps.filter(({ key, address }) => key === address).map((step) => [step.address, step]));
}

/** Returns whether an apply would change nothing. */
export function isEmpty({ steps }: PlanDocument): boolean {
  return steps.every(({ action }) => action === 'none');
}

/** Returns whether an apply would do nothing: all changes, if any, are unsupported. */
export function isIdle({ steps }: PlanDocument): boolean {
  return steps.every(({ action }) => action === 'none' || action === 'unsupported');
}

/**
 * Refuses a plan with unsupported steps, unless `skip` is set.
 * @throws Problem(forbidden) if the caller may not do one of them, else Problem(not-implemented)
 */
export function refuseUnsupported({ steps }: PlanDocument, skip = false): void {
  const unsupported = steps.filter(({ action }) => action === 'unsupported');
  if (unsupported.length === 0 || skip) return;
  const isForbidden = unsupported.some(({ forbidden }) => forbidden === true);
  throw new Problem(
    isForbidden ? 'forbidden' : 'not-implemented',
    `${unsupported.length === 1 ? 'One step' : plural(unsupported.length, 'step')} of the plan cannot be done here. Nothing was changed.`,
    {
      hint: `${isForbidden ? 'Use a token with a higher role, remove' : 'Remove'} the listed ${unsupported.length === 1 ? 'part' : 'parts'} from the manifest, or add --skip-unsupported.`,
      violations: unsupported
        .slice(0, 50)
        .map(({ key, at, reason = '' }) => ({ path: at ?? key, message: `${key}: ${reason}` })),
    },
  );
}
