import { isObject } from '../../contract/values.ts';
import { daysToRestore } from '../../resources/spaces/contract.ts';
import { findField, type Fields, type Kind, type Located } from '../kind.ts';
import type { Owned } from '../manifest-state.ts';
import { isSame } from '../value.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { DeletedResource, RecordedReferrer } from './journal-lines.ts';
import { fromPath } from './live-cache.ts';
import { containsId } from './read-subtree.ts';
import type { UndoContext } from './undo-context.ts';

/** How long a deleted space can be restored, in milliseconds. */
const restorableTime = daysToRestore * 24 * 60 * 60 * 1000;

/** The values of the field `parent` of deleted resources, by their ID. */
type Parents = ReadonlyMap<unknown, unknown>;

/** Creates or restores resources that the run deleted, with everything inside them. Returns the effects that are undone. */
export async function undoDeletes(context: UndoContext): Promise<ReadonlySet<ResourceEffect>> {
  const deleted: Deleted[] = [];
  for (const effect of context.effects) {
    const { deleted: resource, kind, address, action, within } = effect;
    if (action !== 'delete' || resource === undefined) continue;
    if ((await context.live.find(kind, resource.id, within)) !== undefined) continue;
    const why = whyLost(kind, resource);
    if (why === undefined) deleted.push({ effect, resource });
    else context.lose(`${address}: ${why}`);
  }
  // Every resource needs its address before another one refers to it.
  for (const { resource } of deleted) setAddress(context, resource);
  const parents = new Map(deleted.map(({ resource }) => [resource.id, resource.fields['parent']]));
  const outermostFirst = deleted.toSorted((a, b) => a.effect.path.length - b.effect.path.length);
  for (const one of outermostFirst) await undoDelete(context, one, parents);
  return new Set(deleted.map(({ effect }) => effect));
}

interface Deleted {
  readonly effect: ResourceEffect;
  readonly resource: DeletedResource;
}

function whyLost(kind: Kind, { fields }: DeletedResource): string | undefined {
  if (kind.create === undefined) return 'it cannot be created again.';
  const isUnread = kind.name === 'openapi' && fields['source'] === undefined && fields['text'] === undefined;
  return isUnread ? 'its text could not be read. Apply it again.' : undefined;
}

function setAddress(
  context: UndoContext,
  { kind, id, inside, address = `${kind}.${id}` }: DeletedResource,
): void {
  context.recreated.set(`${kind} ${id}`, address);
  context.setAddress(kind, id, address);
  for (const inner of inside) setAddress(context, inner);
}

async function undoDelete(context: UndoContext, deleted: Deleted, parents: Parents): Promise<void> {
  const { recreated } = context;
  const { effect, resource } = deleted;
  const { within, referrers, address } = effect;
  const parent =
    within && (await context.findAddress(context.kindNamed(within.kind), within.id, within.within));
  if (within !== undefined && parent === undefined)
    return void context.lose(`${address}: its parent no longer exists.`);
  await recreate(context, resource, effect, parent, within);
  await describeLostRedirects(context, address, resource, within);
  for (const referrer of referrers)
    if (!recreated.has(`${referrer.kind} ${referrer.id}`))
      await restoreReferrer(context, referrer, resource.id, parents);
}

async function recreate(
  context: UndoContext,
  resource: DeletedResource,
  effect: ResourceEffect,
  parent: string | undefined,
  within: Located | undefined,
): Promise<void> {
  const { request } = context;
  const { id, name, fields, inside } = resource;
  const isOutermost = effect.deleted === resource;
  const kind = context.kindNamed(resource.kind);
  const address = context.addressOf(kind.name, id);
  const isRestorable =
    kind.restore !== undefined && request.now - Date.parse(request.run.head.at) < restorableTime;
  const restores = isRestorable ? id : undefined;
  const item = context.add({ address, kind, name, body: undefined, parent, restores });
  for (const [field, value] of Object.entries(fields)) {
    const definition = findField(kind, field);
    // If the parent was not deleted, another resource in it has the exclusive fields now.
    if (definition === undefined || (isOutermost && definition.exclusive === true)) continue;
    const target = await context.toReferences(definition, value, within);
    if (target.missing === undefined) item.changes.set(field, { after: target.value });
    else context.lose(`${address}: "${field}" was ${target.missing}, which no longer exists.`);
  }
  const at = { kind: kind.name, id, within };
  const atCreation = await fieldsAtCreation(context, kind, inside, at);
  if (Object.keys(atCreation).length > 0) item.atCreation = atCreation;
  describeLoss(context, address, resource, isRestorable);
  const comesBack = (owned: Owned | null) =>
    owned !== null && context.recreated.has(`${owned.kind} ${owned.id}`);
  // The outermost resource also restores the entries of resources that do not come back.
  const stateBefore = [...effect.stateBefore].filter(
    ([, owned]) => owned?.id === id || (isOutermost && !comesBack(owned)),
  );
  item.stateChanges.push(...context.restoreState({ ...effect, kind, stateBefore }, { oldId: id }));
  for (const inner of inside) await recreate(context, inner, effect, address, at);
}

