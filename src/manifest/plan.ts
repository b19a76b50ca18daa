import type { Binding } from './bind-scope.ts';
import type { Desired, DesiredResource } from './desired.ts';
import { callOf, differencesOf, fingerprint, hashed, isLate } from './differences.ts';
import type { Fields, Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { planDependencies } from './plan-dependencies.ts';
import type { Action, Change, PlanDocument, Step, Unstated } from './plan-document.ts';
import { planPrune, type PruneOptions } from './plan-prune.ts';
import { displayName } from './read-field.ts';
import { Faults } from './read/faults.ts';
import { formatLocation } from './read/source-location.ts';
import { addRenameHints } from './renames.ts';
import type { Survey } from './survey.ts';
import { canonical, isSame } from './value.ts';
import { withAddresses } from './with-addresses.ts';

export interface PlanRequest extends PruneOptions {
  readonly desired: Desired;
  readonly survey: Survey;
  readonly state: ManifestState;
  readonly table?: readonly Kind[];
}

/** Says what an apply will do. Throws one Problem with all that cannot be: what is missing, protected, or over the budget. */
export function makePlan(request: PlanRequest): PlanDocument {
  const { desired, survey, state, table = kinds } = request;
  const faults = new Faults();
  const planner = new Planner(request, faults);
  const made = desired.scopes.flatMap(({ resources }) => resources.flatMap((one) => planner.stepsFor(one)));
  const { steps, cycle } = planDependencies(made, desired, survey, faults);
  for (const { key, address } of cycle) {
    const others = cycle
      .filter((step) => step.key !== key)
      .slice(0, 5)
      .map((step) => step.key);
    const message = `${key} waits for ${others.join(', ')} and the other way round, because they exchange what only one may have; do it in two applies, with another value between`;
    faults.add(desired.byAddress.get(address)!.at, message);
  }
  faults.throwIfAny();
  const { deletes, forgotten, left, refusal } = planPrune(
    desired,
    survey,
    state,
    table,
    planner.renamed,
    request,
  );
  const all = [
    ...addRenameHints(steps, [...left, ...deletes], state),
    ...forgotten.map(forgetStep(state)),
    ...deletes,
  ];
  const counts = {
    create: 0,
    update: 0,
    adopt: 0,
    move: 0,
    delete: 0,
    none: 0,
    unsupported: 0,
  } satisfies Record<Action, number>;
  for (const { action } of all) counts[action]++;
  const document: PlanDocument = {
    version: 1,
    place: survey.place,
    organization: survey.organization,
    people: survey.withPeople,
    lock: { serial: state.serial },
    steps: all,
    counts,
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    left,
    unstated: planner.unstated,
  };
  if (refusal === undefined) return document;
  request.onRefused?.(document);
  throw refusal;
}

function forgetStep(lock: ManifestState): (address: string) => Step {
  return (address) => ({
    key: address,
    address,
    kind: lock.get(address)!.kind,
    action: 'none',
    name: address,
    changes: [],
    after: [],
    calls: 0,
    drops: [address],
  });
}

class Planner {
  /** Addresses under which the lock has what the file calls otherwise now. */
  readonly renamed = new Set<string>();
  readonly unstated: Unstated[] = [];
  readonly #request: PlanRequest;
  readonly #faults: Faults;
  readonly #hashes = new Map<string, string>();
  /** Addresses that cannot be done, and whether that is because they may not be seen. */
  readonly #unsupported = new Map<string, boolean>();
  readonly #ownedById = new Map<string, string>();
  readonly #addressById = new Map<string, string>();

  constructor(request: PlanRequest, faults: Faults) {
    this.#request = request;
    this.#faults = faults;
    for (const [address, { kind, id }] of request.state.entries())
      if (!request.desired.byAddress.has(address)) this.#ownedById.set(`${kind} ${id}`, address);
    for (const { resource, body } of request.survey.bindings.values())
      if (body !== undefined) this.#addressById.set(`${resource.kind.name} ${body.id}`, resource.address);
  }

  stepsFor(wanted: DesiredResource): Step[] {
    const { survey, state } = this.#request;
    const binding = survey.bindings.get(wanted.address)!;
    const owned = state.get(wanted.address);
    const base = this.#base(binding);
    const unsupported = this.#whyUnsupported(wanted);
    if (unsupported !== undefined) {
      this.#unsupported.set(wanted.address, unsupported.forbidden === true);
      return [{ ...base, action: 'unsupported', ...unsupported }];
    }
    const { changes, impossible } = differencesOf(binding, owned, survey, (from) => this.#hash(from));
    const shown = changes.map((change) => this.#withNames(wanted.kind, change));
    const late = shown.filter(
      ({ field, after }) =>
        isLate(wanted.kind, field) &&
        (binding.body !== undefined || !isSame(after, wanted.kind.fields[field]!.default)),
    );
    const main = this.#main(
      binding,
      owned,
      base,
      shown.filter(({ field }) => !isLate(wanted.kind, field)),
    );
    const { id, parent, ...rest } = base;
    const part = {
      ...rest,
      ...(id === undefined ? {} : { id }),
      ...(parent === undefined ? {} : { parent }),
    };
    return [
      main,
      ...(late.length === 0
        ? []
        : [
            {
              ...part,
              key: `${wanted.address} (last)`,
              action: 'update' as const,
              changes: late,
              late: true as const,
              calls: countCalls(wanted.kind, late),
            },
          ]),
      ...[...wanted.fields.keys()].flatMap((field) => {
        const reason = survey.unfetched.get(`${wanted.address} ${field}`);
        return reason === undefined
          ? []
          : [
              {
                ...part,
                key: `${wanted.address} (${field})`,
                action: 'unsupported' as const,
                reason: `"${field}" cannot be compared: ${reason}`,
                ...forbiddenIn(survey, `${wanted.address} ${field}`),
              },
            ];
      }),
      ...impossible.map((change) => ({
        ...part,
        key: `${wanted.address} (${change.field})`,
        action: 'unsupported' as const,
        changes: [this.#withNames(wanted.kind, change)],
        reason: `"${change.field}" is taken only when a ${wanted.kind.name} is made; take it out of the file, or make a new one`,
      })),
    ];
  }

  #whyUnsupported({ kind, parent = '' }: DesiredResource): Pick<Step, 'reason' | 'forbidden'> | undefined {
    const { survey } = this.#request;
    const reason = survey.unsupported.get(kind.name);
    if (reason !== undefined) return { reason, ...forbiddenIn(survey, kind.name) };
    const isParentForbidden = this.#unsupported.get(parent);
    if (isParentForbidden === undefined) return undefined;
    return isParentForbidden
      ? { reason: `${parent} cannot be seen`, forbidden: true }
      : { reason: `${parent} cannot be made` };
  }

  #main(binding: Binding, owned: Owned | undefined, base: Step, changes: readonly Change[]): Step {
    const { resource, body, gone } = binding;
    const states = this.#statesFor(binding, owned);
    const step = {
      ...base,
      changes,
      ...(states === undefined ? {} : { states }),
      ...(resource.protect === undefined ? {} : { protect: resource.protect }),
    };
    if (body === undefined) {
      const atCreation = this.#atCreation(resource);
      return {
        ...step,
        action: 'create',
        calls: 1 + countCalls(resource.kind, changes, true),
        ...(gone === undefined ? {} : { gone }),
        ...(atCreation === undefined ? {} : { atCreation }),
      };
    }
    const former = this.#ownedById.get(`${resource.kind.name} ${body.id}`);
    if (former !== undefined) this.renamed.add(former);
    const isOwned = owned?.id === body.id;
    const last = isOwned ? owned : former === undefined ? undefined : this.#request.state.get(former);
    for (const field of Object.keys(last?.fields ?? {}))
      if (!resource.fields.has(field)) this.unstated.push({ address: resource.address, field });
    const protectWas = last?.protect ?? false;
    const isLifted = last !== undefined && resource.protect !== undefined && resource.protect !== protectWas;
    const action = actionFor(resource.kind, isOwned, changes);
    return {
      ...step,
      action: action === 'none' && isLifted ? 'update' : action,
      ...(isLifted ? { protectWas } : {}),
      calls: countCalls(resource.kind, changes),
      ...(former === undefined ? {} : { drops: [former] }),
      saw: fingerprint(resource.kind, body, this.#request.survey.people),
    };
  }

  #base({ resource, body }: Binding): Step {
    const { address, kind, parent, at } = resource;
    const given = ['title', 'path', 'name', 'label']
      .map((field) => resource.fields.get(field)?.value)
      .find((value) => typeof value === 'string');
    const name =
      (given as string | undefined) ??
      (body === undefined ? address : displayName(kind, body, this.#request.survey, address));
    return {
      key: address,
      address,
      kind: kind.name,
      action: 'none',
      name,
      at: formatLocation(at),
      ...(body === undefined ? {} : { id: body.id }),
      ...(parent === undefined ? {} : { parent }),
      changes: [],
      after: [],
      calls: 0,
    };
  }

  /** All that is stated, unless the lock says exactly that already. */
  #statesFor({ resource, body }: Binding, owned: Owned | undefined): Fields | undefined {
    const { survey } = this.#request;
    // Of what could not be read nobody knows whether it is as wanted: the lock keeps what it says.
    const isUnread = (field: string): boolean => survey.unfetched.has(`${resource.address} ${field}`);
    const names = [...resource.fields.keys()].filter((field) => !isUnread(field));
    const unread = Object.fromEntries(
      Object.entries(owned?.fields ?? {}).filter(([field]) => isUnread(field)),
    );
    const resolved = {
      ...unread,
      ...Object.fromEntries(
        names.map((field) => [field, hashed(survey.valueOf(resource, field), (from) => this.#hash(from))]),
      ),
    };
    const protect = resource.protect ?? owned?.protect ?? false;
    const isKnown =
      owned !== undefined &&
      owned.id === body?.id &&
      owned.parent === resource.parent &&
      (owned.protect ?? false) === protect &&
      canonical(owned.fields) === canonical(resolved);
    return isKnown
      ? undefined
      : {
          ...unread,
          ...Object.fromEntries(
            names.map((field) => [
              field,
              hashed(survey.statedOf(resource, field), (from) => this.#hash(from)),
            ]),
          ),
        };
  }

  #atCreation(wanted: DesiredResource): Fields | undefined {
    const { kind, inside } = wanted;
    const { survey } = this.#request;
    const statedIn = (one: DesiredResource) => ({
      kind: one.kind.name,
      fields: Object.fromEntries([...one.fields.keys()].map((field) => [field, survey.statedOf(one, field)])),
    });
    const more =
      kind.atCreation?.(
        inside.map(statedIn),
        (message) => this.#faults.add(wanted.at, `${wanted.address} is not there yet, and ${message}`),
        (field) => wanted.fields.has(field),
      ) ?? {};
    const missing = Object.entries(kind.fields).flatMap(([name, field]) =>
      field.required === true && !wanted.fields.has(name) && more[name] === undefined ? [name] : [],
    );
    if (missing.length > 0)
      this.#faults.add(
        wanted.at,
        `${wanted.address} is not there yet, and to make it ${missing.map((name) => `"${name}"`).join(' and ')} must be stated`,
      );
    const unstated = Object.entries(more).filter(([name]) => !wanted.fields.has(name));
    return unstated.length === 0 ? undefined : Object.fromEntries(unstated);
  }

  /** The live value of a reference by the name that the manifest has for it. */
  #withNames(kind: Kind, change: Change): Change {
    if (change.before === undefined) return change;
    return {
      ...change,
      before: withAddresses(change.before, kind.fields[change.field]!, (known) =>
        this.#addressById.get(known),
      ),
    };
  }

  #hash(from: string): string {
    const known =
      this.#hashes.get(from) ?? this.#request.state.hash(this.#request.desired.secrets.get(from) ?? '');
    this.#hashes.set(from, known);
    return known;
  }
}

function forbiddenIn({ forbidden }: Survey, what: string): Pick<Step, 'forbidden'> {
  return forbidden.has(what) ? { forbidden: true } : {};
}

function actionFor(kind: Kind, isOwned: boolean, changes: readonly Change[]): Action {
  if (!isOwned && kind.create !== undefined) return 'adopt';
  if (changes.length === 0) return 'none';
  return changes.every(({ field }) => callOf(kind, field) === 'move' || field === kind.ordered?.part)
    ? 'move'
    : 'update';
}

/** Calls that the changes take at most; a create takes some of them, and of what it makes some are as wanted already. */
function countCalls(kind: Kind, changes: readonly Change[], isNew = false): number {
  const isDone = ({ field, after }: Change): boolean =>
    isNew && (kind.fields[field]!.create !== undefined || isSame(after, kind.fields[field]!.default));
  return new Set(changes.filter((change) => !isDone(change)).map(({ field }) => callOf(kind, field))).size;
}
