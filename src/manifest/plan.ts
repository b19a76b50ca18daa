import type { TProperties } from '../contract/schema.ts';
import { defined } from '../contract/values.ts';
import { resourcesById, type Binding } from './bind-scope.ts';
import type { Desired, DesiredResource } from './desired.ts';
import { readDesired } from './read-desired.ts';
import { actionFor, compareFields, countCalls, fingerprintOf, isLate } from './differences.ts';
import { displayName, getField, nameFields, readField, type Fields, type Kind } from './kind.ts';
import { checkSitePlaces } from './check-site-places.ts';
import { checkLiteralIds } from './literal-ids.ts';
import { kinds } from './kinds/index.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { leaveDeletedGroups } from './leave-deleted-groups.ts';
import { keepAdministrator } from './keep-administrator.ts';
import { planDependencies } from './plan-dependencies.ts';
import { planOrder } from './plan-order.ts';
import {
  countSteps,
  emptyStep,
  type Change,
  type PlanDocument,
  type Step,
  type Unstated,
} from './plan-document.ts';
import { addRenameHints, hideBeforeContent, planPrune, type PruneOptions } from './plan-prune.ts';
import { createSelection, selectSteps, type SelectionPatterns } from './selection.ts';
import { Faults, formatLocation } from './read/faults.ts';
import type { MapNode } from './read/node.ts';
import { bindingsInOrder, scopeKey, surveyLive, type Survey, type SurveyRequest } from './survey.ts';
import { canonical, isSame } from './value.ts';
import { withAddresses } from './with-addresses.ts';

export interface PlanManifestRequest extends Omit<SurveyRequest, 'desired'>, PruneOptions, SelectionPatterns {
  /** `Manifest.root`. */
  readonly root: MapNode;
  /** The top-level fields of the manifest that are not kinds. */
  readonly beside?: TProperties;
}

export interface PlannedManifest {
  readonly desired: Desired;
  readonly survey: Survey;
  readonly document: PlanDocument;
}

/** Reads a manifest, compares it with the live resources, and plans an apply. */
export async function planManifest(request: PlanManifestRequest): Promise<PlannedManifest> {
  const desired = readDesired(request.root, request.table, request.beside);
  const survey = await surveyLive({ ...request, desired });
  return { desired, survey, document: makePlan({ ...request, desired, survey }) };
}

interface PlanRequest extends PruneOptions, SelectionPatterns {
  readonly desired: Desired;
  readonly survey: Survey;
  readonly state: ManifestState;
  readonly table?: readonly Kind[];
  /** Fields that are set although the manifest does not state them, by address and field, because their group is deleted. */
  readonly left?: ReadonlySet<string>;
}

/**
 * Plans an apply.
 * @throws Problem(invalid-input) with all faults of the manifest
 * @throws Problem(usage) if a selected step needs one that is not selected
 * @throws Problem(guard-refused) for deletes over the budget
 */
export function makePlan(request: PlanRequest): PlanDocument {
  const { desired, survey, state, table = kinds } = request;
  const faults = new Faults();
  const planner = new Planner(request, faults);
  const planned = bindingsInOrder(desired, survey).flatMap((binding) => planner.planSteps(binding));
  const { steps, cycle } = planDependencies(planned, desired, survey, faults);
  reportCycle(cycle, desired, faults);
  faults.throwIfAny();
  const isSelected = createSelection(request, [
    ...desired.byAddress.keys(),
    ...state.entries().map(([address]) => address),
  ]);
  const pruned = planPrune({ ...request, table, renamed: planner.renamed, isSelected });
  const { deletes, forgotten, left, kept, unmanaged, refusal } = pruned;
  const made = deletes.filter(({ address }) => isSelected?.(address) ?? true);
  const leaving = leaveDeletedGroups(desired, survey, made, table);
  if (leaving !== undefined) return makePlan({ ...request, ...leaving });
  checkSitePlaces(desired, survey, new Set(deletes.flatMap(({ id }) => id ?? [])), faults);
  faults.throwIfAny();
  const ordered = hideBeforeContent(steps, made, survey);
  const hinted = addRenameHints(ordered, [...left, ...deletes], state);
  const candidates = [...hinted, ...forgotten, ...deletes];
  const all = keepAdministrator(selectSteps(candidates, isSelected, table, request), survey);
  const leftOut = candidates.filter(
    ({ action, address }) => action !== 'none' && isSelected?.(address) === false,
  );
  const pending = planner.pending.filter((address) => isSelected?.(address) ?? true);
  const document: PlanDocument = {
    version: 1,
    place: survey.place,
    organization: survey.organization,
    people: survey.withPeople,
    lock: { serial: state.serial },
    steps: all,
    ...countSteps(all),
    left,
    unstated: planner.unstated.filter(({ address }) => isSelected?.(address) ?? true),
    ...(kept.length === 0 ? {} : { protected: kept }),
    ...(unmanaged.length === 0 ? {} : { unmanaged }),
    ...(pending.length === 0 ? {} : { pending }),
    ...(leftOut.length === 0 ? {} : { leftOut: [...new Set(leftOut.map(({ address }) => address))] }),
  };
  if (refusal === undefined) return document;
  request.onRefused?.(document);
  throw refusal;
}