/** Returns the values that only a create takes. Their references are in the first resource inside. */
async function fieldsAtCreation(
  context: UndoContext,
  kind: Kind,
  inside: readonly DeletedResource[],
  at: Located,
): Promise<Fields> {
  const [first] = inside;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(kind.atCreation?.(inside, () => {}) ?? {})) {
    const field = first && findField(context.kindNamed(first.kind), name);
    fields[name] = field === undefined ? value : (await context.toReferences(field, value, at)).value;
  }
  return fields;
}

function describeLoss(
  context: UndoContext,
  address: string,
  { kind, unknown }: DeletedResource,
  isRestorable: boolean,
): void {
  if (kind === 'space' && isRestorable)
    context.notes.push(`${address} comes back with its content, because deleted spaces are kept for 7 days.`);
  if (kind === 'space' && !isRestorable)
    context.lose(
      `${address} is created again without its content, because deleted spaces are kept for 7 days only.`,
    );
  if (kind === 'team')
    context.lose(
      `${address} gets back its roles in collections, spaces and sites only where the run changed "access".`,
    );
  if (kind === 'share-link') context.lose(`${address}: it gets a new secret address.`);
  if (kind === 'translation')
    context.lose(`${address}: the next run of the translation translates everything again.`);
  for (const [field, why] of Object.entries(unknown))
    context.lose(`${address}: "${field}" will not be set, because ${why}.`);
}

/** Reports redirects that lead to the former ID of a section or site space, unless they are undone too. */
async function describeLostRedirects(
  { request, live, effects, lost }: UndoContext,
  address: string,
  resource: DeletedResource,
  within: Located | undefined,
): Promise<void> {
  let site = within;
  while (site !== undefined && site.kind !== 'site') site = site.within;
  const kind = request.table.find(({ name }) => name === site?.kind);
  const own = effects.find((effect) => effect.kind === kind && effect.id === site?.id);
  if (site === undefined || kind === undefined || own?.changes.has('redirects') === true) return;
  const body = await live.find(kind, site.id, undefined);
  const redirects = body && (await live.valueOf(kind, 'redirects', body, undefined));
  const ids = [resource.id, ...resource.inside.map(({ id }) => id)];
  if (ids.some((id) => containsId(redirects, id)))
    lost.push(`${address} gets a new ID, so redirects to it still lead nowhere. Set them again.`);
}

/** Makes a resource refer to a deleted one again, unless the field has changed since. */
async function restoreReferrer(
  context: UndoContext,
  { kind: kindName, id, within: path, field: name, before }: RecordedReferrer,
  deletedId: string,
  parents: Parents,
): Promise<void> {
  const { request, live, effects } = context;
  const kind = request.table.find((one) => one.name === kindName);
  const field = kind && findField(kind, name);
  const own = effects.find((effect) => effect.kind === kind && effect.id === id);
  if (kind === undefined || field === undefined || own?.changes.has(name) === true) return;
  const within = fromPath(path);
  const item = await context.find(kind, id, within);
  if (item?.body === undefined) return;
  const now = (await live.valueOf(kind, name, item.body, within)) ?? null;
  if (isSame(now, before, field.equals)) return;
  const isLeft = now === null || isAbove(deletedId, now, parents) || !containsText(now);
  const conflict = { address: item.address, field: name, why: 'has changed since', now, was: before };
  if (!isLeft && !context.mayOverwrite(conflict)) return;
  const target = await context.toReferences(field, before, within);
  if (target.missing !== undefined) return;
  item.changes.set(name, { before: now, after: target.value });
  // A killed run may not have updated the resource. Then only its entry in the state file has the former ID.
  if (own === undefined) item.stateChanges.push(...context.renewReferences(item.address, kind));
}

/** Whether a value refers to a parent of a deleted resource. */
function isAbove(id: string, value: unknown, parents: Parents): boolean {
  const seen = new Set<string>();
  for (
    let above = parents.get(id);
    typeof above === 'string' && !seen.has(above);
    above = parents.get(above)
  ) {
    if (containsId(value, above)) return true;
    seen.add(above);
  }
  return false;
}

function containsText(value: unknown): boolean {
  return typeof value === 'string' || (isObject(value) && Object.values(value).some(containsText));
}
