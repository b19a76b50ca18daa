import { callOf } from './differences.ts';
import { topologicalSort } from './topological-sort.ts';
import { canLieIn, findField, type Fields, type Kind } from './kind.ts';
import { fitsSchema, keepsSecrets } from './fits-schema.ts';
import type { Change, Step } from './plan-document.ts';
import { canonical } from './value.ts';

/** What is wrong with the steps of a plan that somebody may have written: half a sentence. Undefined: they are such as are planned. */
export function findFaultInSteps(steps: readonly Step[], table: readonly Kind[]): string | undefined {
  const checker = new Checker(steps, table);
  if (new Set(steps.map(({ key }) => key)).size < steps.length) return 'has two steps of one name';
  const owners = new Set<string>();
  for (const step of steps) {
    if (!checker.isSound(step))
      return `has a step that no plan has: ${JSON.stringify(step.key.slice(0, 200))}`;
    if (step.id === undefined || step.key !== step.address) continue;
    if (owners.has(`${step.kind} ${step.id}`))
      return `means one resource by two names: ${JSON.stringify(step.id.slice(0, 200))}`;
    owners.add(`${step.kind} ${step.id}`);
  }
  const { cycle } = topologicalSort(
    steps,
    ({ key }) => key,
    ({ after }) => after,
  );
  return cycle.length === 0 ? undefined : 'has steps that wait for each other';
}

class Checker {
  readonly #steps: readonly Step[];
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #main: ReadonlyMap<string, Step>;

  constructor(steps: readonly Step[], table: readonly Kind[]) {
    this.#steps = steps;
    this.#kinds = new Map(table.map((kind) => [kind.name, kind]));
    this.#main = new Map(
      steps.filter(({ key, address }) => key === address).map((step) => [step.address, step]),
    );
  }

  isSound(step: Step): boolean {
    const kind = this.#kinds.get(step.kind);
    return (
      kind !== undefined &&
      step.address.startsWith(`${kind.name}.`) &&
      (isForgetting(step) || this.#isPlaced(step, kind)) &&
      step.changes.every((change) => isChange(change, kind)) &&
      new Set(step.changes.map(({ field }) => field)).size === step.changes.length &&
      Object.entries(step.states ?? {}).every(
        ([field, value]) =>
          Object.hasOwn(kind.fields, field) && keepsSecrets(value, kind.fields[field]!.schema),
      ) &&
      this.#does(step, kind) &&
      (step.action === 'unsupported' ? step.calls === 0 : isCounted(step, kind))
    );
  }

  /** It lies where its kind can, and a part of the work is of the same resource as the whole. */
  #isPlaced({ key, address, kind: name, id, parent, saw }: Step, kind: Kind): boolean {
    const above = parent === undefined ? undefined : this.#main.get(parent);
    if (!canLieIn(kind, above?.kind) || (parent !== undefined && above === undefined)) return false;
    // Nothing lies in what is not there yet.
    if (id !== undefined && above !== undefined && above.id === undefined) return false;
    const main = this.#main.get(address);
    if (key === address) return (id === undefined) === (saw === undefined);
    return (
      key.startsWith(`${address} (`) &&
      main !== undefined &&
      main.kind === name &&
      main.id === id &&
      main.parent === parent &&
      main.action !== 'delete'
    );
  }

  /** It has what its action needs, and nothing that the action would do unseen. */
  #does(step: Step, kind: Kind): boolean {
    const {
      key,
      address,
      action,
      id,
      changes,
      states,
      drops = [],
      late,
      beside,
      atCreation,
      protect,
      protectWas,
    } = step;
    if (atCreation !== undefined && action !== 'create') return false;
    if (beside !== undefined && (action !== 'move' || changes.length > 0)) return false;
    if (
      protectWas !== undefined &&
      (protect === undefined || protectWas === protect || states === undefined || action === 'none')
    )
      return false;
    if (key !== address)
      return states === undefined && drops.length === 0 && protect === undefined && this.#isPart(step, kind);
    if (late !== undefined || beside !== undefined) return false;
    switch (action) {
      case 'create':
        return (
          id === undefined &&
          kind.create !== undefined &&
          states !== undefined &&
          drops.length === 0 &&
          this.#isMade(step, kind)
        );
      case 'delete':
        return (
          id !== undefined &&
          kind.remove !== undefined &&
          changes.length === 0 &&
          states === undefined &&
          protect === undefined
        );
      case 'none':
        return changes.length === 0 && (id !== undefined || isForgetting(step));
      case 'unsupported':
        return true;
      default:
        return id !== undefined;
    }
  }

  #isPart({ action, late, beside, parent, address }: Step, kind: Kind): boolean {
    if (action === 'unsupported') return late === undefined && beside === undefined;
    if (late === true) return action === 'update' && beside === undefined;
    if (beside === undefined || kind.ordered === undefined || parent === undefined) return false;
    const neighbour = 'before' in beside ? beside.before : beside.after;
    return neighbour !== address && this.#main.get(neighbour)?.parent === parent;
  }

  /** What only a create needs is not shown, so it must follow from what is. */
  #isMade({ address, atCreation = {}, states = {} }: Step, kind: Kind): boolean {
    const inside = this.#steps.flatMap(({ key, parent, kind: name, states: fields = {} }) =>
      parent === address && this.#main.has(key) ? [{ kind: name, fields }] : [],
    );
    const isStated = (field: string): boolean => Object.hasOwn(states, field);
    const needed: Fields = kind.atCreation?.(inside, () => {}, isStated) ?? {};
    const wanted = Object.fromEntries(Object.entries(needed).filter(([name]) => !isStated(name)));
    return keepsSecrets(atCreation, undefined) && canonical(wanted) === canonical(atCreation);
  }
}

/** An entry that leaves the lock without a call. */
function isForgetting(step: Step): boolean {
  const { key, address, action, id, parent, changes, states, drops = [] } = step;
  return (
    key === address &&
    action === 'none' &&
    id === undefined &&
    parent === undefined &&
    changes.length === 0 &&
    states === undefined &&
    drops.join() === address
  );
}

function isChange({ field, before, after, says }: Change, kind: Kind): boolean {
  const definition = findField(kind, field);
  // Words of its own stand in place of the values.
  return (
    definition !== undefined &&
    fitsSchema(after, definition.schema) &&
    keepsSecrets(before, definition.schema) &&
    (says === undefined || definition.describe !== undefined)
  );
}

function isCounted({ action, beside, changes, calls }: Step, kind: Kind): boolean {
  const most = new Set(changes.map(({ field }) => callOf(kind, field))).size;
  if (action === 'create') return calls >= 1 && calls <= 1 + most;
  return calls === (action === 'delete' || beside !== undefined ? 1 : most);
}
