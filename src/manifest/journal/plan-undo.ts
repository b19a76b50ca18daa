import { listSome } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { openBackend } from '../backend.ts';
import { guardDeletes, markProtected } from '../guard-deletes.ts';
import { findField, notReadable, type Located } from '../kind.ts';
import { isSame } from '../value.ts';
import { collectEffects, type ResourceEffect } from './collect-effects.ts';
import { excludeUnowned } from './exclude-unowned.ts';
import type { RecordedOrder } from './journal-lines.ts';
import { fromPath, LiveCache, holderOf } from './live-cache.ts';
import { UndoContext, type Undo, type UndoItem, type UndoRequest } from './undo-context.ts';
import { undoCreates } from './undo-creates.ts';
import { undoDeletes } from './undo-deletes.ts';
import { makeUndoDocument } from './undo-document.ts';
import { resolveUniqueClashes, undoUpdate } from './undo-update.ts';

/**
 * Compares the effects of a run with the live resources, and plans the undo. It changes nothing.
 * @throws Problem(precondition-failed) if the run was on another backend or organization
 * @throws Problem(guard-refused) if it would delete protected or too many resources
 */
export async function planUndo(request: UndoRequest): Promise<Undo> {
  const { run, api, state, table, signal, force = false } = request;
  checkPlace(request);
  const recorded = collectEffects(run, table);
  const withPeople = recorded.some(namesPeople);
  const live = new LiveCache(await openBackend(api, state.organization, { withPeople, signal }));
  const { effects, orders, refused, notes } = await excludeUnowned({
    run,
    effects: recorded,
    state,
    live,
    table,
  });
  const context = new UndoContext({ ...request, run: { ...run, orders } }, effects, live);
  const comesBack = await undoDeletes(context);
  for (const effect of effects)
    if (effect.action !== 'create' && !comesBack.has(effect)) await undoUpdate(context, effect);
  await undoCreates(context);
  for (const order of orders) await undoOrder(context, order);
  await resolveUniqueClashes(context);
  describeRemains(context);
  const refusal = refuseDeletes(request, context);
  // A refused plan shows protected resources as kept.
  if (refusal !== undefined && !force)
    context.deletes = context.deletes.map((step) => markProtected(step, (address) => state.get(address)));
  const undo = {
    document: await makeUndoDocument(context, withPeople),
    conflicts: context.conflicts,
    refused: [...refused, ...context.refused],
    lost: context.lost,
    stays: context.stays,
    notes: [...notes, ...context.notes],
  };
  if (refusal === undefined) return undo;
  request.onRefused?.(undo);
  throw refusal;
}

function checkPlace({ run: { head }, api: { place }, state: { organization } }: UndoRequest): void {
  if (head.place === place && head.organization === organization) return;
  throw new Problem(
    'precondition-failed',
    `Run ${head.id} belongs to organization ${head.organization} on ${head.place}, not to organization ${organization} on ${place}.`,
    { hint: 'Choose that store or server, and that organization with --org.' },
  );
}

function namesPeople({ kind, changes, deleted }: ResourceEffect): boolean {
  const names = [...changes.keys(), ...Object.keys(deleted?.fields ?? {})];
  return names.some((name) => findField(kind, name)?.people === true);
}

function refuseDeletes(
  { run, state, force = false, maxDeletes }: UndoRequest,
  { deletes }: UndoContext,
): Problem | undefined {
  const command = `docsctl runs undo ${run.head.id}`;
  return guardDeletes({
    deletes,
    entryOf: (address) => state.get(address),
    force,
    owned: state.size,
    maxDeletes,
    whyProtected: (many) => `the undo would delete ${many ? 'them' : 'it'}`,
    hintProtected:
      'Set "protect: false", apply, then undo the run. Or use --force to delete protected resources as well.',
    look: (needed) => `${command} --dry-run${force ? ' --force' : ''} --max-deletes ${needed}`,
    verb: 'undo',
  });
}

