import { defined, groupBy } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { Binding } from '../bind-scope.ts';
import type { DesiredResource, Scope } from '../desired.ts';
import { actionFor, countCalls, isLate } from '../differences.ts';
import type { Body, Located } from '../kind.ts';
import { planDependencies } from '../plan-dependencies.ts';
import { countSteps, type Change, type PlanDocument, type Step } from '../plan-document.ts';
import type { DesiredScopes, SurveyedScopes } from '../plan-order.ts';
import { Faults, wholeFile } from '../read/faults.ts';
import { scopeKey } from '../survey.ts';
import { referencesIn, withIds } from '../value.ts';
import type { RecordedOrder } from './journal-lines.ts';
import type { UndoContext, UndoItem } from './undo-context.ts';

/** Returns the plan of an undo. @throws Problem(conflict) if steps wait for each other */
export async function makeUndoDocument(context: UndoContext, withPeople: boolean): Promise<PlanDocument> {
  const { items, stateSteps, deletes, request } = context;
  const { state, table, api } = request;
  const byKind = (steps: readonly Step[]): Step[] =>
    table.flatMap(({ name }) => steps.filter(({ kind }) => kind === name));
  const { desired, survey } = await describeScopes(context);
  const faults = new Faults();
  const planned = planDependencies(byKind([...items.values()].flatMap(toSteps)), desired, survey, faults);
  faults.throwIfAny();
  if (planned.cycle.length > 0) {
    const keys = planned.cycle.map(({ key }) => key).join(', ');
    const hint = 'Change one of them by hand, then undo the run again.';
    throw new Problem('conflict', `${keys} depend on each other.`, { hint });
  }
  const isNew = (address: string) => items.has(address) && items.get(address)?.body === undefined;
  const waitsOf = ({ key, address, lock = [] }: Step): string[] =>
    key === address
      ? [
          ...(items.get(address)?.waits ?? []),
          // In an entry of the state file, late fields contain IDs of other resources, which must exist first.
          ...referencesIn(lock.map(({ owned }) => owned?.fields)).filter(
            (other) => other !== address && isNew(other),
          ),
        ]
      : [];
  const steps = [
    ...planned.steps.map((step) => ({ ...step, after: [...step.after, ...waitsOf(step)] })),
    ...stateSteps,
    ...byKind(deletes).reverse(),
  ];
  const { counts, calls } = countSteps(steps);
  return {
    version: 1,
    place: api.place,
    organization: state.organization,
    people: withPeople,
    lock: { serial: state.serial },
    steps,
    // Resources that are only referred to do not count, because the run did not change them.
    counts: { ...counts, none: 0 },
    calls,
    left: [],
  };
}

/** Describes the resources of an undo in the form that planning gets from a manifest and a survey. */
async function describeScopes(
  context: UndoContext,
): Promise<{ desired: DesiredScopes; survey: SurveyedScopes }> {
  const { items, live, holders, request } = context;
  const bodyOf = (address: string): Body | undefined => items.get(address)?.body;
  const resources = [...items.values()].map(toDesired);
  const bindings = resources.map((resource): [string, Binding] => {
    const body = bodyOf(resource.address);
    return [resource.address, { resource, how: body === undefined ? 'new' : 'id', body, gone: undefined }];
  });
  const orders = new Map(context.orders.map((order) => [scopeKey(order.kind, order.parent), order]));
  const deleted = new Set(context.deletes.map(({ id }) => id));
  const scopes: Scope[] = [];
  const bodies = new Map<string, readonly Body[]>();
  const parts = new Map<string, ReadonlyMap<string, readonly Located[]>>();
  for (const [key, own] of groupBy(resources, ({ kind, parent }) => scopeKey(kind.name, parent))) {
    const [{ kind, parent }] = own;
    const order = orders.get(key);
    const within = context.locate(parent);
    const isLive = parent === undefined || within !== undefined;
    const isList = order !== undefined || (!isLive && kind.ordered?.parts !== undefined);
    scopes.push({ kind, parent, isList, resources: order === undefined ? own : sort(context, own, order) });
    if (!isLive) continue;
    const found = await live.list(kind, within);
    bodies.set(
      key,
      found.filter(({ id }) => !deleted.has(id) && !holders.has(id)),
    );
    if (order !== undefined && within !== undefined && kind.ordered?.parts !== undefined)
      parts.set(key, await kind.ordered.parts(live.backend, within));
  }
  return {
    desired: {
      scopes: request.table.flatMap((kind) => scopes.filter((scope) => scope.kind === kind)),
      byAddress: new Map(resources.map((resource) => [resource.address, resource])),
    },
    survey: {
      people: live.backend.people,
      bindings: new Map(bindings),
      live: bodies,
      parts,
      shown: new Map(),
      unsupported: new Map(),
      valueOf: ({ fields }, field) => withIds(fields.get(field)?.value, (address) => bodyOf(address)?.id),
    },
  };
}

/** Sorts resources in their former order, depth first, like a list in a manifest. */
function sort(
  context: UndoContext,
  own: readonly DesiredResource[],
  { kind, parts }: RecordedOrder,
): DesiredResource[] {
  const byAddress = new Map(own.map((resource) => [resource.address, resource]));
  const walk = (part: string): DesiredResource[] =>
    (parts[part] ?? []).flatMap(([name, id]) => {
      const resource = name === kind ? byAddress.get(context.addressOf(name, id)) : undefined;
      return [...(resource === undefined ? [] : [resource]), ...(part === id ? [] : walk(id))];
    });
  return walk('');
}

const nowhere = wholeFile('the journal');

function toDesired({ address, kind, parent, changes }: UndoItem): DesiredResource {
  const fields = new Map([...changes].map(([name, { after }]) => [name, { value: after, at: nowhere }]));
  return { address, kind, at: nowhere, parent, id: undefined, protect: undefined, fields, inside: [] };
}

function toSteps(item: UndoItem): Step[] {
  const { address, kind, name, body, parent, restores, stateChanges, atCreation } = item;
  const changes = [...item.changes].map(([field, change]): Change => ({ field, ...change }));
  const main = changes.filter((change) => !isLate(kind, change));
  const late = changes.filter((change) => isLate(kind, change));
  const isNew = body === undefined;
  const base = { address, kind: kind.name, name, ...defined({ id: body?.id, parent }), after: [] };
  const lock = isNew || stateChanges.length > 0 ? stateChanges : undefined;
  const first: Step = {
    ...base,
    key: address,
    action: isNew ? 'create' : actionFor(kind, true, main),
    changes: main,
    calls: countCalls(kind, main) + (isNew ? 1 : 0),
    ...defined({ lock, restores, atCreation }),
  };
  if (late.length === 0) return [first];
  const calls = countCalls(kind, late);
  return [first, { ...base, key: `${address} (last)`, action: 'update', changes: late, late: true, calls }];
}
