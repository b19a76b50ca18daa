import { Problem } from '../errors/problem.ts';

/** What to do about a damaged store. */
export const damageHint =
  'Run `docsctl store check` to see what is damaged. To go back to a backup, run `docsctl store restore FILE --replace`.';

/** Returns the Problem for a damaged store. `what` is the end of its sentence. */
export function damagedStore(what: string, cause?: unknown): Problem {
  return new Problem('store-failed', `The store is damaged: ${what}.`, { hint: damageHint, cause });
}
