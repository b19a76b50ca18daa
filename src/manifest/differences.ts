import type { Binding } from './bind-scope.ts';
import { readField } from './read-field.ts';
import { notReadable, type Body, type Field, type Kind, type Located } from './kind.ts';
import type { Owned } from './manifest-state.ts';
import type { People } from './people.ts';
import type { Change } from './plan-document.ts';
import type { Survey } from './survey.ts';
import { digest, isSame, replaceMarks, isSecret } from './value.ts';

export interface Differences {
  readonly changes: readonly Change[];
  /** Changes that no call can make: the field is taken only when the resource is made. */
  readonly impossible: readonly Change[];
}

/** The stated fields that are not as they are wanted; of what is not there yet, all of them; what could not be read, never. */
export function differencesOf(
  binding: Binding,
  owned: Owned | undefined,
  survey: Survey,
  hashOf: (from: string) => string,
): Differences {
  const { resource, body } = binding;
  const moved = [...resource.fields.keys()].flatMap((field): Change[] => {
    const after = hashed(survey.statedOf(resource, field), hashOf);
    if (body === undefined) return [{ field, after, moved: 'file' }];
    if (survey.unfetched.has(`${resource.address} ${field}`)) return [];
    const definition = resource.kind.fields[field]!;
    const last = owned?.fields[field];
    const wantedNow = hashed(survey.valueOf(resource, field), hashOf);
    const before = liveValue(binding, field, survey);
    if (definition.writeOnly === true || before === notReadable)
      return isSame(last, wantedNow, definition.equals) ? [] : [{ field, after, moved: 'file' }];
    if (isSame(before, wantedNow, definition.equals)) return [];
    const { summary, moved: who } = survey.fieldDiffs?.get(`${resource.address} ${field}`) ?? {};
    const isKnown = owned !== undefined && Object.hasOwn(owned.fields, field);
    return [
      {
        field,
        before: before ?? null,
        after,
        ...(summary === undefined ? {} : { says: summary }),
        moved: isKnown && who !== undefined ? who : whoMoved(owned, field, before, wantedNow, definition),
      },
    ];
  });
  const isAgain = (field: string): boolean =>
    moved.every((change) => change.field !== field) &&
    resource.kind.fields[field]!.triggers?.some((other) => moved.some((change) => change.field === other)) ===
      true;
  const again = [...resource.fields.keys()]
    .filter(isAgain)
    .map((field): Change => ({ field, after: survey.statedOf(resource, field), moved: 'file' }));
  const all = [...moved, ...again];
  const isImpossible = ({ field }: Change): boolean =>
    body !== undefined && resource.kind.fields[field]!.create === 'only';
  return { changes: all.filter((change) => !isImpossible(change)), impossible: all.filter(isImpossible) };
}

/** Puts the keyed hash beside where a secret comes from. */
export function hashed(value: unknown, hashOf: (from: string) => string): unknown {
  return replaceMarks(value, (mark) =>
    isSecret(mark)
      ? { 'docsctl:secret': mark['docsctl:secret'], hash: hashOf(mark['docsctl:secret']) }
      : mark,
  );
}

/** The name of the call that changes a field. */
export function callOf(kind: Kind, field: string): string {
  return kind.fields[field]!.call ?? 'update';
}

export function isLate(kind: Kind, field: string): boolean {
  return kind.calls[callOf(kind, field)]?.late === true;
}

/** What shows whether a resource is still as it was when the plan was made: all that can be read without a call of its own. */
export function fingerprint(kind: Kind, body: Body, people: People): string {
  const fields = Object.keys(kind.fields).filter(
    (field) => kind.fields[field]!.writeOnly !== true && kind.fields[field]!.fetch === undefined,
  );
  return digest([body.id, fields.map((field) => readField(kind, field, body, people) ?? null)]);
}

/** The same for the order of what lies in one parent. */
export function orderFingerprint(parts: ReadonlyMap<string, readonly Located[]> | undefined): string {
  return digest(
    [...(parts ?? new Map<string, readonly Located[]>())].map(([part, items]) => [
      part,
      items.map(({ id }) => id),
    ]),
  );
}

function liveValue({ resource, body }: Binding, field: string, survey: Survey): unknown {
  if (resource.kind.fields[field]!.fetch !== undefined)
    return survey.fetched.get(`${resource.address} ${field}`);
  return readField(resource.kind, field, body!, survey.people);
}

/** What the lock keeps beside the fields of a resource that is as they state it. */
export function leftIn({ fields }: Kind, body: Body, names: readonly string[]): Pick<Owned, 'left'> {
  const left = names.flatMap((name) =>
    fields[name]?.fingerprintOf === undefined ? [] : [[name, fields[name].fingerprintOf(body)] as const],
  );
  return left.length === 0 ? {} : { left: Object.fromEntries(left) };
}

/** By what the last apply left: a field that it did not state is the file's news. */
function whoMoved(
  owned: Owned | undefined,
  field: string,
  before: unknown,
  after: unknown,
  { equals }: Field,
): Change['moved'] {
  if (owned === undefined || !Object.hasOwn(owned.fields, field)) return 'file';
  const last = owned.fields[field];
  if (isSame(last, before, equals)) return 'file';
  return isSame(last, after, equals) ? 'live' : 'both';
}
