import type { PlanDocument, Step } from '../plan-document.ts';
import { isSame, referencesIn } from '../value.ts';

const notFaithful = 'it could not be copied exactly';

/**
 * Finds the steps that cannot be rehearsed, with the reasons: steps that differ in the plan of the copy, and all steps that need
 * them.
 */
export function findUnrehearsable(live: PlanDocument, copy: PlanDocument): Map<string, string> {
  const inCopy = new Map(copy.steps.map((step) => [step.key, step]));
  const found = new Map<string, string>();
  for (const step of live.steps) {
    const other = inCopy.get(step.key);
    inCopy.delete(step.key);
    if (step.action === 'unsupported' || isSame(essenceOf(step), other && essenceOf(other))) continue;
    found.set(step.key, (other?.action === 'unsupported' ? other.reason : undefined) ?? notFaithful);
  }
  // If only the copy has a step, the resource in the copy differs.
  const differing = new Set(
    [...inCopy.values()].filter(({ action }) => action !== 'none').map((step) => step.address),
  );
  for (const { key, address } of live.steps)
    if (differing.has(address) && !found.has(key)) found.set(key, notFaithful);
  addDependents(live.steps, found);
  return found;
}

function essenceOf({ action, changes, beside }: Step): unknown {
  return [action, changes.map(({ field }) => field).sort(), beside ?? null];
}

function addDependents(steps: readonly Step[], found: Map<string, string>): void {
  const keys = new Set(steps.map(({ key }) => key));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const { key, address, parent, after, changes } of steps) {
      if (found.has(key)) continue;
      const references = referencesIn(changes.map((change) => change.after));
      const needs = [...after, parent ?? address, address, ...references];
      const because = needs.find((need) => keys.has(need) && found.has(need));
      if (because !== undefined) found.set(key, `it needs ${because}, which could not be rehearsed`);
    }
  }
}
