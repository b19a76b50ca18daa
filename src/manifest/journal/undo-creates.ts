import { defined, groupBy } from '../../contract/values.ts';
import {
  canLieIn,
  displayName,
  findField,
  isExternal,
  notReadable,
  readField,
  type Body,
  type Field,
  type Located,
} from '../kind.ts';
import { isOnlyTrue } from '../read/schema.ts';
import { isSame } from '../value.ts';
import type { ResourceEffect } from './collect-effects.ts';
import type { UndoContext } from './undo-context.ts';

interface Created {
  readonly effect: ResourceEffect;
  readonly body: Body;
}

type CreatedByKey = ReadonlyMap<string, Created>;

/** Deletes resources that the run created, with everything inside them, unless they have changed since. */
export async function undoCreates(context: UndoContext): Promise<void> {
  const created = new Map<string, Created>();
  for (const effect of context.effects) {
    if (effect.action !== 'create') continue;
    const body = await findCreated(context, effect, created);
    if (body !== undefined) created.set(keyOf(effect.kind.name, body.id), { effect, body });
    // It was deleted since, or never created.
    else context.addStateStep(effect);
  }
  const pairs = [...created.values()].flatMap((one) =>
    one.effect.path.map(([kind, id]) => [keyOf(kind, id), one] as const),
  );
  const insideOf = groupBy(pairs, ([key]) => key);
  for (const [key, one] of created) {
    if (isInside(one.effect, created)) continue;
    const inside = (insideOf.get(key) ?? []).map(([, inner]) => inner);
    await undoCreate(context, one, inside, created);
  }
}

function keyOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}

function isInside({ path }: ResourceEffect, created: CreatedByKey): boolean {
  return path.some(([kind, id]) => created.has(keyOf(kind, id)));
}

async function undoCreate(
  context: UndoContext,
  created: Created,
  inside: readonly Created[],
  all: CreatedByKey,
): Promise<void> {
  const { request, live } = context;
  const { effect, body } = created;
  const { address, kind, within } = effect;
  const { id } = body;
  const deleted = [created, ...inside];
  const unowned = deleted.filter((one) => !isOwned(context, one));
  const foreign = unowned.find((one) => isIdKnown(context, one));
  if (foreign !== undefined) {
    const what = `${foreign.effect.kind.name} ${foreign.body.id}`;
    context.refused.push({ address, why: `would delete ${what}, which the state file does not own` });
    return;
  }
  const whys = [
    ...(await Promise.all(deleted.map((one) => describeChanges(context, one)))).flat(),
    ...unowned.map((one) => `${one.effect.kind.name} ${one.body.id} is not owned as ${one.effect.address}`),
    ...(await describeForeign(context, { kind: kind.name, id, within }, all)),
  ];
  // Shows the current name, because the name in the journal may be wrong.
  const name = displayName(kind, body, live.backend, address);
  const why = `was created by this run, but ${whys.join('; ')}`;
  if (whys.length > 0 && !context.mayOverwrite({ address, why })) return;
  const lock = deleted.flatMap((one) => context.restoreState(one.effect));
  const drops = inside.map((one) => one.effect.address).filter((one) => request.state.get(one) !== undefined);
  context.deletes.push({
    key: address,
    address,
    kind: kind.name,
    action: 'delete',
    name,
    id,
    changes: [],
    after: [],
    calls: 1,
    lock,
    ...defined({
      parent: await context.addParent(within),
      drops: drops.length === 0 ? undefined : drops,
    }),
  });
  await describeTranslatedSpace(context, effect, body);
  if (kind.name === 'space')
    context.notes.push(
      `${address} will be deleted with everything written in it since. You can restore it for 7 days with \`docsctl spaces restore ${id}\`.`,
    );
}

/**
 * Whether the state file confirms that the resource was created. The journal alone is not trusted, because anybody may edit it.
 */
function isOwned({ request: { state } }: UndoContext, { effect: { address, kind }, body }: Created): boolean {
  const owned = state.get(address);
  return owned?.kind === kind.name && owned.id === body.id;
}

/** Whether the ID is recorded. It is unknown for a resource that was being created when the run was killed. */
function isIdKnown({ request: { state, run } }: UndoContext, { effect: { address, id } }: Created): boolean {
  return state.get(address) !== undefined || id !== undefined || run.end?.how === 'done';
}

