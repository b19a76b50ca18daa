import { displayName, readField } from '../read-field.ts';
import { notReadable, type Body, type Located, isExternal } from '../kind.ts';
import type { StateChange } from '../plan-document.ts';
import { isSame } from '../value.ts';
import type { ResourceEffect } from './collect-effects.ts';
import { isOnlyTrue } from '../read/schema.ts';
import { describeTarget } from './undo-stays.ts';
import { within, type UndoContext } from './undo-context.ts';

/** Deletes what the run made, where it is still as the run left it. Of what lies in another one only that is deleted. */
export async function undoCreates(undoing: UndoContext): Promise<void> {
  const made = new Map<string, Made>();
  for (const touched of undoing.touched) {
    if (touched.how !== 'made') continue;
    const body = await bodyOf(undoing, touched, made);
    if (body !== undefined) made.set(`${touched.kind.name} ${body.id}`, { touched, id: body.id, body });
    // Somebody deleted it since, or it was never made.
    else undoing.relockAlone(touched);
  }
  const inMade = insideOf(made);
  for (const { touched, id, body } of made.values()) {
    if (touched.within.some(([kind, outer]) => made.has(`${kind} ${outer}`))) continue;
    const at: Located = { kind: touched.kind.name, id, within: within(touched) };
    const inside = inMade.get(`${at.kind} ${id}`) ?? [];
    const all = [{ touched, id, body }, ...inside];
    const unowned = all.filter((one) => !isOwned(undoing, one));
    const foreign = unowned.find((one) => isSettled(undoing, one));
    if (foreign !== undefined) {
      undoing.refused.push({
        address: touched.address,
        why: `would delete ${foreign.touched.kind.name} ${foreign.id}, which the lock does not own`,
      });
      continue;
    }
    const whys = (
      await Promise.all(all.map((one) => changedSince(undoing, one.touched, one.body, one.id)))
    ).flat();
    whys.push(
      ...unowned.map((one) => `${one.touched.kind.name} ${one.id} is not owned as ${one.touched.address}`),
    );
    whys.push(...(await foreignIn(undoing, at, touched, made)));
    const { address, kind } = touched;
    // As it is called now: what a journal calls it may be wrong.
    const name = displayName(kind, body, { people: undoing.lists.backend.people }, address);
    if (whys.length > 0 && !undoing.insists({ address, why: `was made by this run, and ${whys.join('; ')}` }))
      continue;
    const lock: StateChange[] = [];
    for (const one of all) undoing.relock(one.touched, { lock, body }, new Set(), new Set(), undefined);
    const drops = inside.flatMap((one) =>
      undoing.request.state.get(one.touched.address) === undefined ? [] : [one.touched.address],
    );
    const parent = await undoing.steps.parentOf(at.within);
    undoing.steps.deletes.push({
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
      ...(parent === undefined ? {} : { parent }),
      ...(drops.length === 0 ? {} : { drops }),
    });
    await describeTarget(undoing, kind, address, body);
    if (kind.name === 'space')
      undoing.notes.push(
        `${address} is deleted with what was written in it since; for 7 days it can be brought back: docsctl spaces restore ${id}`,
      );
  }
}

interface Made {
  readonly touched: ResourceEffect;
  readonly id: string;
  readonly body: Body;
}

