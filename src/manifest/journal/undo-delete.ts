import type { Fields, Kind, Located } from '../kind.ts';
import { isSame } from '../value.ts';
import type { RecordedReferrer, DeletedResource } from './journal-lines.ts';
import { fromPath } from './live-cache.ts';
import { exclusiveFlags } from './read-orders.ts';
import type { ResourceEffect } from './collect-effects.ts';
import { within, type UndoContext } from './undo-context.ts';
import { containsId } from './read-subtree.ts';

/** A deleted space is kept for seven days. */
const kept = 7 * 24 * 60 * 60 * 1000;

interface Deleted {
  readonly touched: ResourceEffect;
  readonly was: DeletedResource;
}

/** Gives addresses to what comes back, so that all that is set back can refer to it. */
export async function findDeleted(undoing: UndoContext): Promise<Deleted[]> {
  const found: Deleted[] = [];
  for (const touched of undoing.touched) {
    const { was, kind } = touched;
    if (
      touched.how !== 'deleted' ||
      was === undefined ||
      (await undoing.lists.find(kind, { id: was.id, within: within(touched) })) !== undefined
    )
      continue;
    const why = whyNever(kind, was);
    if (why === undefined) found.push({ touched, was });
    else undoing.lost.push(`${touched.address}: ${why}`);
  }
  for (const { was } of found) name(undoing, was);
  return found;
}

function name({ anew, steps }: UndoContext, was: DeletedResource): void {
  const address = was.address ?? `${was.kind}.${was.id}`;
  anew.set(`${was.kind} ${was.id}`, address);
  steps.name(was.kind, was.id, address);
  for (const inner of was.inside) name({ anew, steps } as UndoContext, inner);
}

function whyNever(kind: Kind, was: DeletedResource): string | undefined {
  if (kind.create === undefined) return 'it cannot be made again.';
  if (kind.name === 'openapi' && was.fields['source'] === undefined && was.fields['text'] === undefined)
    return 'its text could not be read; apply it again.';
  return undefined;
}

/** What each of them lay in itself, by its id. */
export function parentsOf(all: readonly Deleted[]): ReadonlyMap<string, unknown> {
  return new Map(all.map(({ was }) => [was.id, was.fields['parent'] ?? null]));
}

/** Makes it anew, or brings it back, with all that lay in it and what others said of it. */
export async function undoDelete(
  undoing: UndoContext,
  { touched, was }: Deleted,
  parents: ReadonlyMap<string, unknown>,
): Promise<void> {
  const at = within(touched);
  const parent = await parentOf(undoing, at);
  if (parent === null)
    return void undoing.lost.push(`${touched.address}: what it lay in is no longer there.`);
  await remake(undoing, was, parent, at, touched);
  for (const aside of touched.asides)
    if (!undoing.anew.has(`${aside.kind} ${aside.id}`)) await setAside(undoing, aside, was, parents);
}

/** null: it is gone, and stays gone. */
async function parentOf(
  { anew, steps }: UndoContext,
  at: Located | undefined,
): Promise<string | undefined | null> {
  if (at === undefined) return undefined;
  return (
    anew.get(`${at.kind} ${at.id}`) ??
    (await steps.find(steps.kind(at.kind), at.id, at.within))?.address ??
    null
  );
}

async function remake(
  undoing: UndoContext,
  was: DeletedResource,
  parent: string | undefined,
  at: Located | undefined,
  touched: ResourceEffect,
): Promise<void> {
  const { steps, request } = undoing;
  const kind = steps.kind(was.kind);
  const address = undoing.anew.get(`${was.kind} ${was.id}`)!;
  const isKept = kind.restore !== undefined && request.now - Date.parse(request.run.head.at) < kept;
  const item = steps.add({
    address,
    kind,
    name: was.name,
    body: undefined,
    parent,
    ...(isKept ? { restores: was.id } : {}),
  });
  const held = exclusiveFlags(kind);
  for (const [field, value] of Object.entries(was.fields)) {
    // Where its parent stayed, somebody else holds it meanwhile.
    if (!Object.hasOwn(kind.fields, field) || (touched.was === was && held.includes(field))) continue;
    const target = await undoing.refer(kind, field, value, at);
    if (target.gone === undefined) item.changes.set(field, { after: target.value });
    else undoing.lost.push(`${address}: "${field}" was ${target.gone}, which is no longer there.`);
  }
  const inside = was.inside.map((inner): { kind: string; fields: Fields } => ({
    kind: inner.kind,
    fields: inner.fields,
  }));
  const more: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(kind.atCreation?.(inside, () => {}) ?? {}))
    more[field] = await anewValue(undoing, inside[0], was, field, value, at);
  if (Object.keys(more).length > 0) item.atCreation = more;
  describeLost(undoing, address, was, isKept);
  const entries = new Map(
    [...touched.before].filter(
      ([one, old]) => old?.id === was.id || (touched.was === was && isNobodys(undoing, one, touched)),
    ),
  );
  undoing.relock({ before: entries, after: touched.after, kind }, item, new Set(), new Set(), was.id);
  for (const inner of was.inside)
    await remake(undoing, inner, address, { kind: was.kind, id: was.id, within: at }, touched);
}