/** Restores the order and the exclusive fields of a list, unless they have changed since. */
async function undoOrder(context: UndoContext, before: RecordedOrder): Promise<void> {
  const { live, recreated, request } = context;
  const at = fromPath(before.at);
  const kind = context.kindNamed(before.kind);
  const parent = at && (await context.find(context.kindNamed(at.kind), at.id, at.within));
  if (at === undefined || parent === undefined) return;
  const after = request.run.orderEnds.find(
    (order) => order.kind === before.kind && order.at.at(-1)?.[1] === at.id,
  );
  const bodies = await live.list(kind, at);
  for (const [field, holder] of Object.entries(before.holders)) {
    const now = holderOf(live, kind, field, bodies);
    const address = await context.findAddress(kind, holder, at);
    const item = address === undefined ? undefined : context.items.get(address);
    if (now === holder || item === undefined) continue;
    const isChangedSince = after !== undefined && now !== undefined && now !== after.holders[field];
    const conflict = { address: item.address, field, why: 'has been given to another resource since' };
    if (
      isChangedSince &&
      !context.mayOverwrite({ ...conflict, now: context.addressOf(kind.name, now), was: true })
    )
      continue;
    item.changes.set(field, item.body === undefined ? { after: true } : { before: false, after: true });
  }
  const parts = await kind.ordered?.parts?.(live.backend, at);
  const isReordered = after !== undefined && parts !== undefined && !isSameOrder(after.parts, parts);
  const why = 'is in a list whose order has changed since';
  if (isReordered && !context.mayOverwrite({ address: `${parent.address} (order)`, why })) return;
  for (const [name, id] of Object.values(before.parts).flat())
    if (!recreated.has(`${name} ${id}`)) await context.find(context.kindNamed(name), id, at);
  context.orders.push({ ...before, parent: parent.address });
  await undoFollowers(context, { before, after, parts }, parent);
}

/** Restores fields that depend on an order that the undo changes, such as the external links among sections. */
async function undoFollowers(
  context: UndoContext,
  {
    before,
    after,
    parts,
  }: {
    before: RecordedOrder;
    after: RecordedOrder | undefined;
    parts: ReadonlyMap<string, readonly Located[]> | undefined;
  },
  parent: UndoItem,
): Promise<void> {
  const { live, effects } = context;
  const { kind, body, address } = parent;
  const own = effects.find((effect) => effect.kind === kind && effect.id === body?.id);
  const isOrderKept = Object.entries(before.parts).every(([part, items]) =>
    isSame(
      items.map(([, id]) => id),
      (parts?.get(part) ?? []).map(({ id }) => id),
    ),
  );
  for (const [name, was] of Object.entries(before.followers ?? {})) {
    const change = own?.changes.get(name);
    if (body === undefined || findField(kind, name) === undefined) continue;
    const now = await live.valueOf(kind, name, body, context.locate(parent.parent));
    if (now === notReadable || (isOrderKept && isSame(now, was))) continue;
    // A value that the run set only because the order changed is restored with the order, and so is one that a killed run did not
    // change.
    const isUndone =
      change !== undefined && !isSame(change.before, change.after) && !isSame(now, change.before);
    if (isUndone) continue;
    const isChangedSince = after !== undefined && !isSame(now, after.followers?.[name] ?? []);
    const conflict = { address, field: name, why: 'has changed since', now, was };
    if (isChangedSince && !isSame(now, was) && !context.mayOverwrite(conflict)) continue;
    parent.changes.set(name, { before: now, after: was });
  }
}

/** Whether the resources that both orders contain have the same order in each part. */
function isSameOrder(
  before: RecordedOrder['parts'],
  live: ReadonlyMap<string, readonly { id: string }[]>,
): boolean {
  return Object.entries(before).every(([part, items]) => {
    const now = (live.get(part) ?? []).map(({ id }) => id);
    const then = items.map(([, id]) => id);
    return isSame(
      now.filter((id) => then.includes(id)),
      then.filter((id) => now.includes(id)),
    );
  });
}

/** Describes side effects of the run that an undo cannot remove. */
function describeRemains({ request, stays, effects }: UndoContext): void {
  const { ingests = [] } = request.run.head;
  if (ingests.length > 0) stays.push(`the conversations that the run ingested from ${listSome(ingests)}`);
  for (const { kind, id, address, action, sentContent } of effects) {
    if (action === 'create' || id === undefined || kind.name !== 'space') continue;
    if (sentContent.some(({ from, to }) => from !== undefined && to === from))
      stays.push(
        `the unmerged change request that the run opened in ${address}; see \`docsctl change-requests list --space ${id} --status all\``,
      );
  }
}
