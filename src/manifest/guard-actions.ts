import { listSome, plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { Action, PlanDocument, Step } from './plan-document.ts';

/** The words of `--allow`, each with the actions that it allows. */
export const allowedActions = {
  create: ['create'],
  update: ['update', 'adopt', 'move'],
  delete: ['delete'],
} as const satisfies Readonly<Record<string, readonly Action[]>>;

export type AllowedWord = keyof typeof allowedActions;

/** Refuses a plan with an action that is not allowed. @throws Problem(guard-refused) that names the steps */
export function guardActions({ steps }: PlanDocument, allow: readonly AllowedWord[] | undefined): void {
  if (allow === undefined) return;
  const allowed = new Set<Action>(['none', 'unsupported', ...allow.flatMap((word) => allowedActions[word])]);
  const created = new Set(steps.flatMap(({ action, address }) => (action === 'create' ? [address] : [])));
  // Later steps of a new resource, such as setting the visibility of a site, are part of its creation.
  const actionOf = ({ action, address }: Step): Action =>
    created.has(address) && !allowed.has(action) ? 'create' : action;
  const refused = steps.filter((step) => !allowed.has(actionOf(step)));
  if (refused.length === 0) return;
  const names = refused.map(({ action, key }) => `${action} ${key}`);
  throw new Problem(
    'guard-refused',
    `The plan has ${plural(refused.length, 'step')} that --allow ${allow.join(',')} does not allow: ${listSome(names)}.`,
    {
      hint: 'Nothing was changed. Review the plan, then allow more with --allow or limit the plan with --only.',
      violations: refused.slice(0, 50).map(({ at, key, action }) => ({
        path: at ?? key,
        message: at === undefined ? `${action} is not allowed` : `${key}: ${action} is not allowed`,
      })),
    },
  );
}