/** An entry that the delete took along, and that is none of what comes back. */
function isNobodys({ anew }: UndoContext, address: string, { before }: ResourceEffect): boolean {
  const old = before.get(address);
  return old === undefined || old === null || !anew.has(`${old.kind} ${old.id}`);
}

/** What only a create takes stands in the first of what lies inside. */
async function anewValue(
  undoing: UndoContext,
  first: { readonly kind: string } | undefined,
  was: DeletedResource,
  field: string,
  value: unknown,
  at: Located | undefined,
): Promise<unknown> {
  const kind = first === undefined ? undefined : undoing.steps.kind(first.kind);
  if (kind === undefined || !Object.hasOwn(kind.fields, field)) return value;
  return (await undoing.refer(kind, field, value, { kind: was.kind, id: was.id, within: at })).value;
}

function describeLost(
  { lost, notes }: UndoContext,
  address: string,
  { kind, unknown }: DeletedResource,
  isKept: boolean,
): void {
  if (kind === 'space' && isKept)
    notes.push(`${address} comes back with its content: a deleted space is kept for 7 days.`);
  if (kind === 'space' && !isKept)
    lost.push(`${address} is made anew, and is empty: a deleted space is kept for 7 days.`);
  if (kind === 'share-link') lost.push(`${address}: its address was a secret, and is another one then.`);
  if (kind === 'translation')
    lost.push(`${address}: what was translated is made anew by the next run of the translation.`);
  for (const [field, why] of Object.entries(unknown)) lost.push(`${address}: "${field}" is not set: ${why}.`);
}

/** What somebody else said of it: the spaces of a collection lie in it again, where they lie still where the delete left them. */
async function setAside(
  undoing: UndoContext,
  { kind: name, id, within: path, field, before }: RecordedReferrer,
  was: DeletedResource,
  parents: ReadonlyMap<string, unknown>,
): Promise<void> {
  const kind = undoing.request.table.find((one) => one.name === name);
  const own = undoing.touched.find((one) => one.kind === kind && one.id === id);
  if (kind === undefined || own?.changes.has(field) === true || !Object.hasOwn(kind.fields, field)) return;
  const at = fromPath(path);
  const item = await undoing.steps.find(kind, id, at);
  if (item === undefined) return;
  const now =
    (await undoing.lists.valueOf(kind, field, item.body!, { kind: name, id, within: at }, undefined)) ?? null;
  if (isSame(now, before, kind.fields[field]!.equals)) return;
  const isLeft = now === null || isAbove(was.id, now, parents) || !mentionsAny(now);
  if (
    !isLeft &&
    !undoing.insists({ address: item.address, field, why: 'was changed since', now, was: before })
  )
    return;
  const target = await undoing.refer(kind, field, before, at);
  if (target.gone === undefined) item.changes.set(field, { before: now, after: target.value });
}

/** Whether a value is what the deleted one lay in itself. */
function isAbove(id: string, value: unknown, parents: ReadonlyMap<string, unknown>): boolean {
  const seen = new Set<unknown>();
  for (
    let above: unknown = parents.get(id);
    above !== undefined && above !== null && !seen.has(above);
    above = parents.get(above as string)
  ) {
    if (containsId(value, above as string)) return true;
    seen.add(above);
  }
  return false;
}

function mentionsAny(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && Object.values(value).some(mentionsAny))
  );
}
