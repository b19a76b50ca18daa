import { defined } from '../contract/values.ts';
import type { Binding } from './bind-scope.ts';
import {
  callOf,
  getField,
  notReadable,
  readField,
  type Body,
  type Field,
  type Kind,
  type Located,
} from './kind.ts';
import type { Owned } from './manifest-state.ts';
import type { People } from './people.ts';
import type { Action, Change } from './plan-document.ts';
import type { Survey } from './survey.ts';
import { digest, isSame } from './value.ts';

interface Differences {
  readonly changes: readonly Change[];
  /** Changes of fields that only the create call takes, so they cannot be made. */
  readonly createOnly: readonly Change[];
}

/**
 * Finds the stated fields that differ from the live resource; all stated fields if there is none. Fields that could not be read
 * are left out.
 */
export function compareFields(binding: Binding, owned: Owned | undefined, survey: Survey): Differences {
  const { resource, body } = binding;
  const { kind } = resource;
  const names = [...resource.fields.keys()];
  const changed = names.flatMap((name) => compareField(binding, name, owned, survey) ?? []);
  const isChanged = (name: string) => changed.some(({ field }) => field === name);
  const triggered = names
    .filter((name) => !isChanged(name) && getField(kind, name).triggers?.some(isChanged) === true)
    .map((field): Change => ({ field, after: survey.statedOf(resource, field), moved: 'file' }));
  const all = [...changed, ...triggered];
  const isCreateOnly = ({ field }: Change) => body !== undefined && getField(kind, field).create === 'only';
  return { changes: all.filter((change) => !isCreateOnly(change)), createOnly: all.filter(isCreateOnly) };
}

function compareField(
  { resource, body }: Binding,
  name: string,
  owned: Owned | undefined,
  survey: Survey,
): Change | undefined {
  const key = `${resource.address} ${name}`;
  const after = survey.statedOf(resource, name);
  if (body === undefined) return { field: name, after, moved: 'file' };
  if (survey.unfetched.has(key)) return undefined;
  const field = getField(resource.kind, name);
  const last = owned?.fields[name];
  const desired = survey.valueOf(resource, name);
  const before =
    field.fetch === undefined ? readField(resource.kind, name, body, survey.people) : survey.fetched.get(key);
  if (before === notReadable)
    return isSame(last, desired, field.equals) ? undefined : { field: name, after, moved: 'file' };
  if (isSame(before, desired, field.equals)) return undefined;
  const isKnown = owned !== undefined && Object.hasOwn(owned.fields, name);
  const diff = survey.fieldDiffs.get(key);
  return {
    field: name,
    before: before ?? null,
    after,
    ...defined({ says: diff?.summary }),
    moved: isKnown ? (diff?.moved ?? sideOf(last, before, desired, field)) : 'file',
  };
}

/** Returns which side has changed since the last apply, which set the value `last`. */
function sideOf(last: unknown, before: unknown, desired: unknown, { equals }: Field): Change['moved'] {
  if (isSame(last, before, equals)) return 'file';
  return isSame(last, desired, equals) ? 'live' : 'both';
}

/** Returns whether a field is set after everything inside the resource is done. */
export function isLate(kind: Kind, change: { field: string; before?: unknown; after?: unknown }): boolean {
  const late = kind.calls[callOf(kind, change.field)]?.late;
  return typeof late === 'function' ? late(change) : late === true;
}

/** Hashes all fields that can be read from the body of a resource, to detect later changes. */
export function fingerprintOf(kind: Kind, body: Body, people: People): string {
  const values = Object.entries(kind.fields)
    .filter(([, { fetch }]) => fetch === undefined)
    .map(([name]) => readField(kind, name, body, people) ?? null);
  return digest([body.id, values]);
}

/** Hashes the order of the items of one parent. */
export function orderFingerprint(parts: Iterable<readonly [string, readonly Located[]]> = []): string {
  return digest([...parts].map(([part, items]) => [part, items.map(({ id }) => id)]));
}

/** Returns the fingerprints that the state file keeps for fields whose values do not show later changes. */
export function readFingerprints(
  { fields }: Kind,
  body: Body,
  names: readonly string[],
): Pick<Owned, 'left'> {
  const left = names.flatMap((name) => {
    const read = fields[name]?.fingerprintOf;
    return read === undefined ? [] : [[name, read(body)] as const];
  });
  return left.length === 0 ? {} : { left: Object.fromEntries(left) };
}

/** Returns the action of a step on a live resource. */
export function actionFor(kind: Kind, isOwned: boolean, changes: readonly Change[]): Action {
  if (!isOwned && kind.create !== undefined) return 'adopt';
  if (changes.length === 0) return 'none';
  return changes.every(({ field }) => callOf(kind, field) === 'move' || field === kind.ordered?.part)
    ? 'move'
    : 'update';
}

/**
 * Returns the maximum number of calls for some changes. For a new resource, the create call sets some fields, and default values
 * need no call.
 */
export function countCalls(kind: Kind, changes: readonly Change[], isNew = false): number {
  const open = changes.filter(({ field, after }) => {
    const { create, default: initial } = getField(kind, field);
    return !isNew || (create === undefined && !isSame(after, initial));
  });
  return new Set(open.map(({ field }) => callOf(kind, field))).size;
}
