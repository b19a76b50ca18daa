import type { PlanDocument, Step } from '../plan-document.ts';
import { canonical, referencesIn } from '../value.ts';

/**
 * The steps of a plan that its copy cannot tell anything of, and why: where the plan of the copy says something else, the
 * copy is not as the live side is; and so with all that needs such a step.
 */
export function findUnrehearsable(live: PlanDocument, copy: PlanDocument): Map<string, string> {
  const inCopy = new Map(copy.steps.map((step) => [step.key, step]));
  const found = new Map<string, string>();
  for (const step of live.steps) {
    const other = inCopy.get(step.key);
    inCopy.delete(step.key);
    if (
      step.action === 'unsupported' ||
      canonical(gist(step)) === canonical(other === undefined ? null : gist(other))
    )
      continue;
    found.set(
      step.key,
      other?.action === 'unsupported' && other.reason !== undefined
        ? other.reason
        : 'it could not be copied as it is',
    );
  }
  // What only the copy has to do shows that it is another one there.
  const strange = new Set(
    [...inCopy.values()].filter(({ action }) => action !== 'none').map(({ address }) => address),
  );
  for (const { key, address } of live.steps)
    if (strange.has(address) && !found.has(key)) found.set(key, 'it could not be copied as it is');
  spread(live.steps, found);
  return found;
}

function gist({ action, changes, beside }: Step): unknown {
  return [action, changes.map(({ field }) => field).sort(), beside ?? null];
}

/** What lies in something, refers to it or waits for it says no more than that does. */
function spread(steps: readonly Step[], found: Map<string, string>): void {
  const mainKeys = new Set(steps.map(({ key }) => key));
  for (let grown = true; grown;) {
    grown = false;
    for (const { key, address, parent, after, changes } of steps) {
      if (found.has(key)) continue;
      const needs = [
        ...after,
        ...(parent === undefined ? [] : [parent]),
        ...(key === address ? [] : [address]),
        ...referencesIn(changes.map((change) => change.after)),
      ];
      const because = needs.find((need) => mainKeys.has(need) && found.has(need));
      if (because === undefined) continue;
      found.set(key, `it needs ${because}, which could not be rehearsed`);
      grown = true;
    }
  }
}