function reportCycle(cycle: readonly Step[], { byAddress }: Desired, faults: Faults): void {
  for (const { key, address } of cycle) {
    const resource = byAddress.get(address);
    if (resource === undefined) continue;
    const others = cycle.map((step) => step.key).filter((other) => other !== key);
    faults.add(
      resource.at,
      `${key} and ${others.slice(0, 5).join(', ')} swap a value that must be unique; apply twice, with a temporary value first`,
    );
  }
}

class Planner {
  /** The new addresses of resources, by their address in the state file. */
  readonly renamed = new Map<string, string>();
  readonly unstated: Unstated[] = [];
  /** Addresses of open invitations. */
  readonly pending: string[] = [];
  readonly #request: PlanRequest;
  readonly #faults: Faults;
  /** Unsupported addresses, and whether the reason is that the caller may not see them. */
  readonly #unsupported = new Map<string, boolean>();
  /** Addresses in the state file that the manifest does not have, by kind and ID. */
  readonly #ownedById = new Map<string, string>();
  /** Resources by kind and live id. */
  readonly #byId: ReadonlyMap<string, DesiredResource>;

  constructor(request: PlanRequest, faults: Faults) {
    this.#request = request;
    this.#faults = faults;
    for (const [address, { kind, id }] of request.state.entries())
      if (!request.desired.byAddress.has(address)) this.#ownedById.set(`${kind} ${id}`, address);
    this.#byId = resourcesById(request.survey.bindings);
  }

