import type { ManifestState } from './manifest-state.ts';
import type { Leftover, Step } from './plan-document.ts';
import { scopeKey } from './survey.ts';

/** With more new ones than this, none of them says that it could be the old one. */
const mostGuesses = 3;

/** Where one thing is left over and a new one of its kind is made in the same place, the new one says how it would be the old one, renamed. */
export function addRenameHints(
  steps: readonly Step[],
  leftovers: readonly Pick<Leftover, 'address' | 'kind'>[],
  lock: ManifestState,
): readonly Step[] {
  if (leftovers.length === 0) return steps;
  const old = byScope(leftovers, ({ address, kind }) => scopeKey(kind, lock.get(address)?.parent));
  const made = byScope(
    steps.filter(({ action, gone }) => action === 'create' && gone === undefined),
    ({ kind, parent }) => scopeKey(kind, parent),
  );
  return steps.map((step) => {
    const key = scopeKey(step.kind, step.parent);
    const [only, ...more] = old.get(key) ?? [];
    const guesses = made.get(key) ?? [];
    if (only === undefined || more.length > 0 || guesses.length > mostGuesses || !guesses.includes(step))
      return step;
    const { id, protect } = lock.get(only.address)!;
    const forget = `docsctl forget ${only.address}${protect === true ? ' --force' : ''}`;
    return {
      ...step,
      hint: `If this is ${only.address} under a new name: ${forget} && docsctl adopt ${step.address} ${id}`,
    };
  });
}

function byScope<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return found;
}
