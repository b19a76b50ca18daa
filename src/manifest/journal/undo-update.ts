import { whyNotAccepted } from '../fits-schema.ts';
import { isExternal, notReadable, type Kind, type Located } from '../kind.ts';
import type { Step } from '../plan-document.ts';
import { acceptsNull, isOnlyTrue } from '../read/schema.ts';
import { isSame, withIds } from '../value.ts';
import type { RecordedChange } from './journal-lines.ts';
import { exclusiveFields } from './recorder.ts';
import type { ResourceEffect } from './collect-effects.ts';
import { within, type UndoContext } from './undo-context.ts';
import type { UndoItem } from './undo-steps.ts';

/** Brings the fields of what was there before and still is back to their values before. */
export async function undoUpdate(undoing: UndoContext, touched: ResourceEffect): Promise<void> {
  const { kind, id, changes, address } = touched;
  const item = id === undefined ? undefined : await undoing.steps.find(kind, id, within(touched));
  if (item === undefined) {
    if (changes.size > 0)
      undoing.lost.push(`${address} is no longer there, so its fields cannot be set back.`);
    return undoing.relockAlone(touched);
  }
  const undone = new Set<string>();
  const kept = new Set<string>();
  for (const [field, change] of changes)
    ((await undoField(undoing, touched, item, field, change)) ? undone : kept).add(field);
  undoing.relock(touched, item, undone, kept, undefined);
}

async function undoField(
  undoing: UndoContext,
  { kind, id, address, content, changes }: ResourceEffect,
  item: UndoItem,
  field: string,
  change: RecordedChange,
): Promise<boolean> {
  const definition = Object.hasOwn(kind.fields, field) ? kind.fields[field] : undefined;
  if (definition === undefined) return false;
  if (isExternal(kind, field)) return describeContent(undoing, address, id!, content);
  if (change.secret === true)
    return describeLoss(undoing, `${address}: "${field}" is a secret that nobody can read; set it again.`);
  if (isOnlyTrue(definition.schema)) return true;
  if (!Object.hasOwn(change, 'before'))
    return describeLoss(undoing, `${address}: what "${field}" was is not known.`);
  const at: Located = { kind: kind.name, id: id!, within: locatedParent(item, undoing) };
  const seen = await undoing.lists.valueOf(kind, field, item.body!, at, change.before ?? change.after);
  // What is still being processed is as the run left it, as far as anybody can tell.
  const now = (seen === notReadable ? change.after : seen) ?? null;
  if (isSame(now, change.before, definition.equals)) return true;
  if (
    !isSame(now, change.after, definition.equals) &&
    !undoing.insists({ address, field, why: 'was changed since', now, was: change.before })
  )
    return false;
  // What takes its place comes back, and takes its place again.
  const isReplaced = (exclusiveFields[kind.name] ?? []).some(
    (other) => other !== field && (changes.get(other)?.before ?? null) !== null,
  );
  if (change.before === null && isReplaced && !acceptsNull(definition.schema)) return true;
  const why = whyNotBack(kind, field, now, change.before);
  if (why !== undefined) return describeLoss(undoing, `${address}: "${field}" cannot be set back: ${why}.`);
  const target = await undoing.refer(kind, field, change.before, at.within);
  if (target.gone !== undefined)
    return describeLoss(
      undoing,
      `${address}: "${field}" cannot be set back: ${target.gone} is no longer there.`,
    );
  item.changes.set(field, {
    before: (await undoing.refer(kind, field, now, at.within)).value,
    after: target.value,
  });
  return true;
}

function locatedParent(item: UndoItem, { steps }: UndoContext): Located | undefined {
  const parent = item.parent === undefined ? undefined : steps.items.get(item.parent);
  return parent?.body === undefined
    ? undefined
    : { kind: parent.kind.name, id: parent.body.id, within: locatedParent(parent, { steps } as UndoContext) };
}

/** Why no call brings a value back: half a sentence. */
function whyNotBack(kind: Kind, field: string, now: unknown, before: unknown): string | undefined {
  const { schema, create, refersTo } = kind.fields[field]!;
  if (create === 'only') return `the API takes it only when a ${kind.name} is made`;
  if (
    kind.name === 'integration' &&
    refersTo !== undefined &&
    (now as string[]).some((one) => !(before as string[]).includes(one))
  )
    return `no call takes an integration off a ${refersTo} alone`;
  if (before === null && !acceptsNull(schema)) return 'no call takes it away';
  return whyNotAccepted(before, schema);
}

function describeLoss({ lost }: UndoContext, sentence: string): false {
  lost.push(sentence);
  return false;
}

function describeContent(
  undoing: UndoContext,
  address: string,
  id: string,
  sent: ResourceEffect['content'],
): false {
  for (const { from, to, request } of sent) {
    if (to !== undefined && to === from) continue;
    const by = request === undefined ? '' : ` with change request #${request}`;
    undoing.lost.push(
      from === undefined
        ? `${address}: content that was merged${by} stays as it is.`
        : `${address}: content that was merged${by} stays merged. The revision before is ${from}: a change request in ${id} brings a page back with { operation: revert_page, page: ID, revision: ${from} }.`,
    );
  }
  return false;
}

/** Holds apart what only one of a parent may have: who takes it waits for a delete that gives it up, and takes it from nobody else. */
export async function resolveUniqueClashes(undoing: UndoContext): Promise<void> {
  const { steps, lists } = undoing;
  for (const item of steps.items.values()) {
    const unique = [...item.changes].filter(([field]) => item.kind.fields[field]!.unique === true);
    const parent = item.parent === undefined ? undefined : steps.items.get(item.parent);
    if (unique.length === 0 || (item.parent !== undefined && parent?.body === undefined)) continue;
    const live = await lists.list(item.kind, locatedParent(item, undoing));
    for (const [field, { after }] of unique) {
      const value = withIds(after, (address) => steps.items.get(address)?.body?.id);
      for (const body of live) {
        if (body.id === item.body?.id) continue;
        const held = await lists.valueOf(
          item.kind,
          field,
          body,
          { kind: item.kind.name, id: body.id },
          undefined,
        );
        if (!isSame(held, value)) continue;
        const deleted = steps.deletes.find(
          (step: Step) => step.kind === item.kind.name && step.id === body.id,
        );
        const gives = [...steps.items.values()].some(
          (other) => other.body?.id === body.id && other.changes.has(field),
        );
        if (deleted !== undefined) item.waits.add(deleted.key);
        if (deleted !== undefined || gives) continue;
        steps.passedOver.add(body.id);
        if (item.kind.fields[field]!.required !== true) item.changes.delete(field);
        undoing.conflicts.push({
          address: item.address,
          field,
          why: `is taken by ${steps.addressOf(item.kind.name, body.id)} now`,
          now: held,
          was: value,
        });
      }
    }
  }
}
