import { whyNotAccepted } from '../fits-schema.ts';
import { getField, isExternal, notReadable, type Body, type Field } from '../kind.ts';
import { acceptsNull, isOnlyTrue } from '../read/schema.ts';
import { isSame, withIds } from '../value.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { RecordedChange } from './journal-lines.ts';
import { alternativeFields } from './recorder.ts';
import type { UndoContext, UndoItem } from './undo-context.ts';

/** Sets the fields of a resource back to their values before the run. */
export async function undoUpdate(context: UndoContext, effect: ResourceEffect): Promise<void> {
  const { kind, id, changes, address, within } = effect;
  const item = id === undefined ? undefined : await context.find(kind, id, within);
  if (item?.body === undefined) {
    if (changes.size > 0) context.lose(`${address} no longer exists, so its fields cannot be restored.`);
    return context.addStateStep(effect);
  }
  const undone = new Set<string>();
  const kept = new Set<string>();
  for (const change of changes.values()) {
    const isUndone = await undoField(context, effect, change, item, item.body);
    (isUndone ? undone : kept).add(change.field);
  }
  item.stateChanges.push(...context.restoreState(effect, { undone, kept }));
}

/** Returns whether a field will be set back, or already has its former value. */
async function undoField(
  context: UndoContext,
  effect: ResourceEffect,
  change: RecordedChange,
  item: UndoItem,
  body: Body,
): Promise<boolean> {
  const { live } = context;
  const { kind, address } = effect;
  const { field: name, before } = change;
  const field = getField(kind, name);
  if (isExternal(kind, name)) return describeContent(context, effect, body.id);
  // An exclusive field is restored with the order of its parent.
  if (isOnlyTrue(field.schema)) return true;
  if (!Object.hasOwn(change, 'before'))
    return context.lose(`${address}: the old value of "${name}" is unknown.`);
  const within = context.locate(item.parent);
  const seen = await live.valueOf(kind, name, body, within, before ?? change.after);
  // A value that is still being processed counts as unchanged.
  const now = (seen === notReadable ? change.after : seen) ?? null;
  // The result of a read may depend on the stated value. For example, the place of an external link is read only if it is stated.
  const isAsLeft = async () =>
    field.fetch !== undefined &&
    isSame(await live.valueOf(kind, name, body, within, change.after), change.after, field.equals);
  // The order that the field depends on has changed and is changed back.
  const isSetAgain = field.followsOrderOf !== undefined && isSame(change.after, before, field.equals);
  if (isSame(now, before, field.equals) && !isSetAgain) return true;
  const isChangedSince = !isSame(now, change.after, field.equals) && !(await isAsLeft());
  const conflict = { address, field: name, why: 'has changed since', now, was: before };
  if (isChangedSince && !context.mayOverwrite(conflict)) return false;
  // Setting its alternative back removes this field.
  const isReplaced = alternativeFields[kind.name]?.some(
    (other) => other !== name && (effect.changes.get(other)?.before ?? null) !== null,
  );
  if (before === null && isReplaced === true && !acceptsNull(field.schema)) return true;
  const cannot = (why: string): false =>
    context.lose(`${address}: "${name}" cannot be restored, because ${why}.`);
  const why = whyNotSettable(kind.name, field, now, before);
  if (why !== undefined) return cannot(why);
  const { value, missing } = await context.toReferences(field, before, within);
  if (missing !== undefined) return cannot(`${missing} no longer exists`);
  item.changes.set(name, { before: (await context.toReferences(field, now, within)).value, after: value });
  return true;
}

/** Returns why no call can set a value back; undefined if one can. */
function whyNotSettable(kind: string, field: Field, now: unknown, before: unknown): string | undefined {
  const { schema, create, refersTo } = field;
  if (create === 'only') return `it can be set only when a ${kind} is created`;
  const isAdded = (one: string) => !(before as string[]).includes(one);
  if (kind === 'integration' && refersTo !== undefined && (now as string[]).some(isAdded))
    return `an integration cannot be removed from a single ${refersTo}`;
  if (before === null && !acceptsNull(schema)) return 'it cannot be cleared';
  return whyNotAccepted(before, schema);
}

function describeContent(context: UndoContext, { address, sentContent }: ResourceEffect, id: string): false {
  for (const { from, to, request } of sentContent) {
    if (to !== undefined && to === from) continue;
    const merged = `${address}: content that was merged${request === undefined ? '' : ` with change request #${request}`}`;
    context.lose(
      from === undefined
        ? `${merged} is kept.`
        : `${merged} stays merged. The previous revision is ${from}. To restore it, run \`docsctl revisions restore ${from} --space ${id} --merge\`.`,
    );
  }
  return false;
}

/**
 * Keeps unique fields unique. A resource that gets a value back waits until the resource that has it now is deleted. If that one
 * is kept, it is a conflict.
 */
export async function resolveUniqueClashes(context: UndoContext): Promise<void> {
  const { live } = context;
  for (const item of context.items.values()) {
    const { address, kind, body, parent, changes, waits } = item;
    const unique = [...changes].filter(([name]) => getField(kind, name).unique === true);
    const within = context.locate(parent);
    if (unique.length === 0 || (parent !== undefined && within === undefined)) continue;
    const others = (await live.list(kind, within)).filter(({ id }) => id !== body?.id);
    for (const [name, { after }] of unique) {
      const value = withIds(after, (other) => context.items.get(other)?.body?.id);
      for (const other of others) {
        const held = await live.valueOf(kind, name, other, within);
        if (!isSame(held, value)) continue;
        const deleted = context.deletes.find((step) => step.kind === kind.name && step.id === other.id);
        if (deleted !== undefined) waits.add(deleted.key);
        const isGivenUp = [...context.items.values()].some(
          (one) => one.body?.id === other.id && one.changes.has(name),
        );
        if (deleted !== undefined || isGivenUp) continue;
        context.holders.add(other.id);
        if (getField(kind, name).required !== true) changes.delete(name);
        const why = `is now used by ${context.addressOf(kind.name, other.id)}`;
        context.conflicts.push({ address, field: name, why, now: held, was: value });
      }
    }
  }
}