/** Finds a created resource by its ID, or by its fields if the run was killed before the ID was known. */
async function findCreated(
  context: UndoContext,
  effect: ResourceEffect,
  created: CreatedByKey,
): Promise<Body | undefined> {
  const { live, request } = context;
  const { kind, address, stateBefore, within } = effect;
  const owned = request.state.get(address);
  const ownedId = owned?.id === stateBefore.get(address)?.id ? undefined : owned?.id;
  const id = effect.id ?? ownedId;
  if (id !== undefined) return live.find(kind, id, within);
  const taken = takenIds(context, effect);
  const found = (await live.list(kind, within)).filter(
    (body) => !taken.has(body.id) && !isOlder(body, request.run.head.at) && looksLike(context, effect, body),
  );
  const [only] = found;
  // If its parent was created too, it is deleted with the parent.
  if (only === undefined || isInside(effect, created)) return only;
  const ids = found.map((body) => body.id).join(', ');
  const why = 'was being created when the run was killed';
  if (found.length === 1)
    return context.mayOverwrite({ address, why: `${why}; it is probably ${ids}` }) ? only : undefined;
  context.conflicts.push({ address, why: `${why}; it may be any of ${ids}` });
  return undefined;
}

/** Returns the IDs of resources that are known, or existed before the run. */
function takenIds(
  { request, effects }: UndoContext,
  { kind, path }: ResourceEffect,
): Set<string | undefined> {
  const order = request.run.orders.find(
    (one) => one.kind === kind.name && one.at.at(-1)?.[1] === path.at(-1)?.[1],
  );
  return new Set([
    ...request.state.entries().map(([, { id }]) => id),
    ...effects.map(({ id }) => id),
    ...Object.values(order?.parts ?? {}).flatMap((items) => items.map(([, id]) => id)),
  ]);
}

function isOlder(body: Body, at: string): boolean {
  const { createdAt } = body as { createdAt?: unknown };
  return typeof createdAt === 'string' && createdAt < at;
}

/** Whether a resource has all values that the run created it with. */
function looksLike({ live }: UndoContext, { kind, changes }: ResourceEffect, body: Body): boolean {
  const isSet = (field: Field | undefined): field is Field =>
    field?.create !== undefined && field.fetch === undefined;
  return [...changes].every(([name, { after }]) => {
    const field = kind.fields[name];
    if (!isSet(field) || after === null || after === undefined) return true;
    return isSame(readField(kind, name, body, live.backend.people), after, field.equals);
  });
}

async function describeChanges(
  { live }: UndoContext,
  { effect: { kind, changes, isComplete, within }, body }: Created,
): Promise<string[]> {
  const whys: string[] = [];
  for (const [name, change] of isComplete ? changes : []) {
    const field = findField(kind, name);
    if (
      field === undefined ||
      !Object.hasOwn(change, 'after') ||
      isOnlyTrue(field.schema) ||
      isExternal(kind, name)
    )
      continue;
    const now = await live.valueOf(kind, name, body, within, change.after);
    if (now !== notReadable && !isSame(now, change.after, field.equals))
      whys.push(`its "${name}" is ${JSON.stringify(now ?? null)} now`);
  }
  return whys;
}

/** Describes resources inside a created resource that the run did not create. */
async function describeForeign(context: UndoContext, at: Located, created: CreatedByKey): Promise<string[]> {
  const { live, request } = context;
  const whys: string[] = [];
  for (const kind of request.table) {
    if (!canLieIn(kind, at.kind)) continue;
    for (const [index, body] of (await live.list(kind, at)).entries()) {
      // A killed run may not have recorded resources that the API creates together with their parent.
      const isFromParent =
        index === 0 && request.run.end?.how !== 'done' && context.kindNamed(at.kind).atCreation !== undefined;
      const name = JSON.stringify(displayName(kind, body, live.backend));
      if (created.has(keyOf(kind.name, body.id)) || isFromParent)
        whys.push(...(await describeForeign(context, { kind: kind.name, id: body.id, within: at }, created)));
      else whys.push(`${kind.name} ${name} (${body.id}) has been added to it since`);
    }
  }
  return whys;
}

/** Describes the space of a translation, which is not deleted with the translation. */
async function describeTranslatedSpace(
  { stays, deletes, live, request }: UndoContext,
  { kind, address }: ResourceEffect,
  body: Body,
): Promise<void> {
  const { result } = body as Body & { result?: { space: string } };
  const target = kind.name === 'translation' ? result?.space : undefined;
  const space = request.table.find(({ name }) => name === 'space');
  if (target === undefined || space === undefined) return;
  const found = await live.find(space, target, undefined);
  if (found === undefined || deletes.some((step) => step.kind === 'space' && step.id === target)) return;
  const title = JSON.stringify(displayName(space, found, live.backend));
  stays.push(
    `the space ${title} (${target}), which ${address} wrote; delete it with \`docsctl spaces delete ${target}\``,
  );
}