/** What lies in each, at whatever depth. */
function insideOf(made: ReadonlyMap<string, Made>): Map<string, Made[]> {
  const found = new Map<string, Made[]>();
  for (const one of made.values()) {
    for (const [kind, outer] of one.touched.within) {
      const key = `${kind} ${outer}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, [one]);
      else known.push(one);
    }
  }
  return found;
}

/** A journal is a file that anybody may have edited: what it says was made is deleted only where the lock owns it as well. */
function isOwned({ request: { state } }: UndoContext, { touched: { address, kind }, id }: Made): boolean {
  const owned = state.get(address);
  return owned?.kind === kind.name && owned.id === id;
}

/** Of what was being made when a run was killed neither journal nor lock knows the id; only there somebody may insist. */
function isSettled({ request: { state, run } }: UndoContext, { touched: { address, id } }: Made): boolean {
  return state.get(address) !== undefined || id !== undefined || run.end?.how === 'done';
}

function isOlder(body: Body, at: string): boolean {
  const { createdAt } = body as { readonly createdAt?: unknown };
  return typeof createdAt === 'string' && createdAt < at;
}

/** By its id; where the run was killed before that was known, by what the lock says, or by what it looks like. */
async function bodyOf(
  undoing: UndoContext,
  touched: ResourceEffect,
  made: ReadonlyMap<string, unknown>,
): Promise<Body | undefined> {
  const { lists, request } = undoing;
  const { kind, id, address, before, changes } = touched;
  const owned = request.state.get(address);
  const known = id ?? (owned !== undefined && owned.id !== before.get(address)?.id ? owned.id : undefined);
  if (known !== undefined) return lists.find(kind, { id: known, within: within(touched) });
  const taken = new Set([
    ...request.state.entries().map(([, one]) => one.id),
    ...undoing.touched.map((one) => one.id),
  ]);
  const scope = request.run.scopes.find(
    (one) => one.kind === kind.name && one.at.at(-1)?.[1] === touched.within.at(-1)?.[1],
  );
  for (const items of Object.values(scope?.parts ?? {})) for (const item of items) taken.add(item[1]!);
  const stated = [...changes].filter(
    ([name, { after }]) =>
      kind.fields[name]?.create !== undefined &&
      kind.fields[name]?.fetch === undefined &&
      after !== null &&
      after !== undefined,
  );
  const looksLike = (body: Body): boolean =>
    stated.every(([name, { after }]) =>
      isSame(readField(kind, name, body, lists.backend.people), after, kind.fields[name]!.equals),
    );
  const found = (await lists.list(kind, within(touched))).filter(
    (body) => !taken.has(body.id) && !isOlder(body, request.run.head.at) && looksLike(body),
  );
  const ids = found.map((body) => body.id).join(', ');
  // What lies in something that the run made goes with that.
  if (found.length === 0 || touched.within.some(([outer, inner]) => made.has(`${outer} ${inner}`)))
    return found[0];
  const insists =
    found.length === 1 &&
    undoing.insists({ address, why: `was being made when the run was killed: ${ids} looks like it` });
  if (found.length > 1)
    undoing.conflicts.push({
      address,
      why: `was being made when the run was killed: any of ${ids} may be it`,
    });
  return insists ? found[0] : undefined;
}

async function changedSince(
  { lists }: UndoContext,
  { kind, changes, isWhole, within: path }: ResourceEffect,
  body: Body,
  id: string,
): Promise<string[]> {
  if (!isWhole) return [];
  const whys: string[] = [];
  for (const [field, change] of changes) {
    const definition = kind.fields[field];
    if (
      definition === undefined ||
      change.secret === true ||
      !Object.hasOwn(change, 'after') ||
      isOnlyTrue(definition.schema) ||
      isExternal(kind, field)
    )
      continue;
    const now = await lists.valueOf(
      kind,
      field,
      body,
      { kind: kind.name, id, within: within({ within: path }) },
      change.after,
    );
    if (now !== notReadable && !isSame(now, change.after, definition.equals))
      whys.push(`its "${field}" is ${JSON.stringify(now ?? null)} now`);
  }
  return whys;
}

/** What lies in it and was not made by the run. */
async function foreignIn(
  undoing: UndoContext,
  at: Located,
  touched: ResourceEffect,
  made: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const { lists, request } = undoing;
  const whys: string[] = [];
  for (const kind of request.table) {
    if (!kind.slots.some((spot) => spot.within === at.kind)) continue;
    const bodies = await lists.list(kind, at);
    for (const [index, body] of bodies.entries()) {
      const own = { kind: kind.name, id: body.id, within: at };
      // What comes with its parent is nobody's, where the run was killed before it took it over.
      const isBorn =
        index === 0 &&
        request.run.end?.how !== 'done' &&
        undoing.steps.kind(at.kind).atCreation !== undefined;
      if (made.has(`${kind.name} ${body.id}`) || isBorn)
        whys.push(...(await foreignIn(undoing, own, touched, made)));
      else
        whys.push(
          `${kind.name} ${JSON.stringify(displayName(kind, body, { people: lists.backend.people }))} (${body.id}) lies in it since`,
        );
    }
  }
  return whys;
}