  planSteps(binding: Binding): Step[] {
    const { resource, body } = binding;
    const { address, kind } = resource;
    const { survey, state } = this.#request;
    const owned = state.get(address);
    const base = this.#baseStep(binding);
    if (binding.pending !== undefined) {
      this.pending.push(address);
      return [{ ...base, id: binding.pending }];
    }
    const unsupported = this.#whyUnsupported(resource);
    if (unsupported !== undefined) {
      this.#unsupported.set(address, unsupported.forbidden === true);
      return [{ ...base, action: 'unsupported', ...unsupported }];
    }
    const { changes: differing, createOnly } = compareFields(binding, owned, survey);
    const again = [
      ...this.#changesByOrder(binding, differing),
      ...this.#changesByDeletes(binding, differing),
    ];
    const changes = [...differing, ...again, ...(body === undefined ? this.#inherited(resource) : [])];
    checkLiteralIds(binding, changes, (other) => survey.live.get(scopeKey(other, undefined)), this.#faults);
    const shown = changes.map((change) => this.#withNames(kind, change));
    const early = shown.filter((change) => !isLate(kind, change));
    const late = shown.filter(
      (change) =>
        isLate(kind, change) &&
        (body !== undefined || !isSame(change.after, getField(kind, change.field).default)),
    );
    const steps = [this.#mainStep(binding, owned, base, early)];
    if (late.length > 0)
      steps.push({
        ...base,
        key: `${address} (last)`,
        action: 'update',
        changes: late,
        late: true,
        calls: countCalls(kind, late),
      });
    for (const field of resource.fields.keys()) {
      const reason = survey.unfetched.get(`${address} ${field}`);
      if (reason !== undefined)
        steps.push({
          ...base,
          key: `${address} (${field})`,
          action: 'unsupported',
          reason: `"${field}" cannot be compared: ${reason}`,
          ...forbiddenIn(survey, `${address} ${field}`),
        });
    }
    for (const change of createOnly)
      steps.push({
        ...base,
        key: `${address} (${change.field})`,
        action: 'unsupported',
        changes: [this.#withNames(kind, change)],
        reason: `"${change.field}" can be set only when a ${kind.name} is created; remove it from the file, or create a new ${kind.name}`,
      });
    return steps;
  }

  /** Returns unstated fields of a new resource whose value another block changes, perhaps after the create. */
  #inherited({ kind, fields }: DesiredResource): Change[] {
    const { desired, survey } = this.#request;
    return Object.entries(kind.fields).flatMap(([name, { inherits }]): Change[] => {
      const source = [...desired.byAddress.values()].find((other) => other.kind.name === inherits?.kind);
      const body = survey.bindings.get(source?.address ?? '')?.body;
      if (inherits === undefined || fields.has(name) || !body || !source?.fields.has(inherits.field))
        return [];
      const value = survey.valueOf(source, inherits.field);
      const isSet = isSame(readField(source.kind, inherits.field, body, survey.people), value);
      return isSet ? [] : [{ field: name, after: inherits.as(value), moved: 'file' }];
    });
  }

  /** Returns the unchanged fields that must be set again because the order that they depend on changes. */
  #changesByOrder({ resource, body }: Binding, changes: readonly Change[]): Change[] {
    const { desired, survey } = this.#request;
    const { address, kind, fields } = resource;
    return [...fields.keys()].flatMap((name): Change[] => {
      const { followsOrderOf } = getField(kind, name);
      const isUnchanged = body !== undefined && changes.every(({ field }) => field !== name);
      const scope = desired.scopes.find((one) => one.parent === address && one.kind.name === followsOrderOf);
      if (!isUnchanged || scope?.isList !== true || survey.unfetched.has(`${address} ${name}`)) return [];
      const stated = survey.statedOf(resource, name);
      const { arrivals, moves } = planOrder(scope, desired, survey, this.#byId);
      if (!Array.isArray(stated) || stated.length === 0 || arrivals.length + moves.length === 0) return [];
      const says = `placed again, because the order of the ${followsOrderOf}s changes`;
      return [
        { field: name, before: survey.fetched.get(`${address} ${name}`), after: stated, says, moved: 'file' },
      ];
    });
  }

  /** Returns the unchanged fields that must be set again because a resource that they may link to is deleted. */
  #changesByDeletes({ resource, body }: Binding, changes: readonly Change[]): Change[] {
    const { desired, survey, state, prune } = this.#request;
    const { address, kind, fields } = resource;
    if (prune !== true || body === undefined) return [];
    const isInside = (parent: string | undefined): boolean => {
      const owned = state.get(parent ?? '');
      return owned !== undefined && (owned.id === body.id || isInside(owned.parent));
    };
    return [...fields.keys()].flatMap((field): Change[] => {
      const { followsDeletesOf: followed } = getField(kind, field);
      const isUnchanged = changes.every((change) => change.field !== field);
      if (followed === undefined || !isUnchanged || survey.unfetched.has(`${address} ${field}`)) return [];
      const after = survey.statedOf(resource, field);
      const isDeleted = state
        .entries()
        .some(
          ([one, { kind: name, id, parent }]) =>
            followed.includes(name) &&
            !desired.byAddress.has(one) &&
            !this.#byId.has(`${name} ${id}`) &&
            isInside(parent),
        );
      if (!isDeleted || !Array.isArray(after) || after.length === 0) return [];
      const says = 'set again, because sections or spaces of the site are deleted';
      return [{ field, before: survey.fetched.get(`${address} ${field}`), after, says, moved: 'file' }];
    });
  }

  #whyUnsupported({ kind, parent = '' }: DesiredResource): Pick<Step, 'reason' | 'forbidden'> | undefined {
    const { survey } = this.#request;
    const reason = survey.unsupported.get(kind.name);
    if (reason !== undefined) return { reason, ...forbiddenIn(survey, kind.name) };
    const isParentForbidden = this.#unsupported.get(parent);
    if (isParentForbidden === undefined) return undefined;
    return isParentForbidden
      ? { reason: `${parent} cannot be read`, forbidden: true }
      : { reason: `${parent} cannot be created` };
  }

  #mainStep(binding: Binding, owned: Owned | undefined, base: Step, changes: readonly Change[]): Step {
    const { resource, body, gone } = binding;
    const { address, kind, fields, protect } = resource;
    const { survey, state } = this.#request;
    const step = { ...base, changes, ...defined({ states: this.#newState(binding, owned), protect }) };
    if (body === undefined)
      return {
        ...step,
        action: 'create',
        calls: 1 + countCalls(kind, changes, true),
        ...defined({
          gone,
          atCreation: this.#creationFields(resource),
          hint: gone === undefined ? undefined : kind.restoreHint?.(gone),
        }),
      };
    const former = this.#ownedById.get(`${kind.name} ${body.id}`);
    if (former !== undefined) this.renamed.set(former, address);
    const isOwned = owned?.id === body.id;
    const last = isOwned ? owned : former === undefined ? undefined : state.get(former);
    for (const field of Object.keys(last?.fields ?? {}))
      if (!fields.has(field)) this.unstated.push({ address, field });
    const protectWas = last?.protect ?? false;
    const changesProtection = last !== undefined && protect !== undefined && protect !== protectWas;
    const action = actionFor(kind, isOwned, changes);
    return {
      ...step,
      action: action === 'none' && changesProtection ? 'update' : action,
      ...(changesProtection ? { protectWas } : {}),
      calls: countCalls(kind, changes),
      ...(former === undefined ? {} : { drops: [former] }),
      saw: fingerprintOf(kind, body, survey.people),
    };
  }

  #baseStep({ resource, body }: Binding): Step {
    const { address, kind, parent, at, fields } = resource;
    const stated = nameFields
      .map((field) => fields.get(field)?.value)
      .find((value) => typeof value === 'string');
    const name =
      stated ?? (body === undefined ? address : displayName(kind, body, this.#request.survey, address));
    return emptyStep(address, kind.name, 'none', name, { at: formatLocation(at), id: body?.id, parent });
  }

  /** Returns the fields for the state file; undefined if it has exactly these already. */
  #newState({ resource, body }: Binding, owned: Owned | undefined): Fields | undefined {
    const { survey } = this.#request;
    // It is unknown whether an unreadable field has the stated value, so the state file keeps its old entry.
    const isUnread = (field: string) => survey.unfetched.has(`${resource.address} ${field}`);
    const unread = Object.entries(owned?.fields ?? {}).filter(([field]) => isUnread(field));
    const { left } = this.#request;
    const names = [...resource.fields.keys()].filter(
      (field) => !isUnread(field) && left?.has(`${resource.address} ${field}`) !== true,
    );
    const fieldsBy = (read: 'valueOf' | 'statedOf'): Fields =>
      Object.fromEntries([
        ...unread,
        ...names.map((field) => [field, survey[read](resource, field)] as const),
      ]);
    const isKnown =
      owned !== undefined &&
      owned.id === body?.id &&
      owned.parent === resource.parent &&
      resource.kind.isPending?.(owned) !== true &&
      (owned.protect ?? false) === (resource.protect ?? owned.protect ?? false) &&
      canonical(owned.fields) === canonical(fieldsBy('valueOf'));
    return isKnown ? undefined : fieldsBy('statedOf');
  }

  /** Returns the values that only a create call needs and the manifest does not state. */
  #creationFields({ address, kind, at, fields, inside }: DesiredResource): Fields | undefined {
    const { survey } = this.#request;
    const nested = inside.map((one) => ({
      kind: one.kind.name,
      fields: Object.fromEntries([...one.fields.keys()].map((field) => [field, survey.statedOf(one, field)])),
    }));
    const implied =
      kind.atCreation?.(
        nested,
        (message) => this.#faults.add(at, `${address} does not exist yet; ${message}`),
        (field) => fields.has(field),
      ) ?? {};
    const missing = Object.entries(kind.fields)
      .filter(([name, field]) => field.required === true && !fields.has(name) && implied[name] === undefined)
      .map(([name]) => `"${name}"`);
    if (missing.length > 0)
      this.#faults.add(at, `${address} does not exist yet; to create it, set ${missing.join(' and ')}`);
    const unstated = Object.entries(implied).filter(([name]) => !fields.has(name));
    return unstated.length === 0 ? undefined : Object.fromEntries(unstated);
  }

  /** Replaces IDs in the shown values of a change by the addresses of the manifest. */
  #withNames(kind: Kind, change: Change): Change {
    if (change.before === undefined) return change;
    return {
      ...change,
      before: withAddresses(
        change.before,
        getField(kind, change.field),
        (known) => this.#byId.get(known)?.address,
      ),
    };
  }
}

function forbiddenIn({ forbidden }: Survey, what: string): Pick<Step, 'forbidden'> {
  return forbidden.has(what) ? { forbidden: true } : {};
}
